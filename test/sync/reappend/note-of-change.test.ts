import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PathChange } from '../../../src/events/journal.js';
import type { NoteId } from '../../../src/events/note/note.js';
import { findContested, notesOfChange } from '../../../src/sync/reappend/note-of-change.js';
import { idOf } from '../../support/arbitraries.js';

/** Blob `n` holds note `n`. */
const blobOf = (note: number): string => `${note}`.repeat(40);
const stated = new Map(Array.from({ length: 10 }, (_, note) => [blobOf(note), idOf(note)] as const));
const change = (place: number, before: number | undefined, after: number | undefined): PathChange => ({
  path: `semantic/${idOf(place)}.md`,
  before: before === undefined ? undefined : blobOf(before),
  after: after === undefined ? undefined : blobOf(after),
  afterMode: '100644',
});

/** The definition itself: repeats until nothing more is added. */
const contestedByRepeating = (ours: readonly PathChange[], upstream: readonly PathChange[]): ReadonlySet<NoteId> => {
  const idsOf = (changes: readonly PathChange[]) => new Set(changes.flatMap((one) => notesOfChange(one, stated)));
  const contested = new Set([...idsOf(ours)].filter((id) => idsOf(upstream).has(id)));
  const paths = new Set([...ours, ...upstream].map(({ path }) => path));
  const at = (changes: readonly PathChange[], path: string) => changes.filter((one) => one.path === path);
  for (let size = -1; size !== contested.size; ) {
    size = contested.size;
    for (const path of paths) {
      const ids = [...idsOf([...at(ours, path), ...at(upstream, path)])];
      if (ids.length < 2) continue;
      const isOfBoth = at(ours, path).length > 0 && at(upstream, path).length > 0;
      if (isOfBoth || ids.some((id) => contested.has(id))) for (const id of ids) contested.add(id);
    }
  }
  return contested;
};

const note = fc.option(fc.nat(9), { nil: undefined });
const changes = fc.array(
  fc
    .tuple(fc.nat(9), note, note)
    .filter(([, before, after]) => before !== undefined || after !== undefined)
    .map(([place, before, after]) => change(place, before, after)),
  { maxLength: 12 },
);

it('the contested notes are those that both sides changed and all that share a chain of paths with them', () => {
  fc.assert(
    fc.property(changes, changes, (ours, upstream) => {
      expect(findContested(ours, upstream, stated)).toEqual(contestedByRepeating(ours, upstream));
    }),
    { numRuns: 500 },
  );
});

it('a chain of a hundred thousand notes at one another’s paths is followed to its end', () => {
  const count = 100_000;
  const ids = Array.from({ length: count + 1 }, (_, at) => idOf(at));
  const chain = ids.slice(1).map((_, at) => ({
    path: `semantic/${ids[at]}.md`,
    before: `${at}`,
    after: `${at + 1}`,
    afterMode: '100644' as const,
  }));
  const said = new Map(ids.map((id, at) => [`${at}`, id] as const));
  const edit = { path: 'semantic/other.md', before: `${count}`, after: `${count}`, afterMode: '100644' as const };
  expect(findContested([{ ...edit, path: `semantic/${ids[count]}.md` }], chain, said).size).toBe(count + 1);
});
