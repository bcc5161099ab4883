import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JournalName, maxFileBytes, type Note } from '../../../src/events/note/note.js';
import {
  describeProblem,
  formatNoteFile,
  isEditable,
  type NoteFields,
  type NoteFile,
  type NoteProblem,
  newNoteFile,
  parseNoteFile,
  setNoteFields,
} from '../../../src/events/note/note-file.js';
import {
  anyBody,
  anyNote,
  anyShare,
  anyTags,
  anyText,
  anyTime,
  anyUlid,
  makeNote,
  oddTexts,
  someText,
} from '../../support/arbitraries.js';
import { processorMs } from '../../support/processor-time.js';

const id = '01J0000000000000000000000A';
/** Not a note's path: there the name has to be the id. */
const path = 'a.md';

const parse = (content: string | Buffer, journal: JournalName = 'portable') =>
  parseNoteFile(Buffer.from(content), journal, path);
const fileOf = (content: string | Buffer, journal: JournalName = 'portable'): NoteFile => {
  const parsed = parse(content, journal);
  if (!parsed.ok) throw new Error(describeProblem(parsed.problem));
  return parsed.file;
};
const noteOf = (content: string | Buffer): Note => fileOf(content).note;
const problemOf = (content: string | Buffer): NoteProblem => {
  const parsed = parse(content);
  if (parsed.ok) throw new Error(`it is a note: ${parsed.file.note.id}`);
  return parsed.problem;
};
const textOf = (file: NoteFile): string => formatNoteFile(file).toString('utf8');
/** Returns a note file with these lines after the three required keys. */
const withLines = (...lines: readonly string[]): string =>
  `---\nid: ${id}\ntype: semantic\ntitle: A note\n${lines.map((line) => `${line}\n`).join('')}---\nBody.\n`;

/** Every key, each written in a different way, with comments and unknown keys between them. */
const handMade = `---
# kept by hand
id: ${id}
type: 'semantic'
title: "Use WAL: mode"   # why not
project: 'shop'

machine_id: thinkpad
scope: portable
# the people
user_id: self
workspace_id:   personal
prov_source: human
confidence: 0.80
x-custom: { a: [1, 2], "b": null }
prov_model: claude
prov_session: abc
supersedes: 01HZZZZZZZZZZZZZZZZZZZZZZZ
created_at: 2026-06-24 18:33:07
updated_at: "2026-06-24T18:33:07Z"
tags: [a, 'b c',
  d]
agent: codex
importance: .5
keywords:
    - one
    - 'two'
# when it goes
expires_at: 2027-01-31
sensitive: true
source_key: "jsonl:x/1"
notes_to_self: |
  # not a comment
  ---not a fence

  text  
"quoted key": yes
last: 1   
---

# Heading

---
not: front matter
---
trailing spaces   
	tab
`;

const variants: readonly (readonly [name: string, content: string])[] = [
  ['with unix line ends', handMade],
  ['with CRLF', handMade.replaceAll('\n', '\r\n')],
  ['with a byte order mark', `\ufeff${handMade}`],
  ['with both', `\ufeff${handMade.replaceAll('\n', '\r\n')}`],
  ['without a final newline', handMade.trimEnd()],
  ['with CRLF in the body alone', handMade.replace(/\n\n# Heading.*/s, (body) => body.replaceAll('\n', '\r\n'))],
];

describe('format after parse', () => {
  it.each(variants)('returns the bytes of a handmade file, %s', (_, content) => {
    expect(textOf(fileOf(content))).toBe(content);
  });

  it.each([
    ['with an empty body', `---\nid: ${id}\ntype: semantic\ntitle: t\n---\n`],
    ['that ends with its fence', `---\nid: ${id}\ntype: semantic\ntitle: t\n---`],
    ['with spaces after its fences', `---  \nid: ${id}\ntype: semantic\ntitle: t\n---\t \nBody`],
    ['that names its language', `---yaml\nid: ${id}\ntype: semantic\ntitle: t\n---\nBody`],
    ['with an empty title', `---\nid: ${id}\ntype: semantic\ntitle:\n---\nBody`],
    ['with blank lines around its keys', `---\n\n\nid: ${id}\n\ntype: semantic\ntitle: t\n\n---\n\n\nBody\n\n\n`],
    ['in flow style', `---\n{id: ${id}, type: semantic, title: t}\n---\nBody`],
    ['with a title over several lines', `---\nid: ${id}\ntype: semantic\ntitle: >-\n  one\n  two\n---\nBody`],
    ['with quoted keys', `---\n"id": ${id}\n'type': semantic\n"title" : t\n---\nBody`],
  ])('returns the bytes of a file %s', (_, content) => {
    expect(textOf(fileOf(content))).toBe(content);
  });

  it('returns the bytes of every file that newNoteFile creates', () => {
    fc.assert(
      fc.property(anyNote, (note) => {
        const bytes = formatNoteFile(newNoteFile(note));
        expect(formatNoteFile(fileOf(bytes))).toEqual(bytes);
      }),
    );
  });

  it('returns the bytes of every readable file, whatever its lines contain', () => {
    const line = fc.oneof(
      anyText.map((text) => `key: ${text}`),
      fc.constantFrom(
        '# comment',
        '',
        'a: |',
        '  text',
        'b: "x',
        '- c',
        '---',
        '...',
        'tags: [a]',
        '  ',
        '\t',
        'd : e',
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), anyBody, (lines, eol, body) => {
        const front = ['---', `id: ${id}`, 'type: semantic', 'title: t', ...lines, '---', ''].join(eol);
        const bytes = Buffer.from(front + body);
        const parsed = parse(bytes);
        if (parsed.ok) expect(formatNoteFile(parsed.file)).toEqual(bytes);
      }),
    );
  });
});

describe('parse after format', () => {
  it('returns the note', () => {
    fc.assert(
      fc.property(anyNote, (note) => {
        expect(noteOf(formatNoteFile(newNoteFile(note)))).toEqual(note);
      }),
    );
  });

  it.each(oddTexts.filter((text) => text !== '').map((text) => [JSON.stringify(text), text]))(
    'returns a title, a tag and a project with the text %s',
    (_, text) => {
      const note = makeNote({ title: text, tags: [text, 'b'], project: text });
      expect(noteOf(formatNoteFile(newNoteFile(note)))).toEqual(note);
    },
  );

  it('takes the scope from the journal, not from the key', () => {
    expect(fileOf(handMade, 'local').note.scope).toBe('machine-local');
  });

  it('writes the keys in the order of the format', () => {
    const text = textOf(newNoteFile(makeNote({ tags: ['a'], agent: 'codex', supersedes: [id] })));
    const keys = [...text.matchAll(/^(\w+):/gm)].map(([, key]) => key);
    expect(keys.join(' ')).toBe(
      'id type title project machine_id scope user_id workspace_id prov_source confidence supersedes created_at ' +
        'updated_at tags agent',
    );
  });

  it('writes what the Python Anamnesis writes', () => {
    expect(textOf(newNoteFile(makeNote({ title: 'yes', tags: ['docs', '1.0'] })))).toBe(`---
id: ${id}
type: semantic
title: 'yes'
project: shop
machine_id: laptop
scope: portable
user_id: self
workspace_id: personal
prov_source: human
confidence: 1.0
created_at: '2026-06-24T18:33:07+00:00'
updated_at: '2026-06-24T18:33:07+00:00'
tags:
- docs
- '1.0'
---
Readers go on while one process writes.
`);
  });
});

const interop = resolve(import.meta.dirname, '../../../shared/interop/python-anamnesis');
describe.skipIf(!existsSync(interop))('the files of a Python store (skipped without ../shared)', () => {
  let folder = '';
  const files: { readonly journal: JournalName; readonly path: string; readonly bytes: Buffer }[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'anamnesis-interop-'));
    const memory = join(folder, 'memory');
    execFileSync('git', ['clone', '--quiet', '-c', 'core.autocrlf=false', join(interop, 'memory.bundle'), memory], {
      stdio: 'ignore',
    });
    for (const [journal, root] of [
      ['portable', memory],
      ['local', join(interop, 'local')],
    ] as const) {
      for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
        const full = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !entry.name.endsWith('.md') || full.includes('/.git/')) continue;
        files.push({ journal, path: relative(root, full), bytes: readFileSync(full) });
      }
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are 115 notes', () => {
    expect(files).toHaveLength(115);
    expect(files.filter((file) => !parseNoteFile(file.bytes, file.journal, file.path).ok)).toEqual([]);
  });

  it('are formatted as the bytes that were read', () => {
    for (const file of files) {
      const parsed = parseNoteFile(file.bytes, file.journal, file.path);
      if (!parsed.ok) throw new Error(describeProblem(parsed.problem));
      expect(formatNoteFile(parsed.file).equals(file.bytes), file.path).toBe(true);
    }
  });

  it('can all be edited, and a new title leaves every other line unchanged', () => {
    for (const file of files) {
      const parsed = parseNoteFile(file.bytes, file.journal, file.path);
      if (!parsed.ok) throw new Error(describeProblem(parsed.problem));
      expect(isEditable(parsed.file), file.path).toBe(true);
      const after = textOf(setNoteFields(parsed.file, { title: 'Another title: yes' }));
      expectOnlyKeyChanged(file.bytes.toString('utf8'), after, 'title');
    }
  });

  it('would be written identically by newNoteFile, except for long lines and unusual quoting', () => {
    const same = files.filter((file) => {
      const parsed = parseNoteFile(file.bytes, file.journal, file.path);
      return parsed.ok && formatNoteFile(newNoteFile(parsed.file.note)).equals(file.bytes);
    });
    expect(same.length).toBeGreaterThanOrEqual(100);
  });
});

/** Returns the front matter's lines by key, in order, and separately the comments and blank lines between keys. */
const blocksOf = (text: string) => {
  const lines = text.split('\n');
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  const lineOfKey = new Map<string, string[]>();
  const loose: string[] = [];
  let current: string[] = [];
  let pending: string[] = [];
  for (const line of lines.slice(1, end)) {
    if (line.trim() === '' || line.startsWith('#')) {
      pending.push(line);
      continue;
    }
    const key = /^["']?([A-Za-z_][\w. -]*)["']?\s*:/.exec(line)?.[1];
    if (key === undefined) {
      current.push(...pending, line);
    } else {
      loose.push(...pending);
      current = [line];
      lineOfKey.set(key, current);
    }
    pending = [];
  }
  loose.push(...pending);
  return { open: lines[0], lineOfKey, loose, rest: lines.slice(end) };
};

const expectOnlyKeyChanged = (before: string, after: string, ...keys: readonly string[]): void => {
  const old = blocksOf(before);
  const now = blocksOf(after);
  const others = (blocks: typeof old) => [...blocks.lineOfKey].filter(([key]) => !keys.includes(key));
  expect(others(now)).toEqual(others(old));
  expect(now.loose).toEqual(old.loose);
  expect(now.open).toBe(old.open);
  expect(now.rest).toEqual(old.rest);
};

const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
/** Each key that can be set, with its possible values. */
const settable: readonly (readonly [key: string, fields: fc.Arbitrary<NoteFields>])[] = [
  ['type', fc.record({ type: fc.constantFrom('procedural', 'semantic', 'episodic') })],
  ['title', fc.record({ title: anyText })],
  ['project', fc.record({ project: someText })],
  ['machine_id', fc.record({ machineId: someText })],
  ['user_id', fc.record({ userId: someText })],
  ['workspace_id', fc.record({ workspaceId: someText })],
  ['prov_source', fc.record({ source: fc.constantFrom('human', 'session-end', 'reflection', 'import', 'merge') })],
  ['confidence', fc.record({ confidence: anyShare })],
  ['prov_model', fc.record({ model: optional(someText) })],
  ['prov_session', fc.record({ session: optional(someText) })],
  ['supersedes', fc.record({ supersedes: fc.uniqueArray(anyUlid, { maxLength: 3 }) })],
  ['created_at', fc.record({ createdAt: anyTime })],
  ['updated_at', fc.record({ updatedAt: anyTime })],
  ['tags', fc.record({ tags: anyTags })],
  ['agent', fc.record({ agent: optional(someText) })],
  ['importance', fc.record({ importance: optional(anyShare) })],
  ['keywords', fc.record({ keywords: anyTags })],
  ['expires_at', fc.record({ expiresAt: optional(anyTime) })],
  ['sensitive', fc.record({ sensitive: fc.boolean() })],
  ['source_key', fc.record({ sourceKey: optional(someText) })],
] as readonly (readonly [string, fc.Arbitrary<NoteFields>])[];

describe.each(settable)('setting %s', (key, anyFields) => {
  it.each(variants)('changes only its lines and reads back, %s', (_, content) => {
    const file = fileOf(content);
    fc.assert(
      fc.property(anyFields, (fields) => {
        const after = textOf(setNoteFields(file, fields));
        expect(noteOf(after)).toEqual({ ...file.note, ...fields });
        expectOnlyKeyChanged(content, after, key);
      }),
      { numRuns: 12 },
    );
  });

  it('changes only its lines in any file that newNoteFile creates', () => {
    fc.assert(
      fc.property(anyNote, anyFields, (note, fields) => {
        const before = textOf(newNoteFile(note));
        const after = textOf(setNoteFields(fileOf(before), fields));
        expect(noteOf(after)).toEqual({ ...note, ...fields });
        expectOnlyKeyChanged(before, after, key);
      }),
      { numRuns: 20 },
    );
  });
});

describe('setting fields', () => {
  it.each(variants)('changes nothing when every value is what it was, %s', (_, content) => {
    const file = fileOf(content);
    const { id: _id, ...fields } = file.note;
    expect(textOf(setNoteFields(file, fields))).toBe(content);
  });

  it('changes the body and leaves the front matter unchanged', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const after = textOf(setNoteFields(fileOf(handMade), { body }));
        expect(after).toBe(handMade.slice(0, handMade.indexOf('\n---\n') + 5) + body);
        expect(noteOf(after).body).toBe(body);
      }),
    );
  });

  it('adds a body to a file that ends with its fence', () => {
    const file = fileOf(`---\r\nid: ${id}\r\ntype: semantic\r\ntitle: t\r\n---`);
    expect(noteOf(formatNoteFile(setNoteFields(file, { body: 'Body.' }))).body).toBe('Body.');
  });

  it('inserts a new key at its place in the format', () => {
    const after = textOf(
      setNoteFields(fileOf(withLines('tags: []')), { importance: 0.5, expiresAt: '2027-01-31T00:00:00+00:00' }),
    );
    expect(after).toContain("tags: []\nimportance: 0.5\nexpires_at: '2027-01-31T00:00:00+00:00'\n---\n");
  });

  it('removes an optional key', () => {
    expect(textOf(setNoteFields(fileOf(withLines('agent: codex', 'x: 1')), { agent: undefined }))).toBe(
      withLines('x: 1'),
    );
  });

  it('keeps a comment between the key and the next one', () => {
    const before = withLines('project: shop', '# who wrote it', 'machine_id: laptop');
    expect(textOf(setNoteFields(fileOf(before), { project: 'bank' }))).toBe(
      withLines('project: bank', '# who wrote it', 'machine_id: laptop'),
    );
  });

  it('keeps a comment after the last key', () => {
    const before = withLines('tags:', '- a', '', '# the end');
    expect(textOf(setNoteFields(fileOf(before), { tags: ['b'] }))).toBe(withLines('tags:', '- b', '', '# the end'));
  });

  it('leaves behind no line of a block scalar that looks like a comment', () => {
    const before = withLines('agent: |', '  one', '', '  # two', 'x: 1');
    expect(textOf(setNoteFields(fileOf(before), { agent: 'codex' }))).toBe(withLines('agent: codex', 'x: 1'));
  });

  it('sets a quoted key', () => {
    const before = withLines('"project": shop', 'x: 1');
    expect(noteOf(formatNoteFile(setNoteFields(fileOf(before), { project: 'bank' })))).toMatchObject({
      project: 'bank',
    });
  });
});

describe('a file that can be read but not edited by key', () => {
  it.each([
    ['flow style', `---\n{id: ${id}, type: semantic, title: t}\n---\nBody`],
    ['an indented mapping', `---\n  id: ${id}\n  type: semantic\n  title: t\n---\nBody`],
    ['an explicit key', `---\nid: ${id}\ntype: semantic\n? title\n: t\n---\nBody`],
  ])('is recognised: %s', (_, content) => {
    const file = fileOf(content);
    expect(isEditable(file)).toBe(false);
    expect(textOf(file)).toBe(content);
  });

  it('is not broken when another key refers to the one that is set', () => {
    const file = fileOf(withLines('project: &p shop', 'x-origin: *p'));
    const after = textOf(setNoteFields(file, { project: 'bank' }));
    expect(noteOf(after)).toEqual({ ...file.note, project: 'bank' });
    expect(after).toMatch(/x-origin: .*shop/);
  });

  it('does not include one with a key in non-Latin letters or with a space', () => {
    expect(isEditable(fileOf(withLines('заметка: да', 'my key: 1', 'tags: [a]')))).toBe(true);
  });

  it('is still a note after its body or its title was set', () => {
    const file = fileOf(`---\n{id: ${id}, type: semantic, title: t, x: 1}\n---\nBody`);
    for (const fields of [{ body: 'Another' }, { title: 'Another' }]) {
      expect(noteOf(formatNoteFile(setNoteFields(file, fields)))).toEqual({ ...file.note, ...fields });
    }
  });
});

describe('missing values', () => {
  it('have the defaults of the format', () => {
    expect(noteOf(`---\nid: 01KVXEGHNRZZZZZZZZZZZZZZZZ\ntype: episodic\ntitle: ''\n---\n`)).toEqual({
      ...makeNote(),
      id: '01KVXEGHNRZZZZZZZZZZZZZZZZ',
      type: 'episodic',
      title: '',
      project: 'global',
      machineId: 'unknown',
      createdAt: '2026-06-24T18:33:07+00:00',
      updatedAt: '2026-06-24T18:33:07+00:00',
      body: '',
    });
  });

  it('of updated_at are taken from created_at', () => {
    expect(noteOf(withLines('created_at: 2026-01-02')).updatedAt).toBe('2026-01-02T00:00:00+00:00');
  });

  it.each([
    ['an empty value', ''],
    ['null', ' null'],
    ['a tilde', ' ~'],
  ])('may be written as %s', (_, nothing) => {
    const keys = [
      'project',
      'machine_id',
      'prov_model',
      'supersedes',
      'tags',
      'agent',
      'importance',
      'expires_at',
      'confidence',
    ];
    const note = noteOf(withLines(...keys.map((key) => `${key}:${nothing}`)));
    expect(note).toMatchObject({ project: 'global', machineId: 'unknown', supersedes: [], tags: [], confidence: 1 });
    expect([note.model, note.agent, note.importance, note.expiresAt]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('do not include a quoted null', () => {
    expect(noteOf(withLines("agent: 'null'", 'tags: ["~"]'))).toMatchObject({ agent: 'null', tags: ['~'] });
  });
});

describe('reading values', () => {
  it('turns a plain text under supersedes into a list of one', () => {
    expect(noteOf(withLines(`supersedes: ${id}`)).supersedes).toEqual([id]);
  });

  it.each([
    ['2026-01-02', '2026-01-02T00:00:00+00:00'],
    ['2026-06-24 18:33:07', '2026-06-24T18:33:07+00:00'],
    ['2026-06-24T18:33:07.123456Z', '2026-06-24T18:33:07+00:00'],
    ['2026-06-24T18:33:07+02:00', '2026-06-24T16:33:07+00:00'],
    ['"2026-06-24T18:33:07+00:00"', '2026-06-24T18:33:07+00:00'],
  ])('accepts the time %s', (written, time) => {
    expect(noteOf(withLines(`updated_at: ${written}`)).updatedAt).toBe(time);
  });

  it('keeps dates, numbers and booleans in text fields as text', () => {
    expect(
      noteOf(`---\nid: ${id}\ntype: semantic\ntitle: 2026-01-02\nproject: 1e3\ntags: [yes, 1.0, 007]\n---\n`),
    ).toMatchObject({
      title: '2026-01-02',
      project: '1e3',
      tags: ['yes', '1.0', '007'],
    });
  });

  it('returns a time that the format can write, even at the ends of the calendar', () => {
    for (const time of ['9999-12-31T23:59:59-05:00', '0000-01-01T00:00:00+05:00']) {
      const parsed = parse(withLines(`updated_at: ${time}`));
      if (parsed.ok) expect(parsed.file.note.updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    }
  });

  it('returns a time that the format can write for an id of the far future', () => {
    expect(noteOf('---\nid: 7ZZZZZZZZZZZZZZZZZZZZZZZZZ\ntype: semantic\ntitle: t\n---\n').createdAt).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/,
    );
  });

  it('does not confuse members of every object with keys of the note', () => {
    expect(noteOf(withLines('constructor: x', 'toString: y', 'hasOwnProperty: z')).agent).toBeUndefined();
    const parsed = parse(withLines('__proto__: { agent: evil }'));
    if (parsed.ok) expect(parsed.file.note.agent).toBeUndefined();
    expect(Object.hasOwn(Object.prototype, 'agent')).toBe(false);
  });
});

describe('a file that is not a note', () => {
  it.each<[name: string, content: string | Buffer, code: string, line: number, key: string | undefined]>([
    ['is empty', '', 'empty', 1, undefined],
    ['has no front matter', '# Title\n\nText\n', 'front-matter-missing', 1, undefined],
    ['begins with a blank line', `\n${withLines()}`, 'front-matter-missing', 1, undefined],
    ['begins with four dashes', withLines().replace('---', '----'), 'front-matter-missing', 1, undefined],
    [
      'does not close its front matter',
      `---\nid: ${id}\ntype: semantic\ntitle: t\n`,
      'front-matter-open',
      1,
      undefined,
    ],
    ['has code in front', '---js\n{ id: globalThis.stolen = 1 }\n---\n', 'front-matter-language', 1, undefined],
    ['has JSON in front', '---json\n{"id": "x"}\n---\n', 'front-matter-language', 1, undefined],
    ['has a list in front', '---\n- a\n- b\n---\n', 'front-matter-yaml', 2, undefined],
    ['has one text in front', '---\njust text\n---\n', 'front-matter-yaml', 2, undefined],
    ['has an open quote', withLines('project: "shop'), 'front-matter-yaml', 6, undefined],
    ['has an open bracket', withLines('tags: [a, b', 'x: 1'), 'front-matter-yaml', 6, undefined],
    [
      'has a key that is not indented as its neighbours',
      withLines('x:', '    a: 1', '  b: 2'),
      'front-matter-yaml',
      7,
      undefined,
    ],
    ['has a key twice', withLines('project: a', 'tags: []', 'project: b'), 'front-matter-yaml', 7, undefined],
    ['has a key twice, once in quotes', withLines('"title": b'), 'front-matter-yaml', 5, undefined],
    ['refers to an undefined anchor', withLines('project: *nowhere'), 'front-matter-yaml', 5, undefined],
    [
      'has a YAML tag for code',
      withLines('x: !!js/function "function () { globalThis.stolen = 1 }"'),
      'front-matter-yaml',
      5,
      undefined,
    ],
    [
      'has a line that begins with three dashes',
      withLines('project: shop', '--- x', 'agent: codex'),
      'front-matter-yaml',
      6,
      undefined,
    ],
    ['has a NUL byte', withLines('project: a\0b'), 'nul-byte', 5, undefined],
    ['has a NUL byte in its body', `${withLines()}line\na\0b`, 'nul-byte', 8, undefined],
    [
      'is not UTF-8',
      Buffer.concat([Buffer.from(withLines()), Buffer.from('ok\ncaf\xe9\n', 'latin1')]),
      'not-utf8',
      8,
      undefined,
    ],
    ['is UTF-16', Buffer.from(`\ufeff${withLines()}`, 'utf16le'), 'not-utf8', 1, undefined],
    ['has no id', '---\ntype: semantic\ntitle: t\n---\n', 'no-id', 1, 'id'],
    ['has an empty id', '---\nid:\ntype: semantic\ntitle: t\n---\n', 'no-id', 2, 'id'],
    ['has a path for an id', '---\ntype: semantic\nid: ../../../etc/passwd\ntitle: t\n---\n', 'no-id', 3, 'id'],
    ['has an id in lower case', `---\nid: ${id.toLowerCase()}\ntype: semantic\ntitle: t\n---\n`, 'no-id', 2, 'id'],
    [
      'has an id with a letter that no ULID has',
      `---\nid: ${id.slice(0, 25)}U\ntype: semantic\ntitle: t\n---\n`,
      'no-id',
      2,
      'id',
    ],
    ['has an id beyond the last ULID', `---\nid: 8${id.slice(1)}\ntype: semantic\ntitle: t\n---\n`, 'no-id', 2, 'id'],
    ['has a list for an id', `---\nid: [${id}]\ntype: semantic\ntitle: t\n---\n`, 'wrong-value', 2, 'id'],
    ['has no type', `---\nid: ${id}\ntitle: t\n---\n`, 'wrong-type', 1, 'type'],
    ['has an unknown type', `---\nid: ${id}\n\n# what\ntype: memo\ntitle: t\n---\n`, 'wrong-type', 5, 'type'],
    ['has no title', `---\nid: ${id}\ntype: semantic\n---\n`, 'no-title', 1, 'title'],
    ['has a list for a title', `---\nid: ${id}\ntype: semantic\ntitle: [a, b]\n---\n`, 'wrong-value', 4, 'title'],
    ['has a map for a project', withLines('tags:', '- a', '- b', 'project: {a: b}'), 'wrong-value', 8, 'project'],
    ['has an unknown source', withLines('prov_source: alien'), 'wrong-source', 5, 'prov_source'],
    ['has words for a number', withLines('confidence: high'), 'wrong-value', 5, 'confidence'],
    ['has NaN for a number', withLines('importance: .nan'), 'wrong-value', 5, 'importance'],
    ['has words for a time', withLines('x: 1', 'updated_at: yesterday'), 'wrong-value', 6, 'updated_at'],
    ['has a nonexistent day', withLines('created_at: 2026-02-30'), 'wrong-value', 5, 'created_at'],
    ['has a map for tags', withLines('tags: {a: b}'), 'wrong-value', 5, 'tags'],
    ['has a list in its tags', withLines('tags: [a, [b]]'), 'wrong-value', 5, 'tags'],
  ])('is reported with file and line when it %s', (_, content, code, line, key) => {
    const problem = problemOf(content);
    expect(problem).toMatchObject({ code, path, line, key });
    expect(describeProblem(problem).startsWith(`${path}:${line}: ${key === undefined ? '' : `${key}: `}`)).toBe(true);
    expect(problem.message).not.toContain('\n');
  });

  it.each([
    ['a file without an id', '---\ntype: semantic\ntitle: t\n---\n', 'the id is missing'],
    [
      'a file with a colon in a value',
      withLines('tags: []', 'agent: Deploy: the hard way'),
      'the front matter is not valid YAML: a value contains a colon; put it in quotes',
    ],
  ])('is reported with a clear message: %s', (_, content, message) => {
    expect(problemOf(content).message).toBe(message);
  });

  it('is reported when it is larger than a note may be', () => {
    const head = Buffer.from(withLines());
    expect(problemOf(Buffer.concat([head, Buffer.alloc(maxFileBytes - head.length + 1, 'a')]))).toMatchObject({
      code: 'too-large',
      line: 1,
    });
  });

  it('does not include one of 10 MiB', () => {
    const head = Buffer.from(withLines());
    expect(parse(Buffer.concat([head, Buffer.alloc(10 * 1024 * 1024, 'a')])).ok).toBe(true);
  });

  it('is reported as too long in its front matter, not as unclosed', () => {
    const problem = problemOf(withLines(...Array.from({ length: 100_000 }, (_, at) => `key${at}: value`)));
    expect(problem.message).toMatch(/long|large|size/);
  });

  it('never makes the parser throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
          anyText.map((text) => Buffer.from(text)),
        ),
        (tail) => {
          parse(tail);
          parse(Buffer.concat([Buffer.from('---\n'), tail, Buffer.from('\n---\n')]));
          parse(Buffer.concat([Buffer.from(withLines().slice(0, -10)), tail, Buffer.from('\n---\n')]));
        },
      ),
    );
  });
});

describe('malicious front matter', () => {
  it.each(['js', 'javascript', 'coffee', 'json', 'toml', ' js', 'JS', 'yaml js'])('is not run as %s', (language) => {
    const payload = '{ id: (globalThis.stolen = true), type: "semantic", title: "t" }';
    expect(parse(`---${language}\n${payload}\n---\nBody`).ok).toBe(false);
    expect('stolen' in globalThis).toBe(false);
  });

  const seconds = (work: () => void): number => {
    const start = processorMs();
    work();
    return (processorMs() - start) / 1000;
  };

  it.each([
    ['brackets', `tags: ${'['.repeat(200_000)}`],
    ['closed brackets', `tags: ${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['braces', `tags: ${'{a: '.repeat(100_000)}`],
    ['lists in lists', `tags:\n${'- '.repeat(20_000)}a`],
    ['maps in maps', Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(depth)}k:`).join('\n')],
    ['questions', `${'? '.repeat(20_000)}a`],
  ])('is refused or read quickly when it nests %s deeply', (_, line) => {
    expect(seconds(() => parse(withLines(line)))).toBeLessThan(3);
  });

  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...[...'bcdefghij'].map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]},`.repeat(8)}*${'abcdefghi'[at]}]`),
  ];
  it.each([
    ['is in unknown keys', bomb],
    ['is a list of tags', [...bomb, 'tags: *j']],
    ['is a title', [...bomb, 'project: *j']],
    ['is a key', [...bomb, '? *j', ': x']],
    ['is a key in braces', [...bomb, 'x: {? *j : y}']],
    ['is merged', [...bomb, 'x:', '  <<: *j']],
  ])('is parsed quickly in little memory when a billion-laughs bomb %s', (_, lines) => {
    const before = process.memoryUsage().heapUsed;
    let text = '';
    expect(
      seconds(() => {
        const parsed = parse(withLines(...lines));
        if (!parsed.ok) text = describeProblem(parsed.problem);
      }),
    ).toBeLessThan(1);
    expect(text.length).toBeLessThan(2000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
  });
});
