/** An editor was open while syncs changed the file, so that it saves an edit of the version before them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/store/memory.js';
import { syncStore } from '../../../src/sync/syncing.js';
import { writeNote } from '../../support/store.js';
import { startOnce } from '../../support/template-machines.js';
import { bodyOf, killedAt, replace } from './support/killed-command.js';

const body = 'one\n\ntwo\n\nthree\n\nfour\n\nfive\n';

const synced = startOnce(['one', 'two'], async ({ one, two }, machines) => {
  const { id, path = '' } = await writeNote(one, { title: 'X', body });
  await machines.sync(one, two);
  return { id, path };
});

const setUp = async () => {
  const { machines, one, two, id, path } = await synced();
  const pathOn = (memory: Memory): string =>
    path.replace(one.journals.portable.folder, memory.journals.portable.folder);
  /** Edits the file by hand, which leaves the note's times as they are. */
  const editOn = async (memory: Memory, from: string, to: string): Promise<void> => {
    replace(pathOn(memory), `${from}\n`, `${to}\n`);
    await memory.adopt('hold');
  };
  return {
    machines,
    one,
    two,
    id,
    editOn,
    readBuffer: (): string => readFileSync(path, 'utf8'),
    save: (buffer: string): void => writeFileSync(path, buffer),
    /** Syncs both machines and returns the body, which must be the same on both. */
    syncedBody: async (): Promise<string> => {
      await machines.sync(one, two);
      const [mine, theirs] = [await bodyOf(one, id), await bodyOf(two, id)];
      expect(theirs).toBe(mine);
      return mine;
    },
  };
};

describe('a save from an editor that was open across syncs', () => {
  it('undoes nothing that two of them fetched', async () => {
    const { machines, one, two, editOn, readBuffer, save, syncedBody } = await setUp();
    const buffer = readBuffer();
    for (const [from, to] of [
      ['one', 'FIRST'],
      ['three', 'SECOND'],
    ] as const) {
      await editOn(two, from, to);
      await machines.sync(two, one);
    }
    save(buffer.replace('five', 'MINE'));
    expect(await syncedBody()).toBe('FIRST\n\ntwo\n\nSECOND\n\nfour\n\nMINE\n');
  });

  it('is named as merged by adopt and in the log, so that a person can repeat a real deletion', async () => {
    const { machines, one, two, id, editOn, readBuffer, save } = await setUp();
    const buffer = readBuffer();
    await editOn(two, 'one', 'FIRST');
    await machines.sync(two, one);
    save(buffer.replace('five', 'MINE'));
    const { portable } = await one.adopt('hold');
    expect(portable).toMatchObject({
      merged: [expect.stringContaining(id)],
      event: { subject: 'X, merged with what was recorded since' },
    });
    save(readBuffer().replace('FIRST', 'one'));
    const again = await one.adopt('hold');
    expect(again.portable).toMatchObject({ merged: [], event: { kind: 'hand.adopted' } });
    expect(readBuffer()).toContain('\none\n');
  });

  it('undoes nothing when the first sync merged a hand edit', async () => {
    const { machines, one, two, editOn, readBuffer, save, syncedBody } = await setUp();
    await editOn(two, 'one', 'FIRST');
    await machines.sync(two);
    await editOn(one, 'five', 'OURS');
    const buffer = readBuffer();
    await machines.sync(one, two);
    await editOn(two, 'three', 'SECOND');
    await machines.sync(two, one);
    save(buffer.replace('OURS', 'OURS and MINE'));
    expect(await syncedBody()).toBe('FIRST\n\ntwo\n\nSECOND\n\nfour\n\nOURS and MINE\n');
  });

  it('undoes neither what a sync fetched nor what was edited here since', async () => {
    const { machines, one, two, id, editOn, readBuffer, save, syncedBody } = await setUp();
    const buffer = readBuffer();
    await editOn(two, 'one', 'FIRST');
    await machines.sync(two, one);
    await one.perform({ kind: 'tag', id, add: ['urgent'], remove: [] });
    await editOn(one, 'two', 'TWO');
    save(buffer.replace('five', 'MINE'));
    expect(await syncedBody()).toBe('FIRST\n\nTWO\n\nthree\n\nfour\n\nMINE\n');
  });

  it('undoes neither what a sync fetched nor a tag that was added since', async () => {
    const { machines, one, two, id, editOn, readBuffer, save, syncedBody } = await setUp();
    const buffer = readBuffer();
    await editOn(two, 'one', 'FIRST');
    await machines.sync(two, one);
    await one.perform({ kind: 'tag', id, add: ['urgent'], remove: [] });
    save(buffer.replace('five', 'MINE'));
    expect(await syncedBody()).toBe('FIRST\n\ntwo\n\nthree\n\nfour\n\nMINE\n');
    expect(await one.show(id)).toMatchObject({ answer: { tags: ['urgent'] } });
  });

  it('restores a line that was removed by hand if the saved text contains it', async () => {
    const { machines, one, two, id, editOn, readBuffer, save, syncedBody } = await setUp();
    await editOn(two, 'one', 'one\nFIRST');
    await machines.sync(two, one);
    const buffer = readBuffer();
    save(buffer.replace('FIRST\n', ''));
    await one.adopt('hold');
    expect(await bodyOf(one, id)).toBe(body);
    save(buffer.replace('five', 'MINE'));
    expect(await syncedBody()).toBe('one\nFIRST\n\ntwo\n\nthree\n\nfour\n\nMINE\n');
  });

  it.each(['sync:moved', 'sync:checkpoint', 'sync:indexed', 'sync:put'])(
    'undoes nothing when the next command checks out what a killed sync fetched (%s)',
    async (at) => {
      const { machines, one, two, editOn, readBuffer, save, syncedBody } = await setUp();
      const buffer = readBuffer();
      await editOn(two, 'one', 'FIRST');
      await machines.sync(two);
      await one.finish();
      await killedAt({ home: one.settings.home, machine: 'one' }, at, (memory) => syncStore(memory));
      await one.adopt('hold');
      expect(readBuffer()).toContain('FIRST');
      save(buffer.replace('five', 'MINE'));
      expect(await syncedBody()).toBe('FIRST\n\ntwo\n\nthree\n\nfour\n\nMINE\n');
    },
  );
});
