import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUlid } from '../../../src/events/ulid-form.js';
import { idOfNative } from '../../../src/import/native/native.js';
import { maxNativeBytes, parseNativeMemory, slugOf } from '../../../src/import/native/native-note.js';
import { anyCharacter } from '../../support/any-character.js';
import { newerFile, olderFile, putFile, transcriptLine } from '../native-support.js';
import { folderWith, native, notesOf, problemsOf, readAll } from '../support.js';

const place = 'projects/-nowhere-shop/memory';

describe('the id of a memory file', () => {
  it.each([
    // Computed in Python, independently: int.from_bytes(hashlib.sha256(text).digest()[:16]) in Crockford's base 32.
    ['-home-user-myrepo', 'a-fact', '549H8B1G0MP5HYET1VZFMDFJYF'],
    ['slug', 'name', '7WWFD7NDD8AJAWKGTF5TMWXE18'],
    ['-home-u-shop', 'Grüße', '1WQNTRS1M7ZY4D5TH5XJVT9WZD'],
  ])('is 16 bytes of SHA-256 as one big-endian number, for %s/%s', (slug, name, id) => {
    expect(idOfNative(slug, name)).toBe(id);
  });

  it('is a ULID for any slug and name', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (slug, name) => isUlid(idOfNative(slug, name))));
  });
});

describe('parseNativeMemory', () => {
  it.each([
    ['feedback', 'procedural'],
    ['user', 'semantic'],
    ['project', 'semantic'],
    ['reference', 'semantic'],
    ['hunch', 'semantic'],
  ])('maps the kind %s to %s, in newer and in older files', (kind, type) => {
    for (const text of [newerFile({ kind }), olderFile({ kind })]) {
      expect(parseNativeMemory(text, 'a-fact')).toMatchObject({ kind, type, title: 'A fact', body: 'Body.\n' });
    }
  });

  it('reads the time of the front matter', () => {
    const text = newerFile({ modified: '2026-10-01T08:30:00.123Z' });
    expect(parseNativeMemory(text, 'a').modifiedMs).toBe(Date.UTC(2026, 9, 1, 8, 30, 0, 123));
  });

  it.each([
    ['an unquoted colon', newerFile({ description: 'must NOT include "Co-Authored-By: Claude"', kind: 'feedback' })],
    ['that and Windows line ends', newerFile({ description: 'a: b', kind: 'feedback' }).replace(/\n/g, '\r\n')],
    ['a tab', newerFile({ kind: 'feedback', description: '\tx\n\ty' })],
  ])('salvages kind and text of broken front matter with %s', (_, text) => {
    const read = parseNativeMemory(text, 'a-fact');
    expect(read).toMatchObject({ kind: 'feedback', type: 'procedural' });
    expect(read.body.trim()).toBe('Body.');
  });

  it('keeps the broken line as it was written', () => {
    const read = parseNativeMemory(newerFile({ description: 'has a: colon' }), 'a-fact');
    expect(read.title).toBe('has a: colon');
  });

  it.each([
    ['no front matter', '# Deploys\n\nUse the VPN.', 'Deploys', '# Deploys\n\nUse the VPN.\n'],
    ['no front matter and no heading', 'Use the VPN.\n', 'some name', 'Use the VPN.\n'],
    ['front matter that is not closed', '---\nname: x\n', 'some name', '---\nname: x\n'],
    ['a name alone', '---\nname: x\n---\nB', 'x', 'B\n'],
    ['nothing but front matter', '---\nname: x\ndescription: d\n---\n', 'd', ''],
    ['code for front matter', '---js\nthrow 1\n---\nB', 'some name', '---js\nthrow 1\n---\nB\n'],
    ['names of object members', '---\n__proto__:\n  type: feedback\nconstructor: x\n---\nB', 'some name', 'B\n'],
    ['metadata that is a list', '---\nname: x\nmetadata: [type, feedback]\n---\nB', 'x', 'B\n'],
    ['metadata that is a text', '---\nname: x\nmetadata: feedback\n---\nB', 'x', 'B\n'],
  ])('reads a file with %s as a memory', (_, text, title, body) => {
    expect(parseNativeMemory(text, 'some-name')).toMatchObject({ title, body, kind: undefined, type: 'semantic' });
  });

  it('accepts any text', () => {
    const line = fc.constantFrom(
      '---',
      'metadata: ',
      '  type: feedback',
      'name: a: b',
      '\t- x',
      '',
      '  :',
      '\u2028',
      '{',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string({ unit: anyCharacter }))), (lines) => {
        const read = parseNativeMemory(lines.join('\n'), 'n');
        return read.title.length <= 300 && !/\n/.test(read.title) && (read.kind ?? 'x').length <= 40;
      }),
    );
  });
});

describe('import of a Claude home', () => {
  it('reads every memory file except the index', async () => {
    const home = folderWith({
      [`${place}/MEMORY.md`]: '- [A fact](a-fact.md): hook',
      [`${place}/a-fact.md`]: newerFile({ kind: 'feedback' }),
      [`${place}/plain.md`]: 'Just text.\n',
      [`${place}/.hidden.md`]: 'x',
      [`${place}/notes.txt`]: 'x',
      [`${place}/deeper/b.md`]: 'x',
      'projects/-nowhere-shop/b.md': 'x',
      'CLAUDE.md': '# Mine\n',
    });
    const items = await readAll(home, 'claude-code');
    expect(problemsOf(items)).toEqual([]);
    expect(notesOf(items)).toEqual([
      {
        sourceKey: 'claude-code:-nowhere-shop/a-fact',
        id: idOfNative('-nowhere-shop', 'a-fact'),
        title: 'A fact',
        body: 'Body.\n',
        keywords: ['a-fact'],
        tags: ['import', 'kind:feedback'],
        type: 'procedural',
        project: 'shop',
        createdAtMs: expect.any(Number),
        updatedAtMs: expect.any(Number),
        mirrored: true,
      },
      expect.objectContaining({ title: 'plain', body: 'Just text.\n', tags: ['import'], type: 'semantic' }),
    ]);
  });

  it('makes a memory about the person global', async () => {
    const home = folderWith({ [`${place}/me.md`]: newerFile({ kind: 'user' }) });
    expect(notesOf(await readAll(home, 'claude-code'))[0]?.project).toBe('global');
  });

  it('reads the memory of subagents, which belongs to no project', async () => {
    const home = folderWith({
      'agent-memory/reviewer/MEMORY.md': 'index',
      'agent-memory/reviewer/style.md': newerFile({ kind: 'feedback' }),
    });
    expect(notesOf(await readAll(home, 'claude-code'))).toMatchObject([
      {
        sourceKey: 'claude-code:agent-memory/reviewer/style',
        project: 'global',
        tags: ['import', 'kind:feedback', 'agent:reviewer'],
      },
    ]);
  });

  it('dates a note by its file, or by its front matter where that is newer', async () => {
    const home = folderWith({});
    putFile(home, `${place}/a.md`, newerFile({ modified: '2026-01-01T00:00:00Z' }), 1_780_000_000);
    putFile(home, `${place}/b.md`, newerFile({ modified: '2026-06-01T00:00:00Z', body: 'B' }), 1_700_000_000);
    const june = Date.UTC(2026, 5, 1);
    expect(notesOf(await readAll(home, 'claude-code'))).toMatchObject([
      { createdAtMs: Date.UTC(2026, 0, 1), updatedAtMs: 1_780_000_000_000 },
      { createdAtMs: 1_700_000_000_000, updatedAtMs: june },
    ]);
  });

  it('reports what it cannot read and continues', async () => {
    const home = folderWith({
      [`${place}/a.md`]: '',
      [`${place}/b.md`]: Buffer.from([0x41, 0x0a, 0xff]),
      [`${place}/c.md`]: 'a\0b',
      [`${place}/d.md`]: 'x'.repeat(maxNativeBytes + 1),
      [`${place}/e.md`]: 'x'.repeat(maxNativeBytes),
      [`${place}/f.md`]: ' \n',
    });
    const items = await readAll(home, 'claude-code');
    expect(notesOf(items).map(({ title }) => title)).toEqual(['e']);
    expect(problemsOf(items)).toEqual([
      `${place}/a.md:1: the file is empty`,
      `${place}/b.md:2: the file is not valid UTF-8`,
      `${place}/c.md:1: the file has a NUL byte`,
      `${place}/d.md: the file has ${maxNativeBytes + 1} bytes`,
      `${place}/f.md:1: the file is empty`,
    ]);
  });

  it('follows only links that stay in the Claude home', async () => {
    const outside = folderWith({ 'secret.md': 'Secret.', 'memory/x.md': 'Secret.' });
    const home = folderWith({ [`${place}/a.md`]: 'A', 'shared/b.md': 'B', 'projects/-x-y/z': '' });
    symlinkSync(join(home, 'shared/b.md'), join(home, place, 'b.md'));
    symlinkSync(join(outside, 'secret.md'), join(home, place, 'c.md'));
    symlinkSync('/nowhere/at/all.md', join(home, place, 'd.md'));
    symlinkSync(join(home, place), join(home, 'projects/-x-y/memory'));
    symlinkSync(outside, join(home, 'projects/-z'));
    symlinkSync('loop.md', join(home, place, 'loop.md'));
    const items = await readAll(home, 'claude-code');
    expect(notesOf(items).map(({ body }) => body)).toEqual(['A\n', 'B\n', 'A\n', 'B\n']);
    const left = 'a link that leads out of';
    expect(problemsOf(items)).toEqual([
      expect.stringContaining(`${place}/c.md: ${left}`),
      expect.stringContaining(`${place}/loop.md: cannot be read: ELOOP`),
      expect.stringContaining(`projects/-x-y/memory/c.md: ${left}`),
      expect.stringContaining('projects/-x-y/memory/loop.md: cannot be read: ELOOP'),
      expect.stringContaining(`projects/-z/memory: ${left}`),
    ]);
  });

  it('reads a Claude home through a link to it', async () => {
    const home = folderWith({ [`${place}/a.md`]: 'A' });
    const link = join(folderWith({}), 'claude');
    symlinkSync(home, link);
    expect(notesOf(await readAll(link, 'claude-code'))).toHaveLength(1);
  });

  it('is not blocked by a pipe', async () => {
    const home = folderWith({ [`${place}/a.md`]: 'A' });
    execFileSync('mkfifo', [join(home, place, 'pipe.md')]);
    expect(problemsOf(await readAll(home, 'claude-code'))).toEqual([
      `${place}/pipe.md: it is neither a file nor a folder`,
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('reports a folder that may not be read', async () => {
    const home = folderWith({ [`${place}/a.md`]: 'A' });
    chmodSync(join(home, place), 0);
    expect(problemsOf(await readAll(home, 'claude-code'))).toHaveLength(1);
    chmodSync(join(home, place), 0o700);
  });

  it('finds nothing in an empty one, and refuses a file', async () => {
    expect(await readAll(folderWith({ 'projects/a': 'not a folder' }), 'claude-code')).toEqual([]);
    expect(await readAll(folderWith({ projects: 'not a folder' }), 'claude-code')).toEqual([]);
    await expect(readAll(join(folderWith({ a: '' }), 'a'), 'claude-code')).rejects.toThrow('is a file');
  });

  it('changes nothing in the Claude home', async () => {
    const home = folderWith({
      [`${place}/a.md`]: 'A',
      'projects/-nowhere-shop/s.jsonl': transcriptLine('/nowhere/shop'),
    });
    const look = (): string[] =>
      readdirSync(home, { recursive: true, encoding: 'utf8' }).map(
        (path) => `${path} ${statSync(join(home, path)).mtimeMs}`,
      );
    const before = look();
    await readAll(home, 'claude-code', { ...native, claudeMd: true });
    expect(look()).toEqual(before);
  });
});

describe('the project of a memory folder', () => {
  const projectOf = async (home: string): Promise<string | undefined> =>
    notesOf(await readAll(home, 'claude-code'))[0]?.project;
  const homeWith = (slug: string, transcripts: Readonly<Record<string, string>> = {}): string => {
    const home = folderWith({ [`projects/${slug}/memory/a.md`]: 'A' });
    for (const [name, text] of Object.entries(transcripts)) putFile(home, `projects/${slug}/${name}`, text);
    return home;
  };

  it('is the repository of the folder that a transcript names', async () => {
    const work = folderWith({ '.git/config': '[remote "origin"]\n\turl = git@github.com:Acme/Shop.git\n' });
    expect(await projectOf(homeWith(slugOf(work), { 's.jsonl': transcriptLine(work) }))).toBe('github.com/acme/shop');
  });

  it('is the name of the folder when the folder is missing', async () => {
    const home = homeWith('-gone-my-shop', { 's.jsonl': transcriptLine('/gone/My_Shop') });
    expect(await projectOf(home)).toBe('my_shop');
  });

  it('is found after lines without a folder, damaged ones and foreign ones', async () => {
    const lines = [
      '{"type":"summary","summary":"x"}',
      '{"cwd":"/broken',
      '{"cwd":7}',
      '["cwd"]',
      '{"cwd":"C:\\\\work\\\\shop"}',
      JSON.stringify({ text: '{"cwd":"/not/this"}' }),
    ];
    const home = homeWith('-gone-my-shop', {
      'a.jsonl': `${lines.join('\n')}\n`,
      'b.jsonl': `${transcriptLine('/gone/other')}${transcriptLine('/gone/my.shop')}`,
    });
    expect(await projectOf(home)).toBe('my.shop');
  });

  it('is looked for in at most 64 KiB of transcripts', async () => {
    const home = homeWith('-gone-my-shop', {
      'a.jsonl': `${'x'.repeat(64 * 1024)}\n${transcriptLine('/gone/my.shop')}`,
    });
    expect(await projectOf(home)).toBe('shop');
  });

  it('is the last part of the slug when nothing else is known', async () => {
    expect(await projectOf(homeWith('-no-such-folder-Shop'))).toBe('shop');
    expect(await projectOf(homeWith('C--work-shop'))).toBe('shop');
    expect(await projectOf(homeWith('-'))).toBe('global');
  });

  it('is global for the home folder of the person', async () => {
    const userHome = folderWith({});
    const home = homeWith(slugOf(userHome), { 's.jsonl': transcriptLine(userHome) });
    expect(notesOf(await readAll(home, 'claude-code', { ...native, userHome }))[0]?.project).toBe('global');
  });

  it('has a slug that is cut and hashed when the path is long', () => {
    expect(slugOf('/home/u/my.shop_2')).toBe('-home-u-my-shop-2');
    const long = `/${'abcdefghi/'.repeat(25)}`;
    expect(slugOf(long)).toMatch(/^-[a-z-]{199}-[0-9a-z]{1,7}$/);
    expect(slugOf(`${long}x`)).not.toBe(slugOf(long));
  });
});

describe('CLAUDE.md files', () => {
  const withClaudeMd = { ...native, claudeMd: true };

  it('are ignored unless they are asked for, and then become one note each', async () => {
    const work = folderWith({
      '.git/config': '[remote "origin"]\n\turl = https://github.com/acme/shop\n',
      'CLAUDE.md': '# CLAUDE.md\n\nSee @docs/style.md\n',
      'CLAUDE.local.md': 'My sandbox is on port 8081.\n',
      '.claude/CLAUDE.md': 'Run the linter.\n',
      '.claude/rules/api/errors.md': '---\npaths:\n  - "src/api/**"\n---\n\n# Errors\n\nAnswer 422.\n',
      '.claude/settings.json': '{}',
      'docs/style.md': 'not asked for',
    });
    const home = folderWith({
      'CLAUDE.md': '# Mine\n\nAnswer in English.\n',
      'rules/git.md': 'Rebase.\n',
      [`projects/${slugOf(work)}/s.jsonl`]: transcriptLine(work),
      'projects/-gone/s.jsonl': transcriptLine('/gone/away'),
      'projects/-again/s.jsonl': transcriptLine(work),
    });
    expect(await readAll(home, 'claude-code')).toEqual([]);
    const items = await readAll(home, 'claude-code', withClaudeMd);
    expect(problemsOf(items)).toEqual([]);
    const notes = notesOf(items).map(({ sourceKey, title, body, project, scope }) => [
      sourceKey,
      title,
      body,
      project,
      scope,
    ]);
    const project = 'github.com/acme/shop';
    expect(notes).toEqual([
      ['claude-md:@testbox/CLAUDE.md', 'CLAUDE.md of global', '# Mine\n\nAnswer in English.\n', 'global', undefined],
      ['claude-md:@testbox/rules/git.md', 'git', 'Rebase.\n', 'global', undefined],
      [
        `claude-md:${project}/CLAUDE.md`,
        `CLAUDE.md of ${project}`,
        '# CLAUDE.md\n\nSee @docs/style.md\n',
        project,
        undefined,
      ],
      [
        `claude-md:${project}/CLAUDE.local.md`,
        `CLAUDE.local.md of ${project}`,
        'My sandbox is on port 8081.\n',
        project,
        'machine-local',
      ],
      [`claude-md:${project}/.claude/CLAUDE.md`, `CLAUDE.md of ${project}`, 'Run the linter.\n', project, undefined],
      [
        `claude-md:${project}/.claude/rules/api/errors.md`,
        'Errors',
        'Applies to: src/api/**\n\n# Errors\n\nAnswer 422.\n',
        project,
        undefined,
      ],
    ]);
    for (const note of notesOf(items))
      expect(note).toMatchObject({ type: 'procedural', tags: ['import', 'kind:claude-md'] });
  });

  it('of a folder in a repository have their own keys', async () => {
    const work = folderWith({ '.git/HEAD': '', 'CLAUDE.md': 'A', 'packages/api/CLAUDE.md': 'B' });
    const home = folderWith({
      'projects/-a/s.jsonl': transcriptLine(work),
      'projects/-b/s.jsonl': transcriptLine(join(work, 'packages/api')),
    });
    const keys = notesOf(await readAll(home, 'claude-code', withClaudeMd)).map(({ sourceKey }) => sourceKey);
    const name = work.slice(work.lastIndexOf('/') + 1).toLowerCase();
    expect(keys).toEqual([`claude-md:${name}/CLAUDE.md`, `claude-md:${name}/packages/api/CLAUDE.md`]);
  });

  it('are not imported twice when the project is the home folder', async () => {
    const userHome = folderWith({ '.claude/CLAUDE.md': 'A', 'CLAUDE.md': 'B' });
    const claudeHome = join(userHome, '.claude');
    putFile(claudeHome, `projects/${slugOf(userHome)}/s.jsonl`, transcriptLine(userHome));
    const items = await readAll(claudeHome, 'claude-code', { ...withClaudeMd, userHome });
    expect(notesOf(items).map(({ body }) => body)).toEqual(['A\n', 'B\n']);
  });

  it('lead nowhere else in a home folder that is itself a repository', async () => {
    const userHome = folderWith({ '.git/HEAD': '', '.ssh/key.md': 'Secret.', 'shop/.claude/rules/a.md': 'A' });
    symlinkSync('../.ssh/key.md', join(userHome, 'shop/CLAUDE.md'));
    const home = folderWith({ 'projects/-a/s.jsonl': transcriptLine(join(userHome, 'shop')) });
    const items = await readAll(home, 'claude-code', { ...withClaudeMd, userHome });
    expect(notesOf(items)).toMatchObject([{ sourceKey: 'claude-md:shop/.claude/rules/a.md', body: 'A\n' }]);
    expect(problemsOf(items)).toEqual([expect.stringContaining('CLAUDE.md: a link that leads out of')]);
  });

  it('that are links are followed only inside the repository, and blank ones are not reported', async () => {
    const outside = folderWith({ 'x.md': 'Secret.' });
    const work = folderWith({ '.git/HEAD': '', 'AGENTS.md': 'A', 'b/CLAUDE.md': '\n', 'b/CLAUDE.local.md': '' });
    symlinkSync('AGENTS.md', join(work, 'CLAUDE.md'));
    symlinkSync(join(outside, 'x.md'), join(work, 'CLAUDE.local.md'));
    mkdirSync(join(work, '.claude'));
    symlinkSync(outside, join(work, '.claude/rules'));
    symlinkSync('../../AGENTS.md', join(work, '.claude/CLAUDE.md'));
    const home = folderWith({
      'projects/-a/s.jsonl': transcriptLine(work),
      'projects/-b/s.jsonl': transcriptLine(join(work, 'b')),
    });
    const items = await readAll(home, 'claude-code', withClaudeMd);
    expect(notesOf(items).map(({ body }) => body)).toEqual(['A\n']);
    expect(problemsOf(items)).toEqual([expect.stringContaining(`CLAUDE.local.md: a link that leads out of ${work}`)]);
  });
});
