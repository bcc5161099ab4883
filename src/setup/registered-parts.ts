/** The parts of our clients: what init would write, what its record knows, and the file that is there. */
import { existsSync } from 'node:fs';
import type { Refusal } from '../commands/refusals.js';
import { refuseEdit } from '../files/edited.js';
import { type FileState, isRefusal, readFileState, textOf } from '../files/settings-file.js';
import { type Target, targetsOf } from './clients.js';
import { homeArgsOf } from './machine.js';
import { type FileRecord, readRecord, recordOf } from './record.js';
import type { Entry } from './server-edit.js';
import { type ClientName, clientNames, defaultServerName, type Surroundings } from './surroundings.js';

/** A target, with what this store's record says about it. */
export type KnownTarget = Target & {
  readonly name: string;
  readonly known: FileRecord | undefined;
};

/** Without a name, the one that was registered. */
export const knownTargets = (
  client: ClientName,
  { storeHome, name: given }: { readonly storeHome: string; readonly name?: string | undefined },
  surroundings: Surroundings,
): readonly KnownTarget[] => {
  const record = readRecord(storeHome).filter((file) => file.client === client);
  const name = given ?? (recordOf(record, client, 'server') ?? record[0])?.name ?? defaultServerName;
  const scripts = [surroundings.scriptPath, ...record.map(({ script }) => script)];
  const options = { name, homeArgs: homeArgsOf(storeHome, surroundings), scripts };
  return targetsOf(client, surroundings, options).map((target) => ({
    ...target,
    name,
    known: recordOf(record, client, target.part),
  }));
};

/** The first of the target's files that exists, or else the first. */
export const fileOf = ({ files }: Target): string => files.find((one) => existsSync(one)) ?? files[0] ?? '';

export type ReadFile = { readonly state: FileState; readonly text: string | undefined };

export const readFile = (file: string): ReadFile | Refusal => {
  const state = readFileState(file);
  if (isRefusal(state)) return state;
  const read = textOf(state);
  return isRefusal(read) ? read : { state, text: read.text };
};

/** Writes what was planned, and plans once more if the file changed meanwhile. `write` returns false if it did. */
export const writePlanned = <Planned extends { readonly state: FileState }>(
  first: Planned,
  planAgain: () => Planned | Refusal,
  write: (planned: Planned) => boolean,
): Planned | Refusal => {
  if (write(first)) return first;
  const again = planAgain();
  if (isRefusal(again) || write(again)) return again;
  return {
    code: 'file-changed',
    message: `${first.state.path} kept changing while we tried to write it; it was left alone`,
    next: 'close the program that writes it, then repeat the command',
  };
};

export type RegisteredPart = KnownTarget & {
  readonly file: string;
  /** Why the file can't be read; there are no entries then. */
  readonly unreadable: string | undefined;
  readonly entries: readonly Entry[];
};

/** Returns the parts in init's record, and parts found in the files even though the record was lost. */
export const findRegistered = (storeHome: string, surroundings: Surroundings): readonly RegisteredPart[] =>
  clientNames
    .flatMap((client) => knownTargets(client, { storeHome }, surroundings))
    .map((target) => {
      const file = target.known?.file ?? fileOf(target);
      const entries = listIn(file, target);
      return isRefusal(entries)
        ? { ...target, file, unreadable: entries.message.replace(/; nothing was changed$/, ''), entries: [] }
        : { ...target, file, unreadable: undefined, entries };
    })
    .filter(({ known, entries }) => known !== undefined || entries.length > 0);

const listIn = (file: string, { list }: Target): readonly Entry[] | Refusal => {
  const read = readFile(file);
  if (isRefusal(read)) return read;
  const listed = list(read.text);
  return listed.ok ? listed.entries : refuseEdit(file, listed.problem);
};
