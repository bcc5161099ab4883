import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptProgram } from '../support/built-program.js';
import { type Json, noteKeys, openHome, type TestHome, ulid } from './support.js';

let home: TestHome;
beforeAll(() => {
  home = openHome();
});
afterAll(() => home.remove());

const write = (title: string, ...more: string[]): Promise<Json> =>
  home.json(['write', title, '--body', `About ${title}.`, ...more]);

describe('write', () => {
  it('prints the note with what was recorded', async () => {
    const answer = await home.json([
      ...[
        'write',
        '--title',
        'Deploys need the VPN',
        '--body',
        'The registry is not reachable.',
        '--type',
        'procedural',
      ],
      ...['--tag', 'deploy', '--tag', 'network', '--keyword', 'tunnel', '--importance', '0.5', '--confidence', '0.9'],
      ...['--expires', '2999-01-31'],
    ]);
    expect(Object.keys(answer)).toEqual(expect.arrayContaining([...noteKeys, 'body', 'path']));
    expect(answer).toMatchObject({
      type: 'procedural',
      title: 'Deploys need the VPN',
      project: 'shop',
      machine_id: 'testbox',
      scope: 'portable',
      tags: ['deploy', 'network'],
      keywords: ['tunnel'],
      importance: 0.5,
      confidence: 0.9,
      expires_at: '2999-01-31T23:59:59+00:00',
      body: 'The registry is not reachable.',
      event: { id: expect.stringMatching(ulid), kind: 'note.written', at: expect.any(String) },
      status: 'recorded',
      masked: [],
      warnings: [],
    });
  });
  it('reads the text from standard input when it is piped', async () => {
    expect((await home.json(['write', 'Piped'], { input: 'first line\nsecond é\n' })).body).toBe(
      'first line\nsecond é\n',
    );
    expect((await home.json(['write', 'Dashed', '--body-file', '-'], { input: 'dashed' })).body).toBe('dashed');
  });
  it('reads the text from a file', async () => {
    writeFileSync(join(home.work, 'steps.md'), '1. build\n2. tag\n');
    expect(await home.json(['write', 'Steps', '--body-file', 'steps.md', '--project', 'global'])).toMatchObject({
      body: '1. build\n2. tag\n',
      project: 'global',
    });
  });
  it('refuses a text that is not UTF-8 and a file that does not exist', async () => {
    const broken = await home.run(['write', 'Broken'], { input: Buffer.from([0x61, 0xff, 0xfe]) });
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('body must be text in UTF-8') });
    const missing = await home.run(['write', 'Missing', '--body-file', 'nowhere.md']);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere.md') });
  });
  it('reports a note without title or text as wrong usage', async () => {
    expect(await home.run(['write', '--body', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no title'),
    });
    expect(await home.run(['write', 'Empty'])).toMatchObject({ code: 2, stderr: expect.stringContaining('no text') });
    expect((await home.run(['write', 'Both', '--title', 'Both', '--body', 'x'])).code).toBe(2);
  });
  it('says in one line what was recorded, and what was masked', async () => {
    const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
    const { stdout } = await home.run(['write', 'Token', '--body', `it is ${token}`]);
    expect(stdout).toMatch(/^recorded note\.written [0-9A-Z]{6} Token\nmasked 1 github-token\n$/);
  });
  it('records a command once when it is sent again', async () => {
    const first = await write('Once', '--command-id', 'hook-17');
    const again = await write('Once', '--command-id', 'hook-17');
    expect(again.event).toEqual(first.event);
    expect((await home.json(['search', 'Once'])).hits.filter((hit: Json) => hit.title === 'Once')).toHaveLength(1);
  });
  it('refuses another text under a command id that is taken', async () => {
    await write('Nightly', '--command-id', 'hook-18');
    const other = await home.run(['write', 'Nightly', '--body', 'another text', '--command-id', 'hook-18']);
    expect(other).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('names another command') });
  });
  it('supersedes the notes it names', async () => {
    const older = await write('Old way');
    const newer = await write('New way', '--supersedes', older.id.slice(0, 22));
    expect(newer).toMatchObject({ supersedes: [older.id], event: { kind: 'note.superseded' } });
    expect((await home.json(['show', older.id])).superseded_by).toBe(newer.id);
  });
  it('keeps the project and scope of the notes it supersedes, and names that project', async () => {
    const older = await write('Old route', '--project', 'bakery', '--scope', 'machine-local');
    const newer = await home.run(['write', 'New route', '--body', 'x', '--supersedes', older.id]);
    expect(newer).toMatchObject({ code: 0, stderr: 'project: bakery\n' });
    const newest = await home.json(['supersede', older.id, '--title', 'Newest route', '--body', 'y']);
    expect(newest).toMatchObject({ project: 'bakery', scope: 'machine-local', warnings: [] });
  });
});

describe('edit', () => {
  it('sets what is named and leaves the rest', async () => {
    const note = await write('Draft', '--tag', 'a', '--importance', '0.2', '--expires', '2999-01-01');
    const edited = await home.json(['edit', note.id, '--title', 'Final', '--importance', 'none', '--expires', 'none']);
    expect(edited).toMatchObject({
      id: note.id,
      title: 'Final',
      body: note.body,
      tags: ['a'],
      event: { kind: 'note.edited' },
    });
    expect(edited).not.toHaveProperty('importance');
    expect(edited).not.toHaveProperty('expires_at');
    expect(await home.json(['edit', note.id, '--clear-tags', '--body-file', '-'], { input: 'new\n' })).toMatchObject({
      tags: [],
      body: 'new\n',
    });
    expect(await home.json(['edit', note.id, '--title', 'Final'])).toMatchObject({ status: 'unchanged', event: null });
  });
  it('refuses to overwrite what was written in between', async () => {
    const note = await write('Shared');
    await home.json(['edit', note.id, '--body', 'theirs', '--if-version', note.version]);
    const late = await home.run(['edit', note.id, '--body', 'mine', '--if-version', note.version]);
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('changed since you read it') });
  });
  it('uses a piped text as the new one, unless fields are given: then standard input is not read', async () => {
    const note = await write('Piped over');
    expect((await home.json(['edit', note.id], { input: 'new text\n' })).body).toBe('new text\n');
    const line = [keptProgram, 'edit', note.id, '--tag', 'y'];
    await promisify(execFile)(process.execPath, line, { cwd: home.work, env: home.env });
    expect(await home.json(['show', note.id])).toMatchObject({ tags: ['y'], body: 'new text\n' });
    const both = ['edit', note.id, '--tag', 'x', '--body-file', '-'];
    expect(await home.json(both, { input: 'newer text\n' })).toMatchObject({ tags: ['x'], body: 'newer text\n' });
  });
  it('refuses an edit of nothing without a terminal', async () => {
    const note = await write('Untouched');
    expect(await home.run(['edit', note.id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('sets no field'),
    });
  });
});

describe('the other commands that write', () => {
  it('supersede copies nothing of a machine-local note into a portable one', async () => {
    const older = await write('Talks', '--scope', 'machine-local', '--tag', 'layoffs', '--importance', '0.9');
    const newer = await home.json(['supersede', older.id, '--title', 'Plans', '--body', 'b', '--scope', 'portable']);
    expect(newer).toMatchObject({ scope: 'portable', tags: [] });
    expect(newer.importance).toBeUndefined();
  });
  it('supersede keeps the type, tags and importance of the older note unless others are given', async () => {
    const older = await write('Deploy steps', '--type', 'procedural', '--tag', 'deploy', '--importance', '0.8');
    const newer = await home.json(['supersede', older.id, '--title', 'Deploy steps of today', '--body', 'from CI']);
    expect(newer).toMatchObject({ type: 'procedural', tags: ['deploy'], importance: 0.8 });
    const given = ['--type', 'semantic', '--tag', 'ci', '--importance', '0.2'];
    const newest = await home.json(['supersede', newer.id, '--title', 'Deploys', '--body', 'are gone', ...given]);
    expect(newest).toMatchObject({ type: 'semantic', tags: ['ci'], importance: 0.2 });
  });
  it('write reads the front matter of a piped text beside a title, which wins', async () => {
    const input = '---\ntitle: Not this\ntags: [net]\ntype: procedural\nauthor: me\n---\n\nSteps.\n';
    const note = await home.json(['write', 'This title'], { input });
    expect(note).toMatchObject({ title: 'This title', tags: ['net'], type: 'procedural', body: 'Steps.\n' });
    expect(note.warnings[0]).toContain('left out of the front matter: author;');
    const whole = await home.json(['write', 'Whole text', '--body-file', '-'], { input });
    expect(whole).toMatchObject({ tags: [], body: input });
  });
  it('supersede replaces notes with an existing note or a new one', async () => {
    const [first, second, third] = [await write('First'), await write('Second'), await write('Third')];
    expect(await home.json(['supersede', first.id, '--by', second.id])).toMatchObject({
      id: second.id,
      supersedes: [first.id],
    });
    const merged = await home.json(['supersede', second.id, third.id, '--title', 'Merged', '--body', 'both']);
    expect(merged).toMatchObject({
      title: 'Merged',
      supersedes: [second.id, third.id],
      event: { kind: 'note.superseded' },
    });
    expect(await home.run(['supersede', third.id])).toMatchObject({ code: 2, stderr: expect.stringContaining('--by') });
    expect((await home.run(['supersede', third.id, '--by', merged.id, '--title', 'x'])).code).toBe(2);
    const cycle = await home.run(['supersede', merged.id, '--by', third.id]);
    expect(cycle).toMatchObject({ code: 1, stderr: expect.stringContaining("can't supersede") });
  });
  it('forget takes a note out of recall, and restore brings it back', async () => {
    const note = await write('Passing');
    const forgotten = await home.json(['forget', note.id, '--reason', 'wrong']);
    expect(Object.keys(forgotten)).toEqual(['id', 'event', 'status']);
    expect(forgotten).toMatchObject({ id: note.id, status: 'recorded', event: { kind: 'note.forgotten' } });
    expect(await home.run(['show', note.id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was forgotten'),
    });
    expect(await home.json(['forget', note.id])).toMatchObject({ status: 'unchanged', event: null });
    expect(await home.json(['restore', note.id])).toMatchObject({
      id: note.id,
      title: 'Passing',
      event: { kind: 'note.restored' },
    });
    const events = (await home.json(['history', note.id])).events;
    expect(events.map((event: Json) => event.kind)).toEqual(['note.restored', 'note.forgotten', 'note.written']);
    expect(events[1].reason).toBe('wrong');
  });
  it('forget of several notes prints a list', async () => {
    const ids = [(await write('Twin one')).id, (await write('Twin two')).id];
    expect((await home.json(['forget', ...ids])).map((answer: Json) => answer.id)).toEqual(ids);
  });
  it('tag and untag change the tags', async () => {
    const note = await write('Tagged', '--tag', 'a');
    expect((await home.json(['tag', note.id, 'b', 'c'])).tags).toEqual(['a', 'b', 'c']);
    expect((await home.json(['untag', note.id, 'a', 'b'])).tags).toEqual(['c']);
  });
  it('move says that history still holds the text', async () => {
    const note = await write('Private');
    const moved = await home.run(['move', note.id, '--scope', 'machine-local', '--project', 'other', '--json']);
    expect(JSON.parse(moved.stdout)).toMatchObject({
      scope: 'machine-local',
      project: 'other',
      event: { kind: 'note.moved' },
    });
    expect(moved.stderr + moved.stdout).toContain('still holds the text');
    expect(moved.stdout).toContain('to remove it everywhere: anamnesis purge');
  });
});
