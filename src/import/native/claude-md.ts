/** Reads the CLAUDE.md family: instructions that people write for Claude Code, one note per file. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { cleanTitle, type ImportItem, problemAt, scopeOfFields } from '../../commands/foreign-note.js';
import { globalProject, projectOfFolder } from '../../config/project.js';
import type { Scope } from '../../events/note/note.js';
import { findInside, isInnerFolder, walkFiles } from '../files.js';
import { splitForeign } from '../markdown/markdown-front.js';
import { findHeading } from '../markdown/markdown-heading.js';
import { readList, titleOfPath, trimBlankLines } from '../markdown/markdown-note.js';
import { endWithLineFeed, type NativeOptions, readNativeText, readWorkingFolder } from './native-note.js';

/** Yields the files of the Claude home, then those of each project folder that a transcript names. */
export function* readClaudeMd(
  root: string,
  slugs: readonly string[],
  { userHome, machine, trusted }: NativeOptions,
): Generator<ImportItem> {
  const home: Place = { folder: root, bound: root, shown: '', project: globalProject, key: `@${machine}` };
  yield* readFile(home, 'CLAUDE.md');
  yield* readRules(home, 'rules');
  for (const folder of listProjectFolders(root, slugs)) {
    const top = repositoryOf(folder, realOf(userHome));
    const project = projectOfFolder(folder, userHome, trusted);
    const below = relative(top, folder).split(sep).join('/');
    const place: Place = {
      folder,
      bound: top,
      shown: folder,
      project,
      key: below === '' ? project : `${project}/${below}`,
    };
    yield* readFile(place, 'CLAUDE.md');
    yield* readFile(place, 'CLAUDE.local.md', 'machine-local');
    // In the person's home folder `.claude` is the Claude home itself.
    if (realOf(join(folder, '.claude')) === root) continue;
    yield* readFile(place, '.claude/CLAUDE.md');
    yield* readRules(place, '.claude/rules');
  }
}

/** A folder with instructions; links in it are followed as long as they stay below `bound`. */
type Place = {
  readonly folder: string;
  readonly bound: string;
  readonly shown: string;
  readonly project: string;
  /** Prefix of its files' source keys. */
  readonly key: string;
};

function* listProjectFolders(root: string, slugs: readonly string[]): Generator<string> {
  const seen = new Set<string>();
  for (const slug of slugs) {
    const folder = readWorkingFolder(join(root, 'projects', slug), slug);
    const real = folder === undefined ? undefined : realOf(folder);
    if (real === undefined || seen.has(real) || !isInnerFolder(real)) continue;
    seen.add(real);
    yield real;
  }
}

/** Returns undefined when nothing is there. */
const realOf = (path: string): string | undefined => {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
};

/** Returns the nearest folder with `.git` at or above `folder` and below the person's home, or else `folder`. */
const repositoryOf = (folder: string, userHome: string | undefined): string => {
  for (let at = folder; at !== dirname(at) && at !== userHome; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
  }
  return folder;
};

function* readRules(place: Place, path: string): Generator<ImportItem> {
  const folder = join(place.folder, path);
  if (!isInnerFolder(folder)) return;
  for (const found of walkFiles(folder, { folder: () => true, file: (name) => name.endsWith('.md') })) {
    const below = found.path === '' ? path : `${path}/${found.path}`;
    if (found.kind === 'file') yield* readFile(place, below);
    else yield problemAt(join(place.shown, below), found.message);
  }
}

function* readFile(place: Place, path: string, scope?: Scope): Generator<ImportItem> {
  const shown = join(place.shown, path);
  const found = findInside(place.bound, join(relative(place.bound, place.folder), path));
  if (found.kind === 'barred') yield problemAt(shown, found.message);
  if (found.kind !== 'file') return;
  const read = readNativeText(found.path, shown);
  if (!read.ok) {
    yield read.problem;
    return;
  }
  // An empty CLAUDE.md is a common placeholder, not a mistake.
  if (read.text.trim() === '') return;
  yield {
    kind: 'note',
    note: {
      ...parseInstructions(read.text, path, place.project, scope),
      sourceKey: `claude-md:${place.key}/${path}`,
      tags: ['import', 'kind:claude-md'],
      keywords: [],
      project: place.project,
      type: 'procedural',
      createdAtMs: undefined,
      updatedAtMs: read.changedMs,
      mirrored: true,
    },
  };
}

/** The front matter of a rule names the files it applies to; a note has no field for them, so the body lists them. */
const parseInstructions = (
  text: string,
  path: string,
  project: string,
  scope: Scope | undefined,
): { readonly title: string; readonly body: string; readonly scope: Scope | undefined } => {
  const { values, body, prose } = splitForeign(text);
  const name = basename(path);
  const paths = readList(values, ['paths']);
  const applies = paths.length === 0 ? '' : `Applies to: ${paths.join(', ')}\n\n`;
  const title = name.startsWith('CLAUDE.') ? `${name} of ${project}` : (findHeading(prose) ?? titleOfPath(name));
  return {
    title: cleanTitle(title),
    body: endWithLineFeed(`${applies}${trimBlankLines(body)}`),
    scope: scope ?? scopeOfFields(values),
  };
};
