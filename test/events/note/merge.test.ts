import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictCopy, mergeNotes } from '../../../src/events/note/merge.js';
import type { Note } from '../../../src/events/note/note.js';
import {
  formatNoteFile,
  type NoteFields,
  type NoteFile,
  newNoteFile,
  parseNoteFile,
  setNoteFields,
} from '../../../src/events/note/note-file.js';
import { isUlid, timeOfUlid } from '../../../src/events/ulid-form.js';
import {
  anyBody,
  anyNote,
  anyShare,
  anyTags,
  anyText,
  anyTime,
  makeNote,
  someText,
} from '../../support/arbitraries.js';

const parse = (text: string | Buffer): NoteFile => {
  const parsed = parseNoteFile(Buffer.from(text), 'portable', 'a.md');
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.file;
};
const textOf = (file: NoteFile): string => formatNoteFile(file).toString('utf8');
const base = parse(textOf(newNoteFile(makeNote({ tags: ['a', 'b'], body: 'one\ntwo\nthree\nfour\nfive\n' }))));
const edit = (fields: NoteFields, from = base): NoteFile => setNoteFields(from, fields);
const merged = (ours: NoteFile, theirs: NoteFile, from: NoteFile | undefined = base): Note =>
  mergeNotes(from, ours, theirs).file.note;
/** Returns the base with lines added after its last key. */
const withLines = (...lines: readonly string[]): NoteFile =>
  parse(textOf(base).replace('\n---\n', `\n${lines.map((line) => `${line}\n`).join('')}---\n`));

describe('two edits of one note', () => {
  it('both apply when they changed different keys', () => {
    const note = merged(edit({ title: 'Ours', importance: 0.9 }), edit({ project: 'theirs', type: 'procedural' }));
    expect(note).toEqual({ ...base.note, title: 'Ours', importance: 0.9, project: 'theirs', type: 'procedural' });
  });

  it('use the value of theirs where both changed one key', () => {
    expect(merged(edit({ title: 'Ours' }), edit({ title: 'Theirs' })).title).toBe('Theirs');
  });

  it('remove an optional key that one of them removed', () => {
    const from = edit({ agent: 'codex', importance: 0.5 });
    const note = merged(edit({ agent: undefined }, from), edit({ importance: undefined }, from), from);
    expect([note.agent, note.importance]).toEqual([undefined, undefined]);
  });

  it('merge tags by what was added and what was removed', () => {
    expect(merged(edit({ tags: ['a', 'b', 'ours'] }), edit({ tags: ['b', 'theirs'] })).tags).toEqual([
      'b',
      'ours',
      'theirs',
    ]);
  });

  it('keep a tag once when both added it', () => {
    expect(merged(edit({ tags: ['a', 'b', 'new'] }), edit({ tags: ['new', 'a', 'b'] })).tags).toEqual([
      'a',
      'b',
      'new',
    ]);
  });

  it('do not restore a tag that ours removed', () => {
    expect(merged(edit({ tags: [] }), edit({ tags: ['a', 'b', 'c'] })).tags).toEqual(['c']);
  });

  it('merge keywords and superseded ids as sets too', () => {
    const [one = '', two = ''] = ['01J0000000000000000000000B', '01J0000000000000000000000C'];
    const note = merged(edit({ keywords: ['k'], supersedes: [one] }), edit({ keywords: ['l'], supersedes: [two] }));
    expect(note).toMatchObject({ keywords: ['k', 'l'], supersedes: [one, two] });
  });

  it('keep the id, the scope and the time of creation of ours', () => {
    const theirs = newNoteFile({ ...makeNote({ createdAt: '2020-01-01T00:00:00+00:00', scope: 'machine-local' }) });
    expect(merged(base, theirs)).toMatchObject({ id: base.note.id, scope: 'portable', createdAt: base.note.createdAt });
  });

  it('both apply to the body when they changed different lines', () => {
    const body = merged(
      edit({ body: 'ONE\ntwo\nthree\nfour\nfive\n' }),
      edit({ body: 'one\ntwo\nthree\nfour\nFIVE\nsix\n' }),
    ).body;
    expect(body).toBe('ONE\ntwo\nthree\nfour\nFIVE\nsix\n');
  });

  it('do not join two lines when a body has no final newline', () => {
    const from = edit({ body: 'one\ntwo\nthree' });
    const result = mergeNotes(
      from,
      edit({ body: 'zero\none\ntwo\nthree' }, from),
      edit({ body: 'one\ntwo\nthree\nfour' }, from),
    );
    expect(result.file.note.body).toBe('zero\none\ntwo\nthree\nfour');
  });

  it('keep both bodies where they clash', () => {
    const ours = edit({ body: 'one\nOURS\nthree\n', title: 'Ours' });
    const theirs = edit({ body: 'one\nTHEIRS\nthree\n', project: 'theirs' });
    const { file, clashing } = mergeNotes(base, ours, theirs);
    expect(clashing).toBe('one\nTHEIRS\nthree\n');
    expect(file.note).toMatchObject({ body: 'one\nOURS\nthree\n', title: 'Ours', project: 'theirs' });
  });

  it('keep both bodies where there is no common ancestor', () => {
    const { file, clashing } = mergeNotes(
      undefined,
      edit({ body: 'ours', tags: ['a'] }),
      edit({ body: 'theirs', tags: ['b'] }),
    );
    expect([file.note.body, clashing, file.note.tags]).toEqual(['ours', 'theirs', ['a', 'b']]);
  });

  it('do not clash when both wrote the same', () => {
    const same = edit({ body: 'same\n' });
    expect(mergeNotes(base, same, same)).toMatchObject({ clashing: undefined, file: { note: { body: 'same\n' } } });
    expect(mergeNotes(undefined, same, same).clashing).toBeUndefined();
  });
});

describe('two imports of one source', () => {
  const imported = (fields: Partial<Note>): NoteFile =>
    newNoteFile(makeNote({ source: 'import', sourceKey: 'markdown:notes/a', ...fields }));

  it('become one note without a conflict, whichever machine merges', () => {
    const [one, two] = [imported({ machineId: 'laptop', agent: 'codex' }), imported({ machineId: 'desktop' })];
    for (const { file, clashing, lost } of [mergeNotes(undefined, one, two), mergeNotes(undefined, two, one)]) {
      expect([file.note.machineId, file.note.agent, clashing, lost]).toEqual(['desktop', undefined, undefined, []]);
    }
  });

  it('report a value that differed in the source itself as lost', () => {
    const [one, two] = [imported({ title: 'Old' }), imported({ title: 'New' })];
    expect(mergeNotes(undefined, one, two).lost).toEqual([{ key: 'title', value: 'Old' }]);
  });
});

describe('unknown keys', () => {
  it('are kept when theirs added them', () => {
    expect(textOf(mergeNotes(base, edit({ title: 'Ours' }), withLines('mood: fine', 'links:', '- a')).file)).toBe(
      textOf(edit({ title: 'Ours' }, withLines('mood: fine', 'links:', '- a'))),
    );
  });

  it('are kept when ours added them', () => {
    expect(textOf(mergeNotes(base, withLines('mood: fine'), edit({ title: 'Theirs' })).file)).toContain(
      '\nmood: fine\n',
    );
  });

  it('have the value of theirs where theirs changed it', () => {
    const from = withLines('mood: fine', 'x: 1');
    const text = textOf(mergeNotes(from, withLines('mood: good', 'x: 2'), withLines('mood: bad', 'x: 1')).file);
    expect(text).toContain('\nmood: bad\nx: 2\n');
  });

  it('are removed when theirs removed them and ours left them alone', () => {
    expect(textOf(mergeNotes(withLines('mood: fine'), withLines('mood: fine'), base).file)).toBe(textOf(base));
  });

  it('stay when theirs removed them and ours changed them', () => {
    const from = withLines('mood: fine');
    expect(textOf(mergeNotes(from, withLines('mood: good'), base).file)).toContain('\nmood: good\n');
  });

  it('have the value of the winner where both changed it, and the other one is reported as lost', () => {
    const from = withLines('mood: fine', 'seen:', '- a');
    const ours = withLines('mood: good', 'seen:', '- b');
    const theirs = withLines('mood: bad', 'seen:', '- c');
    const won = mergeNotes(from, ours, theirs, 'ours');
    expect(textOf(won.file)).toContain('\nmood: good\nseen:\n- b\n');
    expect(won.lost).toEqual([
      { key: 'mood', value: 'bad' },
      { key: 'seen', value: 'seen:\n- c' },
    ]);
    const lost = mergeNotes(from, ours, theirs, 'theirs');
    expect(textOf(lost.file)).toContain('\nmood: bad\nseen:\n- c\n');
    expect(lost.lost[0]).toEqual({ key: 'mood', value: 'good' });
  });

  it('stay when one side changed them and the other removed them, which is reported as lost', () => {
    const from = withLines('mood: fine');
    for (const merge of [
      mergeNotes(from, withLines('mood: good'), base),
      mergeNotes(from, base, withLines('mood: good')),
    ]) {
      expect(textOf(merge.file)).toContain('\nmood: good\n');
      expect(merge.lost).toEqual([{ key: 'mood', value: null }]);
    }
  });

  it('lose nothing silently: each value of either side is in the note or reported as lost', () => {
    const anyValue = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined });
    const lines = (value: string | undefined) => withLines(...(value === undefined ? [] : [`mood: ${value}`]));
    fc.assert(
      fc.property(anyValue, anyValue, anyValue, fc.constantFrom('ours', 'theirs'), (old, mine, other, winner) => {
        const { file, lost } = mergeNotes(lines(old), lines(mine), lines(other), winner);
        const kept = [parse(textOf(file)).front.values['mood'], ...lost.map(({ value }) => value ?? undefined)];
        for (const value of [mine, other]) if (value !== old) expect(kept).toContain(value);
      }),
    );
  });

  it('keep their comments, and those of ours', () => {
    const ours = withLines('# ours', 'x: 1');
    expect(textOf(mergeNotes(base, ours, withLines('mood: fine # theirs')).file)).toMatch(
      /# ours\nx: 1\nmood: fine # theirs\n/,
    );
  });
});

const anyFields: fc.Arbitrary<NoteFields> = fc.record(
  {
    title: anyText,
    project: someText,
    tags: anyTags,
    keywords: anyTags,
    confidence: anyShare,
    importance: fc.option(anyShare, { nil: undefined }),
    agent: fc.option(someText, { nil: undefined }),
    updatedAt: anyTime,
    body: anyBody,
  },
  { requiredKeys: [] },
);

describe('a single value that both changed', () => {
  const [ours, theirs] = [edit({ title: 'Ours' }), edit({ title: 'Theirs' })];
  it('is that of the winner, and the other one is reported as lost', () => {
    const won = mergeNotes(base, ours, theirs, 'ours');
    expect([won.file.note.title, won.lost]).toEqual(['Ours', [{ key: 'title', value: 'Theirs' }]]);
    const lost = mergeNotes(base, ours, theirs, 'theirs');
    expect([lost.file.note.title, lost.lost]).toEqual(['Theirs', [{ key: 'title', value: 'Ours' }]]);
  });
  it('loses nothing when both set the same', () => {
    expect(mergeNotes(base, ours, ours).lost).toEqual([]);
  });
});

describe('every merge', () => {
  it('returns ours when theirs changed nothing, and theirs when ours changed nothing', () => {
    fc.assert(
      fc.property(anyNote, anyFields, (note, fields) => {
        const from = newNoteFile(note);
        const changed = setNoteFields(from, fields);
        expect(mergeNotes(from, changed, from)).toEqual({ file: changed, clashing: undefined, lost: [] });
        const { file, clashing } = mergeNotes(from, from, changed);
        const sorted = (one: Note) => ({ ...one, tags: [...one.tags].sort(), keywords: [...one.keywords].sort() });
        expect(sorted(file.note)).toEqual(sorted(changed.note));
        expect(clashing).toBeUndefined();
      }),
    );
  });

  it('can be read again, and no line of either body is lost', () => {
    const body = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 8 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(body, body, body, anyFields, anyFields, (old, mine, other, oursSet, theirsSet) => {
        const from = edit({ body: old });
        const ours = edit({ ...oursSet, body: mine }, from);
        const theirs = edit({ ...theirsSet, body: other }, from);
        const { file, clashing } = mergeNotes(from, ours, theirs);
        expect(parse(textOf(file)).note).toEqual(file.note);
        const lines = new Set(
          [file.note.body, ...(clashing === undefined ? [] : [clashing])].flatMap((text) => text.split('\n')),
        );
        const oldLines = new Set(old.split('\n'));
        for (const line of [...mine.split('\n'), ...other.split('\n')])
          if (!oldLines.has(line)) expect(lines).toContain(line);
        for (const line of lines) expect(`${old}\n${mine}\n${other}`.split('\n')).toContain(line);
      }),
    );
  });

  it('can be read again even if the keys of ours are not on lines of their own', () => {
    const ours = parse('---\n{id: 01J0000000000000000000000A, type: semantic, title: Ours, mood: fine}\n---\nBody');
    const file = mergeNotes(ours, ours, setNoteFields(newNoteFile(ours.note), { tags: ['theirs'] })).file;
    expect(parse(textOf(file)).note).toEqual({ ...ours.note, tags: ['theirs'] });
  });
});

describe('the conflict copy of the losing text', () => {
  const atMs = Date.UTC(2026, 5, 25);
  const copyOf = (note: Note, eventId = '01J0000000000000000000000E') =>
    conflictCopy(note, 'the other text\n', eventId, atMs, '2026-06-25T00:00:00+00:00');

  it('is a separate note that links to the first', () => {
    const file = parse(
      textOf(copyOf(makeNote({ tags: ['a'], supersedes: ['01J0000000000000000000000B'], sourceKey: 'jsonl:x/1' }))),
    );
    expect(file.note).toEqual({
      ...makeNote(),
      id: file.note.id,
      title: 'Use WAL mode for SQLite (conflicting edit)',
      source: 'merge',
      tags: ['a'],
      createdAt: '2026-06-25T00:00:00+00:00',
      updatedAt: '2026-06-25T00:00:00+00:00',
      body: 'the other text\n',
    });
    expect(textOf(file)).toContain('links:\n- conflicts-with 01J0000000000000000000000A\n');
  });

  it('has an id that every machine derives identically from the event and the note', () => {
    const { id } = copyOf(makeNote()).note;
    expect(isUlid(id) && timeOfUlid(id)).toBe(atMs);
    expect(copyOf(makeNote({ title: 'Other' })).note.id).toBe(id);
    expect(copyOf(makeNote(), '01J0000000000000000000000F').note.id).not.toBe(id);
    expect(copyOf(makeNote({ id: '01J0000000000000000000000B' })).note.id).not.toBe(id);
  });

  it('has a title cut to the limit between whole characters', () => {
    for (const title of ['x'.repeat(300), '🚀'.repeat(300), `x${'🚀'.repeat(299)}`]) {
      const copy = copyOf(makeNote({ title })).note.title;
      expect([...copy].length).toBeLessThanOrEqual(300);
      expect(copy).not.toMatch(/\p{Cs}/u);
    }
  });
});
