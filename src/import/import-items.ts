/** Takes foreign notes in, wherever they come from. Loads no zod: the background worker comes through here. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ForeignFile, ForeignNote, ImportItem, ImportProblem } from '../commands/foreign-note.js';
import type { ImportFormat } from '../commands/source-keys.js';
import type { Answer, Asker, Memory } from '../store/memory.js';
import { dropKnownTexts } from './known-texts.js';

export type ImportAnswer = {
  readonly format: ImportFormat;
  readonly answer: Answer;
  readonly problems: readonly ImportProblem[];
};

export type Progress = {
  readonly done: number;
  readonly total: number | undefined;
  readonly stage: 'reading' | 'recording';
};

export type ImportSource = {
  readonly format: ImportFormat;
  /** As the event's subject says it. */
  readonly from: string;
  readonly items: AsyncIterable<ImportItem>;
  readonly total?: number | undefined;
  /** Project of notes that name none. */
  readonly project?: string | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly asker?: Asker | undefined;
};

/** Takes in all of a source as one event; none when there is nothing new. */
export const importItems = async (memory: Memory, source: ImportSource): Promise<ImportAnswer> => {
  const { format, from, project, total, onProgress } = source;
  const notes: ForeignNote[] = [];
  const files: ForeignFile[] = [];
  const problems: ImportProblem[] = [];
  let done = 0;
  for await (const item of source.items) {
    if (item.kind === 'note') {
      notes.push(project === undefined ? item.note : { ...item.note, project: item.note.project ?? project });
    } else if (item.kind === 'file') files.push(item.file);
    else problems.push(item.problem);
    done += 1;
    if (done % 500 === 0) {
      onProgress?.({ done, total, stage: 'reading' });
      await nextTurn();
    }
  }
  onProgress?.({ done, total: done, stage: 'recording' });
  const fresh = await dropKnownTexts(memory, notes);
  const known = notes.length - fresh.length;
  // Nothing to decide: neither is the lock waited for, nor is a store made.
  if (fresh.length + files.length === 0) return { format, answer: unchanged(known), problems };
  const answer = await memory.perform({ kind: 'import', from, notes: fresh, files }, source.asker);
  return { format, answer: addSkipped(answer, known), problems };
};

const unchanged = (skipped: number): Answer => ({
  status: 'unchanged',
  event: undefined,
  note: undefined,
  masked: [],
  warnings: [],
  counts: { imported: 0, updated: 0, skipped },
});

const addSkipped = (answer: Answer, known: number): Answer =>
  answer.status === 'refused' || answer.counts === undefined
    ? answer
    : { ...answer, counts: { ...answer.counts, skipped: answer.counts.skipped + known } };
