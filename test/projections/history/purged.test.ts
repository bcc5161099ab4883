import { describe, expect, it } from 'vitest';
import { purgeStore } from '../../../src/purge/purging.js';
import type { Memory } from '../../../src/store/memory.js';
import { openStore, personsGit, temporaryFolder, writeNote } from '../../support/store.js';

const forgotten = async (): Promise<{ readonly memory: Memory; readonly id: string }> => {
  const { memory } = openStore({ home: temporaryFolder(), machine: 'laptop' });
  const { id } = await writeNote(memory, { title: 'Gone', body: 'text\n' });
  await memory.perform({ kind: 'forget', id });
  await memory.finish();
  return { memory, id };
};

const claimPurge = ({ journals }: Memory, id: string): void => {
  const eventId = '01J9XK3VZ0QF4T8M2N6P7R9SBD';
  const trailers = ['Format: 1', `Event: ${eventId}`, 'Kind: notes.purged', 'At: 2026-01-01T00:00:00+00:00'];
  const message = [`notes.purged: note ${id}`, '', ...trailers, `Note: ${id}`, 'Machine: other'].join('\n');
  personsGit(journals.portable.folder, 'commit', '-q', '--allow-empty', '-m', message);
};

describe('a forgotten note', () => {
  it('is not reported as purged because a commit claims it was', async () => {
    const { memory, id } = await forgotten();
    claimPurge(memory, id);
    await memory.adopt('hold');
    expect(await memory.show(id)).toMatchObject({ refusal: { code: 'note-forgotten' } });
    expect(await memory.perform({ kind: 'confirm', id })).toMatchObject({ refusal: { code: 'note-forgotten' } });
    expect(await memory.perform({ kind: 'restore', id })).toMatchObject({ status: 'recorded' });
    expect(await memory.show(id)).toMatchObject({ answer: { body: 'text\n' } });
  });

  it('is not reported as purged when only a text in it was purged', async () => {
    const { memory, id } = await forgotten();
    expect(await purgeStore(memory, { what: { kind: 'literal', text: 'text' } })).toMatchObject({ ok: true });
    expect(await memory.show(id)).toMatchObject({ refusal: { code: 'note-forgotten' } });
  });
});
