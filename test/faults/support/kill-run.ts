/**
 * A seeded run: random commands on fresh stores, each process killed at a random point, and after each kill the store
 * compared with what it must show.
 */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { personsGit } from '../../support/store.js';
import { actByHand, finishFiles, isLeftPrivate, removeLeft, type Unfinished } from './kill-by-hand.js';
import { allGone, areGone, runChild } from './kill-child.js';
import { ageLeftovers, findHalfNotes, findLeftovers, findLostTexts, findPurged } from './kill-files.js';
import { type Model, openModel } from './kill-model.js';
import type { Asked, Order, Told } from './kill-orders.js';
import { openPeer } from './kill-peer.js';
import { openPlanner, type Planned } from './kill-plan.js';
import { seededRandom } from './machines-random.js';

export type KillCounts = {
  kills: number;
  commands: number;
  /** Kills by the kind of command that was running. */
  readonly byKind: Map<string, number>;
  /** Kills by the point where the process killed itself. */
  readonly byPoint: Map<string, number>;
  fromOutside: number;
  /** Kills while another process wrote to the same store. */
  beside: number;
};

export const newCounts = (): KillCounts => ({
  kills: 0,
  commands: 0,
  byKind: new Map(),
  byPoint: new Map(),
  fromOutside: 0,
  beside: 0,
});

export type StoreRun = {
  readonly program: string;
  readonly seed: number;
  readonly kills: number;
  /** Kills between two checks with `git fsck` and `replay --verify`. */
  readonly checkEvery: number;
  readonly counts: KillCounts;
};

/** Runs one new store. On failure its folder is kept, and the error says how to repeat the run. */
export const runStore = async ({ program, seed, kills, checkEvery, counts }: StoreRun): Promise<void> => {
  const folder = mkdtempSync(join(fastFolder(), 'anamnesis-kill-'));
  const run = openRun(program, folder, seed, counts);
  try {
    let checked = 0;
    let done = 0;
    while (done < kills) {
      await run.round();
      done = run.kills();
      if (done - checked < checkEvery) continue;
      checked = done;
      await run.check();
    }
    await run.finish();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${why}\n  kept in ${folder}\n  repeat: KINDS=${process.env['KINDS'] ?? 'all'} SEED=${seed} KILLS=${kills} npm run test:long -- test/faults/kill.test.ts`,
    );
  }
  rmSync(folder, { recursive: true, force: true });
};

/** A killed process loses nothing that it handed to the system, so a disk would only make this slower. */
const fastFolder = (): string => (existsSync('/dev/shm') ? '/dev/shm' : tmpdir());

type Run = { round(): Promise<void>; check(): Promise<void>; finish(): Promise<void>; kills(): number };

const openRun = (program: string, folder: string, seed: number, counts: KillCounts): Run => {
  const home = join(folder, 'store');
  const userHome = join(folder, 'home');
  mkdirSync(userHome);
  const random = seededRandom(seed);
  const model = openModel();
  const url = join(folder, 'remote.git');
  const hasRemote = random.chance(0.5);
  const planner = openPlanner(random, model, folder, hasRemote);
  const peer = openPeer({ program, folder, random, model, planner });
  if (hasRemote) personsGit(folder, 'init', '--quiet', '--bare', '--initial-branch=main', url);
  const unfinished: Unfinished = new Map();
  let isConnected = false;
  /** The most points seen in one command, by kind. */
  const maxPoints = new Map<string, number>();
  let interrupted: Planned | undefined;
  /** A move that was killed between its two events is repeated before anything else. */
  let halfMoved: Planned | undefined;
  let groups: readonly number[] = [];
  let kills = 0;
  let rounds = 0;

  /** Applies the reports of one process in order. Returns what is wrong, and the item that had begun when it ended. */
  const hear = (planned: readonly Planned[], all: readonly Told[], isAlone: boolean) => {
    const problems: string[] = [];
    let open: Planned | undefined;
    for (const told of all) {
      const one = 'at' in told ? planned[told.at] : undefined;
      if (told.tell === 'began') {
        open = one;
        if (one?.asked.do === 'move') halfMoved = one;
        one?.began();
      } else if (told.tell === 'done') {
        open = undefined;
        if (one === halfMoved) halfMoved = undefined;
        const kind = kindOf(one?.asked);
        maxPoints.set(kind, Math.max(maxPoints.get(kind) ?? 0, told.points));
        counts.commands += 1;
      } else if (told.tell === 'failed') problems.push(`${kindOf(one?.asked)} failed: ${told.why}`);
      else if (told.tell === 'dying') count(counts.byPoint, told.point);
      else if (told.tell === 'seen') problems.push(...model.seen(told, told.settled && isAlone));
      problems.push(...(one?.told(told) ?? []));
    }
    return { problems, open };
  };

  const orderOf = (planned: readonly Planned[]): Order => ({
    home,
    userHome,
    machine: 'killbox',
    asked: planned.map(({ asked }) => asked),
  });

  /** `beside` is run at the same time by a process that is not killed. */
  const send = async (planned: readonly Planned[], kill?: Kill, beside: readonly Planned[] = []): Promise<void> => {
    // A git child that outlived its process may still commit: then nothing is certain yet.
    const isAlone = areGone(groups) && beside.length === 0;
    const order = { ...orderOf(planned), ...(kill !== undefined && 'point' in kill ? { kill } : {}) };
    const outside = kill !== undefined && 'afterMs' in kill ? kill : undefined;
    const [end, other] = await Promise.all([
      runChild(program, folder, order, outside),
      beside.length === 0 ? undefined : runChild(program, folder, orderOf(beside), undefined),
    ]);
    groups = [...end.groups, ...(other?.groups ?? [])];
    appendFileSync(join(folder, 'history.jsonl'), `${JSON.stringify({ order, outside, ...end, other })}\n`);
    for (const { began } of beside) began();
    const { problems, open } = hear(planned, end.told, isAlone);
    const heard = hear(
      beside,
      (other?.told ?? []).filter(({ tell }) => tell !== 'began'),
      false,
    );
    const all = [end.stderr, other?.stderr ?? '', ...problems, ...heard.problems].filter((text) => text !== '');
    if (all.length > 0) throw new Error(`round ${rounds}: ${all.join('\n')}`);
    interrupted = end.told.at(-1)?.tell === 'ended' ? undefined : open;
    if (!end.isKilled) return;
    kills += 1;
    counts.kills += 1;
    count(counts.byKind, kindOf(open?.asked));
    if (outside !== undefined) counts.fromOutside += 1;
    if (beside.length > 0) counts.beside += 1;
    const half = findHalfNotes(home, new Set(unfinished.keys()));
    if (half.length > 0) throw new Error(`round ${rounds}: ${half.join('\n')}`);
  };

  const connect: Planned = {
    asked: { do: 'remote', url },
    began: () => undefined,
    told(told) {
      if (told.tell === 'done') isConnected = true;
      return [];
    },
  };

  const round = async (): Promise<void> => {
    rounds += 1;
    finishByHand();
    if (halfMoved === undefined) for (const slot of model.slots.values()) slot.isMoving = false;
    if (halfMoved === undefined) actByHand(home, random, model, planner, unfinished);
    if (random.chance(0.5)) await allGone(groups);
    if (hasRemote && random.chance(0.25)) await peer.act();
    const planned: Planned[] = hasRemote && !isConnected ? [connect] : [];
    if (halfMoved !== undefined) planned.push(halfMoved);
    else if (random.chance(0.3)) planned.push(lookAt(false));
    // A client that got no answer sends its command again with the same id.
    if (interrupted !== undefined && random.chance(0.5)) planned.push(interrupted);
    else planned.push(planner.next());
    planned.push(lookAt(planned.some(({ asked }) => reconciling.has(asked.do))));
    for (let more = random.below(3); more > 0; more -= 1) planned.push(planner.next());
    const targets = planned.flatMap(({ asked }, at) => (asked.do === 'look' ? [] : [at]));
    const at = random.pick([...targets, planned.length]);
    planned.push(planner.next(), planner.next());
    const group = random.chance(0.3);
    const beside = random.chance(0.15) ? Array.from({ length: 1 + random.below(8) }, () => planner.write()) : [];
    if (random.chance(0.2)) return send(planned, { at, afterMs: random.below(60), group }, beside);
    const most = maxPoints.get(kindOf(planned[at]?.asked)) ?? (rounds < 5 ? 100 : 30);
    return send(planned, { at, point: 1 + random.below(Math.max(most, 8)), group }, beside);
  };

  const finishByHand = (): void => {
    const lost = finishFiles(home, model, unfinished);
    if (lost.length > 0) throw new Error(`round ${rounds}: ${lost.join('\n')}`);
  };

  const check = async (): Promise<void> => {
    rounds += 1;
    await allGone(groups);
    finishByHand();
    ageLeftovers(home);
    const exchange = hasRemote ? [connect, planner.sync()] : [];
    const last = [...exchange, planner.compact(), checkAll(model, hearDigest)];
    const first = halfMoved === undefined ? [] : [halfMoved];
    await send([...first, planner.adopt(), planner.write(), lookAt(true), ...last]);
    removeLeft(home, model);
    const left = [...findLeftovers(home), ...findPurged(home, model.purged)];
    if (left.length > 0) throw new Error(`round ${rounds}: ${left.join('\n')}`);
  };
  let digest = '';
  const hearDigest = (of: string): void => {
    digest = of;
  };

  /** The other machine syncs first and last, so that both have everything. */
  const syncAll = async (): Promise<void> => {
    await peer.sync();
    await send([connect, planner.sync(), lookAt(true)]);
    await peer.sync();
    const theirs = await peer.check();
    await send([checkAll(model, hearDigest)]);
    if (theirs !== digest) throw new Error(`after syncing, the digests differ: ${theirs} and ${digest}`);
    personsGit(url, 'fsck', '--full');
  };

  return {
    round,
    check,
    kills: () => kills,
    async finish() {
      await check();
      if (hasRemote) await syncAll();
      const lost = findLostTexts(home, model.texts);
      if (lost.length > 0) throw new Error(lost.join('\n'));
    },
  };
};

type Kill = NonNullable<Order['kill']> | { readonly at: number; readonly afterMs: number; readonly group: boolean };

/**
 * After these nothing is open: they reconcile the store and run the commands that a killed process left in the queue.
 * (An import may have nothing to do.)
 */
const reconciling: ReadonlySet<string> = new Set(['perform', 'capture']);

const kindOf = (asked: Asked | undefined): string =>
  asked === undefined ? 'finish' : asked.do === 'perform' ? (asked.sent[0]?.command.kind ?? '') : asked.do;

const count = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** Reads the store, which may be unsettled: then a reader sees whatever is there. */
const lookAt = (settled: boolean): Planned => ({
  asked: { do: 'look', settled },
  began: () => undefined,
  told: () => [],
});

/**
 * A person renames a file into another folder while the text of a killed edit still waits to be checked out: that text
 * then appears at the usual path as well, and the next event on the note merges the two files.
 */
const isRenamedBeforeCheckout = /^repeated-id: .*\/d\d+\//;

const checkAll = (model: Model, hearDigest: (digest: string) => void): Planned => ({
  asked: { do: 'check' },
  began: () => undefined,
  told(told: Told) {
    if (told.tell !== 'checked') return [];
    const { problems, verified, repeated, adopted, digest } = told.report;
    hearDigest(digest);
    return [
      ...problems.filter((problem) => !isRenamedBeforeCheckout.test(problem) && !isLeftPrivate(problem)),
      ...(verified ? [] : ['replay --verify: the index did not match the journals']),
      // A file that only a kill left behind must not be mistaken for a person's work.
      ...(adopted > model.handActs ? [`${adopted} hand edits were adopted, but there were ${model.handActs}`] : []),
      ...repeated.map((id) => `command ${id} was recorded twice`),
    ];
  },
});
