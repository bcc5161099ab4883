/** Laws that hold once every machine has synced: nothing lost, all equal, nothing left over. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idOfForeign } from '../../../src/commands/import-notes.js';
import type { GitJournal } from '../../../src/events/git/git-journal.js';
import { parseNoteFile } from '../../../src/events/note/note-file.js';
import { redact } from '../../../src/events/note/redact.js';
import { timeOfUlid } from '../../../src/events/ulid-form.js';
import { replayStore } from '../../../src/maintenance/replaying.js';
import { verifyStore } from '../../../src/maintenance/verifying.js';
import type { Memory } from '../../../src/store/memory.js';
import { folderOfJournal, personsGit } from '../../support/store.js';
import { type Fleet, type Machine, noteFiles } from './machines-fleet.js';
import { findLeaks, findStrangeRefs } from './machines-laws.js';
import { tokensIn } from './machines-ledger.js';
import { removeLeft } from './machines-private.js';
import { switchRemote, syncStep } from './machines-sync.js';
import { historyOf } from './machines-texts.js';
import { findUntraced } from './machines-traces.js';

/** Syncs every machine twice and returns what is wrong then. */
export const endTroubles = async (fleet: Fleet): Promise<readonly string[]> => {
  switchRemote(fleet, true);
  for (const machine of fleet.machines) await removeLeft(fleet, machine);
  for (const { memory } of fleet.machines) await carryOutLeft(memory);
  for (const machine of fleet.machines) await syncStep(fleet, machine);
  const afterFirst = personsGit(fleet.remote, 'rev-parse', 'main').trim();
  for (const machine of fleet.machines) await syncStep(fleet, machine);
  const troubles: string[] = [];
  const heads = fleet.machines.map(({ memory }) => memory.journals.portable.head());
  const remoteHead = personsGit(fleet.remote, 'rev-parse', 'main').trim();
  if (new Set([...heads, remoteHead]).size > 1) {
    const late = personsGit(fleet.remote, 'log', '--format=%h %B', `${afterFirst}..main`);
    troubles.push(`heads differ: ${heads.join(' ')}, remote ${remoteHead}; recorded in the second round: ${late}`);
  }
  const digests = new Set<string>();
  for (const machine of fleet.machines) {
    const { digest, verified, differs } = await replayStore(machine.memory, { verify: true });
    digests.add(digest);
    if (verified !== true) troubles.push(`${machine.name}: replay differs from catch-up: ${differs?.join(', ')}`);
    troubles.push(...(await troublesOf(fleet, machine)).map((line) => `${machine.name}: ${line}`));
  }
  if (digests.size > 1) troubles.push(`digests differ: ${[...digests].join(' ')}`);
  troubles.push(
    ...findLosses(fleet),
    ...findLeaks(fleet),
    ...findStrangeRefs(fleet),
    ...(await findLostEvents(fleet)),
    ...findConflictTroubles(fleet),
  );
  for (const machine of fleet.machines) await syncStep(fleet, machine);
  if (personsGit(fleet.remote, 'rev-parse', 'main').trim() !== remoteHead)
    troubles.push('a third round still changed something');
  return troubles;
};

/** A killed process leaves its commands to the next one that takes the lock, which runs them before it ends. */
const carryOutLeft = async (memory: Memory): Promise<void> => {
  await memory.exclusively(async () => undefined);
  await memory.finish();
};

/** Checks that one store is whole and tidy, with nothing waiting. */
const troublesOf = async (fleet: Fleet, { memory, home }: Machine): Promise<readonly string[]> => {
  const troubles: string[] = [];
  const verified = await verifyStore(memory);
  troubles.push(
    ...verified.problems
      // People copy files.
      .filter(({ kind }) => kind !== 'repeated-id')
      .map(({ kind, detail }) => `${kind}: ${detail}`),
    ...(await findUntraced(memory, fleet.reusedEvents)),
  );
  const store = await memory.store();
  for (const name of ['portable', 'local'] as const) {
    if (store.state.checkout(name) !== memory.journals[name].head())
      troubles.push(`the checkout of ${name} is not its head`);
  }
  const waiting = store.state.waiting(10);
  if (waiting.length > 0) troubles.push(`${waiting.length} commands wait in the queue`);
  await memory.finish();
  for (const name of ['portable', 'local'] as const) {
    const { folder } = memory.journals[name];
    const status = personsGit(folder, 'status', '--porcelain', '--', '.')
      .trim()
      .split('\n')
      .filter((line) => !isPersonsSecret(folder, line))
      .join('\n');
    if (status !== '') troubles.push(`the tree of ${name} is not its head: ${status}; the log: ${lastLines(home)}`);
    const fsck = tryFsck(folder);
    if (fsck !== '') troubles.push(`git fsck of ${name}: ${fsck}`);
  }
  const remote = tryFsck(fleet.remote);
  if (remote !== '') troubles.push(`git fsck of the remote: ${remote}`);
  return troubles;
};

/** A file that isn't a note belongs to the person: secrets in it are masked when published, but not in the file. */
const isPersonsSecret = (folder: string, line: string): boolean => {
  const [, path] = /^M (\S+\.txt)$/.exec(line.trim()) ?? [];
  if (path === undefined) return false;
  return redact(readFileSync(join(folder, path), 'utf8')).text === personsGit(folder, 'show', `HEAD:${path}`);
};

const lastLines = (home: string): string =>
  readFileSync(join(home, 'logs', 'anamnesis.log'), 'utf8')
    .trim()
    .split('\n')
    .slice(-8)
    .join(' | ');

export const tryFsck = (folder: string): string => {
  try {
    execFileSync('git', ['fsck', '--no-dangling', '--no-progress'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    return '';
  } catch (error) {
    return String(error);
  }
};

/** Every acknowledged text is in the history, and in a note unless removed knowingly; private ones stay private. */
const findLosses = (fleet: Fleet): readonly string[] => {
  const { ledger, machines, lines } = fleet;
  const shared = tokensIn(historyOf(machines[0]!.memory.journals.portable));
  const own = new Map(machines.map(({ name, memory }) => [name, tokensIn(historyOf(memory.journals.local))]));
  const live = new Set(
    machines.flatMap((machine) => noteFiles(machine).flatMap(({ path }) => [...tokensIn(readFileSync(path, 'utf8'))])),
  );
  const told = (token: string): string => lines.filter((line) => line.includes(token)).join(' | ');
  const troubles: string[] = [];
  // A tag does not bring back a note that was forgotten or moved elsewhere meanwhile.
  const there = new Set(machines.flatMap((machine) => noteFiles(machine).map(({ id }) => id)));
  for (const { token, kind, machine, journal, noteId } of ledger.texts.values()) {
    const inHistory = shared.has(token) || (journal === 'local' && own.get(machine)?.has(token) === true);
    if (!inHistory) troubles.push(`${kind} ${token} of ${machine} is in no history: ${told(token)}`);
    else if (kind === 'tag' && noteId !== undefined && !there.has(noteId)) continue;
    else if (kind !== 'title' && !ledger.gone.has(token) && !live.has(token)) {
      troubles.push(`${kind} ${token} of ${machine} is in no note, though nobody removed it: ${told(token)}`);
    }
  }
  for (const [token, id] of ledger.localOnly) {
    if (shared.has(token) && !ledger.exposed.has(id))
      troubles.push(`machine-local ${token} reached the remote: ${told(token)}`);
  }
  return troubles;
};

/** For CLOSELY=1: returns what is wrong with one machine during the run. */
export const workingTroubles = async (machine: Machine): Promise<readonly string[]> => {
  const { memory, name } = machine;
  const troubles: string[] = [];
  // A replay of an empty store would fetch.
  if (memory.journals.portable.head() === undefined) return troubles;
  const events = eventsOf(memory.journals.portable);
  const twice = events.filter((id, at) => events.indexOf(id) !== at);
  if (twice.length > 0) troubles.push(`${name}: events that are in the history twice: ${twice.join(' ')}`);
  const { verified, differs } = await replayStore(memory, { verify: true });
  if (verified !== true) troubles.push(`${name}: replay differs from catch-up: ${differs?.join(', ')}`);
  // After a kill, git's own index is updated by the next command.
  await memory.exclusively(async () => undefined);
  await memory.finish();
  const staged = personsGit(memory.journals.portable.folder, 'diff', '--cached', '--name-only', 'main').trim();
  if (staged !== '') troubles.push(`${name}: git's index is not the head: ${staged}`);
  return troubles;
};

const eventsOf = ({ folder, head }: GitJournal): readonly string[] =>
  head() === undefined
    ? []
    : personsGit(folder, 'log', '--format=%(trailers:key=Event,valueonly,separator=%x20)', 'main')
        .split('\n')
        .filter(Boolean);

/** Every acknowledged event is in the shared history, once, or in the local one of its machine. */
const findLostEvents = async ({ ledger, machines, reusedEvents }: Fleet): Promise<readonly string[]> => {
  const troubles: string[] = [];
  const shared = eventsOf(machines[0]!.memory.journals.portable);
  const twice = shared.filter((id, at) => shared.indexOf(id) !== at && !reusedEvents.has(id));
  if (twice.length > 0) troubles.push(`events that are in the history twice: ${twice.join(' ')}`);
  const known = new Set(shared);
  const own = new Map(machines.map(({ name, memory }) => [name, new Set(eventsOf(memory.journals.local))]));
  for (const { id, machine, step } of ledger.events.values()) {
    if (!known.has(id) && own.get(machine)?.has(id) !== true)
      troubles.push(`event ${id} of ${machine} (step ${step}) is lost`);
  }
  return troubles;
};

const isMadeFor = (sourceKey: string, id: string): boolean =>
  [1, 2, 3, 4, 5, 6, 7, 8].some(
    (turn) => idOfForeign({ id: undefined, sourceKey, createdAtMs: timeOfUlid(id) }, turn) === id,
  );

/** Conflict copies name the note they conflict with, and there are no more of them than texts. */
const findConflictTroubles = ({ machines, ledger }: Fleet): readonly string[] => {
  const troubles: string[] = [];
  const machine = machines[0]!;
  const { folder } = machine.memory.journals.portable;
  // With renames, a file that two people renamed may count as a rename of itself, which is neither added nor modified.
  const everThere = new Set(
    personsGit(folder, 'log', '--format=', '--name-only', '--no-renames', '--diff-filter=AM', '-m', 'main')
      .split('\n')
      .map((path) => path.slice(-29, -3)),
  );
  // A note may have several files: two people may have renamed it.
  const bySource = new Map<string, Set<string>>();
  let copies = 0;
  for (const { journal, path } of noteFiles(machine).filter(({ journal }) => journal === 'portable')) {
    const text = readFileSync(path);
    const parsed = parseNoteFile(text, journal, path.slice(folderOfJournal(machine.home, journal).length + 1));
    if (!parsed.ok) continue;
    const { id, source, sourceKey } = parsed.file.note;
    if (sourceKey !== undefined) bySource.set(sourceKey, (bySource.get(sourceKey) ?? new Set()).add(id));
    if (source !== 'merge') continue;
    copies += 1;
    const original = /conflicts-with ([0-9A-Z]{26})/.exec(text.toString('utf8'))?.[1];
    if (original === undefined) troubles.push(`the conflict copy ${path} names no note`);
    else if (!everThere.has(original))
      troubles.push(`the conflict copy ${path} names ${original}, which never existed`);
  }
  for (const [key, ids] of bySource) {
    // If a note was forgotten and then restored or edited elsewhere, its source may have become another note as well.
    const strange = [...ids].filter((id) => !isMadeFor(key, id));
    if (ids.size > 1 && strange.length > 0) troubles.push(`${ids.size} notes of one source: ${key}`);
  }
  if (copies > ledger.texts.size) troubles.push(`${copies} conflict copies of ${ledger.texts.size} texts`);
  return troubles;
};
