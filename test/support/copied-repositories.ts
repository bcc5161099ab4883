/** Empty repositories to copy: making those of two machines and their remote takes git eight processes. */
import { appendFileSync, cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { journalFolder } from '../../src/events/note/note.js';
import { openStore, personsGit } from './store.js';

/** Puts an empty bare repository at `path`, to sync with. */
export const copyRemote = (path: string): void => {
  bare ??= makeRemote();
  cpSync(bare, path, { recursive: true });
};

/** Puts the two empty journals of a store in `home`, as the program makes them. */
export const copyJournals = async (home: string): Promise<void> => {
  journals ??= makeJournals();
  for (const at of Object.values(journalFolder)) cpSync(join(await journals, at), join(home, at), { recursive: true });
};

let bare: string | undefined;
let journals: Promise<string> | undefined;

const newFolder = (): string => mkdtempSync(join(inject('templateFolder'), 'empty-'));

const makeRemote = (): string => {
  const path = join(newFolder(), 'remote.git');
  personsGit(join(path, '..'), 'init', '--quiet', '--bare', '--initial-branch=main', path);
  // After each push git would start two programs to find that a few objects need no packing.
  appendFileSync(join(path, 'config'), '[receive]\n\tautogc = false\n');
  return path;
};

const makeJournals = async (): Promise<string> => {
  const home = join(newFolder(), 'store');
  const { memory } = openStore({ home });
  await memory.initialise();
  await memory.finish();
  return home;
};
