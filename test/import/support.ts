/** Temporary folders and what an import reads from them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ForeignNote, ImportItem } from '../../src/commands/foreign-note.js';
import type { ImportFormat } from '../../src/commands/source-keys.js';
import type { NativeOptions } from '../../src/import/native/native-files.js';
import { readImport } from '../../src/import/read.js';

/** A temporary folder with these files, which goes when the test ends. */
export const folderWith = (files: Readonly<Record<string, string | Buffer>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
};

export const native: NativeOptions = { userHome: '/home/nobody', machine: 'testbox', claudeMd: false };

export const readAll = async (path: string, format: ImportFormat, options = native): Promise<ImportItem[]> => {
  const items: ImportItem[] = [];
  for await (const item of readImport(path, format, options)) items.push(item);
  return items;
};

export const notesOf = (items: readonly ImportItem[]): ForeignNote[] =>
  items.flatMap((item) => (item.kind === 'note' ? [item.note] : []));

export const problemsOf = (items: readonly ImportItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'problem' ? [`${item.problem.where}: ${item.problem.message}`] : []));

export const noteText = (id: string, type: string, more = ''): string =>
  `---\nid: ${id}\ntype: ${type}\ntitle: A note\n${more}---\nBody.\n`;
