/** Records, for later inspection, why a sync failed through a fault of this machine or of the program. */
import { hideCredentials } from '../events/git/remote/remote-address.js';
import { maskText } from '../events/note/mask-text.js';
import { formatTime } from '../events/time.js';
import { faultOf } from '../state/environment-probe.js';
import { type SyncTrouble, writeTrouble } from '../state/sync-state.js';
import type { Memory } from '../store/memory.js';
import type { Remote } from './remote.js';

export type SyncFailure = Pick<SyncTrouble, 'code' | 'message' | 'next'>;

/** Never throws: the original error says more than the failure to record it. */
export const keepFailure = async (memory: Memory, remote: Remote, error: unknown): Promise<void> => {
  try {
    const failure = describeFailure(error, memory.settings.home, remote);
    const store = await memory.store();
    const nowMs = store.nowMs();
    writeTrouble(store.state, failure, nowMs, formatTime(nowMs));
    memory.log(`sync: ${failure.code}: ${failure.message}`);
  } catch {
    // The state can't be written either.
  }
};

/** An unforeseen error may quote an address or a secret, which are removed from it. */
export const describeFailure = (
  error: unknown,
  home: string,
  { url, shown }: Pick<Remote, 'url' | 'shown'>,
): SyncFailure => {
  const fault = faultOf(error, home);
  if (fault !== undefined) return { code: fault.code, message: fault.message, next: fault.next };
  const said = error instanceof Error ? error.message || error.name : String(error);
  const [first = ''] = said
    .trimStart()
    .slice(0, maxRead)
    .split(/[\r\n]/, 1);
  const told = maskText(hideCredentials(first.replaceAll(url, () => shown))).trim();
  const message = told.length > maxChars ? `${told.slice(0, maxChars)}…` : told;
  return { code: 'internal', message: `internal error: ${message}`, next: tellMore };
};

const tellMore = 'ANAMNESIS_DEBUG=1 anamnesis sync shows where; the next sync tries again';

/** How many UTF-16 units of an error are read, and how many are kept. */
const maxRead = 4096;
const maxChars = 300;
