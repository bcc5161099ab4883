/** Replay on a person's request: rebuilds the index, verifies the current one, or rebuilds a past one beside it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ReplayAnswer } from '../answers/store-schema.js';
import { Fault } from '../events/faults.js';
import { journalNames } from '../events/note/note.js';
import { allDigestsOf, differingDigests } from '../projections/digest.js';
import { openGeneration } from '../projections/generation.js';
import type { Memory } from '../store/memory.js';
import { resolveRevision } from '../store/revision.js';
import { findRemote } from '../sync/remote.js';
import { syncStore } from '../sync/syncing.js';
import type { ReplayResult } from '../workers/replay.js';

export type ReplayAsked = {
  readonly workers?: number | undefined;
  readonly verify?: boolean | undefined;
  readonly at?: string | undefined;
};

/** Makes the new index the current one; with `at` it is put beside that, and the caller may remove it. */
export const replayStore = async (memory: Memory, asked: ReplayAsked): Promise<ReplayAnswer> => {
  const { replay } = await import('../workers/replay.js');
  await memory.takeInFolders();
  if (asked.at === undefined) await fetchIfEmpty(memory);
  const journals = journalNames.map((name) => memory.journals[name]);
  const base = { journals, indexFolder: join(memory.settings.home, 'index'), workers: asked.workers } as const;
  if (asked.at !== undefined) {
    const revision = await resolveRevision(memory, asked.at);
    const indexFolder = join(memory.settings.home, 'index', 'past');
    // One past index at a time: what an earlier call left is no longer needed.
    rmSync(indexFolder, { recursive: true, force: true });
    const result = await replay({ ...base, indexFolder, at: revision, publish: 'beside' });
    const at = { memory: revision.portable ?? null, local: revision.local ?? null, db_path: result.file };
    return { ...answerOf(result), at };
  }
  if (asked.verify !== true) return answerOf(await replay({ ...base, publish: 'current' }));
  const before = await memory.liveIndex.ask(allDigestsOf);
  const result = await replay({ ...base, publish: 'current' });
  const { liveIndex, settings } = memory;
  const { digestVectors } = await import('../store/models/making-vectors.js');
  const vectors = await digestVectors({ folder: base.indexFolder, liveIndex, journals: memory.journals }, settings);
  const differs = [
    ...differingDigests(before, await liveIndex.ask(allDigestsOf)),
    ...(vectors === undefined || vectors.before === vectors.now ? [] : ['vectors']),
  ];
  const answer = answerOf(result);
  return {
    ...answer,
    projections: { ...answer.projections, ...(vectors === undefined ? {} : { vectors: vectors.now }) },
    verified: differs.length === 0,
    ...(differs.length === 0 ? {} : { differs }),
  };
};

/** On a machine that has nothing yet, fetches everything from the remote first. Throws Fault if the remote fails. */
const fetchIfEmpty = async (memory: Memory): Promise<void> => {
  if (memory.journals.portable.head() !== undefined || findRemote(memory) === undefined) return;
  const { trouble } = await syncStore(memory);
  if (trouble !== null) throw new Fault('remote-failed', `nothing is here yet, and ${trouble.message}`, trouble.next);
};

const answerOf = ({ file: _, ...answer }: ReplayResult): ReplayAnswer => answer;

/** Asks a question of the index of a point in the past, and removes that index afterwards. */
export const askPast = async <Answer>(
  memory: Memory,
  at: string,
  question: (database: ReturnType<typeof openGeneration>) => Promise<Answer> | Answer,
): Promise<Answer> => {
  const answer = await replayStore(memory, { at, workers: 1 });
  const file = answer.at?.db_path ?? '';
  const database = openGeneration(file);
  try {
    return await question(database);
  } finally {
    database.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  }
};
