/** The note and scope that a file in memory/ states. */
import { describe, expect, it } from 'vitest';
import { formatNoteFile, parseNoteFile } from '../../../src/events/note/note-file.js';
import { readStated, sayPortable } from '../../../src/events/note/stated-scope.js';

const id = '01JC0000000000000000000000';
const path = `semantic/00/${id}.md`;
const noteText = (scope: string, more = ''): string =>
  `---\nid: ${id}\ntype: semantic\ntitle: A note\n${more}${scope}\n---\nBody with ünïcode.\n`;

describe('what a file states', () => {
  it.each([
    'scope: machine-local',
    'Scope: Machine-Local',
    '"scope": "machine-local"',
    'scope: [machine-local]',
    'scope:\n  - machine-local',
  ])('is that the note stays on this machine: %s', (scope) => {
    expect(readStated(Buffer.from(noteText(scope)), 'copy.md')).toEqual({ id, isLocal: true });
  });

  it('is its id alone where only the text mentions a scope', () => {
    const text = `${noteText('scope: portable', 'what: scope is machine-local\n')}\nscope: machine-local\n`;
    expect(readStated(Buffer.from(text), path)).toEqual({ id, isLocal: false });
  });

  it('is the id of its path for a file that is not a note, and nothing elsewhere', () => {
    for (const text of ['no front matter\nscope: machine-local\n', noteText('what: a: b\nscope: machine-local')]) {
      expect(readStated(Buffer.from(text), path)).toEqual({ id, isLocal: false });
      expect(readStated(Buffer.from(text), 'page.md')).toEqual({ id: undefined, isLocal: false });
    }
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
