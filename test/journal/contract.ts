/**
 * The contract of every journal, whatever it stores its events in: nothing here names a folder, a file or git. A new
 * implementation runs `describeJournal` with a way to open an empty one.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../src/events/event.js';
import type { Journal } from '../../src/events/journal.js';
import { blobIdOf } from '../../src/events/note/blob-id.js';
import { maxFileBytes } from '../../src/events/note/note.js';
import { anyKnownEvent, anyUnknownEvent, idOf, makeEvent } from '../support/arbitraries.js';
import { append, commitOf, noteChange, nthCommit } from '../support/journals.js';

const pathOf = (n: number): string => noteChange(n, '').path;
const bytesOf = (n: number, body: string): Buffer => noteChange(n, body).bytes ?? Buffer.alloc(0);
const change = (n: number, body: string | undefined): readonly FileChange[] => [noteChange(n, body)];
const minute = (n: number): number => Date.UTC(2026, 5, 24, 12, n);

export const describeJournal = (name: string, openEmpty: () => Promise<Journal>): void => {
  describe(`a journal in ${name}`, () => {
    describe('appending', () => {
      it('begins without a head and returns one id for each event, the last of them the new head', async () => {
        const journal = await openEmpty();
        expect(journal.head()).toBeUndefined();
        const ids = await journal.append([nthCommit(1), nthCommit(2)], undefined);
        expect(ids).toHaveLength(2);
        expect(journal.head()).toBe(ids[1]);
      });

      it("returns 'moved' for a head that is no longer the newest, and changes nothing", async () => {
        const journal = await openEmpty();
        const [first] = await append(journal, nthCommit(1));
        const [second] = await append(journal, nthCommit(2));
        expect(await journal.append([nthCommit(3)], first)).toBe('moved');
        expect(await journal.append([nthCommit(3)], undefined)).toBe('moved');
        expect(journal.head()).toBe(second);
      });

      it('lets one of two appends on the same head win, and keeps the events of both once the other retries', async () => {
        const journal = await openEmpty();
        const [head] = await append(journal, nthCommit(1));
        const answers = await Promise.all([2, 3].map((n) => journal.append([nthCommit(n)], head)));
        expect(answers.filter((answer) => answer === 'moved')).toHaveLength(1);
        const loser = answers[0] === 'moved' ? 2 : 3;
        await append(journal, nthCommit(loser));
        const logged = await journal.events(undefined, journal.head() ?? '');
        expect(logged.map(({ event }) => event.id).toSorted()).toEqual([1, 2, 3].map((n) => idOf(1000 + n)));
      });
    });

    describe('reading back', () => {
      it('returns the events in the order they were appended, each with its parent', async () => {
        const journal = await openEmpty();
        const ids = await append(journal, nthCommit(1), nthCommit(2), nthCommit(3));
        const logged = await journal.events(undefined, ids[2] ?? '');
        expect(logged.map(({ commit }) => commit)).toEqual(ids);
        expect(logged.map(({ parents }) => parents)).toEqual([[], [ids[0]], [ids[1]]]);
        expect(logged.map(({ event }) => event.notes)).toEqual([[idOf(1)], [idOf(2)], [idOf(3)]]);
      });

      it('keeps every field of events of known and of unknown kinds', async () => {
        const journal = await openEmpty();
        await fc.assert(
          fc.asyncProperty(fc.oneof(anyKnownEvent, anyUnknownEvent), async (event) => {
            const before = journal.head();
            const [commit = ''] = await append(journal, commitOf(event));
            const [logged] = await journal.events(before, commit);
            expect(logged).toMatchObject({ event, foreign: false, malformed: false });
          }),
          { numRuns: 30 },
        );
      });

      it('returns the notes of any commit in path order, with the bytes that were written', async () => {
        const journal = await openEmpty();
        const both = [...change(2, 'two'), ...change(1, 'crlf\r\n\0 and 日本語')];
        const [first = '', second = ''] = await append(journal, nthCommit(1, both), nthCommit(2, change(2, undefined)));
        expect((await journal.notes(first)).map(({ path }) => path)).toEqual([pathOf(1), pathOf(2)].toSorted());
        expect((await journal.notes(second)).map(({ path }) => path)).toEqual([pathOf(1)]);
        const blob = blobIdOf(bytesOf(1, 'crlf\r\n\0 and 日本語'), first);
        expect(await journal.blobs([blob])).toEqual(new Map([[blob, bytesOf(1, 'crlf\r\n\0 and 日本語')]]));
      });

      it('leaves out contents that are missing or too large for a note, and returns the size of the latter', async () => {
        const journal = await openEmpty();
        const large = Buffer.alloc(maxFileBytes + 1, 'a');
        const [commit = ''] = await append(
          journal,
          nthCommit(1, [{ journal: 'portable', path: pathOf(1), bytes: large }]),
        );
        const blob = blobIdOf(large, commit);
        const absent = '0'.repeat(commit.length);
        expect(await journal.blobs([blob, absent])).toEqual(new Map());
        expect(await journal.sizes([blob, absent])).toEqual(new Map([[blob, large.length]]));
      });

      it('keeps an event of thousands of notes whole', async () => {
        const journal = await openEmpty();
        const numbers = Array.from({ length: 3000 }, (_, n) => n);
        const event = makeEvent({ kind: 'notes.imported', notes: numbers.map(idOf) });
        const [commit = ''] = await append(
          journal,
          commitOf(
            event,
            numbers.flatMap((n) => change(n, `Body ${n}`)),
          ),
        );
        expect(await journal.notes(commit)).toHaveLength(3000);
        expect((await journal.events(undefined, commit))[0]?.event.notes).toEqual(event.notes);
      });
    });

    describe('between two commits', () => {
      it('returns the difference as a patch for people to read, with undefined as the empty tree', async () => {
        const journal = await openEmpty();
        const [from = '', to = ''] = await append(
          journal,
          nthCommit(1, change(1, 'one')),
          nthCommit(2, change(1, 'two')),
        );
        expect(await journal.patch(from, to)).toMatch(/^-one$[\s\S]*^\+two$/m);
        expect(await journal.patch(undefined, to)).toContain('+two');
        expect(await journal.patch(to, undefined)).toContain('-two');
        expect(await journal.patch(to, to)).toBe('');
      });

      it('returns each file that differs, with its content before and after, and none that changed back', async () => {
        const journal = await openEmpty();
        const [from = '', , , to = ''] = await append(
          journal,
          nthCommit(1, [...change(1, 'one'), ...change(2, 'two'), ...change(3, 'three')]),
          nthCommit(2, [...change(1, 'ONE'), ...change(2, 'TWO')]),
          nthCommit(3, [...change(3, undefined), ...change(4, 'four')]),
          nthCommit(4, change(2, 'two')),
        );
        const blob = (n: number, body: string): string => blobIdOf(bytesOf(n, body), to);
        const found = (await journal.diff(from, to)).map(({ path, before, after }) => ({ path, before, after }));
        expect(found.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
          [
            { path: pathOf(1), before: blob(1, 'one'), after: blob(1, 'ONE') },
            { path: pathOf(3), before: blob(3, 'three'), after: undefined },
            { path: pathOf(4), before: undefined, after: blob(4, 'four') },
          ].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
        );
        expect(await journal.diff(to, to)).toEqual([]);
      });

      it('returns the events of one that the other lacks', async () => {
        const journal = await openEmpty();
        const [first = '', second = '', third = ''] = await append(journal, nthCommit(1), nthCommit(2), nthCommit(3));
        expect((await journal.events(first, third)).map(({ commit }) => commit)).toEqual([second, third]);
        expect(await journal.events(third, first)).toEqual([]);
        expect(await journal.contains(third, first)).toBe(true);
        expect(await journal.contains(first, third)).toBe(false);
      });

      it('returns the steps of a line when they are few, and undefined when there are more', async () => {
        const journal = await openEmpty();
        const [first = '', , third = ''] = await append(journal, nthCommit(1), nthCommit(2), nthCommit(3));
        expect((await journal.steps(first, third, 2))?.events).toHaveLength(2);
        expect(await journal.steps(first, third, 1)).toBeUndefined();
      });
    });

    describe('a commit that joins two heads', () => {
      it('has both as parents, and is no step of a line', async () => {
        const journal = await openEmpty();
        const [first = '', second = ''] = await append(journal, nthCommit(1), nthCommit(2));
        const [joined = ''] = await append(journal, { ...nthCommit(3), joins: first });
        expect(await journal.parents(joined)).toEqual([second, first]);
        expect((await journal.events(second, joined)).map(({ parents }) => parents)).toEqual([[second, first]]);
        expect((await journal.events(undefined, joined)).map(({ commit }) => commit)).toEqual([first, second, joined]);
        expect(await journal.steps(second, joined, 9)).toBeUndefined();
        expect(await journal.contains(joined, first)).toBe(true);
      });

      it('changes what differs from the first of them', async () => {
        const journal = await openEmpty();
        const [first = '', second = ''] = await append(journal, nthCommit(1), nthCommit(2));
        const [joined = ''] = await append(journal, { ...nthCommit(3, change(2, 'joined')), joins: first });
        expect((await journal.changesOf([joined])).get(joined)).toEqual(await journal.diff(second, joined));
        expect((await journal.notes(joined)).map(({ path }) => path)).toEqual([pathOf(1), pathOf(2)].toSorted());
      });
    });

    describe('in time', () => {
      it('finds the newest event at or before a moment', async () => {
        const journal = await openEmpty();
        const [first = '', second = ''] = await append(journal, nthCommit(1), nthCommit(2));
        expect(await journal.commitAt(minute(0))).toBeUndefined();
        expect(await journal.commitAt(minute(1))).toBe(first);
        expect(await journal.commitAt(minute(2) - 1000)).toBe(first);
        expect(await journal.commitAt(minute(9))).toBe(second);
        expect(await journal.timeOf(second)).toBe(minute(2));
      });

      it('returns every version that a path ever had, and resolves each commit by its id alone', async () => {
        const journal = await openEmpty();
        const [, , last = ''] = await append(
          journal,
          nthCommit(1, change(1, 'one')),
          nthCommit(2, change(1, undefined)),
          nthCommit(3, change(1, 'again')),
        );
        const versions = ['one', 'again'].map((body) => blobIdOf(bytesOf(1, body), last));
        expect(await journal.versions(last, pathOf(1))).toEqual(new Set(versions));
        expect(await journal.resolve(last)).toBe(last);
        expect(await journal.resolve('0'.repeat(last.length))).toBeUndefined();
      });
    });
  });
};
