/** Temporary folders, and imports from them. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ForeignNote, ImportItem } from '../../src/commands/foreign-note.js';
import type { ImportFormat } from '../../src/commands/source-keys.js';
import { formats } from '../../src/import/formats.js';
import type { ImportAnswer } from '../../src/import/import-items.js';
import { importPath } from '../../src/import/importing.js';
import type { NativeOptions } from '../../src/import/native/native-note.js';
import type { Memory } from '../../src/store/memory.js';
import type { NoteJson } from '../../src/store/note-json.js';

/** Creates a temporary folder with these files, which is removed when the test ends. */
export const folderWith = (files: Readonly<Record<string, string | Buffer>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) put(folder, path, content);
  return folder;
};

export const put = (folder: string, path: string, content: string | Buffer): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};

export const move = (folder: string, from: string, to: string): void => {
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  renameSync(join(folder, from), join(folder, to));
};

export const native: NativeOptions = { userHome: '/home/nobody', machine: 'testbox', claudeMd: false };

export const readAll = async (path: string, format: ImportFormat, options = native): Promise<ImportItem[]> => {
  const items: ImportItem[] = [];
  for await (const item of formats[format].read(path, options)) items.push(item);
  return items;
};

export const notesOf = (items: readonly ImportItem[]): ForeignNote[] =>
  items.flatMap((item) => (item.kind === 'note' ? [item.note] : []));

export const problemsOf = (items: readonly ImportItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'problem' ? [`${item.problem.where}: ${item.problem.message}`] : []));

export const noteText = (id: string, type: string, more = ''): string =>
  `---\nid: ${id}\ntype: ${type}\ntitle: A note\n${more}---\nBody.\n`;

/** Imports a path, into the project `p` unless the options say otherwise; throws when the source is refused. */
export const takeIn = async (memory: Memory, path: string, options = {}): Promise<ImportAnswer> => {
  const answer = await importPath(memory, path, { project: 'p', ...options });
  if ('message' in answer) throw new Error(answer.message);
  return answer;
};

/** Returns how many notes were imported, updated and skipped. */
export const countsOf = ({ answer }: ImportAnswer): readonly number[] => {
  if (answer.status === 'refused' || answer.counts === undefined) throw new Error('no counts');
  const { imported, updated, skipped } = answer.counts;
  return [imported, updated, skipped];
};

/** Returns all notes, sorted by title and text. */
export const allNotes = async (memory: Memory): Promise<readonly NoteJson[]> => {
  const { notes } = await memory.list({}, 10_000);
  const shown = await Promise.all(notes.map(({ id }) => memory.show(id)));
  return shown
    .flatMap((found) => (found.ok ? [found.answer] : []))
    .toSorted((a, b) => (`${a.title}${a.body}` < `${b.title}${b.body}` ? -1 : 1));
};
