/** Proves that bundles can be restored: fetches them into new, separate journals and replays those. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../answers/backup-schema.js';
import { initRepository } from '../../events/git/git-admin.js';
import { fetchBundle, listRefs, type Ref } from '../../events/git/git-bundle.js';
import { openGitJournal } from '../../events/git/git-journal.js';
import { GitError } from '../../events/git/git-process.js';
import { type JournalName, journalNames } from '../../events/note/note.js';
import { comparableDigestsOf } from '../../projections/digest.js';
import { openGeneration } from '../../projections/generation.js';

export type Bundles = Readonly<Record<JournalName, { readonly file: string; readonly refs: readonly Ref[] }>>;

export type Trial =
  | ({ readonly ok: true } & Pick<Manifest, 'notes' | 'events' | 'digests'>)
  | { readonly ok: false; readonly journal: JournalName; readonly problem: string };

/** `folder` must be empty; the caller removes it. Takes the space of bundles and index, and the time of a replay. */
export const tryBundles = async (folder: string, bundles: Bundles, log: (line: string) => void): Promise<Trial> => {
  const journals = journalNames.map((name) => openGitJournal(name, join(folder, name), log));
  for (const { name, folders } of journals) {
    const { file, refs } = bundles[name];
    mkdirSync(folders.workTree, { recursive: true, mode: 0o700 });
    await initRepository(folders, name);
    if (refs.length === 0) continue;
    try {
      await fetchBundle(folders, file);
    } catch (error) {
      if (!(error instanceof GitError) || noRoom.test(error.stderr)) throw error;
      return { ok: false, journal: name, problem: `its history is incomplete: ${firstLine(error.stderr)}` };
    }
    if (!areSameRefs(await listRefs(folders), refs)) {
      return { ok: false, journal: name, problem: 'its refs are not those that it states' };
    }
  }
  const { replay } = await import('../../workers/replay.js');
  const { notes, events, file } = await replay({ journals, indexFolder: join(folder, 'index'), publish: 'beside' });
  const database = openGeneration(file);
  try {
    return { ok: true, notes, events, digests: comparableDigestsOf(database) };
  } finally {
    database.close();
  }
};

/** Errors that say nothing about the bundle. */
export const noRoom = /No space left on device|Disk quota exceeded/;

/** Both must be sorted by name. */
export const areSameRefs = (some: readonly Ref[], others: readonly Ref[]): boolean =>
  some.length === others.length && some.every(({ name, id }, at) => name === others[at]?.name && id === others[at]?.id);

export const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';
