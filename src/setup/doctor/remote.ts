/** Checks the remote, and how syncing went. */
import { rescuePrefix } from '../../events/git/branch.js';
import { runGit } from '../../events/git/git-process.js';
import { parseTime } from '../../events/time.js';
import { isRefusal } from '../../files/settings-file.js';
import { askState, passOverDamage } from '../../state/state-file.js';
import { readLastSync, readTrouble } from '../../state/sync-state.js';
import { findRemote, originUrl, setOrigin } from '../../sync/remote.js';
import {
  type Check,
  type CheckInput,
  countOf,
  nameSome,
  problem,
  type Remark,
  spanOf,
  verdictOf,
  warning,
} from './check.js';

const longAgoMs = 7 * 24 * 3_600_000;

export const remoteCheck: Check = {
  name: 'remote',
  needs: ['git'],
  look: async (examined) => {
    const { journals, home, environment } = examined;
    if (examined.config === undefined || !journals.portable.exists()) return undefined;
    const remote = findRemote({ settings: { home }, journals }, environment);
    if (remote === undefined) return 'none: notes stay on this machine';
    if (isRefusal(remote)) return [problem(remote.message, remote.next)];
    const syncs = await askState(examined, (state) => reviewSyncs(examined, state)).catch(passOverDamage);
    return verdictOf(
      [missingOrigin(examined, remote.url), await keptHeads(examined), ...(syncs ?? [])],
      `synced with ${remote.shown}`,
    );
  },
};

/** Reports a configured remote that is not git's origin; one from the environment need not be. */
const missingOrigin = ({ journals, withMemory, environment }: CheckInput, url: string): Remark | undefined => {
  const origin = originUrl(journals.portable.folders.gitDir);
  if (origin === url || environment['ANAMNESIS_GIT_REMOTE'] !== undefined) return undefined;
  const what = origin === undefined ? 'git has no origin' : 'git has another origin';
  const fix = {
    plan: "set git's origin to the configured remote",
    carryOut: async () => {
      await withMemory((memory) => memory.exclusively(() => setOrigin(memory, url)));
      return "set git's origin";
    },
  };
  const next = 'set it again: anamnesis remote set ADDRESS';
  return warning(`${what}, so plain git does not reach the configured remote`, next, { fix });
};

const keptHeads = async ({ journals }: CheckInput): Promise<Remark | undefined> => {
  const journal = journals.portable;
  if (journal.head() === undefined) return undefined;
  // What main contains needs no rescue.
  const unmerged = ['for-each-ref', '--format=%(refname)', '--no-merged=refs/heads/main', rescuePrefix];
  const kept = (await runGit(journal.folders, unmerged)).toString('utf8').split('\n').filter(Boolean);
  if (kept.length === 0) return undefined;
  return warning(
    `${countOf(kept.length, 'head was', 'heads were')} kept when the remote or another git program rewrote main: ${nameSome(kept)}`,
    `once everything in it is restored, remove it: git -C ${journal.folder} update-ref -d ${kept[0]}`,
  );
};

const reviewSyncs = (
  examined: CheckInput,
  state: Parameters<typeof readTrouble>[0],
): readonly (Remark | false | undefined)[] => {
  const trouble = readTrouble(state);
  const last = trouble === undefined ? readLastSync(state) : undefined;
  const agoMs = last === undefined ? 0 : examined.nowMs() - (parseTime(last.at) ?? 0);
  return [
    trouble &&
      warning(
        `not synced since ${trouble.since}, ${countOf(trouble.failures, 'attempt')}: ${trouble.message}`,
        trouble.next,
      ),
    agoMs > longAgoMs && warning(`last synced ${spanOf(agoMs)} ago`, 'run: anamnesis sync'),
  ];
};
