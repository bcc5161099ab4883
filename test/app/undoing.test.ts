import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { restoreAt, undoEvent } from '../../src/app/undoing.js';
import type { Command } from '../../src/commands/handlers.js';
import type { ImportNotes } from '../../src/commands/import-notes.js';
import { journalNames } from '../../src/events/note/note.js';
import { allDigestsOf } from '../../src/projections/digest.js';
import { openGeneration } from '../../src/projections/generation.js';
import type { Memory } from '../../src/store/memory.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { replay } from '../../src/workers/replay.js';
import { noteOf, openStore, personsGit, type TestStore, writeCommand, writeNote } from '../support/store.js';

let store: TestStore;
let memory: Memory;
/** Each command runs a minute after the one before, so that a wrong updated_at shows. */
let nowMs = Date.UTC(2026, 5, 1);
const tick = (): number => {
  nowMs += 60_000;
  return nowMs;
};
/** Sets the clock back three days for the rest of the test. */
const setClockBack = (): void => {
  const before = nowMs;
  nowMs -= 3 * 86_400_000;
  onTestFinished(() => {
    nowMs = before + 3_600_000;
  });
};
beforeEach(() => {
  store = openStore({ nowMs: tick });
  memory = store.memory;
});
afterEach(() => store.close());

const perform = async (command: Command) => {
  const answer = await memory.perform(command);
  if (answer.status === 'refused') throw new Error(`refused: ${answer.refusal.message}`);
  return answer;
};
const eventOf = async (command: Command): Promise<string> => (await perform(command)).event?.id ?? '';
const undo = async (given?: string) => {
  const found = await undoEvent(memory, given);
  if (!found.ok) throw new Error(`refused: ${found.refusal.message}`);
  return found.answer;
};
const refusal = async (given?: string) => {
  const found = await undoEvent(memory, given);
  if (found.ok) throw new Error(`not refused: ${JSON.stringify(found.answer)}`);
  return found.refusal;
};
const shown = async (id: string): Promise<NoteJson> => {
  const found = await memory.show(id);
  if (!found.ok) throw new Error(found.refusal.message);
  return found.answer;
};
const isThere = async (id: string): Promise<boolean> => (await memory.show(id)).ok;
const lastEvent = async () => (await memory.events({}, 1))[0]!;
const countEvents = async (): Promise<number> => (await memory.events({}, 10_000)).length;
const fileOf = async (id: string): Promise<string> => readFileSync((await shown(id)).path!, 'utf8');
const withoutTime = (text: string): string => text.replace(/^updated_at: .*$/m, '');
const edit = (id: string, set: Extract<Command, { kind: 'edit' }>['set']): Command => ({ kind: 'edit', id, set });
const importing = (...notes: readonly (readonly [key: string, body: string])[]): ImportNotes => ({
  kind: 'import',
  from: 'elsewhere',
  notes: notes.map(([sourceKey, body]) => ({
    sourceKey,
    project: undefined,
    type: undefined,
    title: sourceKey,
    body,
    tags: [],
    keywords: [],
    updatedAtMs: nowMs,
    createdAtMs: 1_700_000_000_000,
  })),
  files: [],
});
const idNamed = async (title: string): Promise<string> => {
  const { notes } = await memory.list({}, 100);
  return notes.find((note) => note.title === title)?.id ?? '';
};

const expectReplayEqual = async (of: TestStore): Promise<void> => {
  const caughtUp = await of.memory.liveIndex.ask(allDigestsOf);
  const journals = journalNames.map((name) => of.memory.journals[name]);
  const { file } = await replay({ journals, indexFolder: join(of.home, 'beside'), publish: 'beside', workers: 1 });
  const replayed = openGeneration(file);
  try {
    expect(caughtUp).toEqual(allDigestsOf(replayed));
  } finally {
    replayed.close();
  }
};

describe('undo of the last event', () => {
  it('forgets a written note and names the event that it took back', async () => {
    const note = await writeNote(memory);
    const written = await lastEvent();
    const { undone, answer } = await undo();
    expect(undone.id).toBe(written.id);
    expect(answer).toMatchObject({
      status: 'recorded',
      event: { kind: 'event.undone' },
      note: undefined,
      warnings: [],
    });
    expect(await isThere(note.id)).toBe(false);
    expect(await lastEvent()).toMatchObject({
      kind: 'event.undone',
      undoes: written.id,
      subject: 'note.written: Use WAL mode',
      noteCount: 1,
    });
  });

  it('restores the file from before an edit, byte for byte', async () => {
    const note = await writeNote(memory, { tags: ['db'] });
    const before = await fileOf(note.id);
    await perform(edit(note.id, { title: 'Another', body: 'Other.\n', tags: [], type: 'procedural', importance: 0.4 }));
    const { answer } = await undo();
    expect(noteOf(answer).id).toBe(note.id);
    expect(await fileOf(note.id)).toBe(before);
    expect((await shown(note.id)).path).toBe(note.path);
  });

  it('goes back step by step and says when nothing is left', async () => {
    const note = await writeNote(memory, { title: 'one' });
    for (const title of ['two', 'three']) await perform(edit(note.id, { title }));
    const titles: string[] = [];
    for (let at = 0; at < 2; at += 1) {
      await undo();
      titles.push((await shown(note.id)).title);
    }
    expect(titles).toEqual(['two', 'one']);
    await undo();
    expect(await isThere(note.id)).toBe(false);
    expect(await refusal()).toMatchObject({ code: 'nothing-to-undo' });
  });

  it('takes back the latest event even after the clock was set back, then the one before it', async () => {
    const first = noteOf(await perform(writeCommand({ title: 'first' })));
    setClockBack();
    const second = noteOf(await perform(writeCommand({ title: 'second' })));
    await undo();
    expect([await isThere(first.id), await isThere(second.id)]).toEqual([true, false]);
    nowMs -= 3 * 86_400_000;
    await undo();
    expect(await isThere(first.id)).toBe(false);
  });

  it('takes an event back again once its undo was undone, whatever the clocks said', async () => {
    const { id } = noteOf(await perform(writeCommand()));
    await undo();
    const { id: undoing } = await lastEvent();
    setClockBack();
    await undo(undoing);
    expect(await isThere(id)).toBe(true);
    await undo();
    expect(await isThere(id)).toBe(false);
  });

  it('leaves events of other machines alone unless one is named', async () => {
    const other = openStore({ home: store.home, machine: 'elsewhere', nowMs: tick });
    await writeNote(other.memory, { title: 'theirs' });
    await other.close();
    expect(await refusal()).toMatchObject({ code: 'nothing-to-undo' });
    const theirs = await lastEvent();
    await undo(theirs.id);
    expect((await memory.list({}, 10)).total).toBe(0);
  });

  it('is refused without a store and creates none', async () => {
    expect(await refusal()).toMatchObject({ code: 'nothing-to-undo' });
    expect(await refusal('01J0000000000000000000000A')).toMatchObject({ code: 'event-unknown' });
    expect(memory.exists()).toBe(false);
  });
});

describe('undo of an event of each kind', () => {
  it('restores a forgotten note to its old place', async () => {
    const note = await writeNote(memory);
    const before = await fileOf(note.id);
    const event = await eventOf({ kind: 'forget', id: note.id });
    await undo(event);
    expect(await fileOf(note.id)).toBe(before);
  });

  it('takes the id out of supersedes, so that the older note is found again', async () => {
    const [older, newer] = [await writeNote(memory, { title: 'old' }), await writeNote(memory, { title: 'new' })];
    await perform({ kind: 'supersede', ids: [older.id], by: newer.id });
    expect((await shown(older.id)).superseded_by).toBe(newer.id);
    await undo();
    expect((await shown(newer.id)).supersedes ?? []).toEqual([]);
    expect((await shown(older.id)).superseded_by ?? null).toBeNull();
  });

  it('reverts added and removed tags and a raised confidence', async () => {
    const note = await writeNote(memory, { confidence: 0.5, tags: ['b'] });
    await perform({ kind: 'tag', id: note.id, add: ['a'], remove: ['b'] });
    await undo();
    expect((await shown(note.id)).tags).toEqual(['b']);
    await perform({ kind: 'confirm', id: note.id });
    await undo();
    expect((await shown(note.id)).confidence).toBe(0.5);
  });

  it('reopens a proposal that was accepted or rejected', async () => {
    const older = await writeNote(memory, { title: 'old' });
    const newer = await writeNote(memory, { title: 'new', proposes: [older.id] });
    for (const verdict of ['accept', 'keep-both', 'forget'] as const) {
      await perform({ kind: 'settle-proposal', id: newer.id, older: older.id, verdict });
      await undo();
      expect(await fileOf(newer.id)).toMatch(new RegExp(`^proposes:\\n- ${older.id}$`, 'm'));
    }
  });

  it('removes what an import added and restores what it updated', async () => {
    await perform(importing(['a', 'A.\n'], ['b', 'B.\n']));
    const [a, b] = [await idNamed('a'), await idNamed('b')];
    const before = await fileOf(a);
    tick();
    await perform(importing(['a', 'A2.\n'], ['b', 'B.\n'], ['c', 'C.\n']));
    const c = await idNamed('c');
    const { answer } = await undo();
    expect(answer.warnings).toEqual([]);
    expect(await fileOf(a)).toBe(before);
    expect([await isThere(b), await isThere(c)]).toEqual([true, false]);
    await expectReplayEqual(store);
  });

  it('leaves and names imported notes that were edited since, and removes them once that edit is undone', async () => {
    const event = await eventOf(importing(['a', 'A.\n'], ['b', 'B.\n']));
    const [a, b] = [await idNamed('a'), await idNamed('b')];
    const edited = await eventOf(edit(b, { body: 'Mine.\n' }));
    const { answer } = await undo(event);
    expect(answer.status).toBe('recorded');
    expect(answer.warnings).toEqual([expect.stringContaining(`note ${b} stays as it is`)]);
    expect(answer.warnings[0]).toContain(edited);
    expect([await isThere(a), await isThere(b)]).toEqual([false, true]);
    expect(await refusal(event)).toMatchObject({ code: 'changed-since' });
    await undo(edited);
    expect((await undo(event)).answer.status).toBe('recorded');
    expect(await isThere(b)).toBe(false);
    expect((await undo(event)).answer).toMatchObject({
      status: 'unchanged',
      warnings: [expect.stringContaining('undone already')],
    });
  });

  it('takes back an adopted hand edit, an adopted deletion and a foreign commit', async () => {
    const note = await writeNote(memory);
    const before = await fileOf(note.id);
    writeFileSync(note.path!, `${before}By hand.\n`);
    await memory.adopt('record');
    expect((await undo()).undone.kind).toBe('hand.adopted');
    expect(readFileSync(note.path!, 'utf8')).toBe(before);
    rmSync(note.path!);
    await memory.adopt('record');
    await undo();
    expect(readFileSync(note.path!, 'utf8')).toBe(before);
    const folder = memory.journals.portable.folder;
    personsGit(folder, 'reset', '-q', '--hard', 'main');
    writeFileSync(note.path!, before.replace('Use WAL mode', 'Use something else'));
    personsGit(folder, 'commit', '-qam', 'by hand');
    await memory.adopt('record');
    const foreign = await lastEvent();
    expect(foreign.kind).toBe('hand.adopted');
    await undo(foreign.id);
    expect(readFileSync(note.path!, 'utf8')).toBe(before);
  });

  it('first adopts a hand edit that was not adopted yet', async () => {
    const note = await writeNote(memory, { body: 'one\ntwo\nthree\nfour\nfive\n' });
    const event = await eventOf(edit(note.id, { body: 'ONE\ntwo\nthree\nfour\nfive\n' }));
    writeFileSync(note.path!, (await fileOf(note.id)).replace('five', 'FIVE'));
    await undo(event);
    expect((await shown(note.id)).body).toBe('one\ntwo\nthree\nfour\nFIVE\n');
  });

  it('does not bring back a secret that was masked', async () => {
    const note = await writeNote(memory, { body: 'plain\n' });
    const folder = memory.journals.portable.folder;
    await memory.finish();
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    writeFileSync(note.path!, readFileSync(note.path!, 'utf8').replace('plain', `token ${token}`));
    personsGit(folder, 'commit', '-qam', 'oops');
    await memory.adopt('record');
    expect(await fileOf(note.id)).not.toContain(token);
    const masking = (await memory.events({ kind: 'hand.adopted' }, 5)).find(
      ({ reason, machine }) => machine === 'testbox' && reason === undefined,
    )!;
    const { answer } = await undo(masking.id);
    expect(answer.status).toBe('unchanged');
    const oops = personsGit(folder, 'log', '--format=%H', '--author=pat@example.com').trim();
    await restoreAt(memory, note.id, oops);
    expect(await fileOf(note.id)).not.toContain(token);
  });
});

describe('undo of an event with later changes', () => {
  const lines = (...words: readonly string[]): string => words.map((word) => `${word}\n`).join('');

  it('keeps what was changed since', async () => {
    const note = await writeNote(memory, { title: 'first', body: lines('a', 'b', 'c', 'd', 'e'), tags: ['x'] });
    const event = await eventOf(edit(note.id, { body: lines('A', 'b', 'c', 'd', 'e'), tags: ['x', 'y'] }));
    await perform(edit(note.id, { title: 'second', body: lines('A', 'b', 'c', 'd', 'E') }));
    await perform({ kind: 'tag', id: note.id, add: ['z'], remove: [] });
    const updatedAt = (await shown(note.id)).updated_at;
    const { answer } = await undo(event);
    expect(answer.warnings).toEqual([]);
    expect(await shown(note.id)).toMatchObject({
      title: 'second',
      body: lines('a', 'b', 'c', 'd', 'E'),
      tags: ['x', 'z'],
      updated_at: updatedAt,
    });
  });

  it('is refused when the bodies clash, names the later event and changes nothing', async () => {
    const note = await writeNote(memory, { body: 'one\n' });
    const event = await eventOf(edit(note.id, { body: 'two\n' }));
    const later = await eventOf(edit(note.id, { body: 'three\n' }));
    const before = await countEvents();
    const { code, message, next } = await refusal(event);
    expect(code).toBe('changed-since');
    expect(message).toContain(`by event ${later} (note.edited)`);
    expect(next).toContain(`anamnesis undo ${later}`);
    expect(await countEvents()).toBe(before);
    expect((await shown(note.id)).body).toBe('three\n');
  });

  it('keeps a value that was set again, and is refused when that was the only one', async () => {
    const note = await writeNote(memory, { title: 'one', body: 'a\n' });
    const both = await eventOf(edit(note.id, { title: 'two', body: 'b\n' }));
    await perform(edit(note.id, { title: 'three' }));
    const { answer } = await undo(both);
    expect(answer.warnings).toEqual([expect.stringContaining(`title of note ${note.id}`)]);
    expect(await shown(note.id)).toMatchObject({ title: 'three', body: 'a\n' });
    const title = await eventOf(edit(note.id, { title: 'four' }));
    const text = await fileOf(note.id);
    writeFileSync(note.path!, text.replace('four', 'five'));
    expect(await refusal(title)).toMatchObject({ code: 'changed-since' });
    expect((await shown(note.id)).title).toBe('five');
  });

  it('refuses to forget a written note that was edited since, and to edit one that was forgotten', async () => {
    const note = await writeNote(memory);
    const written = (await lastEvent()).id;
    const edited = await eventOf(edit(note.id, { title: 'other' }));
    expect(await refusal(written)).toMatchObject({ code: 'changed-since', next: expect.stringContaining('forget') });
    const forgotten = await eventOf({ kind: 'forget', id: note.id });
    const refused = await refusal(edited);
    expect(refused.message).toContain(forgotten);
    expect(refused.next).toContain('restore');
  });

  it('records nothing when the note already is what it was', async () => {
    const note = await writeNote(memory);
    const forgotten = await eventOf({ kind: 'forget', id: note.id });
    await perform({ kind: 'restore', id: note.id });
    const before = await countEvents();
    expect((await undo(forgotten)).answer).toMatchObject({ status: 'unchanged', event: undefined });
    expect(await countEvents()).toBe(before);
  });

  it('is refused when it would make notes supersede each other', async () => {
    const [a, b] = [await writeNote(memory, { title: 'a' }), await writeNote(memory, { title: 'b' })];
    await perform({ kind: 'supersede', ids: [a.id], by: b.id });
    const undoing = (await undo()).answer.event?.id ?? '';
    await perform({ kind: 'supersede', ids: [b.id], by: a.id });
    expect(await refusal(undoing)).toMatchObject({ code: 'supersede-cycle' });
  });
});

describe('undo twice and undo of an undo', () => {
  it('records nothing the second time, even if the same change was made again since', async () => {
    const note = await writeNote(memory);
    const event = await eventOf({ kind: 'tag', id: note.id, add: ['x'], remove: [] });
    await undo(event);
    await perform({ kind: 'tag', id: note.id, add: ['x'], remove: [] });
    const { answer } = await undo(event);
    expect(answer).toMatchObject({ status: 'unchanged', warnings: [`event ${event} was undone already`] });
    expect((await shown(note.id)).tags).toEqual(['x']);
  });

  it('makes the change again and can take that back too', async () => {
    const note = await writeNote(memory, { title: 'one' });
    const event = await eventOf(edit(note.id, { title: 'two' }));
    const title = async (): Promise<string> => (await shown(note.id)).title;
    const first = (await undo(event)).answer.event?.id ?? '';
    expect(await title()).toBe('one');
    const redo = (await undo(first)).answer.event?.id ?? '';
    expect(await title()).toBe('two');
    expect((await undo()).undone.id).toBe(event);
    expect(await title()).toBe('one');
    expect((await undo(redo)).answer.status).toBe('unchanged');
  });

  it('records one event when two ask at the same time', async () => {
    const note = await writeNote(memory);
    const event = await eventOf({ kind: 'forget', id: note.id });
    const both = await Promise.all([undo(event), undo(event)]);
    expect(both.map(({ answer }) => answer.status).sort()).toEqual(['recorded', 'unchanged']);
    expect(await memory.events({ kind: 'event.undone' }, 9)).toHaveLength(1);
  });

  it('returns the event already recorded when the same command is sent again', async () => {
    const note = await writeNote(memory);
    await perform({ kind: 'forget', id: note.id });
    const ask = () => undoEvent(memory, undefined, { commandId: 'undo-once' });
    const [one, two] = [await ask(), await ask()];
    if (!one.ok || !two.ok) throw new Error('refused');
    expect(two.answer.answer.event?.id).toBe(one.answer.answer.event?.id);
  });
});

describe('the event to undo', () => {
  it('is found by the beginning of its id, in upper or lower case', async () => {
    const note = await writeNote(memory);
    const event = await eventOf({ kind: 'forget', id: note.id });
    await undo(` ${event.slice(0, 22).toLowerCase()} `);
    expect(await isThere(note.id)).toBe(true);
  });

  it('is refused when the id given is ambiguous, unknown or not an id', async () => {
    await writeNote(memory);
    await writeNote(memory, { title: 'second' });
    const { id } = await lastEvent();
    expect(await refusal(id.slice(0, 5))).toMatchObject({ code: 'id-ambiguous' });
    expect(await refusal('01J0000000000000000000000A')).toMatchObject({ code: 'event-unknown' });
    for (const given of ['', 'abc', '__proto__', 'ABCU', '日本日本', "' OR 1=1 --", '%%%%', '0'.repeat(100_000)]) {
      expect(await refusal(given)).toMatchObject({ code: 'id-invalid' });
    }
    expect((await memory.list({}, 9)).total).toBe(2);
  });
});

describe('restore to a point', () => {
  it('gives an existing note its older text, as an edit made now', async () => {
    const note = await writeNote(memory, { title: 'one', body: 'a\n', tags: ['x'] });
    const { commit, id } = await lastEvent();
    await perform(edit(note.id, { title: 'two', body: 'b\n', type: 'procedural', importance: 0.3, tags: [] }));
    for (const point of [commit, id, commit.slice(0, 10)]) {
      const answer = await restoreAt(memory, note.id, point);
      const restored = noteOf(answer);
      expect(restored).toMatchObject({ title: 'one', body: 'a\n', type: 'semantic', tags: ['x'], path: note.path });
      expect(restored.importance ?? null).toBeNull();
      expect(restored.updated_at > note.updated_at).toBe(true);
      expect(await lastEvent()).toMatchObject({ kind: 'note.restored', reason: `as of ${point}`, subject: 'one' });
      await perform(edit(note.id, { title: 'two', body: 'b\n', type: 'procedural', importance: 0.3, tags: [] }));
    }
    await expectReplayEqual(store);
  });

  it('records nothing when the note says the same, whatever its updated_at', async () => {
    const note = await writeNote(memory, { title: 'one' });
    const { commit } = await lastEvent();
    await perform(edit(note.id, { title: 'two' }));
    await perform(edit(note.id, { title: 'one' }));
    const before = await countEvents();
    expect(await restoreAt(memory, note.id, commit)).toMatchObject({ status: 'unchanged' });
    expect(await restoreAt(memory, note.id, 'HEAD')).toMatchObject({ status: 'unchanged' });
    expect(await countEvents()).toBe(before);
  });

  it('brings a forgotten note back, with its old updated_at only if the text is its last one', async () => {
    const note = await writeNote(memory, { title: 'one' });
    const first = (await lastEvent()).id;
    await perform(edit(note.id, { title: 'two' }));
    const second = (await lastEvent()).id;
    const { updated_at } = await shown(note.id);
    await perform({ kind: 'forget', id: note.id });
    expect(noteOf(await restoreAt(memory, note.id, second))).toMatchObject({ title: 'two', updated_at });
    await perform({ kind: 'forget', id: note.id });
    const restored = noteOf(await restoreAt(memory, note.id, first));
    expect(restored.title).toBe('one');
    expect(restored.updated_at > updated_at).toBe(true);
  });

  it('refuses a note that did not exist then or ever, and a point that does not exist', async () => {
    const first = await writeNote(memory);
    const { id: point } = await lastEvent();
    const second = await writeNote(memory, { title: 'second' });
    expect(await restoreAt(memory, second.id, point)).toMatchObject({ refusal: { code: 'note-not-then' } });
    expect(await restoreAt(memory, first.id, '1999-01-01')).toMatchObject({ refusal: { code: 'note-not-then' } });
    const unknown = '01J0000000000000000000000A';
    expect(await restoreAt(memory, unknown, 'HEAD')).toMatchObject({ refusal: { code: 'note-unknown' } });
    await expect(restoreAt(memory, first.id, '--all')).rejects.toMatchObject({ code: 'unknown-revision' });
  });

  it('can be undone', async () => {
    const note = await writeNote(memory, { title: 'one' });
    const { id: point } = await lastEvent();
    await perform(edit(note.id, { title: 'two' }));
    const before = await fileOf(note.id);
    await restoreAt(memory, note.id, point);
    await undo();
    expect(await fileOf(note.id)).toBe(before);
  });
});

it('undoing every event, newest first, empties the store, and undoing that brings all files back', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('edit' as const), at: fc.nat(9), body: fc.constantFrom('a\n', 'b\n', 'c\n') }),
    fc.record({ kind: fc.constant('write' as const), at: fc.nat(9) }),
    fc.record({ kind: fc.constant('forget' as const), at: fc.nat(9) }),
    fc.record({ kind: fc.constant('tag' as const), at: fc.nat(9), tag: fc.constantFrom('A', 'b') }),
    fc.record({ kind: fc.constant('supersede' as const), at: fc.nat(9), by: fc.nat(9) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      const own = openStore({ nowMs: tick });
      try {
        const ids = [(await writeNote(own.memory)).id];
        const pick = (at: number): string => ids[at % ids.length] ?? '';
        for (const one of steps) {
          if (one.kind === 'write') ids.push((await writeNote(own.memory, { title: `note ${ids.length}` })).id);
          else if (one.kind === 'edit') await own.memory.perform(edit(pick(one.at), { body: one.body }));
          else if (one.kind === 'forget') await own.memory.perform({ kind: 'forget', id: pick(one.at) });
          else if (one.kind === 'tag')
            await own.memory.perform({ kind: 'tag', id: pick(one.at), add: [one.tag], remove: [] });
          else await own.memory.perform({ kind: 'supersede', ids: [pick(one.at)], by: pick(one.by) });
        }
        const tree = async (): Promise<readonly string[]> => {
          const files: string[] = [];
          for (const name of journalNames) {
            const journal = own.memory.journals[name];
            const head = journal.head();
            if (head === undefined) continue;
            const entries = await journal.notes(head);
            const blobs = await journal.blobs(entries.map(({ blob }) => blob));
            for (const { path, blob } of entries)
              files.push(`${name}/${path}\n${withoutTime(blobs.get(blob)?.toString() ?? '')}`);
          }
          return files;
        };
        const before = await tree();
        const undoings: string[] = [];
        for (;;) {
          const found = await undoEvent(own.memory, undefined);
          if (!found.ok) {
            expect(found.refusal.code).toBe('nothing-to-undo');
            break;
          }
          expect(found.answer.answer.status).toBe('recorded');
          undoings.push(found.answer.answer.event?.id ?? '');
        }
        expect(await tree()).toEqual([]);
        for (const id of undoings.toReversed()) await undoEvent(own.memory, id);
        expect(await tree()).toEqual(before);
        await expectReplayEqual(own);
      } finally {
        await own.close();
      }
    }),
    { numRuns: 6 },
  );
}, 60_000);

it('undo without an id does not go past an event of the same note that a person reverted with git', async () => {
  const { id, path = '' } = await writeNote(memory, { body: 'one\ntwo\n' });
  await perform({ kind: 'edit', id, set: { body: 'one\ntwo\nthree\n' } });
  await memory.finish();
  const { folder } = memory.journals.portable;
  personsGit(folder, 'revert', '--no-edit', 'HEAD');
  expect(await undoEvent(memory, undefined)).toMatchObject({ ok: true, answer: { answer: { status: 'unchanged' } } });
  expect(readFileSync(path, 'utf8')).toContain('\none\ntwo\n');
  expect((await memory.show(id)).ok).toBe(true);
});
