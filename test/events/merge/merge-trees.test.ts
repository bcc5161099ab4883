import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesTo } from '../../../src/events/merge/merge-trees.js';
import type { Note, NoteType } from '../../../src/events/note/note.js';
import { parseNoteFile } from '../../../src/events/note/note-file.js';
import { idOf } from '../../support/arbitraries.js';
import { blobOf, type Head, merge, noteAt, sideOf, sorted, type Tree, textOfNote } from './support/trees.js';

const bodies = ['one\ntwo\nthree\n', 'one\ntwo\n3\n', '1\ntwo\nthree\n', 'one\n2\nthree\n', 'other\n', ''];
const anyFields: fc.Arbitrary<Partial<Note>> = fc.record({
  type: fc.constantFrom<NoteType>('semantic', 'procedural'),
  title: fc.constantFrom('First', 'Second', 'Third'),
  tags: fc.subarray(['a', 'b', 'c']),
  body: fc.constantFrom(...bodies),
});
const otherPaths = ['README.md', 'docs', 'docs/a.txt', 'eval/set.jsonl', 'semantic/ab', 'semantic/ab/x.txt'];
const anyOther = fc.tuple(fc.constantFrom(...otherPaths), fc.constantFrom(...bodies, 'no\0text'));
/** A note at its own path, at one that a person chose, or in another note's file. */
const anyNoteFile = fc
  .tuple(fc.nat(2), anyFields, fc.constantFrom('own', 'moved', 'swapped', 'broken'))
  .map(([n, fields, place]): readonly [string, string] => {
    const [path, text] = noteAt(n, fields);
    if (place === 'moved') return [`semantic/mine/${idOf(n)}.md`, text];
    if (place === 'swapped') return [noteAt(n + 1, fields)[0], text];
    return place === 'broken' ? [path, `not a note ${fields.title}\n`] : [path, text];
  });
const isTree = (tree: Tree): boolean =>
  ![...tree.keys()].some((path) => [...tree.keys()].some((other) => other.startsWith(`${path}/`)));
const anyTree: fc.Arbitrary<Tree> = fc
  .array(fc.oneof({ weight: 3, arbitrary: anyNoteFile }, anyOther), { maxLength: 6 })
  .map((files) => new Map(files))
  .filter(isTree);
const anyHead: fc.Arbitrary<Head> = fc.record({
  tree: anyTree,
  times: fc
    .array(fc.tuple(fc.nat(3), fc.nat(2)), { maxLength: 4 })
    .map((all) => new Map(all.map(([n, t]) => [idOf(n), t]))),
});

describe('merging two trees', () => {
  it('is symmetric: machines that merge the same two heads make the same tree and the same siblings', () => {
    fc.assert(
      fc.property(anyTree, anyHead, anyHead, (base, a, b) => {
        const [one, other] = [merge(base, a, b), merge(base, b, a)];
        expect(sorted(one.tree)).toEqual(sorted(other.tree));
        expect([one.merged, one.conflicts, one.lost, one.returned]).toEqual([
          other.merged,
          other.conflicts,
          other.lost,
          other.returned,
        ]);
      }),
    );
  });

  it('changes nothing when both are the same', () => {
    fc.assert(
      fc.property(anyTree, anyHead, (base, a) => {
        expect(sorted(merge(base, a, a).tree)).toEqual(sorted(a.tree));
      }),
    );
  });

  it('takes the other side when one changed nothing', () => {
    fc.assert(
      fc.property(anyTree, anyHead, (base, b) => {
        expect(sorted(merge(base, { tree: base }, b).tree)).toEqual(sorted(b.tree));
      }),
    );
  });

  it('makes a tree that git can hold, with no file in the place of a folder', () => {
    fc.assert(fc.property(anyTree, anyHead, anyHead, (base, a, b) => isTree(merge(base, a, b).tree)));
  });

  it('makes no difference by the order of three machines, unless texts clash or a removal meets an edit', () => {
    fc.assert(
      fc.property(anySteadyTree, anyEdit, anyEdit, anyEdit, (base, editA, editB, editC) => {
        const [a, b, c] = [editA, editB, editC].map((edit): Head => ({ tree: edit(base) }));
        if (a === undefined || b === undefined || c === undefined) return;
        const [ab, bc] = [merge(base, a, b), merge(base, b, c)];
        const [left, right] = [merge(base, ab, c), merge(base, a, bc)];
        fc.pre(
          [ab, bc, left, right].every(
            ({ conflicts, lost, returned }) => conflicts.length + lost.length + returned.length === 0,
          ),
        );
        expect(sorted(left.tree)).toEqual(sorted(right.tree));
      }),
    );
  });

  it('says what turns each of the two trees into the merged one', () => {
    fc.assert(
      fc.property(anyTree, anyHead, anyHead, (base, a, b) => {
        const merged = merge(base, a, b);
        for (const head of [a, b])
          expect(sorted(apply(head.tree, changesTo(sideOf(base, head), merged), [base, a.tree, b.tree]))).toEqual(
            sorted(merged.tree),
          );
      }),
    );
  });

  it('keeps every text that one side wrote, in the note, in a sibling, or as a line of it', () => {
    fc.assert(
      fc.property(anyTree, anyHead, anyHead, (base, a, b) => {
        const { tree } = merge(base, a, b);
        const lines = new Set([...tree.values()].flatMap((text) => text.split('\n')));
        const was = new Set([...base.values()].flatMap((text) => text.split('\n')));
        const inB = new Set([...b.tree.values()].flatMap((text) => text.split('\n')));
        for (const [path, text] of a.tree) {
          // What the other side removed is gone if this side only moved it or tagged it.
          if (base.has(path) && !b.tree.has(path)) continue;
          const body = parseNoteFile(Buffer.from(text), 'portable', path);
          const kept = body.ok ? body.file.note.body : text;
          for (const line of kept.split('\n')) if (!was.has(line) && !inB.has(line)) expect(lines).toContain(line);
        }
      }),
    );
  });
});

const anySteadyTree: fc.Arbitrary<Tree> = fc
  .array(fc.tuple(fc.nat(3), anyFields), { minLength: 1, maxLength: 4 })
  .map((notes) => new Map(notes.map(([n, fields]) => noteAt(n, { ...fields, type: 'semantic' }))));
/** Adds a note, removes one, or changes one field of one. */
const anyEdit: fc.Arbitrary<(tree: Tree) => Tree> = fc
  .tuple(
    fc.nat(5),
    fc.oneof(
      fc.constant(undefined),
      fc.record({ body: fc.constantFrom(...bodies) }),
      fc.record({ tags: fc.subarray(['a', 'b', 'd']) }),
    ),
  )
  .map(([n, fields]) => (tree: Tree) => {
    const [path] = noteAt(n, { type: 'semantic' });
    const edited = new Map(tree);
    const parsed = parseNoteFile(Buffer.from(tree.get(path) ?? ''), 'portable', path);
    if (fields === undefined) edited.delete(path);
    else edited.set(path, textOfNote({ ...(parsed.ok ? parsed.file.note : { id: idOf(n) }), ...fields }));
    return edited;
  });

const apply = (tree: Tree, changes: ReturnType<typeof changesTo>, all: readonly Tree[]): Tree => {
  const texts = new Map(all.flatMap((one) => [...one.values()].map((text) => [blobOf(text), text] as const)));
  const result = new Map(tree);
  for (const change of changes) {
    if ('blob' in change) result.set(change.path, texts.get(change.blob) ?? '');
    else if (change.bytes === undefined) {
      // As git does: removing a path removes what is below it.
      for (const path of [...result.keys()])
        if (path === change.path || path.startsWith(`${change.path}/`)) result.delete(path);
    } else result.set(change.path, change.bytes.toString('utf8'));
  }
  return result;
};

/** One note, as the base has it and as each side left it; undefined is a side that removed it. */
const both = (was: Partial<Note>, mine: Partial<Note> | undefined, other: Partial<Note> | undefined) => {
  const treeOf = (fields: Partial<Note> | undefined): Tree =>
    new Map(fields === undefined ? [] : [noteAt(1, { ...was, ...fields })]);
  return {
    merge: (mineAt = 1, otherAt = 2) => {
      const merged = merge(
        new Map([noteAt(1, was)]),
        { tree: treeOf(mine), times: new Map([[idOf(1), mineAt]]) },
        { tree: treeOf(other), times: new Map([[idOf(1), otherAt]]) },
      );
      const notes = [...merged.tree].flatMap(([path, text]) => {
        const parsed = parseNoteFile(Buffer.from(text), 'portable', path);
        return parsed.ok ? [parsed.file.note] : [];
      });
      return {
        ...merged,
        note: notes.find(({ id }) => id === idOf(1)),
        sibling: notes.find(({ id }) => id !== idOf(1)),
      };
    },
  };
};
const was = {
  title: 'Port',
  body: 'It is 80.\n\nAsk Ada.\n',
  tags: ['net', 'old'],
  updatedAt: '2026-01-01T00:00:00+00:00',
};

describe('a note that two machines changed', () => {
  it('has the values of both where each changed another one', () => {
    expect(both(was, { title: 'Ports' }, { project: 'api' }).merge().note).toMatchObject({
      title: 'Ports',
      project: 'api',
    });
  });

  it('has what either added to a list, and not what either removed', () => {
    expect(
      both(was, { tags: ['old', 'mine'] }, { tags: ['net', 'other'] })
        .merge()
        .note?.tags.toSorted(),
    ).toEqual(['mine', 'other']);
  });

  it('has the newer value where both set one, and tells the other', () => {
    const edits = both(was, { title: 'Mine' }, { title: 'Other' });
    expect(edits.merge(1, 2)).toMatchObject({
      note: { title: 'Other' },
      lost: [{ noteId: idOf(1), key: 'title', value: 'Mine' }],
    });
    expect(edits.merge(2, 1)).toMatchObject({
      note: { title: 'Mine' },
      lost: [{ noteId: idOf(1), key: 'title', value: 'Other' }],
    });
  });

  it('has both texts where they changed different lines', () => {
    const edits = both(was, { body: 'It is 8080.\n\nAsk Ada.\n' }, { body: 'It is 80.\n\nAsk Ada or Bo.\n' });
    expect(edits.merge().note?.body).toBe('It is 8080.\n\nAsk Ada or Bo.\n');
  });

  it('keeps the text of the newer side where texts clash, and the other one whole in a sibling', () => {
    const merged = both(was, { body: 'It is 1.\nAsk Ada.\n' }, { body: 'It is 2.\nAsk Ada.\n' }).merge();
    expect(merged.note?.body).toBe('It is 2.\nAsk Ada.\n');
    expect(merged.sibling).toMatchObject({ body: 'It is 1.\nAsk Ada.\n', source: 'merge' });
    expect(merged.conflicts).toEqual([{ noteId: idOf(1), sibling: merged.sibling?.id }]);
    expect(
      merged.tree.get([...merged.tree.keys()].find((path) => path.includes(merged.sibling?.id ?? '-')) ?? ''),
    ).toContain(`conflicts-with ${idOf(1)}`);
  });

  it('is settled by the texts themselves when both are equally old', () => {
    const edits = both(was, { body: 'It is 1.\n' }, { body: 'It is 2.\n' });
    expect(sorted(edits.merge(5, 5).tree)).toEqual(
      sorted(both(was, { body: 'It is 2.\n' }, { body: 'It is 1.\n' }).merge(5, 5).tree),
    );
  });

  it('comes back when one removed it and the other edited it', () => {
    for (const edit of [{ title: 'Ports' }, { body: 'New.\n' }, { project: 'api' }, { type: 'procedural' as const }]) {
      const merged = both(was, undefined, edit).merge();
      expect(merged).toMatchObject({ note: edit, returned: [idOf(1)] });
    }
  });

  it('stays removed when the other only tagged or confirmed it', () => {
    for (const edit of [{ tags: ['net'] }, { confidence: 0.5 }]) {
      expect(both(was, undefined, edit).merge()).toMatchObject({ note: undefined, returned: [] });
    }
  });

  it('moves where one moved it, with the edit of the other', () => {
    const moved = both(was, { type: 'procedural' }, { body: 'It is 8080.\nAsk Ada.\n' }).merge();
    expect([...moved.tree.keys()]).toEqual([noteAt(1, { type: 'procedural' })[0]]);
    expect(moved.note).toMatchObject({ type: 'procedural', body: 'It is 8080.\nAsk Ada.\n' });
  });

  it('keeps a long value that lost in a sibling instead of in a message', () => {
    const merged = both(was, { title: 'x'.repeat(5000) }, { title: 'Other' }).merge();
    expect(merged.lost).toEqual([]);
    expect(merged.sibling?.body).toBe(was.body);
  });
});

describe('files that are not notes', () => {
  const merged = (path: string, old: string | undefined, mine: string, other: string) =>
    sorted(
      merge(
        new Map(old === undefined ? [] : [[path, old]]),
        { tree: new Map([[path, mine]]) },
        { tree: new Map([[path, other]]) },
      ).tree,
    );

  it('merge by lines', () => {
    expect(merged('README.md', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n')).toEqual([['README.md', 'A\nb\nC\n']]);
  });

  it('both stay when they clash, one under a longer name', () => {
    const files = merged('README.md', 'a\n', 'mine\n', 'other\n');
    expect(files.map(([, text]) => text).sort()).toEqual(['mine\n', 'other\n']);
    expect(files.map(([path]) => path)).toEqual(['README.md', expect.stringMatching(/^README\.md\.[0-9a-f]{8}$/)]);
  });

  it('merge as sets of lines if they are eval sets', () => {
    const [[, text = ''] = []] = merged('eval/set.jsonl', '{"a":1}\n', '{"a":1}\n{"b":1}\n', '{"a":1}\n{"c":1}\n');
    expect(text.split('\n').sort()).toEqual(['', '{"a":1}', '{"b":1}', '{"c":1}']);
  });

  it.each<[string, string, string, RegExp]>([
    ['a folder of other files', 'docs', 'docs/a.txt', /^docs\.[0-9a-f]{8}$/],
    ['a folder of notes', 'semantic/d1', `semantic/d1/${idOf(1)}.md`, /^semantic\/d1\.[0-9a-f]{8}$/],
    ['a long folder, one byte each', 'a'.repeat(250), `${'a'.repeat(250)}/x`, /^a{246}\.[0-9a-f]{8}$/],
    ['a long folder, two bytes each', 'ä'.repeat(125), `${'ä'.repeat(125)}/x`, /^ä{123}\.[0-9a-f]{8}$/],
    ['a long folder, three bytes each', `aa${'€'.repeat(83)}`, `aa${'€'.repeat(83)}/x`, /^aa€{81}\.[0-9a-f]{8}$/],
  ])('make way for %s of their name', (_, file, below, beside) => {
    const inFolder = below.endsWith('.md') ? noteAt(1)[1] : 'in a folder\n';
    const [one, other] = [new Map([[file, 'a file\n']]), new Map([[below, inFolder]])];
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      const { tree } = merge(new Map(), { tree: a }, { tree: b });
      expect(new Map([...tree].map(([path, text]) => [text, path]))).toEqual(
        new Map([
          ['a file\n', expect.stringMatching(beside)],
          [inFolder, below],
        ]),
      );
    }
  });

  it('keep an edit when the other side replaced them with a folder', () => {
    const [base, edited] = [new Map([['docs', 'B\n']]), new Map([['docs', 'B\nedited\n']])];
    const { tree } = merge(base, { tree: edited }, { tree: new Map([['docs/x.txt', 'X\n']]) });
    expect([...tree.values()].sort()).toEqual(['B\nedited\n', 'X\n']);
  });

  it('both stay when they are binary and their name is near the length limit of file systems', () => {
    const name = 'a'.repeat(250);
    const files = merged(name, undefined, '\0of a', '\0of b');
    expect(files.map(([path]) => path.length).sort()).toEqual([250, 255]);
  });

  it('are merged as text when they should be notes and cannot be read', () => {
    const [path] = noteAt(1);
    expect(merged(path, 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n')).toEqual([[path, 'A\nb\nC\n']]);
  });
});
