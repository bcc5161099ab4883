import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginFold, type Fold } from '../../../src/projections/registry.js';
import { indexNotes, type NotesIndex, projected } from '../../support/indexed-notes.js';

const totalsOf = ({ database }: NotesIndex): string =>
  database.prepare<[], { hex: string }>('SELECT hex(block) AS hex FROM fts_data WHERE id = 1').get()!.hex;
const change = ({ database }: NotesIndex, run: (fold: Fold) => void): void =>
  database.transaction(() => {
    const fold = beginFold(database, 'catch-up');
    run(fold);
    fold.finish();
  })();
const note = (body: string) => ({ title: 'Deploy', body });
const pathOf = (at: number): string => {
  const row = projected(note(''), at);
  return 'note' in row ? row.note.path : '';
};

describe('the totals that BM25 computes its averages from', () => {
  it('equal those of a rebuilt index, whatever was added, changed and removed', () => {
    const step = fc.record({ at: fc.nat(5), words: fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 6 }), (transactions) => {
        const index = indexNotes([]);
        const bodies = new Map<number, string>();
        for (const steps of transactions)
          change(index, (fold) => {
            for (const { at, words } of steps) {
              fold.remove('portable', pathOf(at));
              bodies.delete(at);
              if (words === undefined) continue;
              bodies.set(at, 'word '.repeat(words));
              fold.insert(projected(note(bodies.get(at)!), at));
            }
          });
        const rebuilt = indexNotes([]);
        change(rebuilt, (fold) => {
          for (const [at, body] of bodies) fold.insert(projected(note(body), at));
        });
        const sums = [totalsOf(index), totalsOf(rebuilt)];
        index.close();
        rebuilt.close();
        // An index that never had a row has no record of the columns.
        if (bodies.size > 0) expect(sums[0]).toBe(sums[1]);
      }),
      { numRuns: 30 },
    );
  }, 60_000);

  it('give the same scores after many edits as those of a rebuilt index', () => {
    const notes = Array.from({ length: 12 }, (_, at) => note(`deploy cache ${'more '.repeat(at)}`));
    const scoresOf = ({ database }: NotesIndex) =>
      database
        .prepare("SELECT rowid, bm25(fts) AS score FROM fts WHERE fts MATCH 'deploy OR cache' ORDER BY rowid")
        .all();
    const [edited, rebuilt] = [indexNotes(notes), indexNotes(notes)];
    for (let times = 0; times < 40; times += 1)
      change(edited, (fold) => {
        fold.remove('portable', pathOf(11));
        fold.insert(projected(notes[11]!, 11));
      });
    const byRow = (rows: readonly unknown[]) => rows.map((row) => JSON.parse(JSON.stringify(row)).score);
    expect(byRow(scoresOf(edited)).toSorted()).toEqual(byRow(scoresOf(rebuilt)).toSorted());
    edited.close();
    rebuilt.close();
  });
});
