/** Task: how large the injected block of each project is. */
import { parseNoteFile } from '../events/note-file.js';
import type { JournalName } from '../events/note.js';
import { readNoteFile } from '../events/working-tree.js';
import { openGeneration } from '../projections/index/generation.js';
import { buildInjection } from '../projections/inject/inject.js';
import { defaultInject } from '../projections/inject/render.js';

export type ViewTask = {
  readonly task: 'view';
  readonly indexFile: string;
  readonly folders: Readonly<Record<JournalName, string>>;
  readonly projects: readonly string[];
  readonly nowSeconds: number;
};

export const measureViews = ({ indexFile, folders, projects, nowSeconds }: ViewTask): { project: string; units: number }[] => {
  const database = openGeneration(indexFile);
  try {
    return projects.map((project) => {
      const query = { ...defaultInject, project, access: {}, nowSeconds };
      const block = buildInjection(database, query, ({ journal, path, version }) => {
        const found = readNoteFile(folders[journal], path, version);
        const parsed = found.kind === 'file' ? parseNoteFile(found.bytes, journal, path) : undefined;
        return parsed?.ok ? parsed.file.note : undefined;
      });
      return { project, units: block.length };
    });
  } finally {
    database.close();
  }
};
