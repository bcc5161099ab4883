/** A store used through and through. */
import { expect } from 'vitest';
import { backUp } from '../../src/memory/backing-up.js';
import { compactStore } from '../../src/memory/compacting.js';
import { diffStore } from '../../src/memory/differing.js';
import type { Memory } from '../../src/memory/memory.js';
import { searchPast } from '../../src/memory/past.js';
import { replayStore } from '../../src/memory/replaying.js';
import { readStatus } from '../../src/memory/status.js';
import { syncStore } from '../../src/memory/syncing.js';
import { undoEvent } from '../../src/memory/undoing.js';
import { verifyStore } from '../../src/memory/verifying.js';
import { writeNote } from './store.js';

/** Every command that meets the journal, reading and writing; notes are as before. Fails where one of them does. */
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
  await searchPast(memory, newest?.id ?? '', { text: 'text', filter: {}, k: 5 });
  expect(await replayStore(memory, { verify: true })).toMatchObject({ verified: true });
  await verifyStore(memory);
  expect(await backUp(memory, { file: backup }, Date.now())).toMatchObject({ status: 'written' });
  await compactStore(memory, { full: true });
  await syncStore(memory);
  await memory.finish();
};
