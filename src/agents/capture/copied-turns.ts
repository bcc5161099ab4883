/** Removes turns that a session copied from another one. Pure. */
import type { Session } from './session.js';

/**
 * Removes the turns that a fork copied from its parent session, and everything that belongs to them: compactions up to
 * the end of the last one, subagents that they started, the time before the first own turn.
 */
export const withoutCopiedTurns = (session: Session, isForeign: (uuid: string) => boolean): Session => {
  const { turns } = session;
  const foreign = turns.map(({ uuid }) => uuid !== undefined && isForeign(uuid));
  const last = foreign.lastIndexOf(true);
  if (last === -1) return session;
  // A turn without a uuid was copied together with the turns after it.
  const own = turns.filter(({ uuid }, i) => !foreign[i] && !(uuid === undefined && i < last));
  const ownFrom = turns[last + 1]?.offset ?? Number.POSITIVE_INFINITY;
  const isOwn = (_: unknown, i: number): boolean => (session.compactionOffsets[i] ?? ownFrom) >= ownFrom;
  return {
    ...session,
    turns: own,
    compactions: session.compactions.filter(isOwn),
    compactionOffsets: session.compactionOffsets.filter(isOwn),
    subagents: session.subagents.filter(({ startedIn }) => startedIn === undefined || !isForeign(startedIn)),
    startedAtMs: own[0]?.atMs ?? session.startedAtMs,
  };
};
