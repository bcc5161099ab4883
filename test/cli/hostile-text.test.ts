import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from './support.js';

const nasty = 'x\x1b[2J\x1b]0;owned\x07y\x9b5n\u202eevil\u2066\u200bz\u{e0041}\u{e0042}\rover\x7f';
let home: TestHome;
let id: string;
let work: string;

/** Everything from outside has control characters: title, text, tags, project, machine, file names, remote, commit. */
beforeAll(async () => {
  home = openHome();
  work = join(home.folder, 'wo\x1b[31mrk\u202e');
  mkdirSync(work);
  const body = `${nasty}\nsecond ${nasty}\n`;
  const written = await home.run(
    ['write', '--title', 'Deploy', '--body-file', '-', '--tag', `t${nasty.replace('\r', '')}`, '--json'],
    {
      input: body,
      cwd: work,
    },
  );
  id = JSON.parse(written.stdout).id;
  await home.json(['write', 'Deploy two', '--body', 'deploy', '--supersedes', id], { cwd: work });
  const memory = join(home.store, 'memory');
  const note = (name: string, title: string): void =>
    writeFileSync(
      join(memory, 'semantic', name),
      `---\nid: 01K0000000000000000000000A\ntype: semantic\ntitle: ${JSON.stringify(title)}\nproject: ${JSON.stringify(`p${nasty}`)}\nmachine_id: ${JSON.stringify(`m${nasty}`)}\n---\ndeploy ${nasty}\n`,
    );
  note('01K0000000000000000000000A.md', `Deploy by hand ${nasty}`);
  execFileSync('git', ['-C', memory, '-c', 'user.name=x', '-c', 'user.email=x@y', 'add', '.']);
  execFileSync('git', [
    '-C',
    memory,
    '-c',
    'user.name=x',
    '-c',
    'user.email=x@y',
    'commit',
    '-q',
    '-m',
    `foreign ${nasty}`,
  ]);
  writeFileSync(join(memory, 'semantic', `bad\x1b[2J\u202e\n.md`), 'no note');
  writeFileSync(
    join(memory, 'semantic', '01K0000000000000000000000B.md'),
    `---\nid: 01K0000000000000000000000B\ntitle: [${nasty}\n---\n`,
  );
  await home.run(['remote', 'set', join(home.folder, 'gone\x1b[2J\u202e')]);
});
afterAll(() => home.remove());

const commands = (): readonly (readonly string[])[] => [
  ['list'],
  ['search', 'deploy'],
  ['show', id],
  ['show', '01K0000000000000000000000A'],
  ['inject', '--project', `p${nasty}`],
  ['recall', 'deploy by hand evil over'],
  ['log'],
  ['history', id],
  ['status'],
  ['adopt'],
  ['doctor'],
  ['diff', '2020-01-01'],
  ['fleet'],
  ['stats', '--by', 'project'],
  ['sync'],
  ['conflicts'],
  ['project'],
  ['show', 'nasty\x1b[2J\u202e'],
];

/** Control and invisible characters; our own colours are removed first. */
const acting = /[^\P{Cc}\n\t]|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;
const withoutColours = (text: string): string => text.replace(/\x1b\[(?:1|2|22|31|32|33|36|39)m/g, '');

describe('the output of a command', () => {
  it('has no control or invisible characters, whatever the command', async () => {
    for (const args of commands()) {
      const ran = await home.run(args, { cwd: work, env: { FORCE_COLOR: '1' } });
      expect([
        args,
        acting.exec(withoutColours(ran.stdout))?.[0],
        acting.exec(withoutColours(ran.stderr))?.[0],
      ]).toEqual([args, undefined, undefined]);
      expect(ran.code).not.toBe(70);
    }
  }, 120_000);

  it('has them escaped in JSON, which parses to the whole text', async () => {
    for (const args of [['show', id], ['log'], ['status'], ['inject']]) {
      const { stdout } = await home.run([...args, '--json'], { cwd: work });
      expect([args, acting.exec(stdout)?.[0]]).toEqual([args, undefined]);
    }
    expect((await home.json(['show', id])).body).toContain('\u202eevil\u2066\u200bz\u{e0041}\u{e0042}');
  }, 120_000);

  it('has every character of a text only with --raw', async () => {
    expect((await home.run(['show', id, '--raw'])).stdout).toBe((await home.json(['show', id])).body);
    expect((await home.run(['show', id, '--raw'])).stdout).toContain('\x1b]0;owned\x07');
  });
});
