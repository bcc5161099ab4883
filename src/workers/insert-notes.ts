/** Inserts the notes of a journal into a new index, in path order, while threads read and parse the next ones. */
import type { Journal, TreeEntry } from '../events/journal.js';
import type { ProjectedNote } from '../projections/note-row.js';
import type { Fold } from '../projections/registry.js';
import type { PackedRows } from './parse-notes.js';
import type { Pool } from './pool.js';

type Batch = readonly TreeEntry[];

/** The first batches are small, so that the writer starts early and soon knows how large the notes are. */
export const batchesOf = (entries: Batch, size = defaultBatchSize): readonly Batch[] => {
  const batches: Batch[] = [];
  for (let at = 0; at < entries.length; ) {
    const end = at + (batches.length < smallBatches ? Math.min(size, smallBatchSize) : size);
    batches.push(entries.slice(at, end));
    at = end;
  }
  return batches;
};
const defaultBatchSize = 200;
const smallBatches = 8;
const smallBatchSize = 25;

export type Inserting = {
  readonly journal: Journal;
  readonly batches: readonly Batch[];
  /** If undefined, this thread reads everything. */
  readonly pool: Pool | undefined;
  readonly workers: number;
};

export const insertNotes = async (fold: Fold, { journal, batches, pool, workers }: Inserting): Promise<void> => {
  const { parseFromGit, parseNotes } = await import('./parse-notes.js');
  const unpack = openUnpacking();
  callCount += 1;
  const inserting = callCount;
  const start = (entries: Batch): Promise<Rows> => {
    const task = {
      task: 'parse',
      journal: journal.name,
      folder: journal.folder,
      entries,
      inserting,
    } as const;
    const answer = pool === undefined ? Promise.resolve(parseNotes(task)) : pool.run(task).then(unpack);
    answer.catch(() => undefined);
    return answer;
  };
  // Enough to keep the threads busy, and few enough to keep memory flat.
  const most = pool === undefined ? 1 : workers * batchesAhead;
  const waiting = batches.values();
  const running: { readonly batch: Batch; readonly rows: Promise<Rows> }[] = [];
  const startNext = (): void => {
    while (running.length < most) {
      const { value: batch } = waiting.next();
      if (batch === undefined) return;
      running.push({ batch, rows: start(batch) });
    }
  };
  startNext();
  // A batch is dropped once it is inserted: each garbage collection would copy rows that stayed until the end.
  for (let first = running.shift(); first !== undefined; first = running.shift()) {
    const { batch } = first;
    const projected = await first.rows;
    startNext();
    const missing = batch.filter((_, index) => projected[index] === undefined);
    const rest = parseFromGit(journal, missing);
    for (const row of projected) {
      const one = row ?? (await rest.next()).value;
      if (one !== undefined) fold.insert(one);
    }
  }
};

const batchesAhead = 4;
/** Counts the calls in this process: a thread may serve several, one after the other. */
let callCount = 0;

type Rows = readonly (ProjectedNote | undefined)[];

/** Reassembles the word list of each thread, which sends only words that it has not sent before. */
const openUnpacking = (): ((packed: PackedRows) => Rows) => {
  const lists = new Map<number, string[]>();
  return ({ rows, thread, before, added }) => {
    const list = before === 0 ? [] : lists.get(thread);
    if (list?.length !== before) throw new Error('the words of a thread arrived out of order');
    for (const word of added) list.push(word);
    lists.set(thread, list);
    for (const row of rows) if (row !== undefined && 'note' in row) row.note.words.list = list;
    return rows;
  };
};
