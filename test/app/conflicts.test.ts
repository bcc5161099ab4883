import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findConflict, readConflicts, readLostValues, resolveConflict } from '../../src/app/conflicts.js';
import { forgetNotes } from '../../src/app/moving.js';
import { readStatus } from '../../src/app/status.js';
import { undoEvent } from '../../src/app/undoing.js';
import type { NoteId } from '../../src/events/note/note.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import type { Memory } from '../../src/store/memory.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { newMachines } from '../support/machines.js';
import { openStore, writeNote } from '../support/store.js';
import { tellOnce } from '../support/template-machines.js';

const all = { conflicts: 100, diffLines: 100 };
const edit = async (memory: Memory, id: NoteId, set: { title?: string; body?: string }): Promise<void> => {
  expect((await memory.perform({ kind: 'edit', id, set })).status).toBe('recorded');
};
const show = async (memory: Memory, id: NoteId): Promise<NoteJson> => {
  const found = await memory.show(id);
  if (!found.ok) throw new Error(found.refusal.message);
  return found.answer;
};

type Titles = { readonly theirs?: string; readonly ours?: string };

const clashOf = (titles: Titles) =>
  tellOnce(async (machines) => {
    // The clock of `one` is ahead, so its title is the newer one.
    const nowMs = Date.now();
    const clocks = { one: () => nowMs + 60_000, two: () => nowMs };
    const one = await machines.open('one', { nowMs: clocks.one });
    const two = await machines.open('two', { nowMs: clocks.two });
    const { id } = await writeNote(one, {
      title: 'Ports',
      body: 'first\nThe API is on 8080.\nlast\n',
      project: 'shop',
    });
    await machines.sync(one, two);
    await edit(one, id, { body: 'first\nThe API is on 9090.\nlast\n', ...named(titles.theirs) });
    await edit(two, id, { body: 'first\nThe API is on 7070.\nlast\n', ...named(titles.ours) });
    await machines.sync(one, two, one);
    const { conflicts } = await readConflicts(one, {}, all);
    return { clocks, id, copy: conflicts[0]?.id ?? '' };
  });
const untitledClash = clashOf({});
const titledClash = clashOf({ theirs: 'Ports since June', ours: 'Ports of the API' });

/** Note `id` has the text `theirs` here and on the remote; a conflict copy keeps `ours`, which `two` wrote. */
const clash = async (told = untitledClash) => {
  const {
    machines,
    told: { clocks, id, copy },
  } = await told();
  const one = await machines.open('one', { nowMs: clocks.one });
  const two = await machines.open('two', { nowMs: clocks.two });
  return { machines, one, two, id, copy };
};
const named = (title: string | undefined) => (title === undefined ? {} : { title });

const machinesOf = async (memory: Memory) =>
  (await readConflicts(memory, {}, all)).conflicts.map(({ machine, conflicts_with: other }) => ({
    copy: machine,
    note: other.machine,
  }));

/** Title and text both clash; the later title comes from the machine whose text went to the copy. */
it('a conflict names the machine of each text, whichever machine merged them', async () => {
  const machines = newMachines();
  const nowMs = Date.now();
  const one = await machines.open('one', { nowMs: () => nowMs });
  const two = await machines.open('two', { nowMs: () => nowMs + 60_000 });
  const { id } = await writeNote(one, { title: 'Ports', body: 'line 1\n', project: 'shop' });
  await machines.sync(one, two);
  await edit(one, id, { title: 'Ports of one', body: 'line 1 of one\n' });
  await edit(two, id, { title: 'Ports of two', body: 'line 1 of two\n' });
  await machines.sync(one, two, one);
  expect(await show(one, id)).toMatchObject({ title: 'Ports of two', body: 'line 1 of two\n' });
  for (const memory of [one, two]) expect(await machinesOf(memory)).toEqual([{ copy: 'one', note: 'two' }]);
});

it('forgetting a note warns of its conflict copy, whose text is still found', async () => {
  const { one, id, copy } = await clash();
  const answer = (await forgetNotes(one, [id], undefined))[0];
  expect(answer).toMatchObject({ status: 'recorded', warnings: [expect.stringContaining(`anamnesis forget ${copy}`)] });
  expect((await forgetNotes(one, [copy], undefined))[0]).toMatchObject({ warnings: [] });
});

const resolve = async (memory: Memory, id: NoteId, asked: Partial<Parameters<typeof resolveConflict>[2]>) => {
  const found = await findConflict(memory, id);
  if (!found.ok || found.answer === 'settled') throw new Error(`no conflict: ${JSON.stringify(found)}`);
  return resolveConflict(memory, found.answer, { verdict: 'ours', asSeen: false, ...asked });
};

describe('the conflicts of a store', () => {
  it('are the open conflict copies, each with its difference from the note', async () => {
    const { one, two, id, copy } = await clash();
    for (const memory of [one, two]) {
      const { conflicts, total } = await readConflicts(memory, {}, all);
      expect(total).toBe(1);
      expect(conflicts).toEqual([
        {
          id: copy,
          short_id: copy.slice(-6),
          title: 'Ports (conflicting edit)',
          project: 'shop',
          machine: 'two',
          created_at: expect.stringMatching(/^20/),
          conflicts_with: { id, short_id: id.slice(-6), title: 'Ports', machine: 'one' },
          diff: ['@@ -1,3 +1,3 @@', ' first', '-The API is on 9090.', '+The API is on 7070.', ' last'],
          more_lines: 0,
        },
      ]);
      expect((await readStatus(memory)).conflicts).toBe(1);
    }
  });

  it('are the same after a replay and on every machine', async () => {
    const { one, two } = await clash(titledClash);
    const before = await readConflicts(one, {}, all);
    const [mine, other] = [
      await replayStore(one, { verify: true, workers: 1 }),
      await replayStore(two, { workers: 1 }),
    ];
    expect(mine.differs ?? []).toEqual([]);
    expect(other.digest).toBe(mine.digest);
    expect(await readConflicts(one, {}, all)).toEqual(before);
    expect(await readConflicts(two, {}, all)).toEqual(before);
  });

  it('show the titles when those differ too', async () => {
    const { one } = await clash(titledClash);
    const { conflicts } = await readConflicts(one, {}, all);
    expect(conflicts[0]?.diff.slice(0, 2)).toEqual(['-title: Ports since June', '+title: Ports of the API']);
  });

  it('show as many diff lines as asked for and count the rest', async () => {
    const { one } = await clash();
    const { conflicts } = await readConflicts(one, {}, { conflicts: 10, diffLines: 2 });
    expect(conflicts[0]).toMatchObject({ diff: ['@@ -1,3 +1,3 @@', ' first'], more_lines: 3 });
  });

  it('say that the note is gone and show the whole copy', async () => {
    const { one, id } = await clash();
    await one.perform({ kind: 'forget', id });
    const { conflicts } = await readConflicts(one, {}, all);
    expect(conflicts[0]).toMatchObject({
      conflicts_with: { id, title: null },
      diff: ['@@ -0,0 +1,3 @@', '+first', '+The API is on 7070.', '+last'],
    });
  });

  it.each(['forget', 'supersede'] as const)('leave out a copy that a person chose to %s', async (kind) => {
    const { one, copy } = await clash();
    if (kind === 'forget') await one.perform({ kind, id: copy });
    else await writeNote(one, { title: 'Ports, at last', supersedes: [copy] });
    expect(await readConflicts(one, {}, all)).toEqual({ conflicts: [], total: 0 });
    expect((await readStatus(one)).conflicts).toBe(0);
  });

  it('name the machine whose text the note has now, however the conflict arose', async () => {
    const { machines, one, two, id } = await clash();
    await machines.sync(two);
    await edit(two, id, { body: 'first\nThe API is on 4444.\nlast\n' });
    expect(await machinesOf(two)).toEqual([{ copy: 'two', note: 'two' }]);
    await machines.sync(two, one);
    expect(await machinesOf(one)).toEqual([{ copy: 'two', note: 'two' }]);
    await edit(one, id, { body: 'first\nThe API is on 5555.\nlast\n' });
    expect(await machinesOf(one)).toEqual([{ copy: 'two', note: 'one' }]);
  });

  it('never name a machine that only changed other fields', async () => {
    const { machines, one, id, copy } = await clash();
    const three = await machines.open('three', { nowMs: () => Date.now() + 120_000 });
    await machines.sync(three);
    for (const each of [id, copy]) {
      await three.perform({ kind: 'edit', id: each, set: { importance: 0.9 } });
      await three.perform({ kind: 'tag', id: each, add: ['api'], remove: [] });
    }
    await machines.sync(three, one);
    for (const memory of [one, three]) expect(await machinesOf(memory)).toEqual([{ copy: 'two', note: 'one' }]);
  });

  it('name the machine of each text when the same two machines clashed twice', async () => {
    const { machines, one, two, id } = await clash();
    await edit(two, id, { body: 'first\nThe API is on 2222.\nlast\n' });
    await edit(one, id, { body: 'first\nThe API is on 1111.\nlast\n' });
    await machines.sync(two, one, two);
    for (const memory of [one, two]) {
      expect((await show(memory, id)).body).toContain('1111');
      expect((await machinesOf(memory)).toSorted((a, b) => (a.copy < b.copy ? -1 : 1))).toEqual([
        { copy: 'two', note: 'one' },
        { copy: 'two', note: 'one' },
      ]);
    }
  });

  it('name this machine when the file of the note was changed by hand', async () => {
    const { two, id } = await clash();
    const { path = '' } = await show(two, id);
    await two.finish();
    writeFileSync(path, readFileSync(path, 'utf8').replace('9090', '6666'));
    expect(await machinesOf(two)).toEqual([{ copy: 'two', note: 'two' }]);
  });

  it('can be listed for one project', async () => {
    const { one } = await clash();
    expect((await readConflicts(one, { project: 'shop' }, all)).total).toBe(1);
    expect((await readConflicts(one, { project: 'global' }, all)).total).toBe(0);
  });

  it('are none without a store, and reading them creates none', async () => {
    const { memory, close } = openStore({ home: join(newMachines().folder, 'none') });
    expect(await readConflicts(memory, {}, all)).toEqual({ conflicts: [], total: 0 });
    expect(await readLostValues(memory, 20)).toEqual([]);
    expect(memory.exists()).toBe(false);
    await close();
  });
});

describe('values that lost in a merge', () => {
  it('are listed with the note and the event, on every machine', async () => {
    const { one, two, id } = await clash(titledClash);
    for (const memory of [one, two]) {
      expect(await readLostValues(memory, 20)).toEqual([
        {
          note: id,
          short_id: id.slice(-6),
          title: 'Ports since June',
          key: 'title',
          value: 'Ports of the API',
          event: expect.stringMatching(/^[0-9A-Z]{26}$/),
          at: expect.stringMatching(/^20/),
          machine: 'two',
        },
      ]);
    }
    const [event] = await one.events({ kind: 'machines.merged' }, 1);
    expect(event?.lost).toEqual([`${id} title "Ports of the API"`]);
  });

  it('are listed even when their key is unknown', async () => {
    const machines = newMachines();
    const [one, two] = [await machines.open('one'), await machines.open('two')];
    const { id } = await writeNote(one);
    await machines.sync(one, two);
    for (const memory of [one, two]) {
      const { path = '' } = await show(memory, id);
      const mood = `mood of ${memory.settings.machine}: fine on ${memory.settings.machine}`;
      writeFileSync(path, readFileSync(path, 'utf8').replace('\n---\n', `\n${mood}\nmood: ${mood.slice(-3)}\n---\n`));
    }
    await machines.sync(one, two, one);
    const { path = '' } = await show(two, id);
    const [kept = ''] = /(?<=\nmood: ).*/.exec(readFileSync(path, 'utf8')) ?? [];
    const lost = ['one', 'two'].filter((value) => value !== kept);
    expect(lost).toHaveLength(1);
    for (const memory of [one, two])
      expect(await readLostValues(memory, 20)).toMatchObject([{ note: id, key: 'mood', value: lost[0] }]);
  });
});

describe('the conflict of an id', () => {
  it('is found by the id of the copy and by that of the note', async () => {
    const { one, id, copy } = await clash();
    for (const given of [id, copy]) {
      expect(await findConflict(one, given)).toMatchObject({
        ok: true,
        answer: { original: id, copy: { id: copy }, note: { id } },
      });
    }
  });

  it('is refused for a note that was never in one', async () => {
    const { one } = await clash();
    const { id } = await writeNote(one, { title: 'Peace' });
    expect(await findConflict(one, id)).toMatchObject({ ok: false, refusal: { code: 'no-conflict' } });
  });

  it('is refused with a list of the copies when a note has several', async () => {
    const { machines, one, two, id, copy } = await clash();
    await edit(one, id, { body: 'first\nThe API is on 1111.\nlast\n' });
    await edit(two, id, { body: 'first\nThe API is on 2222.\nlast\n' });
    await machines.sync(one, two, one);
    const copies = (await readConflicts(one, {}, all)).conflicts.map((conflict) => conflict.id);
    expect(copies).toHaveLength(2);
    const found = await findConflict(one, id);
    if (found.ok) throw new Error('not refused');
    expect(found.refusal).toMatchObject({ code: 'several-conflicts' });
    for (const each of copies) expect(found.refusal.message).toContain(each);
    expect(await findConflict(one, copy)).toMatchObject({ ok: true, answer: { copy: { id: copy } } });
  });

  it('is settled once it is resolved', async () => {
    const { one, id, copy } = await clash();
    await resolve(one, id, { verdict: 'theirs' });
    for (const given of [id, copy]) expect(await findConflict(one, given)).toEqual({ ok: true, answer: 'settled' });
  });
});

describe('resolving', () => {
  it.each([
    ['ours', 'first\nThe API is on 7070.\nlast\n'],
    ['theirs', 'first\nThe API is on 9090.\nlast\n'],
    ['both', 'first\nThe API is on 9090.\nlast\n\n---\n\nfirst\nThe API is on 7070.\nlast\n'],
  ] as const)('with %s ends the conflict on every machine', async (verdict, body) => {
    const { machines, one, two, id, copy } = await clash();
    const answer = await resolve(one, copy, { verdict });
    expect(answer).toMatchObject({ status: 'recorded', event: { kind: 'conflict.resolved' }, note: { id } });
    await machines.sync(one, two);
    for (const memory of [one, two]) {
      expect((await show(memory, id)).body).toBe(body);
      expect((await memory.show(copy)).ok).toBe(false);
      expect((await readConflicts(memory, {}, all)).total).toBe(0);
    }
  });

  it.each(['ours', 'theirs', 'both'] as const)('with %s is one event, which undo takes back', async (verdict) => {
    const { one, id, copy } = await clash();
    const before = [await show(one, id), await show(one, copy)];
    await resolve(one, id, { verdict });
    const [event] = await one.events({ note: copy }, 1);
    expect(event).toMatchObject({ kind: 'conflict.resolved', noteCount: 2, reason: verdict });
    expect(await undoEvent(one, undefined)).toMatchObject({ ok: true, answer: { undone: { id: event?.id } } });
    expect([await show(one, id), await show(one, copy)]).toEqual(before);
    expect(await machinesOf(one)).toEqual([{ copy: 'two', note: 'one' }]);
  });

  it('with ours takes the title too when the titles clashed', async () => {
    const { one, id } = await clash(titledClash);
    await resolve(one, id, { verdict: 'ours' });
    expect((await show(one, id)).title).toBe('Ports of the API');
  });

  it('with ours keeps a title that was set later', async () => {
    const { one, id } = await clash();
    await edit(one, id, { title: 'Ports since June' });
    await resolve(one, id, { verdict: 'ours' });
    expect((await show(one, id)).title).toBe('Ports since June');
  });

  it('is refused when a text changed since the person saw it', async () => {
    const { one, id } = await clash();
    const seen = await findConflict(one, id);
    if (!seen.ok || seen.answer === 'settled') throw new Error('no conflict');
    await edit(one, id, { body: 'The API moved.\n' });
    const asked = { verdict: 'edit', body: 'merged\n', asSeen: true } as const;
    expect(await resolveConflict(one, seen.answer, asked)).toMatchObject({
      status: 'refused',
      refusal: { code: 'version-moved' },
    });
    expect((await readConflicts(one, {}, all)).total).toBe(1);
  });

  it('changes nothing for a person who saw the conflict before it was resolved', async () => {
    const { one, id } = await clash();
    const seen = await findConflict(one, id);
    if (!seen.ok || seen.answer === 'settled') throw new Error('no conflict');
    await resolveConflict(one, seen.answer, { verdict: 'theirs', asSeen: false });
    expect(await resolveConflict(one, seen.answer, { verdict: 'ours', asSeen: false })).toMatchObject({
      status: 'unchanged',
      note: { id, body: 'first\nThe API is on 9090.\nlast\n' },
    });
  });

  it('differently on two machines leaves the text of ours on both', async () => {
    const { machines, one, two, id, copy } = await clash();
    await resolve(one, id, { verdict: 'theirs' });
    await resolve(two, id, { verdict: 'ours' });
    await machines.sync(one, two, one);
    for (const memory of [one, two]) {
      expect((await show(memory, id)).body).toBe('first\nThe API is on 7070.\nlast\n');
      expect((await memory.show(copy)).ok).toBe(false);
    }
  });

  it('with ours keeps the copy of a forgotten note as an ordinary note', async () => {
    const { one, id, copy } = await clash();
    await one.perform({ kind: 'forget', id });
    expect(await resolve(one, copy, { verdict: 'ours' })).toMatchObject({ status: 'recorded', note: { id: copy } });
    expect(await show(one, copy)).toMatchObject({ title: 'Ports', body: 'first\nThe API is on 7070.\nlast\n' });
    expect((await readConflicts(one, {}, all)).total).toBe(0);
  });

  it('with theirs forgets the copy of a forgotten note', async () => {
    const { one, id, copy } = await clash();
    await one.perform({ kind: 'forget', id });
    expect(await resolve(one, copy, { verdict: 'theirs' })).toMatchObject({ status: 'recorded', note: undefined });
    expect((await one.show(copy)).ok).toBe(false);
  });
});

describe('notes that supersede each other after a sync', () => {
  it('leave the one that was updated last visible', async () => {
    const machines = newMachines();
    const nowMs = Date.now();
    const one = await machines.open('one', { nowMs: () => nowMs });
    const two = await machines.open('two', { nowMs: () => nowMs + 60_000 });
    const a = (await writeNote(one, { title: 'Deploy from CI' })).id;
    const b = (await writeNote(one, { title: 'Deploy by hand' })).id;
    await machines.sync(one, two);
    await one.perform({ kind: 'supersede', ids: [a], by: b });
    await two.perform({ kind: 'supersede', ids: [b], by: a });
    await machines.sync(one, two, one);
    for (const memory of [one, two]) {
      expect((await show(memory, a)).superseded_by).toBeUndefined();
      expect((await show(memory, b)).superseded_by).toBe(a);
    }
  });
});
