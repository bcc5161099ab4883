/** Imports from a path: recognises the format, reads the notes and records them as one event. */
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type Refusal, valueInvalid } from '../commands/refusals.js';
import type { ImportFormat } from '../commands/source-keys.js';
import { projectOfFolder, type TrustedProjects } from '../config/project.js';
import { userHome } from '../config/settings.js';
import type { Memory } from '../store/memory.js';
import { calibrateIfDue } from '../store/models/prompt-model.js';
import { isGivenFolder } from './files.js';
import { countImport, formats, namedOf, recogniseFormat } from './formats.js';
import { type ImportAnswer, type ImportSource, importItems } from './import-items.js';
import { walkMarkdown } from './markdown/markdown.js';

/** Returns a refusal when the path does not exist or its format is not recognised. */
export const importPath = async (
  memory: Memory,
  path: string,
  options: Pick<ImportSource, 'project' | 'scope' | 'untrusted' | 'onProgress' | 'asker' | 'dryRun'> & {
    /** Refuses the import if a note names no project and `project` is not given. */
    readonly needsProject?: boolean | undefined;
    readonly format?: ImportFormat | undefined;
    /** For a Claude home: its CLAUDE.md files too. */
    readonly claudeMd?: boolean | undefined;
    /** The name of the source, if not that of its folder or file. */
    readonly source?: string | undefined;
  } = {},
): Promise<ImportAnswer | Refusal> => {
  const full = resolve(path);
  const { source } = options;
  if (source !== undefined && !isSourceName(source))
    return valueInvalid('source', 'a name of 1 to 100 characters on one line, without a slash', source);
  if (!existsSync(full)) return valueInvalid('path', 'a file or folder that exists', path);
  const format = options.format ?? recogniseFormat(full);
  if (format === undefined) {
    return valueInvalid(
      'path',
      'a folder of markdown, an Anamnesis store, a .jsonl file or the memory of another program (or name the format with --from)',
      path,
    );
  }
  const unclear = options.format === undefined ? whyUnclear(path, format, options.project) : undefined;
  if (unclear !== undefined) return unclear;
  const native = {
    userHome: userHome(),
    machine: memory.settings.machine,
    claudeMd: options.claudeMd === true,
    trusted: memory.settings.trustedProjects,
  };
  const items = formats[format].read(full, native);
  const total = countImport(full, format);
  const first = await items
    .next()
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  if (first instanceof Error)
    return valueInvalid('path', `something that can be read as ${format}`, `${path} (${first.message})`);
  const { isFrontMatter } = formats[format];
  const named = namedOf(full, format);
  const answer = await importItems(memory, {
    ...options,
    format,
    from: basename(full),
    items: chain(first, items),
    total,
    projectNeeded:
      options.needsProject === true ? { such: projectOf(full, memory.settings.trustedProjects) } : undefined,
    isFrontMatter,
    named: named === undefined ? undefined : { ...named, asked: source },
    folder: isFrontMatter === true && isGivenFolder(full) ? { keysArePaths: format === 'markdown' } : undefined,
  });
  if (options.dryRun === undefined) await calibrateIfDue(memory);
  return answer;
};

const whyUnclear = (path: string, format: ImportFormat, project: string | undefined): Refusal | undefined => {
  if (format === 'anamnesis' && project !== undefined) {
    return {
      code: 'format-unclear',
      message: `${path} looks like a store of notes, and notes from a store keep their own projects and ids`,
      next: 'to import it as a folder of texts: --from markdown; as a store: --from anamnesis, without --project',
    };
  }
  if (format === 'jsonl' && isGivenFolder(path) && hasPages(path)) {
    return {
      code: 'format-unclear',
      message: `${path} contains both notes.jsonl and markdown pages`,
      next: 'to import the notes in the file: --from jsonl; to import the pages: --from markdown',
    };
  }
  return undefined;
};

/** Ignores a readme and a licence, which a set of notes may have. */
const hasPages = (folder: string): boolean => {
  for (const { kind, path } of walkMarkdown(folder))
    if (kind === 'file' && !/^(?:readme|licen[cs]e)\.\w+$/i.test(path)) return true;
  return false;
};

const isSourceName = (name: string): boolean =>
  name.trim() === name && name !== '' && [...name].length <= 100 && !/[\p{Cc}\p{Zl}\p{Zp}/]/u.test(name);

const projectOf = (path: string, trusted: TrustedProjects | undefined): string =>
  projectOfFolder(isGivenFolder(path) ? path : dirname(path), userHome(), trusted);

async function* chain<Item>(first: IteratorResult<Item>, rest: AsyncGenerator<Item>): AsyncGenerator<Item> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
