/** Uses a store with every command. */
import { expect } from 'vitest';
import { searchPast } from '../../src/app/past.js';
import { readStatus } from '../../src/app/status.js';
import { diffStore } from '../../src/app/store-diff.js';
import { undoEvent } from '../../src/app/undoing.js';
import { backUp } from '../../src/maintenance/backup/backing-up.js';
import { compactStore } from '../../src/maintenance/compacting.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { writeNote } from './store.js';

/** Runs every command that reads or writes the journal; the notes end up as before. Fails if a command fails. */
export const useStore = async (memory: Memory, backup: string): Promise<void> => {
  await readStatus(memory);
  await memory.search('text', {});
  await memory.list({}, 10);
  await memory.inject('global');
  await memory.adopt('hold');
  const written = await writeNote(memory, { title: 'Written between' });
  await memory.perform({ kind: 'edit', id: written.id, set: { body: 'Changed.\n' } });
  await memory.perform({ kind: 'tag', id: written.id, add: ['tagged'], remove: [] });
  expect((await undoEvent(memory, undefined)).ok).toBe(true);
  await memory.perform({ kind: 'forget', id: written.id });
  const [newest] = await memory.events({}, 1);
  await diffStore(memory, newest?.id ?? '', 'HEAD');
  await searchPast(memory, newest?.id ?? '', 'text', { k: 5 });
  expect(await replayStore(memory, { verify: true })).toMatchObject({ verified: true });
  await verifyStore(memory);
  expect(await backUp(memory, { file: backup }, Date.now())).toMatchObject({ status: 'written' });
  await compactStore(memory, { full: true });
  await syncStore(memory);
  await memory.finish();
};
