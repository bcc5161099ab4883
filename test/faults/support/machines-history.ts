/** What people do to the history itself, with plain git. */
import { readFileSync } from 'node:fs';
import { personsGit, writeCommand } from '../../support/store.js';
import { performStep } from './machines-commands.js';
import { bodyOf, type Fleet, type Machine, noteFiles } from './machines-fleet.js';
import { adoptStep, tryGit } from './machines-hand.js';
import { tokensIn } from './machines-ledger.js';
import { syncStep } from './machines-sync.js';
import { typeLine } from './machines-unfinished.js';

/** Answers the journal's folder once nothing of ours is at work in it and nothing waits to be taken in. */
const quietFolder = async (fleet: Fleet, machine: Machine): Promise<string | undefined> => {
  await adoptStep(fleet, machine);
  await machine.memory.finish();
  const { folder, head } = machine.memory.journals.memory;
  return head() === undefined ? undefined : folder;
};

const headOf = (folder: string): string => personsGit(folder, 'rev-parse', 'HEAD').trim();

/** The words of an amended commit count, published or not: what differs is an edit by hand. */
export const amendedStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random } = fleet;
  if (fleet.isReachable && random.chance(0.5)) await syncStep(fleet, machine);
  const folder = await quietFolder(fleet, machine);
  const file = memoryFile(fleet, machine);
  if (folder === undefined || file === undefined) return;
  typeLine(fleet, machine, file);
  const done = tryGit(fleet, machine, folder, 'commit', '-aq', '--amend', '--no-edit');
  fleet.log(machine, `a person amended: ${done ? headOf(folder) : 'git refused'}`);
  await somethingSmall(fleet, machine, file.id);
};

const memoryFile = ({ random }: Fleet, machine: Machine) => {
  const files = noteFiles(machine).filter(({ journal }) => journal === 'memory');
  return files.length === 0 ? undefined : random.pick(files);
};

const somethingSmall = async (fleet: Fleet, machine: Machine, id: string): Promise<void> => {
  const { random, ledger } = fleet;
  if (random.chance(0.4)) {
    const token = ledger.newToken();
    const command = { kind: 'tag', id, add: [token], remove: [] } as const;
    await performStep(fleet, machine, { command, brings: [{ token, kind: 'tag' }], takes: [] });
  }
  if (random.chance(0.6)) await syncStep(fleet, machine);
};

/** As a person does who repeats a message: `git commit -C`, or a cherry-pick that was changed. */
export const reusedStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random } = fleet;
  const folder = await quietFolder(fleet, machine);
  const file = memoryFile(fleet, machine);
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

/** Two commits change places, as in an interactive rebase. */
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
  const { folder } = machine.memory.journals.memory;
  const [second, first] = personsGit(folder, 'log', '-2', '--format=%H', 'main').split('\n');
  const done =
    tryGit(fleet, machine, folder, 'reset', '-q', '--hard', 'HEAD~2') &&
    tryGit(fleet, machine, folder, 'cherry-pick', second ?? '', first ?? '');
  if (!done) fleet.fail(`${machine.name} two commits could not be reordered`);
  fleet.log(machine, `a person reordered ${first} and ${second}: ${headOf(folder)}`);
  if (fleet.isReachable && random.chance(0.6)) await syncStep(fleet, machine);
};

/** What the merge dropped stays dropped, also when the remote has moved on since. */
export const mergedOursStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  const other = fleet.machines.find((one) => one !== machine && random.chance(0.5));
  if (other === undefined || !fleet.isReachable) return;
  await syncStep(fleet, other);
  await syncStep(fleet, machine);
  const both = new Set(noteFiles(other).map(({ id }) => id));
  const files = noteFiles(machine).filter(({ journal, id }) => journal === 'memory' && both.has(id));
  if (files.length === 0) return;
  const { id } = random.pick(files);
  await performStep(fleet, other, lineAt(fleet, id, await bodyAt(other, id), 1));
  // The same line, which would clash, or another one, which would be merged.
  await performStep(fleet, machine, lineAt(fleet, id, await bodyAt(machine, id), 1 + random.below(4)));
  await syncStep(fleet, other);
  const folder = await quietFolder(fleet, machine);
  if (folder === undefined) return;
  const fetched = tryGit(fleet, machine, folder, 'fetch', '-q', fleet.remote, 'main');
  const theirs = tokensInTree(folder, 'FETCH_HEAD');
  const merged = fetched && tryGit(fleet, machine, folder, 'merge', '-q', '-s', 'ours', '--no-edit', 'FETCH_HEAD');
  const ours = tokensInTree(folder, 'HEAD');
  const dropped = [...theirs].filter((token) => !ours.has(token));
  fleet.log(
    machine,
    `a person merged, keeping ours: ${merged ? headOf(folder) : 'git refused'} without ${dropped.join(' ')}`,
  );
  if (!merged) return;
  ledger.takeOut(dropped);
  if (random.chance(0.7)) {
    // The remote moves on, by something that has nothing to do with it.
    const token = ledger.newToken();
    const command = writeCommand({ title: `meanwhile ${token}`, body: bodyOf(token), project: 'p' });
    await performStep(fleet, other, { command, brings: [{ token, kind: 'body' }], takes: [] });
    await syncStep(fleet, other);
  }
  await syncStep(fleet, machine);
  // Asking again, in a conflict copy, is no decision.
  const notes = noteFiles(machine).map(({ path }) => readFileSync(path, 'utf8'));
  const back = tokensIn(notes.filter((text) => !/^prov_source: merge$/m.test(text)).join('\n'));
  const turned = dropped.filter((token) => back.has(token));
  if (turned.length > 0)
    fleet.fail(`${machine.name} a merge dropped ${turned.join(' ')} on purpose, and a sync brought it back`);
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
