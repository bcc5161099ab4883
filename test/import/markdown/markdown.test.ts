import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxFileBytes } from '../../../src/events/note/note.js';
import { folderWith, notesOf, problemsOf, readAll } from '../support.js';

const readOne = async (text: string, name = 'my-note_file.md') => {
  const items = await readAll(join(folderWith({ [name]: text }), name), 'markdown');
  expect(problemsOf(items)).toEqual([]);
  const [note] = notesOf(items);
  if (note === undefined) throw new Error('no note was read');
  return note;
};

describe('markdown import of a folder', () => {
  it('reads the notes below it in code-unit order of their paths', async () => {
    const folder = folderWith({
      'a/b.md': 'x',
      'a.md': 'x',
      'a-b.md': 'x',
      'B.markdown': 'x',
      'ä.md': 'x',
      'a/b/c.MD': 'x',
    });
    const keys = notesOf(await readAll(folder, 'markdown')).map((note) => note.sourceKey);
    const name = basename(folder);
    expect(keys).toEqual(
      ['B.markdown', 'a-b.md', 'a.md', 'a/b.md', 'a/b/c.MD', 'ä.md'].map((path) => `markdown:${name}/${path}`),
    );
  });

  it('skips dot folders, node_modules and other extensions, and lists the skipped files', async () => {
    const folder = folderWith({
      '.obsidian/a.md': 'x',
      'sub/.git/a.md': 'x',
      'node_modules/p/readme.md': 'x',
      'a.txt': 'x',
      'b.mdx': 'x',
      'img/c.png': 'x',
      'MEMORY.md': 'x',
      '.dot-file.md': 'x',
      '.DS_Store': 'x',
    });
    symlinkSync('MEMORY.md', join(folder, 'linked.md'));
    const items = await readAll(folder, 'markdown');
    expect(notesOf(items).map((note) => note.title)).toEqual(['.dot file', 'MEMORY', 'a']);
    expect(items.flatMap((item) => (item.kind === 'passed' ? [item.path] : []))).toEqual([
      'b.mdx',
      'img/c.png',
      'linked.md',
    ]);
  });

  it('does not follow links to files or folders', async () => {
    const outside = folderWith({ 'secret.md': 'x' });
    const folder = folderWith({ 'a.md': 'x' });
    symlinkSync(join(outside, 'secret.md'), join(folder, 'linked.md'));
    symlinkSync(outside, join(folder, 'linked'));
    symlinkSync('.', join(folder, 'loop'));
    expect(notesOf(await readAll(folder, 'markdown')).map((note) => note.title)).toEqual(['a']);
  });

  it('follows the given path itself when it is a link', async () => {
    const folder = folderWith({ 'real/a.md': 'x' });
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    const keys = notesOf(await readAll(join(folder, 'link'), 'markdown')).map((note) => note.sourceKey);
    expect(keys).toEqual(['markdown:link/a.md']);
  });

  it('reports the files that it cannot read and continues', async () => {
    const folder = folderWith({
      'sub/bytes.md': Buffer.from('one\ntwo \xff\n', 'latin1'),
      'sub/empty.md': '',
      'sub/blank.md': ' \n\n',
      'sub/nul.md': 'one\n\ntwo\0\n',
      'sub/zlast.md': 'good',
      'huge.md': '',
    });
    truncateSync(join(folder, 'huge.md'), maxFileBytes + 1);
    const items = await readAll(folder, 'markdown');
    expect(problemsOf(items)).toEqual([
      `huge.md: the file has ${maxFileBytes + 1} bytes`,
      'sub/blank.md:1: the file is empty',
      'sub/bytes.md:2: the file is not valid UTF-8',
      'sub/empty.md:1: the file is empty',
      'sub/nul.md:3: the file has a NUL byte',
    ]);
    expect(notesOf(items).map((note) => note.title)).toEqual(['zlast']);
  });

  it.skipIf(process.platform !== 'linux')('reports a file whose name is not UTF-8', async () => {
    const folder = folderWith({ 'z.md': 'x' });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/a`), Buffer.from([0xff]), Buffer.from('.md')]), 'x');
    const items = await readAll(folder, 'markdown');
    expect(problemsOf(items)).toEqual([expect.stringMatching(/^a\ufffd\.md: cannot be read: ENOENT/)]);
    expect(notesOf(items)).toHaveLength(1);
  });

  it('does not mistake a folder named like a note for one', async () => {
    const folder = folderWith({ 'a.md/b.md': 'x' });
    mkdirSync(join(folder, 'c.md'));
    expect(notesOf(await readAll(folder, 'markdown')).map((note) => note.title)).toEqual(['b']);
  });

  it('throws with the name of a path that is missing', async () => {
    await expect(readAll('/nowhere/notes', 'markdown')).rejects.toThrow('/nowhere/notes');
  });
});

describe('markdown import of a file', () => {
  it('names the source after the folder that contains it', async () => {
    const folder = folderWith({ 'a b.md': 'x' });
    const [note] = notesOf(await readAll(join(folder, 'a b.md'), 'markdown'));
    expect(note?.sourceKey).toBe(`markdown:${basename(folder)}/a b.md`);
  });

  it('reads every key that it knows', async () => {
    const note = await readOne(
      [
        '---',
        'Title: "Use: WAL"',
        'tags: [sqlite, "#db", SQLite]',
        'categories: storage backend',
        'keywords: wal, write ahead',
        'aliases: [Write-ahead log, "[[WAL mode]]"]',
        'project: acme/api',
        'type: Procedural',
        'created: 2026-01-02',
        'lastmod: 2026-01-03 04:05:06',
        'other: {a: 1}',
        '---',
        '',
        '# Heading',
        '',
      ].join('\n'),
    );
    expect(note).toMatchObject({
      title: 'Use: WAL',
      body: '# Heading\n',
      tags: ['sqlite', 'db', 'storage', 'backend'],
      keywords: ['wal', 'write ahead', 'Write-ahead log', 'WAL mode'],
      project: 'acme/api',
      type: 'procedural',
      createdAtMs: Date.UTC(2026, 0, 2),
      updatedAtMs: Date.UTC(2026, 0, 3, 4, 5, 6),
    });
  });

  it('leaves out the times that the file does not give', async () => {
    const note = await readOne('---\ndate: last spring\nupdated:\n---\nText.');
    expect(note).toMatchObject({ createdAtMs: undefined, updatedAtMs: undefined });
  });

  it('uses the next time key when the first is not a time', async () => {
    const note = await readOne('---\ncreated: spring\ndate: 2026-01-02\n---\nText.');
    expect(note.createdAtMs).toBe(Date.UTC(2026, 0, 2));
  });

  it.each([
    ['feedback', 'procedural'],
    ['user', 'semantic'],
    ['project', 'semantic'],
    ['reference', 'semantic'],
    ['episodic', 'episodic'],
    ['post', undefined],
  ])('maps the type %s to %s', async (foreign, type) => {
    expect((await readOne(`---\ntype: ${foreign}\n---\nText.`)).type).toBe(type);
  });

  it('keeps the body verbatim except for the blank lines above it', async () => {
    const note = await readOne('---\ntitle: T\n---\r\n \t\r\n\n  indented\r\n\n\nlast  \n\n');
    expect(note.body).toBe('  indented\r\n\n\nlast  \n\n');
  });

  it('reads front matter after a byte order mark and with CRLF', async () => {
    const note = await readOne('\ufeff---\r\ntitle: T\r\ntags:\r\n- a\r\n- b\r\n---\r\nText.\r\n');
    expect(note).toMatchObject({ title: 'T', tags: ['a', 'b'], body: 'Text.\r\n' });
  });

  it('drops a byte order mark when there is no front matter', async () => {
    expect((await readOne('\ufeffText.')).body).toBe('Text.');
  });

  it('keeps a note that consists only of front matter', async () => {
    expect(await readOne('---\ntitle: T\n---\n')).toMatchObject({ title: 'T', body: '' });
  });
});

describe('the tags of a markdown note', () => {
  it('are those of its front matter and the hashtags in its text, nested ones too', async () => {
    const text =
      '---\ntags: [a, "#b"]\n---\n# Not one\n#c at the start, #d/e/f, #A, #\u0442\u0435\u0433 and #[[two words]].\n';
    expect((await readOne(text)).tags).toEqual(['a', 'b', 'c', 'd/e/f', '\u0442\u0435\u0433', 'two words']);
  });

  it.each([
    ['in code', '`#a` and\n```sh\n#b\n```\n<!--\n#c\n-->\n'],
    ['in a URL or a link', 'https://x.dev/#a [b](#b) [[#c]] x#d\n'],
    ['of digits alone', 'see #123 and #4-5\n'],
  ])('are not read from a hash sign %s', async (_, text) => {
    expect((await readOne(text)).tags).toEqual([]);
  });
});

describe('a page named by its date', () => {
  it.each([
    [
      'by its file',
      '2026-01-05.md',
      '- [ ] Call Ada about the certificate\n- Rest\n',
      'Call Ada about the certificate',
    ],
    ['by its heading', 'x.md', '# 2026-01-05\n\n## Standup\n\nBob is away.\n', 'Standup'],
    ['without dashes', '20260105.md', '> A quote first\n', 'A quote first'],
  ])('has its first words in its title: %s', async (_, name, text, topic) => {
    expect((await readOne(text, name)).title).toBe(`2026-01-05: ${topic}`);
  });

  it('has only the date as its title when no words follow, unlike a page with another name', async () => {
    expect((await readOne('1. 2.\n', '2026-01-05.md')).title).toBe('2026-01-05');
    expect((await readOne('Text.\n', '2026-01-05-deploy.md')).title).toBe('2026 01 05 deploy');
  });

  it('shows no secret key in its title', async () => {
    const { title } = await readOne('AKIAIOSFODNN7EXAMPLF is the key\n', '2026-01-05.md');
    expect(title).not.toContain('AKIA');
  });
});

describe('a text file', () => {
  it('is a note without front matter, headings, tags and links', async () => {
    const text = '---\ntitle: T\n---\n# H\n#tag [[page]]\n';
    const note = await readOne(text, 'my-note.txt');
    expect(note).toMatchObject({ title: 'my note', body: text, tags: [] });
    expect(note.links).toBeUndefined();
  });
});

describe('links between markdown files', () => {
  const linksIn = async (files: Readonly<Record<string, string>>, path: string): Promise<readonly string[]> => {
    const folder = folderWith(files);
    const prefix = `markdown:${basename(folder)}/`;
    const note = notesOf(await readAll(folder, 'markdown')).find(({ sourceKey }) => sourceKey === `${prefix}${path}`);
    return note?.links?.map(({ relation, sourceKey }) => `${relation} ${sourceKey.slice(prefix.length)}`) ?? [];
  };

  it.each([
    ['a file name', '[[b]]', 'links-to sub/b.md'],
    ['a file name in another case, with a label', '[[B|the b]]', 'links-to sub/b.md'],
    ['a path', '[[sub/b]]', 'links-to sub/b.md'],
    ['a title', '[[The b page]]', 'links-to sub/b.md'],
    ['an alias', '[[bee]]', 'links-to sub/b.md'],
    ['an embedded page and a heading', '![[b#Part]]', 'links-to sub/b.md'],
    ['a relative URL', '[x](sub/b.md#part)', 'links-to sub/b.md'],
    ['a URL with blanks', '[x](<c d.md>) [y](c%20d.md)', 'links-to c d.md'],
    ['a relation in a list', '- depends on [[b]]', 'depends-on sub/b.md'],
  ])('are found by %s', async (_, text, link) => {
    const files = { 'a.md': text, 'sub/b.md': '---\naliases: [bee]\n---\n# The b page\n', 'c d.md': 'x' };
    expect(await linksIn(files, 'a.md')).toEqual([link]);
  });

  it('point to the nearest of two files of the same name, and nowhere when there is none', async () => {
    const files = { 'x/a.md': '[[b]] [[none]] [[a]] [o](https://x.dev/b.md)', 'x/b.md': 'x', 'b.md': 'x' };
    expect(await linksIn(files, 'x/a.md')).toEqual(['links-to x/b.md']);
  });
});

describe('a long markdown file', () => {
  const words = 'One line of the text, which is long.\n'.repeat(130);
  const readParts = async (text: string) => notesOf(await readAll(folderWith({ 'book.md': text }), 'markdown'));

  it('becomes one note for each heading, each with its own tags, and one that lists them', async () => {
    const notes = await readParts(
      `---\ntags: [t]\n---\n# Book\nIntro.\n\n## One\n#x ${words}\n## Two\n[[#One]] ${words}`,
    );
    expect(notes.map(({ title, tags }) => [title, tags])).toEqual([
      ['Book', ['t', 'x']],
      ['Book: One', ['t', 'x']],
      ['Book: Two', ['t']],
    ]);
    const [whole, one, two] = notes;
    expect(whole?.body).toBe('# Book\nIntro.\n\nParts, each a note of its own:\n\n- One\n- Two\n');
    expect(one?.sourceKey).toBe(`${whole?.sourceKey}#One`);
    expect(one?.body).toBe(`## One\n#x ${words}\n`);
    expect(two?.links).toEqual([
      { relation: 'part-of', sourceKey: whole?.sourceKey },
      { relation: 'links-to', sourceKey: one?.sourceKey },
    ]);
  });

  it('is split again where a part is long, and parts of the same name are numbered', async () => {
    const notes = await readParts(`## A\nFirst.\n### B\n${words}### B\n${words}\n## A\nEnd.\n`);
    expect(notes.map(({ title }) => title)).toEqual(['A', 'A: A', 'A: A / B', 'A: A / B (2)', 'A: A (2)']);
  });

  it.each([
    ['has no headings', words.repeat(3)],
    ['has one heading', `# H\n${words.repeat(3)}`],
    ['has its headings in code', `\`\`\`\n# a\n# b\n\`\`\`\n${words.repeat(3)}`],
    ['is short', '# a\nx\n# b\nx\n'],
  ])('stays one note if it %s', async (_, text) => {
    expect((await readParts(text)).map(({ body }) => body)).toEqual([text]);
  });
});

describe('keys of the front matter without a field', () => {
  const text = (more: string): string => `---\ntitle: T\ndate: 2026-01-02\ntags: [a]\n${more}---\nText.\n`;
  it('are kept with their values, nested ones too', async () => {
    const note = await readOne(text('Status: rejected by Priya\nreview:\n  by: Priya\n  on: [mon, tue]\nempty:\n'));
    expect(note.otherKeys).toEqual([
      ['Status', 'rejected by Priya'],
      ['review', { by: 'Priya', on: ['mon', 'tue'] }],
    ]);
  });
  it('are absent when every key has a field', async () => {
    const note = await readOne(text('aliases: [b]\nkeywords: c\ntype: procedural\nupdated: 2026-02-03\n'));
    expect(note).not.toHaveProperty('otherKeys');
  });
  it('are left out when they have a meaning in a note or are not plain keys', async () => {
    const note = await readOne(text('id: 7\nscope: local\nlinks: [x]\ntype: adr\n"a: b": z\n'));
    expect(note).not.toHaveProperty('otherKeys');
  });
});

describe('front matter that is not valid', () => {
  it('is salvaged key by key', async () => {
    const note = await readOne(
      [
        '---',
        'name: reviewer',
        'description: Use this agent when: the user asks, <example>Context: "x"</example>',
        'tags:',
        '  - a',
        '  - "b, c"',
        'created: "2026-01-02"',
        'broken: [1, 2',
        '---',
        'You review.',
      ].join('\n'),
    );
    expect(note).toMatchObject({ title: 'reviewer', tags: ['a', 'b, c'], createdAtMs: Date.UTC(2026, 0, 2) });
  });

  it('stays above the text, so that what could not be parsed is not lost', async () => {
    const text = '---\ntitle: [Deploy\nsteps: ask Priya first\n---\nText.\n';
    expect(await readOne(text)).toMatchObject({ title: '[Deploy', body: text });
  });

  it('yields the rest of the line for a value that is not YAML', async () => {
    expect((await readOne('---\ntitle: Trap: colon\nx: @y\n---\nText.')).title).toBe('Trap: colon');
  });

  it('yields the first of two equal keys', async () => {
    expect((await readOne('---\ntitle: one\ntitle: two\n---\nText.')).title).toBe('one');
  });

  it('is text when no key can be salvaged', async () => {
    const text = '---\nOnce upon a time\n---\nthere was a rule.\n';
    expect((await readOne(text)).body).toBe(text);
  });

  it('is text when it never closes', async () => {
    const text = '---\ntitle: T\n\nText.\n';
    expect(await readOne(text)).toMatchObject({ title: 'my note file', body: text });
  });

  it.each(['js', 'javascript', 'json', 'coffee'])('in %s is text and is not run', async (language) => {
    const text = `---${language}\nglobalThis.imported = true; ({ title: "T" })\n---\n# Heading\n`;
    expect(await readOne(text)).toMatchObject({ title: 'Heading', body: text });
    expect(globalThis).not.toHaveProperty('imported');
  });

  it('in TOML is text', async () => {
    const text = '+++\ntitle = "T"\n+++\n\n# Heading\n';
    expect(await readOne(text)).toMatchObject({ title: 'Heading', body: text });
  });

  it('with a tag that names code is not run', async () => {
    const note = await readOne('---\ntitle: !!js/function "function () { globalThis.imported = true }"\n---\nText.');
    expect(note.body).toContain('Text.');
    expect(globalThis).not.toHaveProperty('imported');
  });
});

describe('the title of a markdown note', () => {
  it.each([
    ['title before name', '---\nname: N\ntitle: T\n---\n# H\n', 'T'],
    ['name before the heading', '---\nname: N\n---\n# H\n', 'N'],
    ['the heading before the description', '---\ndescription: D\n---\n# H\n', 'H'],
    ['the description before the file name', '---\ndescription: D\n---\nText.\n', 'D'],
    ['the file name without extension', 'Text.\n', 'my note file'],
    ['the heading for an empty title', '---\ntitle: ""\nname: ~\n---\n# H\n', 'H'],
    ['one line of a title on several', '---\ntitle: |\n  one\n  two\n---\nText.\n', 'one two'],
  ])('is %s', async (_, text, title) => {
    expect((await readOne(text)).title).toBe(title);
  });
});
