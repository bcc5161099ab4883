/** Commands as people type them by habit: other names of commands, a command without its subcommand, a title for an id. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openHome, type TestHome } from './support.js';

let home: TestHome;
let vpn: Json;
beforeAll(async () => {
  home = openHome();
  vpn = await home.json([
    'add',
    'Deploys need the VPN',
    '--body',
    'The registry hangs without it.',
    '--project',
    'shop',
  ]);
  await home.json(['edit', vpn.id, '--body', 'The registry hangs without it, since June.']);
});
afterAll(() => home.remove());

describe('other names', () => {
  it('of write, search and forget do the same', async () => {
    const note = await home.json(['remember', 'Soon gone', '--body', 'x']);
    expect((await home.json(['find', 'registry'])).hits[0].id).toBe(vpn.id);
    expect(await home.json(['rm', note.id])).toMatchObject({ id: note.id, status: 'recorded' });
    expect(await home.json(['delete', note.id])).toMatchObject({ id: note.id, status: 'unchanged' });
  });
  it('print the version', async () => {
    expect(home.spawn(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const ran = await home.run(['--version']);
    for (const name of ['version', '-v', '-V']) expect(await home.run([name])).toEqual(ran);
  });
});

it('remote and config show what is set without a subcommand', async () => {
  expect((await home.run(['remote'])).stdout).toContain('no remote: notes stay on this machine');
  expect(await home.json(['remote'])).toEqual(await home.json(['remote', 'show']));
  expect((await home.run(['config'])).stdout).toBe((await home.run(['config', 'list'])).stdout);
});

describe('a note without its id', () => {
  it('is shown by its title or by words from it', async () => {
    expect((await home.json(['show', 'deploys', 'need', 'the', 'vpn'])).id).toBe(vpn.id);
    expect((await home.json(['show', 'need the VPN'])).id).toBe(vpn.id);
    expect((await home.json(['show', 'no such title'], { code: 1 })).error.code).toBe('id-invalid');
  });
  it('is refused with the ids when several titles fit', async () => {
    const other = await home.json(['write', 'Deploys need the VPN twice', '--body', 'x']);
    expect((await home.json(['show', 'deploys need the vpn'])).id).toBe(vpn.id);
    expect((await home.json(['show', 'deploys need'], { code: 1 })).error.message).toContain(
      '(Deploys need the VPN twice)',
    );
    await home.json(['forget', other.id]);
  });
});

describe('a text without a title', () => {
  it('has its first line as the title', async () => {
    const note = await home.json(['write'], { input: '# Release steps\n\nTag, then build.\n' });
    expect(await home.json(['show', note.id])).toMatchObject({ title: 'Release steps', body: 'Tag, then build.\n' });
  });
  it('keeps a first line that is too long for a title in the body', async () => {
    const line = 'word '.repeat(60).trim();
    const note = await home.json(['show', (await home.json(['write'], { input: line })).id]);
    expect(note.title).toMatch(/^(?:word )+word…$/);
    expect(note.body).toBe(line);
  });
});

describe('a text with front matter', () => {
  const text = '---\ntitle: From a vault\ntags: [infra, Deploy]\nauthor: me\n---\nThe text.\n';
  it('sets the title and tags, and keys that a note has no place for are named', async () => {
    const ran = await home.json(['write', '--tag', 'deploy'], { input: text });
    expect(ran.warnings).toEqual([expect.stringContaining('left out of the front matter: author;')]);
    expect(await home.json(['show', ran.id])).toMatchObject({
      title: 'From a vault',
      tags: ['deploy', 'infra'],
      body: 'The text.\n',
    });
  });
  it('is read beside a given title, which wins', async () => {
    const note = await home.json(['write', 'Mine'], { input: text });
    expect(await home.json(['show', note.id])).toMatchObject({
      title: 'Mine',
      tags: ['infra', 'Deploy'],
      body: 'The text.\n',
    });
  });
});

describe('edit in a pipe', () => {
  it('reads the text from it and keeps the title', async () => {
    const note = await home.json(['write', 'Piped edit', '--body', 'old']);
    await home.json(['edit', note.id], { input: 'new\n' });
    expect(await home.json(['show', note.id])).toMatchObject({ title: 'Piped edit', body: 'new\n' });
    await home.json(['edit', note.id, '--title', 'Only the title'], { input: '' });
    expect(await home.json(['show', note.id])).toMatchObject({ title: 'Only the title', body: 'new\n' });
    expect((await home.json(['edit', note.id], { input: ' \n', code: 1 })).error.code).toBe('body-empty');
    expect((await home.json(['edit', note.id], { input: '', code: 1 })).error.code).toBe('nothing-asked');
  });
});

describe('edit with a text that has front matter', () => {
  it('sets what is named there and keeps the rest of the note', async () => {
    const note = await home.json(['write', 'Before', '--body', 'old', '--tag', 'a', '--keyword', 'k']);
    const ran = await home.json(['edit', note.id], { input: '---\ntitle: After\ntags: [b]\nauthor: me\n---\n\nnew\n' });
    expect(ran.warnings).toEqual([expect.stringContaining('left out of the front matter: author; with --body-file -')]);
    const shown = { title: 'After', tags: ['b'], keywords: ['k'], body: 'new\n' };
    expect(await home.json(['show', note.id])).toMatchObject(shown);
    await home.json(['edit', note.id], { input: '---\ntags: [c]\n---\nnewer\n' });
    expect(await home.json(['show', note.id])).toMatchObject({ ...shown, tags: ['c'], body: 'newer\n' });
    await home.json(['edit', note.id], { input: '---\n\nbelow a rule\n' });
    expect((await home.json(['show', note.id])).body).toBe('---\n\nbelow a rule\n');
  });
});

describe('the changes of a note', () => {
  it('are found by its title too', async () => {
    const named = await home.json(['write', 'Named in its history', '--body', 'Pangolins eat ants.']);
    expect((await home.json(['history', 'named in its history'])).events[0].id).toBe(named.event.id);
    expect((await home.run(['history', 'Named in its history', '--patch'])).stdout).toContain('+Pangolins eat ants.');
    expect((await home.json(['history', 'named by nobody'], { code: 1 })).error.message).toContain(
      'no note has the id or the title',
    );
  });
  it('are printed by history --patch', async () => {
    const { stdout } = await home.run(['history', vpn.id, '--patch']);
    expect(stdout).toContain('-The registry hangs without it.');
    expect(stdout).toContain('+The registry hangs without it, since June.');
    expect(stdout).not.toContain('updated_at');
    expect((await home.json(['history', vpn.id, '-p'])).events[0].patch).toContain('-The registry hangs without it.');
  });
});

describe('a command that would do nothing', () => {
  it.each([
    [
      ['log', '--kind', 'note.writen'],
      2,
      /there is no kind of event called note\.writen; the kinds are note\.written, /,
    ],
    [['search', ''], 2, /there is nothing to search for; give words/],
    [['recall', ' '], 2, /the prompt is empty/],
    [['edit', 'ID', '--body', ''], 1, /the new text is empty, so nothing was changed; .*anamnesis forget/],
  ])('is refused: %j', async (args, code, message) => {
    const ran = await home.run(args.map((word) => (word === 'ID' ? vpn.id : word)));
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
  });
  it('gets only a warning when it may be intended', async () => {
    expect((await home.json(['write', 'Over', '--body', 'x', '--expires', '2020-01-01'])).warnings).toEqual([
      expect.stringContaining('it has expired already'),
    ]);
    const first = await home.json(['write', 'Once', '--body', 'x', '--command-id', 'one']);
    const again = await home.json(['write', 'Once', '--body', 'x', '--command-id', 'one']);
    expect(first.warnings).toEqual([]);
    expect(again).toMatchObject({
      id: first.id,
      warnings: [expect.stringContaining('this command id was recorded at')],
    });
  });
});
