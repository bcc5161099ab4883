/** Tasks over a finished index: the sizes of injected blocks, and the digests that a replay leaves to a thread. */
import { findFences } from '../events/note/fences.js';
import type { JournalName } from '../events/note/note.js';
import { readVersion } from '../events/worktree/working-tree.js';
import { type Digests, otherDigestsOf } from '../projections/digest.js';
import { openGeneration } from '../projections/generation.js';
import { foreignNotes } from '../projections/index/foreign-notes.js';
import { notesToRead, renderSelection, selectInjection } from '../projections/inject/inject.js';
import { defaultInject, type InjectedNote } from '../projections/inject/render.js';

export type ViewTask = {
  readonly task: 'view';
  readonly indexFile: string;
  readonly folders: Readonly<Record<JournalName, string>>;
  readonly projects: readonly string[];
  readonly nowSeconds: number;
};

export const measureViews = ({
  indexFile,
  folders,
  projects,
  nowSeconds,
}: ViewTask): { project: string; units: number }[] => {
  const database = openGeneration(indexFile);
  try {
    return projects.map((project) => {
      const query = { ...defaultInject, project, access: {}, nowSeconds };
      const selection = selectInjection(database, query);
      const read = new Map<number, Omit<InjectedNote, 'shortId'>>();
      const notes = notesToRead(selection);
      const foreign = foreignNotes(
        database,
        notes.map(({ id }) => id),
      );
      for (const note of notes) {
        const fences = findFences(readVersion(folders[note.journal], note.path, note.version)?.toString('utf8') ?? '');
        if (fences.ok) read.set(note.rowid, { ...note, body: fences.body, foreign: foreign.has(note.id) });
      }
      return { project, units: renderSelection(selection, read, query).text.length };
    });
  } finally {
    database.close();
  }
};

export type DigestTask = { readonly task: 'digest'; readonly indexFile: string };

export const digestFile = ({ indexFile }: DigestTask): Digests['projections'] => {
  const database = openGeneration(indexFile);
  try {
    return otherDigestsOf(database);
  } finally {
    database.close();
  }
};
