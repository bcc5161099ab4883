import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import { journalNames } from '../../src/events/note/note.js';
import { digestsOf } from '../../src/projections/digest.js';
import { openGeneration } from '../../src/projections/generation.js';
import { replay } from '../../src/workers/replay.js';
import { gitIndexCaughtUp, openStore, personsGit, type TestStore, writeNote } from '../support/store.js';

describe('a commit that repeats the event id of another one', () => {
  const stores: TestStore[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });

  /** One note written by its own event, and another whose file a later commit changes under that event's trailers. */
  const repeatEvent = async () => {
    const store = openStore();
    stores.push(store);
    const { memory } = store;
    await writeNote(memory, { title: 'Before' });
    const first = await writeNote(memory, { title: 'First' });
    const second = await writeNote(memory, { title: 'Second' });
    const { folder } = memory.journals.portable;
    appendFileSync(second.path ?? '', 'changed under a used id\n');
    await gitIndexCaughtUp(folder);
    personsGit(folder, 'commit', '--quiet', '-a', '-C', 'main~1');
    return { ...store, first, second, folder, commit: personsGit(folder, 'rev-parse', 'main').trim() };
  };

  const expectReplayed = async ({ home, memory }: TestStore): Promise<void> => {
    const caughtUp = await memory.liveIndex.ask(digestsOf);
    const journals = journalNames.map((name) => memory.journals[name]);
    const { file } = await replay({ journals, indexFolder: join(home, 'beside'), publish: 'beside' });
    const replayed = openGeneration(file);
    expect(digestsOf(replayed)).toEqual(caughtUp);
    replayed.close();
  };

  it('is in the log and in the history of the note it changes, as a change made with git', async () => {
    const store = await repeatEvent();
    const { memory, first, second, commit } = store;
    const log = await memory.events({}, 10);
    expect(log.map(({ kind }) => kind).sort()).toEqual([
      'hand.adopted',
      'note.written',
      'note.written',
      'note.written',
    ]);
    expect(new Set(log.map(({ id }) => id)).size).toBe(4);
    const history = await memory.events({ note: second.id }, 10);
    expect(history.find((event) => event.commit === commit)).toMatchObject({ kind: 'hand.adopted', noteCount: 1 });
    expect((await memory.events({ note: first.id }, 10)).map(({ kind }) => kind)).toEqual(['note.written']);
    expect(await memory.show(second.id)).toMatchObject({ ok: true, answer: { claimed: true } });
    expect(await memory.show(first.id)).not.toMatchObject({ answer: { claimed: true } });
    await expectReplayed(store);
  });

  it('can be undone by the id that is shown for it', async () => {
    const { memory, second, commit } = await repeatEvent();
    const shown = (await memory.events({ note: second.id }, 10)).find((event) => event.commit === commit);
    expect(await undoEvent(memory, shown?.id)).toMatchObject({ ok: true });
    expect(await memory.show(second.id)).toMatchObject({ answer: { body: second.body } });
  });

  it('is still not taken for that event when a merge brings it in on a shorter line', async () => {
    const store = await repeatEvent();
    const { memory, folder, second } = store;
    await memory.events({}, 10);
    const message = personsGit(folder, 'log', '-1', '--format=%B', 'main~1');
    const root = personsGit(folder, 'rev-list', '--max-parents=0', 'main').trim();
    const side = personsGit(folder, 'commit-tree', 'main^{tree}', '-p', root, '-m', message).trim();
    const merge = personsGit(folder, 'commit-tree', 'main^{tree}', '-p', 'main', '-p', side, '-m', 'merged').trim();
    personsGit(folder, 'update-ref', 'refs/heads/main', merge);
    expect((await memory.events({ note: second.id }, 10)).map(({ commit }) => commit)).toContain(side);
    expect(await memory.events({}, 10)).toHaveLength(6);
    await expectReplayed(store);
    personsGit(folder, 'reset', '--quiet', '--hard', 'main~1');
    expect(await memory.events({}, 10)).toHaveLength(4);
    await expectReplayed(store);
  });
});
