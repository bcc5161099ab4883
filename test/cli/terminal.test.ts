import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gge1Of, madeUpParts } from '../embedding/made-up-model.js';
import { hasProgram, openHome, type TestHome } from './support.js';

let home: TestHome;
let id: string;
const long = 'A title that is much longer than a terminal of eighty columns has room for in one row of a table';
beforeAll(async () => {
  home = openHome();
  id = (await home.json(['write', long, '--body', 'deploy text'])).id;
});
afterAll(() => home.remove());

/** Makes an editor that does what a person would: it runs this shell line on the file `$1`. */
const editor = (line: string): string => {
  const path = join(home.folder, `editor-${Math.random().toString(36).slice(2)}`);
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
  return path;
};

const leftTexts = (): readonly string[] =>
  readdirSync(home.folder).filter((name) => name.startsWith('anamnesis-edit-'));

it.skipIf(!hasProgram('script'))('a real terminal is asked for its width (skipped where `script` is missing)', () => {
  const { stdout } = home.spawnOnTerminal(['list']);
  expect(stdout).toContain('\x1b[');
  expect(stdout).toContain('…');
});

describe('on a terminal', () => {
  it('cuts a table to its width and colours it', async () => {
    const { stdout } = await home.onTerminal(['list']);
    const row = stdout.split('\n').find((line) => line.includes(id.slice(-6))) ?? '';
    expect(row).toContain('\x1b[');
    expect(row).toContain('…');
    expect(row.replace(/\x1b\[\d+m/g, '').length).toBeLessThanOrEqual(80);
  });
  it('breaks messages, and lines beside a key, between words only', async () => {
    const widest = (text: string): number =>
      Math.max(...text.split('\n').map((line) => line.replace(/\x1b\[\d+m/g, '').length));
    const message = (
      await home.onTerminal(['show', 'a title that no note has and that is about as long as titles get'])
    ).stdout;
    expect(message.split('\n').length).toBeGreaterThan(2);
    expect(widest(message)).toBeLessThanOrEqual(80);
    expect(message.replaceAll('\n', ' ')).toContain(
      'anamnesis search WORDS finds notes by what they say; anamnesis log',
    );
    expect(
      widest((await home.onTerminal(['write', '', '--body', 'x', '--project', 'nope/../..'])).stdout),
    ).toBeLessThanOrEqual(80);
    expect((await home.onTerminal(['show', id])).stdout.split('\n').map((line) => line.trim())).toContainEqual(
      expect.stringMatching(new RegExp(`${id}\\.md$`)),
    );
  });
  it('leaves colour out with NO_COLOR', async () => {
    expect((await home.onTerminal(['list'], { NO_COLOR: '1' })).stdout).not.toContain('\x1b[');
  });
  it('prints its help without a subcommand', async () => {
    expect((await home.onTerminal([])).stdout).toMatch(/^Usage: anamnesis/);
  });
  it('says what to try when nothing was found, but not in a pipe', async () => {
    const found = (await home.onTerminal(['search', 'zzzz'])).stdout;
    expect(found).toContain('no note matches zzzz\ntry other words, or see all notes: anamnesis list\n');
    expect((await home.onTerminal(['search', 'zzzz', '--project', 'shop'])).stdout).toContain('leave out an option');
    expect((await home.onTerminal(['recall', 'zzzz'])).stdout).toContain('no note fits that prompt well enough');
    expect(await home.run(['recall', 'zzzz'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await home.run(['search', 'zzzz'])).toEqual({ code: 0, stdout: '', stderr: 'no note matches zzzz\n' });
  });
  it('suggests a search by meaning when a model is in use and no note has a word of the query', async () => {
    const file = join(home.folder, 'made-up.bin');
    writeFileSync(file, gge1Of(madeUpParts()));
    await home.json(['model', 'install', file]);
    await home.json(['model', 'use', 'made-up']);
    expect((await home.onTerminal(['search', 'zzzz'])).stdout).toContain('--mode semantic\n');
    expect((await home.onTerminal(['search', 'zzzz', '--mode', 'keyword'])).stdout).not.toContain('--mode semantic');
    await home.json(['model', 'use', 'none']);
  });
  it('writes a note in the editor', async () => {
    const ran = await home.onTerminal(['write', 'Typed'], {
      EDITOR: `${editor('echo "typed by hand" >> "$2"')} --wait`,
    });
    expect(ran).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/recorded.* note\.written [0-9A-Z]{6} Typed/),
    });
    expect((await home.json(['search', 'typed hand'])).hits[0].snippet).toBe('typed by hand');
    expect(leftTexts()).toEqual([]);
  });
  it('reads title and text from the editor, without its hint', async () => {
    const lines =
      'grep -q "^<!-- The first line is the title" "$1" && sed -i "1s/.*/# Typed title/; 2s/.*/typed text/" "$1"';
    expect(await home.onTerminal(['write'], { EDITOR: editor(lines) })).toMatchObject({ code: 0 });
    const [note] = (await home.json(['search', 'typed title'])).hits;
    expect(await home.json(['show', note.id])).toMatchObject({ title: 'Typed title', body: 'typed text' });
    expect(
      (await home.onTerminal(['edit', note.id], { EDITOR: editor('sed -i "1s/.*/# Better title/" "$1"') })).code,
    ).toBe(0);
    expect(await home.json(['show', note.id])).toMatchObject({ title: 'Better title', body: 'typed text' });
  });
  it.each([
    ['Plain title\\n\\nnew text\\n', 'Plain title', 'new text'],
    ['## Sub\\n\\nnew text\\n', 'Sub', 'new text'],
    ['# Old title #\\n\\nnew text\\n', 'Old title #', 'new text'],
  ])('reads %j, saved for a note, as a title and a text', async (saved, title, body) => {
    const note = await home.json(['write', 'Old title #', '--body', 'old text', '--project', saved]);
    expect((await home.onTerminal(['edit', note.id], { EDITOR: editor(`printf '${saved}' > "$1"`) })).code).toBe(0);
    expect(await home.json(['show', note.id])).toMatchObject({ title, body });
  });
  it('accepts a title alone for a new note, but not in place of an existing text', async () => {
    const saves = (text: string) => ({ EDITOR: editor(`printf '${text}' > "$1"`) });
    expect((await home.onTerminal(['write'], saves('# A title alone\\n'))).code).toBe(0);
    expect((await home.onTerminal(['write'], saves('Plain title alone\\n'))).code).toBe(0);
    const titles = (await home.json(['list'])).notes.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(expect.arrayContaining(['A title alone', 'Plain title alone']));
    expect(await home.onTerminal(['edit', id], saves('# Without a text\\n'))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('the text is empty'),
    });
    for (const name of leftTexts()) rmSync(join(home.folder, name), { recursive: true });
  });
  it('records nothing when the text stays empty or there is no editor', async () => {
    expect(await home.onTerminal(['write', 'Nothing'], { EDITOR: 'true' })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('the text is empty'),
    });
    expect(await home.onTerminal(['write', 'Nothing'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('no editor'),
    });
    expect(await home.onTerminal(['write', 'Nothing'], { VISUAL: 'false' })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('failed'),
    });
    expect(leftTexts()).toEqual([]);
  });
  it('edits the text of a note, and keeps what was typed when that is refused', async () => {
    expect((await home.onTerminal(['edit', id], { EDITOR: editor('echo more >> "$1"') })).code).toBe(0);
    expect((await home.json(['show', id])).body).toContain('more');
    const refused = await home.onTerminal(['edit', id, '--if-version', '0'.repeat(40)], {
      EDITOR: editor('echo lost? >> "$1"'),
    });
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('your text is kept in') });
    expect(leftTexts()).toHaveLength(1);
  });
});

describe('in a pipe', () => {
  it('prints whole titles without colour or tabs', async () => {
    const { stdout } = await home.run(['list']);
    expect(stdout).toContain(long);
    expect(stdout).not.toMatch(/[\x1b\t]/);
  });
  it('uses colour when that is forced', async () => {
    expect((await home.run(['list'], { env: { FORCE_COLOR: '1' } })).stdout).toContain('\x1b[33m');
  });
  it('shows no control characters of a note', async () => {
    const note = await home.json(['write', 'Evil \x1b[2Jtitle', '--body', 'before\x1b[31mafter \x9b1m']);
    const human =
      (await home.run(['search', 'evil'])).stdout +
      (await home.run(['show', note.id])).stdout +
      (await home.run(['list'])).stdout;
    expect(human).not.toMatch(/[\x1b\x9b]/);
    expect((await home.run(['show', note.id, '--json'])).stdout).not.toMatch(/[\x1b\x9b]/);
  });
});
