import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectsToReview, readProposals, settleProposals } from '../../src/app/reviewing.js';
import type { Command } from '../../src/commands/handlers.js';
import type { WriteNote } from '../../src/commands/write.js';
import { journalNames } from '../../src/events/note/note.js';
import { allDigestsOf } from '../../src/projections/digest.js';
import { openGeneration } from '../../src/projections/generation.js';
import type { ProposalFilter } from '../../src/projections/index/conflicts.js';
import { judgeNotes } from '../../src/projections/recall/recall.js';
import type { Memory } from '../../src/store/memory.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { replay } from '../../src/workers/replay.js';
import { noteOf, openStore, type TestStore, writeCommand, writeNote } from '../support/store.js';

let store: TestStore;
let memory: Memory;
beforeEach(() => {
  store = openStore();
  memory = store.memory;
});
afterEach(() => store.close());

const write = (title: string, fields: Partial<WriteNote> = {}): Promise<NoteJson> =>
  writeNote(memory, { title, body: `${title}.\n`, ...fields });
/** A learned note that contradicts the others. */
const propose = (title: string, older: readonly NoteJson[], fields: Partial<WriteNote> = {}): Promise<NoteJson> =>
  write(title, { source: 'session-end', confidence: 0.6, proposes: older.map(({ id }) => id), ...fields });

const pairs = async (filter: ProposalFilter = {}, limit = 100): Promise<readonly string[]> =>
  (await readProposals(memory, filter, limit)).proposals.map(({ newer, older }) => `${newer.title} > ${older?.title}`);
const settle = async (asked: Parameters<typeof settleProposals>[1]) => {
  const found = await settleProposals(memory, asked);
  if (!found.ok) throw new Error(`refused: ${found.refusal.message}`);
  return found.answer;
};
const refusal = async (asked: Parameters<typeof settleProposals>[1]) => {
  const found = await settleProposals(memory, asked);
  if (found.ok) throw new Error(`not refused: ${JSON.stringify(found.answer)}`);
  return found.refusal;
};
const shown = async (id: string): Promise<NoteJson> => {
  const found = await memory.show(id);
  if (!found.ok) throw new Error(found.refusal.message);
  return found.answer;
};
const countEvents = async (): Promise<number> => (await memory.events({}, 1000)).length;
const titlesFound = async (text: string): Promise<readonly string[]> =>
  (await memory.search(text, {})).hits.map(({ title }) => title);

/** Replays the index beside the one in use and compares everything in both. */
const expectReplayEqual = async (of: TestStore): Promise<void> => {
  const caughtUp = await of.memory.liveIndex.ask(allDigestsOf);
  const journals = journalNames.map((name) => of.memory.journals[name]);
  const { file } = await replay({ journals, indexFolder: join(of.home, 'beside'), publish: 'beside', workers: 1 });
  const replayed = openGeneration(file);
  expect(allDigestsOf(replayed)).toEqual(caughtUp);
  replayed.close();
};

describe('the review list', () => {
  it('holds each proposal with both notes in full', async () => {
    const older = await write('VPN for deploys');
    const newer = await propose('CI deploys', [older], { model: 'haiku' });
    expect(await readProposals(memory, {}, 10)).toEqual({
      total: 1,
      proposals: [{ newer: await shown(newer.id), older: await shown(older.id) }],
    });
    expect(newer).toMatchObject({ proposes: [older.id], confidence: 0.6, prov_model: 'haiku' });
    expect((await memory.events({ note: older.id }, 5)).map(({ kind }) => kind)).toEqual([
      'proposal.made',
      'note.written',
    ]);
    // Both are found until a person decides.
    expect([...(await titlesFound('deploys'))].sort()).toEqual(['CI deploys', 'VPN for deploys']);
  });

  it('is ordered by project, proposing note and older note', async () => {
    const [b1, b2] = [await write('b1', { project: 'b' }), await write('b2', { project: 'b' })];
    const a1 = await write('a1', { project: 'a' });
    await propose('b3', [b2, b1], { project: 'b' });
    await propose('b4', [b1, a1], { project: 'b' });
    await propose('a2', [a1], { project: 'a' });
    const [first, second] = b1.id < b2.id ? ['b1', 'b2'] : ['b2', 'b1'];
    const all = await pairs();
    expect(all[0]).toBe('a2 > a1');
    expect(all.filter((pair) => pair.startsWith('b3'))).toEqual([`b3 > ${first}`, `b3 > ${second}`]);
    expect(all).toHaveLength(5);
    const ids = (await readProposals(memory, { project: 'b' }, 9)).proposals.map(({ newer, older }) => [
      newer.id,
      older?.id,
    ]);
    expect(ids).toEqual([...ids].sort(([a = '', x = ''], [b = '', y = '']) => (a + x < b + y ? -1 : 1)));
    expect(await pairs({}, 2)).toEqual(all.slice(0, 2));
    expect((await readProposals(memory, {}, 2)).total).toBe(5);
    expect(await projectsToReview(memory)).toEqual(['a', 'b']);
  });

  it('is filtered by the project of the proposing note, and by user and workspace of both', async () => {
    const [mine, theirs] = [await write('mine'), await write('theirs', { workspace: 'other' })];
    await propose('new here', [mine, theirs], { project: 'shop' });
    await propose('new there', [mine, theirs], { workspace: 'other' });
    expect(await pairs({ project: 'shop' })).toHaveLength(2);
    expect(await pairs({ project: 'nowhere' })).toEqual([]);
    expect(await pairs({ workspace: 'personal' })).toEqual(['new here > mine']);
    expect(await pairs({ workspace: 'other' })).toEqual(['new there > theirs']);
    expect(await pairs({ user: 'self' })).toHaveLength(4);
    expect(await pairs({ user: "self' OR 1=1 --" })).toEqual([]);
  });

  it('leaves out a proposal while the note on either side is forgotten', async () => {
    const older = await write('old');
    const newer = await propose('new', [older]);
    for (const { id } of [older, newer]) {
      await memory.perform({ kind: 'forget', id });
      expect(await pairs()).toEqual([]);
      await memory.perform({ kind: 'restore', id });
      expect(await pairs()).toEqual(['new > old']);
    }
  });

  it('leaves out a proposal while another note supersedes the one on either side', async () => {
    const [old, oldest] = [await write('old'), await write('oldest')];
    const newer = await propose('new', [old, oldest]);
    await write('takes over', { supersedes: [old.id] });
    expect(await pairs()).toEqual(['new > oldest']);
    const last = await write('newest', { supersedes: [newer.id] });
    expect(await pairs()).toEqual([]);
    await memory.perform({ kind: 'forget', id: last.id });
    expect(await pairs()).toEqual(['new > oldest']);
  });

  it('includes expired notes, which can still be replaced', async () => {
    const older = await write('old', { expiresAt: '2020-01-01' });
    await propose('new', [older], { expiresAt: '2020-01-02' });
    expect(await pairs()).toEqual(['new > old']);
  });

  it('reads the file that counts when a note has two, and lists each proposal once', async () => {
    const [old, other] = [await write('old'), await write('other')];
    const newer = await propose('new', [old]);
    const file = (await shown(newer.id)).path ?? '';
    const text = readFileSync(file, 'utf8');
    const copy = join(store.home, 'memory', 'semantic', 'copies', `${newer.id}.md`);
    mkdirSync(dirname(copy));
    writeFileSync(
      copy,
      text.replace(old.id, other.id).replace(/updated_at: .*/, "updated_at: '2001-01-01T00:00:00+00:00'"),
    );
    writeFileSync(file, text.replace(`- ${old.id}`, `- ${old.id}\n- ${old.id}\n- ${newer.id}\n- nonsense`));
    await memory.adopt('hold');
    expect((await shown(newer.id)).proposes).toEqual([old.id, old.id, newer.id, 'nonsense']);
    expect(await readProposals(memory, {}, 10)).toMatchObject({ total: 1, proposals: [{ older: { id: old.id } }] });
    await expectReplayEqual(store);
    await settle({ ids: [newer.id], verdict: 'keep-both' });
    expect((await shown(newer.id)).proposes).toEqual([newer.id, 'nonsense']);
    expect(await pairs()).toEqual([]);
  });

  it('is empty without a store, and reading it creates none', async () => {
    expect(await readProposals(memory, {}, 10)).toEqual({ proposals: [], total: 0 });
    expect(await projectsToReview(memory)).toEqual([]);
    expect((await refusal({ ids: ['01J0000000000000000000000A'], verdict: 'forget' })).code).toBe('note-unknown');
    expect(memory.exists()).toBe(false);
  });
});

describe('accepting', () => {
  it('makes the new note supersede all notes that it proposes to replace, one event each', async () => {
    const [one, two] = [await write('deploys one'), await write('deploys two')];
    const newer = await propose('deploys new', [one, two]);
    const settled = await settle({ ids: [newer.id, newer.id], verdict: 'accept' });
    expect(settled.map(({ id, older, status, event }) => [id, ...older, status, event?.kind]).sort()).toEqual(
      [one, two].map(({ id }) => [newer.id, id, 'recorded', 'proposal.settled']).sort(),
    );
    expect(await titlesFound('deploys')).toEqual(['deploys new']);
    expect(await pairs()).toEqual([]);
    const after = await shown(newer.id);
    expect([...(after.supersedes ?? [])].sort()).toEqual([one.id, two.id].sort());
    expect(after.proposes).toBeUndefined();
    expect(await shown(one.id)).toMatchObject({ superseded_by: newer.id });
    await expectReplayEqual(store);
  });

  it('settles one proposal of several and leaves the others', async () => {
    const [one, two] = [await write('one'), await write('two')];
    const newer = await propose('new', [one, two]);
    expect(await settle({ ids: [newer.id], verdict: 'accept', older: two.id })).toMatchObject([
      { older: [two.id], status: 'recorded', warnings: [] },
    ]);
    expect(await pairs()).toEqual(['new > one']);
  });

  it('records nothing the second time and says that no proposal is open', async () => {
    const older = await write('old');
    const newer = await propose('new', [older]);
    await settle({ ids: [newer.id], verdict: 'accept' });
    const events = await countEvents();
    for (const verdict of ['accept', 'keep-both', 'forget'] as const) {
      expect(await settle({ ids: [newer.id], verdict })).toEqual([
        {
          id: newer.id,
          older: [],
          verdict,
          status: 'unchanged',
          event: null,
          warnings: [`note ${newer.id} has no open proposal`],
        },
      ]);
    }
    expect(await countEvents()).toBe(events);
  });

  it('leaves alone a proposal about a note that is gone or superseded by another, and says so', async () => {
    const [gone, replaced] = [await write('gone'), await write('replaced')];
    const newer = await propose('new', [gone, replaced]);
    await memory.perform({ kind: 'forget', id: gone.id });
    await write('other', { supersedes: [replaced.id] });
    for (const older of [gone.id, replaced.id]) {
      for (const verdict of ['accept', 'forget'] as const) {
        expect(await settle({ ids: [newer.id], verdict, older })).toMatchObject([
          { status: 'unchanged', warnings: [`note ${newer.id} has no open proposal about ${older}`] },
        ]);
      }
    }
    expect((await shown(newer.id)).supersedes).toBeUndefined();
  });

  it('records nothing when one of several notes does not exist', async () => {
    const older = await write('old');
    const newer = await propose('new', [older]);
    const events = await countEvents();
    const unknown = '01J0000000000000000000000A';
    expect((await refusal({ ids: [newer.id, unknown], verdict: 'accept' })).code).toBe('note-unknown');
    expect(await countEvents()).toBe(events);
  });

  it('one of two proposals about the same older note settles the other too', async () => {
    const older = await write('old');
    const [first, second] = [await propose('first', [older]), await propose('second', [older])];
    expect(await pairs()).toHaveLength(2);
    await settle({ ids: [first.id], verdict: 'accept' });
    expect(await pairs()).toEqual([]);
    expect(await settle({ ids: [second.id], verdict: 'accept' })).toMatchObject([{ status: 'unchanged' }]);
  });
});

describe('rejecting', () => {
  it('forgets the new note in one event, and restore brings back the note and its proposals', async () => {
    const [one, two] = [await write('one'), await write('two')];
    const newer = await propose('new', [one, two]);
    const before = await shown(newer.id);
    const settled = await settle({ ids: [newer.id], verdict: 'forget' });
    expect(settled).toMatchObject([{ id: newer.id, status: 'recorded', event: { kind: 'proposal.settled' } }]);
    expect([...(settled[0]?.older ?? [])].sort()).toEqual([one.id, two.id].sort());
    expect(await memory.show(newer.id)).toMatchObject({ ok: false, refusal: { code: 'note-forgotten' } });
    expect(await pairs()).toEqual([]);
    await expectReplayEqual(store);
    expect(noteOf(await memory.perform({ kind: 'restore', id: newer.id }))).toEqual(before);
    expect(await pairs()).toHaveLength(2);
    await expectReplayEqual(store);
  });

  it('records nothing for a note already forgotten, while accepting it is refused', async () => {
    const newer = await propose('new', [await write('old')]);
    await settle({ ids: [newer.id], verdict: 'forget' });
    expect(await settle({ ids: [newer.id], verdict: 'forget' })).toMatchObject([
      { status: 'unchanged', warnings: [`note ${newer.id} is forgotten already`] },
    ]);
    for (const verdict of ['accept', 'keep-both'] as const) {
      expect(await refusal({ ids: [newer.id], verdict })).toMatchObject({
        code: 'note-forgotten',
        next: expect.stringContaining(`restore ${newer.id}`),
      });
    }
  });

  it('is refused for one proposal while the note makes others', async () => {
    const [one, two] = [await write('one'), await write('two')];
    const newer = await propose('new', [one, two]);
    const refused = await refusal({ ids: [newer.id], verdict: 'forget', older: one.id });
    expect(refused.message).toContain(two.id);
    expect(refused.next).toContain('--keep');
    await settle({ ids: [newer.id], verdict: 'keep-both', older: two.id });
    expect(await settle({ ids: [newer.id], verdict: 'forget', older: one.id })).toMatchObject([{ status: 'recorded' }]);
    expect((await memory.show(newer.id)).ok).toBe(false);
  });

  it('keeps both notes when asked to and drops them from the list', async () => {
    const older = await write('deploys old');
    const newer = await propose('deploys new', [older]);
    await settle({ ids: [newer.id], verdict: 'keep-both' });
    expect(await pairs()).toEqual([]);
    expect([...(await titlesFound('deploys'))].sort()).toEqual(['deploys new', 'deploys old']);
    expect(await shown(newer.id)).toMatchObject({ updated_at: newer.updated_at, confidence: 0.6 });
    await expectReplayEqual(store);
  });

  it('never touches a note that proposes nothing', async () => {
    const note = await write('plain');
    const events = await countEvents();
    expect(await settle({ ids: [note.id], verdict: 'forget' })).toMatchObject([{ status: 'unchanged', older: [] }]);
    expect(await countEvents()).toBe(events);
    expect((await shown(note.id)).version).toBe(note.version);
  });
});

type Step =
  | { readonly do: 'propose'; readonly project: string; readonly local: boolean; readonly older: readonly number[] }
  | { readonly do: 'accept' | 'keep-both' | 'forget-new' | 'forget' | 'restore' | 'confirm'; readonly at: number }
  | { readonly do: 'move' | 'supersede'; readonly at: number; readonly to: number };

const at = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('propose' as const),
      project: fc.constantFrom('global', 'shop', 'Äpfel'),
      local: fc.boolean(),
      older: fc.array(at, { maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(...(['accept', 'keep-both', 'forget-new', 'forget', 'restore', 'confirm'] as const)),
      at,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('move' as const, 'supersede' as const), at, to: at }),
  },
);

describe('any history of proposals', () => {
  const run = async (of: Memory, steps: readonly Step[]): Promise<void> => {
    const ids: string[] = [noteOf(await of.perform(writeCommand({ title: 'first' }))).id];
    const pick = (index: number): string => ids[index % ids.length] ?? '';
    const commandOf = async (one: Step): Promise<Command | undefined> => {
      switch (one.do) {
        case 'propose':
          return writeCommand({
            title: `note ${ids.length}`,
            project: one.project,
            scope: one.local ? 'machine-local' : 'portable',
            confidence: 0.5,
            proposes: one.older.map(pick),
          });
        case 'accept':
        case 'keep-both':
        case 'forget-new': {
          const note = await of.show(pick(one.at));
          const older = note.ok ? (note.answer.proposes?.[0] ?? pick(one.at + 1)) : pick(one.at + 1);
          const verdict = one.do === 'forget-new' ? 'forget' : one.do;
          return { kind: 'settle-proposal', id: pick(one.at), older, verdict };
        }
        case 'move':
          return { kind: 'move', id: pick(one.at), scope: one.to % 2 === 0 ? 'portable' : 'machine-local' };
        case 'supersede':
          return { kind: 'supersede', ids: [pick(one.at)], by: pick(one.to) };
        case 'forget':
        case 'restore':
        case 'confirm':
          return { kind: one.do, id: pick(one.at) };
      }
    };
    for (const one of steps) {
      const command = await commandOf(one);
      const answer = command === undefined ? undefined : await of.perform(command);
      if (command?.kind === 'write' && answer?.status === 'recorded' && answer.note !== undefined)
        ids.push(answer.note.id);
    }
  };

  /** Reads the open proposals from the files alone, without the table of proposals. */
  const waitingInFiles = async (of: Memory): Promise<readonly string[]> => {
    const live = (await of.list({}, 100)).notes.filter((note) => note.superseded_by === undefined);
    const found: (readonly [string, string, string])[] = [];
    for (const { id, project } of live) {
      const note = await of.show(id);
      for (const older of new Set(note.ok ? note.answer.proposes : [])) {
        if (older !== id && live.some((other) => other.id === older)) found.push([project, id, older]);
      }
    }
    // UTF-8 and UTF-16 code units sort alike for these keys.
    return found.map((row) => row.join(' ')).sort();
  };

  it('gives the same index by catch-up and by replay, and lists what the files say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const one = openStore();
        try {
          await run(one.memory, steps);
          await expectReplayEqual(one);
          const { proposals, total } = await readProposals(one.memory, {}, 100);
          const listed = proposals.map(({ newer, older }) => `${newer.project} ${newer.id} ${older?.id}`);
          expect(listed).toEqual(await waitingInFiles(one.memory));
          expect(total).toBe(listed.length);
        } finally {
          await one.close();
        }
      }),
      { numRuns: 6 },
    );
  });
});

describe('a proposal about no other note', () => {
  const offered = async (): Promise<readonly string[]> => {
    const { text } = await memory.inject('global');
    return ['Never push to main', 'Squash commits'].filter((title) => text.includes(title));
  };
  const recalled = async (): Promise<readonly string[]> => {
    const query = {
      text: 'what does the zookeeper deploy?',
      project: 'global',
      nowSeconds: 0,
      exclude: new Set<string>(),
    };
    const { notes } = await memory.liveIndex.ask((database) => judgeNotes(database, query));
    return notes.map(({ row }) => row.id);
  };
  it('is found, marked, and offered to no agent until it is accepted', async () => {
    await write('Squash commits', { project: 'global' });
    for (const tea of ['Green', 'Black', 'White', 'Mint']) await write(`${tea} tea at four`);
    const body = 'The zookeeper deploys it.\n';
    const asked = { body, project: 'global', source: 'session-end', untrusted: true } as const;
    const proposal = await write('Never push to main', asked);
    expect((await memory.events({ note: proposal.id }, 1))[0]?.kind).toBe('proposal.made');
    expect(await pairs()).toEqual(['Never push to main > undefined']);
    expect(await offered()).toEqual(['Squash commits']);
    expect(await recalled()).toEqual([]);
    const { hits } = await memory.search('push', {});
    expect(hits.map(({ id, untrusted }) => [id, untrusted])).toEqual([[proposal.id, true]]);
    expect(await settle({ ids: [proposal.id], verdict: 'accept' })).toMatchObject([
      { id: proposal.id, older: [], status: 'recorded', event: { kind: 'proposal.settled' }, warnings: [] },
    ]);
    expect((await shown(proposal.id)).untrusted).toBeUndefined();
    expect([await pairs(), await offered(), await recalled()]).toEqual([
      [],
      ['Never push to main', 'Squash commits'],
      [proposal.id],
    ]);
    expect(await settle({ ids: [proposal.id], verdict: 'accept' })).toMatchObject([{ status: 'unchanged' }]);
    await expectReplayEqual(store);
  });
  it('is forgotten when it is rejected, and can be restored', async () => {
    const { id } = await write('Never push to main', { untrusted: true });
    expect(await settle({ ids: [id], verdict: 'forget' })).toMatchObject([{ status: 'recorded', older: [] }]);
    expect(await pairs()).toEqual([]);
    await memory.perform({ kind: 'restore', id });
    expect(await pairs()).toEqual(['Never push to main > undefined']);
  });
  it('is listed once if it would replace others, and accepting that takes its mark away', async () => {
    const older = await write('Push to main');
    const newer = await propose('Never push to main', [older], { untrusted: true });
    expect(await pairs()).toEqual(['Never push to main > Push to main']);
    await settle({ ids: [newer.id], verdict: 'accept' });
    expect(await shown(newer.id)).toMatchObject({ supersedes: [older.id] });
    expect((await shown(newer.id)).untrusted).toBeUndefined();
  });
  it('is listed alone once the note that it would replace is gone', async () => {
    const older = await write('Push to main');
    await propose('Never push to main', [older], { untrusted: true });
    await memory.perform({ kind: 'forget', id: older.id });
    expect(await pairs()).toEqual(['Never push to main > undefined']);
  });
});
