/** Checks the remote, how syncing went, and whether the machines' clocks agree. */

import { pendingCheckout } from '../../commands/worktree/move-progress.js';
import { acceptedHead, rescuePrefix } from '../../events/git/branch.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { runGit } from '../../events/git/git-process.js';
import { parseTime } from '../../events/time.js';
import { isRefusal } from '../../files/settings-file.js';
import { askState, passOverDamage } from '../../state/state-file.js';
import { readLastSync, readTrouble } from '../../state/sync-state.js';
import { findRemote, originUrl, setOrigin } from '../../sync/remote.js';
import { type Check, type CheckInput, countOf, type Finding, nameSome, ok, problem, spanOf, warning } from './check.js';

const longAgoMs = 7 * 24 * 3_600_000;

export const remoteCheck: Check = {
  name: 'remote',
  look: async (examined) => {
    const { journals, home, environment } = examined;
    const journal = journals.portable;
    if (examined.config === undefined || !examined.gitWorks || !journal.exists()) return [];
    const remote = findRemote({ settings: { home }, journals }, environment);
    if (remote === undefined) return [ok('remote', 'none: notes stay on this machine')];
    if (isRefusal(remote)) return [problem('remote', remote.message, { next: remote.next })];
    const findings = [...missingOrigin(examined, remote.url), ...(await oddHeads(examined))];
    findings.push(...((await askState(examined, (state) => reviewSyncs(examined, state)).catch(passOverDamage)) ?? []));
    return findings.length > 0 ? findings : [ok('remote', `synced with ${remote.shown}`)];
  },
};

/** Reports a configured remote that is not git's origin; one from the environment need not be. */
const missingOrigin = ({ journals, withMemory, environment }: CheckInput, url: string): readonly Finding[] => {
  const origin = originUrl(journals.portable.folders.gitDir);
  if (origin === url || environment['ANAMNESIS_GIT_REMOTE'] !== undefined) return [];
  const what = origin === undefined ? 'git has no origin' : 'git has another origin';
  return [
    warning('remote', `${what}, so plain git does not reach the configured remote`, {
      next: 'set it again: anamnesis remote set ADDRESS',
      fix: {
        plan: "set git's origin to the configured remote",
        carryOut: async () => {
          await withMemory((memory) => memory.exclusively(() => setOrigin(memory, url)));
          return "set git's origin";
        },
      },
    }),
  ];
};

const oddHeads = async ({ journals }: CheckInput): Promise<readonly Finding[]> => {
  const journal = journals.portable;
  const head = journal.head();
  const accepted = acceptedHead(journal.folders);
  const findings: Finding[] = [];
  if (head !== undefined && accepted !== undefined && !(await journal.contains(head, accepted))) {
    findings.push(
      warning('remote', 'our branch lacks what was synced before: someone moved or reset it by hand', {
        next: 'the next sync restores it: anamnesis sync',
      }),
    );
  }
  const names = await refsBelow(journal, rescuePrefix);
  if (names.length > 0) {
    const message = `${countOf(names.length, 'head was', 'heads were')} kept when a remote was refused: ${nameSome(names)}`;
    const next = `once everything in it is restored, remove it: git -C ${journal.folder} update-ref -d ${names[0]}`;
    findings.push(warning('remote', message, { next }));
  }
  return findings;
};

const refsBelow = async ({ folders }: GitJournal, prefix: string): Promise<readonly string[]> => {
  const output = await runGit(folders, ['for-each-ref', '--format=%(refname)', prefix]);
  return output.toString('utf8').split('\n').filter(Boolean);
};

const reviewSyncs = (examined: CheckInput, state: Parameters<typeof readTrouble>[0]): readonly Finding[] => {
  const findings: Finding[] = [];
  const trouble = readTrouble(state);
  const last = readLastSync(state);
  if (trouble !== undefined) {
    const { message, next, failures, since } = trouble;
    findings.push(
      warning('remote', `not synced since ${since}, ${countOf(failures, 'attempt')}: ${message}`, { next }),
    );
  } else if (last !== undefined) {
    const agoMs = examined.nowMs() - (parseTime(last.at) ?? 0);
    if (agoMs > longAgoMs)
      findings.push(warning('remote', `last synced ${spanOf(agoMs)} ago`, { next: 'run: anamnesis sync' }));
  }
  if (pendingCheckout({ state }) !== undefined) {
    findings.push(
      warning('remote', 'a sync was killed before it checked out every file; no note is lost', {
        next: 'the next sync resumes: anamnesis sync',
        fix: {
          plan: 'check out the files that a killed sync did not',
          carryOut: async () => {
            await examined.withMemory((memory) => memory.adopt('hold'));
            return 'checked them out';
          },
        },
      }),
    );
  }
  return findings;
};

const skewMs = 24 * 3_600_000;
/** How many of the newest commits are checked. */
const maxCommits = 500;

/** A machine whose clock is ahead wins every merge of single values, and its notes stay on top. */
export const clockCheck: Check = {
  name: 'clocks',
  look: async (examined) => {
    const journal = examined.journals.portable;
    const head = examined.gitWorks && journal.exists() ? journal.head() : undefined;
    if (head === undefined) return [];
    const output = await runGit(journal.folders, ['log', `--max-count=${maxCommits}`, '--format=%ct %ae', head, '--']);
    const ahead = new Map<string, number>();
    for (const line of output.toString('utf8').split('\n')) {
      const [seconds = '', author = ''] = line.split(' ');
      const byMs = Number(seconds) * 1000 - examined.nowMs();
      const machine = author.replace(/^anamnesis@/, '');
      if (byMs > skewMs && byMs > (ahead.get(machine) ?? 0)) ahead.set(machine, byMs);
    }
    if (ahead.size === 0) return [ok('clocks', 'no event is dated in the future')];
    const [[machine, byMs] = ['', 0]] = [...ahead].sort((one, other) => other[1] - one[1]);
    const whose = machine === examined.machine ? 'this machine wrote an event' : `${machine} wrote an event`;
    return [
      warning('clocks', `${whose} dated ${spanOf(byMs)} from now: its clock is ahead, or the one here is behind`, {
        next: 'set both clocks from the network; events with a wrong date keep it, and are ordered by it',
      }),
    ];
  },
};
