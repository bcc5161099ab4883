/** Folders of notes.jsonl and cases.jsonl (.gz too), each measured in a throw-away store. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../events/faults.js';
import { importPath } from '../import/importing.js';
import { type NoteKeys, readNoteKeys } from '../projections/eval/note-keys.js';
import { Memory } from '../store/memory.js';
import { readLines } from './eval-sets.js';

export const readSetCases = <Case>(folder: string, parse: (value: unknown) => Case): readonly Case[] =>
  readLines(fileOf(folder, 'cases.jsonl'), parse);

/** Imports the notes of the folder, and removes the store after `run`. */
export const withSetStore = async <Result>(
  folder: string,
  run: (memory: Memory, keys: NoteKeys) => Promise<Result>,
): Promise<Result> => {
  const file = fileOf(folder, 'notes.jsonl');
  const home = mkdtempSync(join(tmpdir(), 'anamnesis-bench-'));
  const memory = new Memory({ home, machine: 'bench', user: 'self' });
  try {
    const imported = await importPath(memory, file, { format: 'jsonl' });
    if (!('answer' in imported)) throw new Fault('eval-set-missing', imported.message, imported.next);
    return await run(memory, await memory.liveIndex.ask(readNoteKeys));
  } finally {
    await memory.finish();
    rmSync(home, { recursive: true, force: true });
  }
};

const fileOf = (folder: string, name: string): string => {
  const found = [name, `${name}.gz`]
    .map((one) => join(folder, one))
    .find((file) => existsSync(file) && statSync(file).isFile());
  if (found !== undefined) return found;
  throw new Fault(
    'eval-set-missing',
    `${folder} has no ${name}`,
    'name a folder that has one: anamnesis eval bench FOLDER',
  );
};
