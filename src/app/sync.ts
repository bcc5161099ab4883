/** Use cases across machines: exchanging notes, listing the machines, and resolving conflicts. */
import { readConfig } from '../config/settings.js';
import type { ConflictFilter } from '../projections/index/conflicts.js';
import type { LastSync, SyncTrouble } from '../state/sync-state.js';
import type { Answer, Asker } from '../store/memory.js';
import type { Found } from '../store/reading.js';
import type { FleetMachine } from '../sync/fleet.js';
import type { Remote, Sharing } from '../sync/remote.js';
import type { SyncAnswer, SyncOptions } from '../sync/syncing.js';
import type { Conflict, ConflictPair, Conflicts, InBoth, LostJson, ResolveAsked } from './conflicts.js';
import type { Stores } from './stores.js';

export type { Conflict, ConflictPair, FleetMachine, InBoth, LostJson };
export type ResolveVerdict = ResolveAsked['verdict'];

export type RemoteAnswer = {
  /** Null if notes stay on this machine. */
  readonly remote: string | null;
  readonly kind: Remote['kind'] | null;
  readonly source: Remote['source'] | null;
  readonly last: LastSync | null;
  readonly trouble: SyncTrouble | null;
};

export type Sync = {
  /** Never throws because of the remote; a problem with it is the answer's `trouble`. */
  now(options: SyncOptions): Promise<SyncAnswer>;
  /** Syncs after something was recorded; undefined if the settings turn that off or there is no remote. */
  afterwards(): Promise<SyncAnswer | undefined>;
  /** Syncs from a long-lived process; does nothing without a remote. */
  regularly(signal: AbortSignal): Promise<void>;
  remote(): Promise<Found<RemoteAnswer>>;
  /** Doesn't fetch yet. */
  setRemote(
    address: string,
    sharing: Sharing,
  ): Promise<Found<{ readonly remote: string; readonly kind: Remote['kind'] }>>;
  removeRemote(): Promise<Found<{ readonly removed: boolean }>>;
  fleet(): Promise<readonly FleetMachine[]>;
  conflicts(
    filter: ConflictFilter,
    most: { readonly conflicts: number; readonly diffLines: number },
  ): Promise<Conflicts & { readonly in_both: readonly InBoth[] }>;
  /** Values that merges dropped, newest first. */
  lostValues(limit: number): Promise<readonly LostJson[]>;
  /**
   * `given` is the id of a conflict copy, or of a note with exactly one conflict; 'settled' if that has been resolved.
   */
  conflict(given: string): Promise<Found<ConflictPair | 'settled'>>;
  /** Returns both bodies in one text, with git's markers where they differ; undefined if the note is gone. */
  markedText(pair: ConflictPair): Promise<string | undefined>;
  resolve(pair: Omit<ConflictPair, 'sides'>, asked: ResolveAsked, asker?: Asker): Promise<Answer>;
};

export const openSync = (stores: Stores): Sync => ({
  async now(options) {
    const { syncStore } = await import('../sync/syncing.js');
    return syncStore(await stores.toWrite(), options);
  },
  async afterwards() {
    const { findRemote } = await import('../sync/remote.js');
    const memory = await stores.toWrite();
    if (!readConfig(memory.settings.home, process.env).sync || findRemote(memory) === undefined) return undefined;
    const { syncStore } = await import('../sync/syncing.js');
    return syncStore(memory, { background: true });
  },
  async regularly(signal) {
    const { findRemote } = await import('../sync/remote.js');
    const memory = await stores.toWrite();
    if (findRemote(memory) === undefined) return;
    const { syncStore } = await import('../sync/syncing.js');
    await syncStore(memory, { background: true, signal });
  },
  async remote() {
    const { findRemote } = await import('../sync/remote.js');
    const { readLastSync, readTrouble } = await import('../state/sync-state.js');
    const memory = await stores.toWrite();
    const remote = findRemote(memory);
    if (remote !== undefined && 'code' in remote) return { ok: false, refusal: remote };
    const state = memory.exists() ? (await memory.store()).state : undefined;
    return {
      ok: true,
      answer: {
        remote: remote?.shown ?? null,
        kind: remote?.kind ?? null,
        source: remote?.source ?? null,
        last: (state === undefined ? undefined : readLastSync(state)) ?? null,
        trouble: (state === undefined ? undefined : readTrouble(state)) ?? null,
      },
    };
  },
  async setRemote(address, sharing) {
    const { setRemote } = await import('../sync/remote.js');
    const set = await setRemote(await stores.toWrite(), address, sharing);
    return 'code' in set ? { ok: false, refusal: set } : { ok: true, answer: { remote: set.shown, kind: set.kind } };
  },
  async removeRemote() {
    const { removeRemote } = await import('../sync/remote.js');
    const removed = await removeRemote(await stores.toWrite());
    return typeof removed === 'boolean' ? { ok: true, answer: { removed } } : { ok: false, refusal: removed };
  },
  async fleet() {
    const { readFleet } = await import('../sync/fleet.js');
    return readFleet(await stores.toWrite());
  },
  async conflicts(filter, most) {
    const { readConflicts, readInBoth } = await import('./conflicts.js');
    const reading = await stores.toRead();
    return { ...(await readConflicts(reading, filter, most)), in_both: await readInBoth(reading) };
  },
  async lostValues(limit) {
    const { readLostValues } = await import('./conflicts.js');
    return readLostValues(await stores.toRead(), limit);
  },
  async conflict(given) {
    const { findConflict } = await import('./conflicts.js');
    const memory = await stores.toWrite();
    const id = await memory.resolveId(given);
    return id.ok ? findConflict(memory, id.answer) : id;
  },
  async markedText({ copy, note }) {
    const { markConflict } = await import('../commands/conflict-marks.js');
    return note === undefined ? undefined : markConflict(note.body ?? '', copy.body ?? '');
  },
  async resolve(pair, asked, asker) {
    const { resolveConflict } = await import('./conflicts.js');
    return resolveConflict(await stores.toWrite(), pair, asked, asker);
  },
});
