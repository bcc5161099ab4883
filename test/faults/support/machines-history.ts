/** Steps of people on the history itself, with plain git. */
import { readFileSync, writeFileSync } from 'node:fs';
import { personsGit, writeCommand } from '../../support/store.js';
import { performStep } from './machines-commands.js';
import { bodyOf, type Fleet, type Machine, noteFiles } from './machines-fleet.js';
import { adoptStep, tryGit } from './machines-hand.js';
import { tokensIn } from './machines-ledger.js';
import { syncStep } from './machines-sync.js';
import { typeLine, withLine } from './machines-unfinished.js';

/** Returns the journal's folder once no process of ours uses it and nothing waits to be adopted. */
export const quietFolder = async (fleet: Fleet, machine: Machine): Promise<string | undefined> => {
  await adoptStep(fleet, machine);
  await machine.memory.finish();
  const { folder, head } = machine.memory.journals.portable;
  return head() === undefined ? undefined : folder;
};

const headOf = (folder: string): string => personsGit(folder, 'rev-parse', 'HEAD').trim();

/** Amends a commit, published or not: its new text counts as a hand edit. */
export const amendedStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random } = fleet;
  if (fleet.isReachable && random.chance(0.5)) await syncStep(fleet, machine);
  const folder = await quietFolder(fleet, machine);
  const file = pickPortableFile(fleet, machine);
  if (folder === undefined || file === undefined) return;
  typeLine(fleet, machine, file);
  noteRewritten(fleet, folder, 1);
  const done = tryGit(fleet, machine, folder, 'commit', '-aq', '--amend', '--no-edit');
  fleet.log(machine, `a person amended: ${done ? headOf(folder) : 'git refused'}`);
  await somethingSmall(fleet, machine, file.id);
};

const pickPortableFile = ({ random }: Fleet, machine: Machine) => {
  const files = noteFiles(machine).filter(({ journal }) => journal === 'portable');
  return files.length === 0 ? undefined : random.pick(files);
};

export const somethingSmall = async (fleet: Fleet, machine: Machine, id: string): Promise<void> => {
  const { random, ledger } = fleet;
  if (random.chance(0.4)) {
    const token = ledger.newToken();
    const command = { kind: 'tag', id, add: [token], remove: [] } as const;
    await performStep(fleet, machine, { command, brings: [{ token, kind: 'tag' }], takes: [] });
  }
  if (random.chance(0.6)) await syncStep(fleet, machine);
};

/** What a person rewrites after it was published stays in the history beside its copy, with the same event's id. */
export const noteRewritten = ({ reusedEvents }: Fleet, folder: string, commits: number): void => {
  const format = '--format=%(trailers:key=Event,valueonly,separator=%x0a)';
  for (const id of personsGit(folder, 'log', `-${commits}`, format, 'main').split('\n'))
    if (id !== '') reusedEvents.add(id);
};

/** A person reuses a message, as with `git commit -C` or a changed cherry-pick. */
export const reusedStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random } = fleet;
  const folder = await quietFolder(fleet, machine);
  const file = pickPortableFile(fleet, machine);
  if (folder === undefined || file === undefined) return;
  const commits = personsGit(folder, 'log', '-20', '--no-merges', '--format=%H', 'main').split('\n').filter(Boolean);
  if (commits.length === 0) return;
  const commit = random.pick(commits);
  for (const id of personsGit(folder, 'log', '-1', '--format=%(trailers:key=Event,valueonly)', commit).split('\n'))
    if (id !== '') fleet.reusedEvents.add(id);
  typeLine(fleet, machine, file);
  const done = tryGit(fleet, machine, folder, 'commit', '-aq', '-C', commit);
  fleet.log(machine, `a person committed with the message of ${commit}: ${done ? headOf(folder) : 'git refused'}`);
  await somethingSmall(fleet, machine, file.id);
};

/** A person swaps two commits, as in an interactive rebase. */
export const reorderedStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  if (fleet.isReachable && random.chance(0.5)) await syncStep(fleet, machine);
  if ((await quietFolder(fleet, machine)) === undefined) return;
  for (let count = 0; count < 2; count += 1) {
    const token = ledger.newToken();
    const command = writeCommand({ title: `to be reordered ${token}`, body: bodyOf(token), project: 'p' });
    await performStep(fleet, machine, { command, brings: [{ token, kind: 'body' }], takes: [] });
  }
  await machine.memory.finish();
  const { folder } = machine.memory.journals.portable;
  // `reset --hard` would overwrite a file that was left because its note is machine-local: careful people look first.
  if (personsGit(folder, 'status', '--porcelain', '--untracked-files=no') !== '') return;
  const [second, first] = personsGit(folder, 'log', '-2', '--format=%H', 'main').split('\n');
  noteRewritten(fleet, folder, 2);
  const done =
    tryGit(fleet, machine, folder, 'reset', '-q', '--hard', 'HEAD~2') &&
    tryGit(fleet, machine, folder, 'cherry-pick', second ?? '', first ?? '');
  if (!done) fleet.fail(`${machine.name} two commits could not be reordered`);
  fleet.log(machine, `a person reordered ${first} and ${second}: ${headOf(folder)}`);
  if (fleet.isReachable && random.chance(0.6)) await syncStep(fleet, machine);
};

/** A text that a person's merge dropped stays dropped, even when the merge is re-appended to a newer remote. */
export const mergedOursStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  const other = fleet.machines.find((one) => one !== machine && random.chance(0.5));
  if (other === undefined || !fleet.isReachable) return;
  await syncStep(fleet, other);
  await syncStep(fleet, machine);
  const both = new Set(noteFiles(other).map(({ id }) => id));
  const files = noteFiles(machine).filter(({ journal, id }) => journal === 'portable' && both.has(id));
  if (files.length === 0) return;
  const { id } = random.pick(files);
  const dropped = random.chance(0.5)
    ? await dropOfRemote(fleet, machine, other, id)
    : await dropOfBranch(fleet, machine, id);
  if (dropped === undefined) return;
  ledger.takeOut(dropped);
  const meanwhile = random.weighted({ nothing: 2, other: 4, same: 4 });
  if (meanwhile === 'other') {
    const token = ledger.newToken();
    const command = writeCommand({ title: `meanwhile ${token}`, body: bodyOf(token), project: 'p' });
    await performStep(fleet, other, { command, brings: [{ token, kind: 'body' }], takes: [] });
  } else if (meanwhile === 'same') await performStep(fleet, other, lineAt(fleet, id, await bodyAt(other, id), 5));
  await syncStep(fleet, other);
  await syncStep(fleet, machine);
  // A conflict copy asks again and decides nothing; the note itself then has the text of the remote.
  const notes = noteFiles(machine).map(({ path }) => readFileSync(path, 'utf8'));
  const isAsked = notes.some((text) => /^prov_source: merge$/m.test(text) && text.includes(`conflicts-with ${id}`));
  const back = tokensIn(isAsked ? '' : notes.join('\n'));
  const broughtBack = dropped.filter((token) => back.has(token));
  if (broughtBack.length > 0)
    fleet.fail(`${machine.name} a merge dropped ${broughtBack.join(' ')} on purpose, and a sync brought it back`);
};

/** Drops a text that another machine published; returns the tokens that the merge dropped. */
const dropOfRemote = async (
  fleet: Fleet,
  machine: Machine,
  other: Machine,
  id: string,
): Promise<readonly string[] | undefined> => {
  await performStep(fleet, other, lineAt(fleet, id, await bodyAt(other, id), 1));
  // Either the same line, which would conflict, or another one, which would be merged.
  await performStep(fleet, machine, lineAt(fleet, id, await bodyAt(machine, id), 1 + fleet.random.below(4)));
  await syncStep(fleet, other);
  const folder = await quietFolder(fleet, machine);
  if (folder === undefined || !tryGit(fleet, machine, folder, 'fetch', '-q', fleet.remote, 'main')) return undefined;
  return mergeKeepingOurs(fleet, machine, folder, 'FETCH_HEAD');
};

/** Drops a text that the person tried on a branch, which no other machine has seen. */
const dropOfBranch = async (fleet: Fleet, machine: Machine, id: string): Promise<readonly string[] | undefined> => {
  const { ledger, step } = fleet;
  const folder = await quietFolder(fleet, machine);
  const file = noteFiles(machine).find((one) => one.journal === 'portable' && one.id === id);
  if (folder === undefined || file === undefined) return undefined;
  const branch = `side-${step}`;
  if (!tryGit(fleet, machine, folder, 'switch', '-qc', branch)) return undefined;
  const token = ledger.newToken();
  writeFileSync(file.path, withLine(readFileSync(file.path, 'utf8'), token));
  const done =
    tryGit(fleet, machine, folder, 'commit', '-aqm', 'on the side') &&
    tryGit(fleet, machine, folder, 'switch', '-q', 'main');
  if (!done) fleet.fail(`${machine.name} a person could not work on a branch`);
  ledger.acknowledge({ token, kind: 'body', machine: machine.name, journal: 'portable', step });
  fleet.log(machine, `a person tried ${token} in ${id} on a branch`);
  if (fleet.random.chance(0.5)) await somethingSmall(fleet, machine, id);
  await machine.memory.finish();
  const dropped = mergeKeepingOurs(fleet, machine, folder, branch);
  tryGit(fleet, machine, folder, 'branch', '-qD', branch);
  return dropped ?? fleet.fail(`${machine.name} a person could not merge a branch`);
};

const mergeKeepingOurs = (
  fleet: Fleet,
  machine: Machine,
  folder: string,
  theirs: string,
): readonly string[] | undefined => {
  const words = tokensInTree(folder, theirs);
  const merged = tryGit(fleet, machine, folder, 'merge', '-q', '--no-ff', '-s', 'ours', '-m', 'not that', theirs);
  const ours = tokensInTree(folder, 'HEAD');
  const dropped = [...words].filter((token) => !ours.has(token));
  fleet.log(
    machine,
    `a person merged, keeping ours: ${merged ? headOf(folder) : 'git refused'} without ${dropped.join(' ')}`,
  );
  return merged ? dropped : undefined;
};

const bodyAt = async (machine: Machine, id: string): Promise<string> => {
  const shown = await machine.memory.show(id);
  return shown.ok ? (shown.answer.body ?? '') : '';
};

const lineAt = ({ ledger }: Fleet, id: string, body: string, at: number) => {
  const token = ledger.newToken();
  const lines = body.split('\n');
  const before = lines[at] ?? '';
  lines[at] = `line ${token}`;
  const set = { body: lines.join('\n') };
  return {
    command: { kind: 'edit', id, set },
    brings: [{ token, kind: 'body' }],
    takes: [...tokensIn(before)],
  } as const;
};

const tokensInTree = (folder: string, commit: string): ReadonlySet<string> => {
  try {
    return tokensIn(personsGit(folder, 'grep', '-hE', 'zq[0-9]{6}zq', commit, '--', '*.md'));
  } catch {
    return new Set();
  }
};
