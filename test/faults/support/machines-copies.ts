/** Files that a person copies and renames. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { personsGit, writeCommand } from '../../support/store.js';
import { performStep, planCommand } from './machines-commands.js';
import {
  bodyOf,
  type Fleet,
  type FoundNote,
  filesOfNote,
  type Machine,
  noteFiles,
  pathsInHead,
} from './machines-fleet.js';
import { adoptStep } from './machines-hand.js';
import { syncStep } from './machines-sync.js';
import { typed, withLine } from './machines-unfinished.js';

/** A path in a new folder, with the same name. */
const otherPlace = (fleet: Fleet, { path }: FoundNote): string =>
  join(dirname(dirname(path)), `d${fleet.step}`, basename(path));

const writeInFolder = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** About half of the time, another machine changes the note before the copy is seen here. */
const changedElsewhere = async (fleet: Fleet, machine: Machine, id: string): Promise<void> => {
  const { random } = fleet;
  const other = random.pick(fleet.machines);
  if (other === machine || !fleet.isReachable || !random.chance(0.6)) return;
  await syncStep(fleet, machine);
  await syncStep(fleet, other);
  if (filesOfNote(other, id).length === 0) return;
  await performStep(fleet, other, addsTag(fleet, id));
  await syncStep(fleet, other);
};

const addsTag = ({ ledger }: Fleet, id: string) => {
  const token = ledger.newToken();
  return {
    command: { kind: 'tag', id, add: [token], remove: [] },
    brings: [{ token, kind: 'tag' }],
    takes: [],
  } as const;
};

/** Adds a token to the body without removing another one. */
const addsLine = async ({ ledger }: Fleet, machine: Machine, id: string) => {
  const token = ledger.newToken();
  const shown = await machine.memory.show(id);
  const body = withLine(shown.ok ? (shown.answer.body ?? '') : bodyOf(''), token);
  return { command: { kind: 'edit', id, set: { body } }, brings: [{ token, kind: 'body' }], takes: [] } as const;
};

const workOn = async (fleet: Fleet, machine: Machine, id: string): Promise<void> => {
  const { random } = fleet;
  const way = random.below(4);
  const planned =
    way === 0
      ? await addsLine(fleet, machine, id)
      : way === 1
        ? addsTag(fleet, id)
        : way === 2
          ? await planCommand(fleet, machine, id)
          : undefined;
  if (planned !== undefined) await performStep(fleet, machine, planned, { fileMayLag: true });
};

/** A copy deletes nothing: the rest of the note stays. */
export const copiedStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  const files = noteFiles(machine).filter(({ journal }) => journal === 'portable');
  if (files.length === 0) return;
  const file = random.pick(files);
  await changedElsewhere(fleet, machine, file.id);
  if (!existsSync(file.path)) return;
  const isOlder = random.chance(0.5);
  const text = (isOlder ? olderText(fleet, machine, file) : undefined) ?? readFileSync(file.path, 'utf8');
  const token = random.chance(0.5) ? ledger.newToken() : undefined;
  const path = otherPlace(fleet, file);
  writeInFolder(path, token === undefined ? text : withLine(text, token));
  fleet.log(machine, `copied ${isOlder ? 'an older' : 'the'} file of ${file.id} to ${path}`);
  if (token !== undefined) typed(fleet, machine, token, `the copy of ${file.id}`);
  await workOn(fleet, machine, file.id);
  if (random.chance(0.5)) await syncStep(fleet, machine);
};

const olderText = ({ random }: Fleet, machine: Machine, { path }: FoundNote): string | undefined => {
  const { folder } = machine.memory.journals.portable;
  const below = path.slice(folder.length + 1);
  const commits = personsGit(folder, 'log', '--format=%H', '--diff-filter=AM', 'main', '--', below).split('\n');
  const [commit] = [random.pick(commits)].filter(Boolean);
  return commit === undefined ? undefined : personsGit(folder, 'show', `${commit}:${below}`);
};

/** A renamed file keeps its new path and is the only file of its note. */
export const renamedStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random } = fleet;
  const files = noteFiles(machine);
  if (files.length === 0) return;
  const file = random.pick(files);
  await changedElsewhere(fleet, machine, file.id);
  // Edits that are already waiting here are not part of this step.
  await adoptStep(fleet, machine);
  if (!existsSync(file.path) || filesOfNote(machine, file.id).length !== 1) return;
  const path = otherPlace(fleet, file);
  mkdirSync(dirname(path), { recursive: true });
  renameSync(file.path, path);
  fleet.log(machine, `renamed ${file.path} to ${path}`);
  const planned = random.chance(0.5) ? await addsLine(fleet, machine, file.id) : addsTag(fleet, file.id);
  if (random.chance(0.7)) await performStep(fleet, machine, planned, { fileMayLag: true });
  await adoptStep(fleet, machine);
  const there = filesOfNote(machine, file.id).map((found) => found.path);
  if (there.length !== 1 || there[0] !== path)
    fleet.fail(`${machine.name} ${file.id} was renamed to ${path}, and is in ${there.join(' and ') || 'no file'}`);
  if (fleet.isReachable && random.chance(0.5)) await syncStep(fleet, machine);
};

/** Renames a whole folder of notes at once. */
export const folderStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  const type = join(machine.memory.journals.portable.folder, 'semantic');
  const from = join(type, `from${fleet.step}`);
  const to = join(type, `to${fleet.step}`);
  mkdirSync(from, { recursive: true });
  const ids: string[] = [];
  while (ids.length < 12) {
    const token = ledger.newToken();
    const command = writeCommand({ title: 'of a folder', body: bodyOf(token), project: 'p' });
    const answer = await performStep(fleet, machine, { command, brings: [{ token, kind: 'body' }], takes: [] });
    const id = answer.status === 'refused' ? undefined : answer.note?.id;
    if (id === undefined) return;
    ids.push(id);
    const [file] = filesOfNote(machine, id);
    renameSync(file!.path, join(from, `${id}.md`));
    await adoptStep(fleet, machine);
  }
  mustBeIn(fleet, machine, ids, from);
  renameSync(from, to);
  fleet.log(machine, `renamed the folder ${from} to ${to}`);
  if (random.chance(0.5)) await performStep(fleet, machine, addsTag(fleet, random.pick(ids)), { fileMayLag: true });
  await adoptStep(fleet, machine);
  mustBeIn(fleet, machine, ids, to);
};

const mustBeIn = (fleet: Fleet, machine: Machine, ids: readonly string[], folder: string): void => {
  const inHead = pathsInHead(machine.memory.journals.portable.folder);
  const files = noteFiles(machine);
  for (const id of ids) {
    const paths = files.filter((file) => file.id === id).map(({ path }) => path);
    const committed = inHead.filter((path) => path.endsWith(`/${id}.md`));
    if (paths.join() !== join(folder, `${id}.md`) || committed.length !== 1 || !paths[0]?.endsWith(`/${committed[0]}`))
      fleet.fail(
        `${machine.name} ${id} was put into ${folder}; its files: ${paths.join(' ')}; in the head: ${committed.join(' ')}`,
      );
  }
};
