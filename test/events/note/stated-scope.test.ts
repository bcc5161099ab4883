/** The note and scope that a file in memory/ states, in whatever form a person or an editor saved it. */
import { describe, expect, it } from 'vitest';
import { formatNoteFile, parseNoteFile } from '../../../src/events/note/note-file.js';
import {
  collectStated,
  readStated,
  type StatedByBlob,
  sayPortable,
  statedAt,
} from '../../../src/events/note/stated-scope.js';

const id = '01JC0000000000000000000000';
const path = `semantic/00/${id}.md`;
const noteText = (scope: string, more = ''): string =>
  `---\nid: ${id}\ntype: semantic\ntitle: A note\n${more}${scope}\n---\nBody with ünïcode.\n`;
const local = noteText('scope: machine-local');
const inCapitals = noteText('scope: Machine-Local');

const utf16 = (text: string, order: 'little' | 'big'): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'big' ? bytes.swap16() : bytes;
};
const utf32 = (text: string, order: 'little' | 'big'): Buffer =>
  Buffer.concat(
    [...text].map((character) => {
      const bytes = Buffer.alloc(4);
      const point = character.codePointAt(0) ?? 0;
      if (order === 'big') bytes.writeUInt32BE(point);
      else bytes.writeUInt32LE(point);
      return bytes;
    }),
  );

/** Reads what a file states as a sync does, which parses only files that it has a reason to. */
const statedInSync = (bytes: Buffer, at: string) => {
  const stated: StatedByBlob = new Map();
  collectStated(stated, 'blob', [at], bytes);
  return statedAt(stated, 'blob', at);
};

describe('a file that states scope: machine-local', () => {
  it.each([
    ['UTF-16 LE', utf16(local, 'little')],
    ['UTF-16 BE', utf16(local, 'big')],
    ['UTF-16 LE with a byte order mark', utf16(`\ufeff${local}`, 'little')],
    ['UTF-16 BE with a byte order mark', utf16(`\ufeff${local}`, 'big')],
    ['UTF-16 LE, cut in the middle of a character', utf16(local, 'little').subarray(0, -1)],
    ['UTF-16 below a text without Latin letters', utf16(`${'漢字\n'.repeat(3000)}${local}`, 'little')],
    ['UTF-32 LE', utf32(`\ufeff${local}`, 'little')],
    ['UTF-32 BE', utf32(local, 'big')],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${local}`)],
    ['UTF-8 with a NUL byte in it', Buffer.from(local.replace('Body', 'Bo\0dy'))],
    ['Latin-1', Buffer.from(local, 'latin1')],
    ['Latin-1, in capitals', Buffer.from(inCapitals, 'latin1')],
    [
      'UTF-16 in capitals, below a text without Latin letters',
      utf16(`${'漢字\n'.repeat(3000)}${inCapitals}`, 'little'),
    ],
    ['UTF-32 in capitals', utf32(inCapitals, 'big')],
    ['UTF-8 with a NUL byte in its value', Buffer.from(local.replace('machine', 'mach\0ine'))],
  ])('is recognised in %s', (_, bytes) => {
    expect(statedInSync(bytes, path).isLocal).toBe(true);
    expect(statedInSync(bytes, 'copy.txt').isLocal).toBe(true);
  });

  it.each([
    ['quoted keys', noteText('"scope": "machine-local"')],
    ['single quotes', noteText("'scope': 'machine-local'")],
    ['an escaped character in it', noteText('scope: "machine\\x2dlocal"')],
    ['an escaped character in the key', noteText('"s\\x63ope": machine-local')],
    ['its value on the next line', noteText('scope:\n  machine-local')],
    ['its value as a block', noteText('scope: >-\n  machine-local')],
    ['a tag and an anchor', noteText('scope: !!str &here machine-local')],
    ['a list of one', noteText('scope: [machine-local]')],
    ['a capital', noteText('Scope: machine-local')],
    ['an alias', noteText('scope: *here', 'other: &here machine-local\n')],
    ['an explicit key', noteText('? scope\n: machine-local')],
    ['a comment after it', noteText('scope: machine-local # stays here')],
    ['capitals in its value', noteText('scope: Machine-Local')],
    ['nothing but capitals', noteText('SCOPE: MACHINE-LOCAL')],
    ['capitals in quotes', noteText('scope: "Machine-Local"')],
    ['capitals in a list of one', noteText('scope: [Machine-Local]')],
    ['capitals and a comment', noteText('scope: Machine-Local # stays here')],
    ['Windows line ends', local.replaceAll('\n', '\r\n')],
    [
      'a map in braces',
      `---\n{"id": "${id}", "type": "semantic", "title": "x", "scope": "machine-local"}\n---\nText.\n`,
    ],
  ])('is recognised with %s', (_, text) => {
    expect(statedInSync(Buffer.from(text), path)).toEqual({ id, isLocal: true });
  });

  it.each([
    ['below a long text', `${'A line of a text.\n'.repeat(2000)}${local}`],
    ['below a long key', noteText('scope: machine-local', `other: "${'x'.repeat(40_000)}"\n`).replace('title', 'name')],
    ['in front matter that never ends', local.replace('---\nBody', 'Body')],
    ['in JSON', `---json\n{ "id": "${id}", "scope": "machine-local" }\n---\nText.\n`],
    ['below a blank line', `\n${local}`],
    ['as a list, beside a line that is not YAML', noteText('scope:\n  - machine-local', 'what: a: b\n')],
    ['as show --json prints it', JSON.stringify({ id, short_id: 'x', scope: 'machine-local', body: 'Text.' }, null, 2)],
    ['as show --json prints it, on one line', JSON.stringify({ scope: 'machine-local', body: 'Text.', id })],
    ['as show prints it', `Title\nid        ${id}\nshort id  7N1HVE\nproject   p\nscope     machine-local\n\nText.\n`],
    ['in TOML', `+++\nid = "${id}"\nscope = "machine-local"\n+++\nText.\n`],
    ['with quoted keys, beside a line that is not YAML', noteText('"scope": "machine-local"', 'what: a: b\n')],
    ['on the next line, beside a line that is not YAML', noteText('scope:\n  machine-local', 'what: a: b\n')],
    ['in capitals, beside a line that is not YAML', noteText('scope: Machine-Local', 'what: a: b\n')],
    ['with a tag, beside a line that is not YAML', noteText('scope: !!str machine-local', 'what: a: b\n')],
  ])('is recognised in a file that is not a note, %s', (_, text) => {
    expect(readStated(Buffer.from(text), path).isLocal).toBe(true);
    expect(statedInSync(Buffer.from(text), 'copy.txt').isLocal).toBe(true);
  });

  it('has its note id recognised in UTF-16 too', () => {
    const text = noteText('scope: portable');
    expect(statedInSync(utf16(text, 'little'), 'copy.txt')).toEqual({ id, isLocal: false });
    expect(statedInSync(utf16(`\ufeff${text}`, 'big'), 'copy.txt')).toEqual({ id, isLocal: false });
  });
});

describe('a file that only mentions scope: machine-local', () => {
  it.each([
    [
      'a page with front matter of its own',
      '---\ntitle: Scopes\n---\nA note that stays here says\n\nscope: machine-local\n',
    ],
    ['a page without front matter', '# Scopes\n\nscope: machine-local\n'],
    ['a page whose example has no id', '# Scopes\n\n---\nscope: machine-local\n---\n'],
    ['JSON without the id of a note', '{ "id": "1", "scope": "machine-local" }'],
    [
      'JSON of a portable note that quotes it',
      JSON.stringify({ id, scope: 'portable', body: '{"scope": "machine-local"}' }),
    ],
    ['a shown note that is portable', `Title\nid        ${id}\nscope     portable\n\nscope: machine-local\n`],
    ['a portable note with it in its text', `${noteText('scope: portable')}\nscope: machine-local\n`],
    ['a portable note with it in its title', noteText('scope: portable', 'what: scope is machine-local\n')],
  ])('is not recognised as local: %s', (_, text) => {
    expect(statedInSync(Buffer.from(text), 'page.md').isLocal).toBe(false);
    expect(statedInSync(utf16(text, 'little'), 'page.md').isLocal).toBe(false);
  });
});

describe('collecting from many files', () => {
  it('parses no ordinary note', () => {
    const stated: StatedByBlob = new Map();
    collectStated(stated, 'blob', [path], Buffer.from(noteText('scope: portable')));
    expect(stated.size).toBe(0);
  });
});

describe('a file that is made to state scope: portable', () => {
  const madePortable = (text: string): string => {
    const parsed = parseNoteFile(Buffer.from(text), 'portable', path);
    return parsed.ok ? formatNoteFile(sayPortable(parsed.file)).toString('utf8') : parsed.problem.message;
  };

  it.each([
    ['scope: machine-local', noteText('scope: machine-local', 'extra: kept\n')],
    ['Scope: [machine-local]', noteText('Scope: [machine-local]', 'extra: kept\n')],
    ['both', noteText('scope: portable\nSCOPE: "machine-local"', 'extra: kept\n')],
    ['a list over two lines', noteText('scope:\n  - machine-local', 'extra: kept\n')],
    ['a key in quotes', noteText('"scope": machine-local', 'extra: kept\n')],
    [
      'front matter in one line',
      `---\n{id: ${id}, type: semantic, title: X, scope: machine-local, extra: kept}\n---\nbody\n`,
    ],
  ])('states it once and is otherwise unchanged: %s', (_, text) => {
    const made = madePortable(text);
    expect(readStated(Buffer.from(made), path)).toEqual({ id, isLocal: false });
    expect(made.match(/^.{0,2}scope.{0,2}:.*$/gim)).toEqual(['scope: portable']);
    expect(made).toMatch(/^extra: "?kept"?$/m);
  });

  it('stays unchanged when it states it already', () => {
    const text = noteText('scope: portable');
    expect(madePortable(text)).toBe(text);
  });
});
