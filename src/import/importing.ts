/** Import from a path: recognise, read, and record everything as one event. */
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type Refusal, valueInvalid } from '../commands/refusals.js';
import type { ImportFormat } from '../commands/source-keys.js';
import { projectOfFolder, type TrustedProjects } from '../config/project.js';
import { userHome } from '../config/settings.js';
import type { Memory } from '../store/memory.js';
import { isGivenFolder, nameOf } from './files.js';
import { type ImportAnswer, type ImportSource, importItems } from './import-items.js';
import { readImport } from './read.js';
import { countImport, recogniseFormat } from './recognise.js';

/** A refusal when the path is not there or its format is not recognised. */
export const importPath = async (
  memory: Memory,
  path: string,
  options: Pick<ImportSource, 'project' | 'onProgress' | 'asker' | 'dryRun' | 'taken'> & {
    /** Refuses notes that neither name a project nor are given one. */
    readonly needsProject?: boolean | undefined;
    readonly format?: ImportFormat | undefined;
    /** For a Claude home: its CLAUDE.md files too. */
    readonly claudeMd?: boolean | undefined;
  } = {},
): Promise<ImportAnswer | Refusal> => {
  const full = resolve(path);
  if (!existsSync(full)) return valueInvalid('path', 'a file or folder that exists', path);
  const format = options.format ?? recogniseFormat(full);
  if (format === undefined) {
    return valueInvalid(
      'path',
      'a folder of markdown, an Anamnesis store, a .jsonl file or the memory of another program (or say which with --from)',
      path,
    );
  }
  const native = {
    userHome: userHome(),
    machine: memory.settings.machine,
    claudeMd: options.claudeMd === true,
    trusted: memory.settings.trustedProjects,
  };
  const items = readImport(full, format, native);
  const total = countImport(full, format);
  const first = await items
    .next()
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  if (first instanceof Error)
    return valueInvalid('path', `something to read as ${format}`, `${path} (${first.message})`);
  return importItems(memory, {
    ...options,
    format,
    from: basename(full),
    items: chain(first, items),
    total,
    projectNeeded:
      options.needsProject === true ? { such: projectOf(full, memory.settings.trustedProjects) } : undefined,
    folder: folderOf(full, format),
  });
};

/** The project of a folder, or of the one that a file is in. */
const projectOf = (path: string, trusted: TrustedProjects | undefined): string =>
  projectOfFolder(isGivenFolder(path) ? path : dirname(path), userHome(), trusted);

const folderOf = (path: string, format: ImportFormat): ImportSource['folder'] => {
  if ((format !== 'markdown' && format !== 'basic-memory') || !isGivenFolder(path)) return undefined;
  return { prefix: `${format}:${nameOf(path)}/`, keysArePaths: format === 'markdown' };
};

async function* chain<Item>(first: IteratorResult<Item>, rest: AsyncGenerator<Item>): AsyncGenerator<Item> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
