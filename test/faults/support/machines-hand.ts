/** Steps of people on the files and the repository of a machine, and on a clone of the remote. */
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalName, journalNames } from '../../../src/events/note/note.js';
import { formatTime } from '../../../src/events/time.js';
import { importPath } from '../../../src/import/importing.js';
import { personsGit } from '../../support/store.js';
import { changeLine } from './machines-commands.js';
import { type Fleet, type FoundNote, type Machine, noteFiles, rewriteSource, without } from './machines-fleet.js';
import { tokensIn } from './machines-ledger.js';
import { takenIn } from './machines-private.js';

/** Changes a line or adds one at the end of the file, as an editor would. */
export const handEditStep = (fleet: Fleet, machine: Machine): void => {
  const { random, ledger, clockMs } = fleet;
  const files = noteFiles(machine);
  if (files.length === 0) return;
  const file = random.pick(files);
  const token = ledger.newToken();
  const takes = rewriteByHand(fleet, file.path, token);
  const seconds = (clockMs + machine.skewMs) / 1000;
  utimesSync(file.path, seconds, seconds);
  saveByHand(fleet, machine, file, token, takes);
};

const saveByHand = (
  { ledger, step, log }: Fleet,
  machine: Machine,
  { journal, id }: FoundNote,
  token: string,
  takes: readonly string[],
): void => {
  ledger.takeOutByHand(takes);
  ledger.savedByHand(token, machine.name);
  ledger.acknowledge({ token, kind: 'body', machine: machine.name, journal, step }, id);
  log(machine, `by hand ${journal} ${id} ${token}, without ${takes.join(' ')}`);
};

const rewriteByHand = ({ random }: Fleet, path: string, token: string): readonly string[] => {
  const before = readFileSync(path, 'utf8');
  const end = before.indexOf('\n---\n') + 5;
  const [front, body] = [before.slice(0, end), before.slice(end)];
  const after = random.chance(0.3) ? `${before}by hand ${token}\n` : front + changeLine(body, random.below(6), token);
  writeFileSync(path, after);
  return without(tokensIn(before), tokensIn(after));
};

/** Removes one file at a time: more of them would rightly wait for confirmation. */
export const handDeleteStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  await adoptStep(fleet, machine);
  const files = noteFiles(machine);
  if (files.length === 0) return;
  const { path, id, journal } = fleet.random.pick(files);
  fleet.ledger.takeOutByHand(tokensIn(readFileSync(path, 'utf8')));
  fleet.forgotten.push(id);
  rmSync(path);
  fleet.log(machine, `removed by hand ${journal} ${id}`);
};

export const adoptStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const settled = await machine.memory
    .adopt('hold')
    .catch((error: unknown) => fleet.fail(`${machine.name} adopt failed: ${String(error)}`));
  const held = [...settled.portable.heldDeletions, ...settled.local.heldDeletions];
  fleet.log(
    machine,
    `adopt → ${settled.portable.event?.id ?? '-'} ${settled.local.event?.id ?? '-'} held ${held.length}`,
  );
  for (const event of [settled.portable.event, settled.local.event]) {
    if (event !== undefined) {
      fleet.ledger.acknowledgeEvent({ id: event.id, machine: machine.name, step: fleet.step });
    }
  }
  takenIn(fleet, machine);
};

/** Several machines import the same files, which change now and then. */
export const importStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger, source } = fleet;
  if (random.chance(0.5) || !existsSync(join(source, 'topic-0.md'))) {
    for (let at = 0; at < 3; at += 1) {
      if (random.chance(0.6) || at === 0) rewriteSource(fleet, at, ledger.newToken());
    }
  }
  const before = allTokens(machine);
  // The source is named, as a person is told to do when edited texts no longer identify it.
  const asked = { format: 'markdown', project: 'p', source: 'source' } as const;
  const taken = await importPath(machine.memory, source, asked);
  if (!('answer' in taken) || taken.answer.status === 'refused') {
    fleet.fail(`${machine.name} import was refused: ${JSON.stringify(taken)}`);
  }
  const { answer } = taken;
  const after = allTokens(machine);
  fleet.log(machine, `import → ${answer.status} ${JSON.stringify(answer.counts)} ${without(after, before).join(' ')}`);
  const here = new Set(tokensOf(machine, 'local'));
  for (const token of without(after, before)) {
    // A note that was moved to the other journal is updated there.
    const journal = here.has(token) ? 'local' : 'portable';
    ledger.acknowledge({ token, kind: 'body', machine: machine.name, journal, step: fleet.step });
  }
  ledger.takeOut(without(before, after));
  if (answer.event !== undefined) {
    ledger.acknowledgeEvent({ id: answer.event.id, machine: machine.name, step: fleet.step });
  }
};

const allTokens = (machine: Machine): ReadonlySet<string> =>
  new Set(journalNames.flatMap((name) => tokensOf(machine, name)));

const tokensOf = (machine: Machine, name: JournalName): readonly string[] =>
  noteFiles(machine).flatMap(({ journal, path }) =>
    journal === name ? [...tokensIn(readFileSync(path, 'utf8'))] : [],
  );

/** A person edits a file and commits everything, with plain git in the folder of the journal. */
export const foreignCommitStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  handEditStep(fleet, machine);
  const { folder } = machine.memory.journals.portable;
  const done =
    tryGit(fleet, machine, folder, 'add', '-A') &&
    tryGit(fleet, machine, folder, 'commit', '--allow-empty', '-qm', 'mine');
  fleet.log(machine, `a person's commit: ${done ? personsGit(folder, 'rev-parse', 'HEAD').trim() : 'git refused'}`);
};

/** A person works on a clone of the journal and pulls it back as a merge commit; the journal may move meanwhile. */
export const foreignMergeStep = async (
  fleet: Fleet,
  machine: Machine,
  meanwhile: () => Promise<void>,
): Promise<void> => {
  await adoptStep(fleet, machine);
  await machine.memory.finish();
  const { folder } = machine.memory.journals.portable;
  const edit = editOfClone(fleet, folder);
  if (edit === undefined) return;
  await meanwhile();
  await machine.memory.finish();
  if (tryGit(fleet, machine, folder, 'pull', '-q', '--no-rebase', '--no-ff', '--no-edit', edit.clone, 'main')) {
    fleet.ledger.takeOut(edit.takes);
    acknowledgeForeign(fleet, machine, edit);
  } else abortMerge(fleet, machine, folder);
  rmSync(edit.clone, { recursive: true, force: true });
};

/** A person pulls the remote with plain git, which may give the journal a merge commit that no sync made. */
export const foreignPullStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  await adoptStep(fleet, machine);
  await machine.memory.finish();
  const { folder } = machine.memory.journals.portable;
  const done = tryGit(fleet, machine, folder, 'pull', '-q', '--no-rebase', '--no-edit', fleet.remote, 'main');
  fleet.log(machine, `a person pulled: ${done ? personsGit(folder, 'rev-parse', 'HEAD').trim() : 'git refused'}`);
  if (!done) abortMerge(fleet, machine, folder);
};

/** A person without our program pushes to the remote. */
export const foreignPushStep = (fleet: Fleet): void => {
  if (!fleet.isReachable) return;
  const edit = editOfClone(fleet, fleet.remote);
  if (edit === undefined) return;
  if (tryGit(fleet, undefined, edit.clone, 'push', '-q', 'origin', 'main')) {
    fleet.ledger.takeOut(edit.takes);
    acknowledgeForeign(fleet, undefined, edit);
  }
  rmSync(edit.clone, { recursive: true, force: true });
};

type CloneEdit = { readonly clone: string; readonly token: string; readonly takes: readonly string[]; id: string };

const editOfClone = (fleet: Fleet, from: string): CloneEdit | undefined => {
  const clone = join(fleet.folder, `clone-${fleet.step}`);
  cloneOnce(fleet, from, clone);
  const paths = personsGit(clone, 'ls-files', '*.md').split('\n').filter(Boolean);
  if (paths.length === 0) {
    rmSync(clone, { recursive: true, force: true });
    return undefined;
  }
  const path = fleet.random.pick(paths);
  const token = fleet.ledger.newToken();
  const takes = rewriteByHand(fleet, join(clone, path), token);
  if (fleet.random.chance(0.5)) touchUpdatedAt(join(clone, path), fleet.clockMs);
  tryGit(fleet, undefined, clone, 'commit', '-qam', 'on a clone');
  return { clone, token, takes, id: path.slice(-29, -3) };
};

export const cloneOnce = ({ folder }: Fleet, from: string, clone: string): void => {
  // Otherwise a detached `git maintenance` may still be running in the clone when it is removed.
  const settings = ['-c', 'maintenance.auto=false', '-c', 'gc.auto=0'];
  // A clone that copies files fails if a `git gc` that a push started in the remote removes one of them.
  personsGit(folder, 'clone', '-q', '--no-local', ...settings, from, clone);
};

const touchUpdatedAt = (path: string, atMs: number): void =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^updated_at: .*$/m, `updated_at: '${formatTime(atMs)}'`));

const acknowledgeForeign = (
  { ledger, step, log }: Fleet,
  machine: Machine | undefined,
  { token, id }: CloneEdit,
): void => {
  ledger.acknowledge({ token, kind: 'body', machine: machine?.name ?? '-', journal: 'portable', step });
  log(machine, `a person's edit on a clone: ${id} ${token}`);
};

const abortMerge = (fleet: Fleet, machine: Machine, folder: string): void => {
  tryGit(fleet, machine, folder, 'merge', '--abort');
  fleet.log(machine, 'a person aborted a merge');
};

/** Runs git as a person on that machine, by its clock. Returns false if git refused. */
export const tryGit = (fleet: Fleet, machine: Machine | undefined, folder: string, ...args: string[]): boolean => {
  const date = `@${Math.floor((fleet.clockMs + (machine?.skewMs ?? 0)) / 1000)} +0000`;
  const names = ['GIT_AUTHOR_DATE', 'GIT_COMMITTER_DATE'];
  try {
    for (const name of names) process.env[name] = date;
    personsGit(folder, ...args);
    return true;
  } catch {
    return false;
  } finally {
    for (const name of names) delete process.env[name];
  }
};
