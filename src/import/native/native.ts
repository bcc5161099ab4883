/** Reads Claude Code's own memory in place and never writes to it. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type ImportItem, problemAt } from '../../commands/foreign-note.js';
import { globalProject } from '../../config/project.js';
import type { NoteId } from '../../events/note/note.js';
import { ulidOfBytes } from '../../events/ulid-form.js';
import { findInside, isGivenFolder, isInnerFolder, listEntries, type NamedEntry } from '../files.js';
import { readClaudeMd } from './claude-md.js';
import { type NativeOptions, parseNativeMemory, projectOfSlug, readNativeText } from './native-note.js';

/** Yields the auto memory of every project, then the memory of subagents, then CLAUDE.md files if requested. */
export async function* readNative(claudeHome: string, options: NativeOptions): AsyncGenerator<ImportItem> {
  if (!isGivenFolder(claudeHome)) throw new Error(`Claude Code's home is a folder, but ${claudeHome} is a file`);
  const root = realpathSync.native(claudeHome);
  const projects = listInside(root, 'projects');
  const agents = listInside(root, 'agent-memory');
  for (const { problem } of [projects, agents]) if (problem !== undefined) yield problem;
  for (const { name } of projects.entries) yield* readAutoMemory(root, name, options);
  for (const { name } of agents.entries) yield* readAgentMemory(root, name);
  if (options.claudeMd) {
    const slugs = projects.entries.map(({ name }) => name);
    yield* readClaudeMd(root, slugs, options);
  }
}

/** True when some project has memory files. */
export const holdsNativeMemory = (folder: string): boolean =>
  isInnerFolder(join(folder, 'projects')) &&
  listInside(realpathSync.native(folder), 'projects').entries.some(({ name }) => {
    const entries = listEntries(join(folder, 'projects', name, 'memory'));
    return typeof entries !== 'string' && entries.some((entry) => entry.name.endsWith('.md'));
  });

/** The same on every machine and in the Python program: 16 bytes of a hash of the slug and the file's name. */
export const idOfNative = (slug: string, name: string): NoteId =>
  ulidOfBytes(createHash('sha256').update(`${slug}/${name}`).digest().subarray(0, 16));

type Listing = { readonly entries: readonly NamedEntry[]; readonly path: string; readonly problem?: ImportItem };

/** Lists a folder below the root; empty if there is no such folder. `path` is its real path. */
const listInside = (root: string, place: string): Listing => {
  const folder = findInside(root, place);
  if (folder.kind === 'barred') return { entries: [], path: '', problem: problemAt(place, folder.message) };
  if (folder.kind !== 'folder') return { entries: [], path: '' };
  const entries = listEntries(folder.path);
  return typeof entries === 'string'
    ? { entries: [], path: '', problem: problemAt(place, entries) }
    : { entries, path: folder.path };
};

function* readAutoMemory(root: string, slug: string, options: NativeOptions): Generator<ImportItem> {
  let project: string | undefined;
  for (const found of listMemoryFiles(root, `projects/${slug}/memory`)) {
    if ('problem' in found) {
      yield found.problem;
      continue;
    }
    project ??= projectOfSlug(join(root, 'projects', slug), slug, options);
    yield readMemoryFile(found, {
      key: `${slug}/${found.name}`,
      id: idOfNative(slug, found.name),
      projectOf: (kind) => (kind === 'user' ? globalProject : (project ?? globalProject)),
      tags: [],
    });
  }
}

function* readAgentMemory(root: string, agent: string): Generator<ImportItem> {
  const place = `agent-memory/${agent}`;
  for (const found of listMemoryFiles(root, place)) {
    if ('problem' in found) {
      yield found.problem;
      continue;
    }
    yield readMemoryFile(found, {
      key: `${place}/${found.name}`,
      id: idOfNative(place, found.name),
      projectOf: () => globalProject,
      tags: [`agent:${agent}`],
    });
  }
}

type MemoryFile = { readonly file: string; readonly shown: string; readonly name: string };

/** Yields `*.md` except the index; `name` is without the extension. */
function* listMemoryFiles(root: string, place: string): Generator<MemoryFile | { readonly problem: ImportItem }> {
  const { entries, path, problem } = listInside(root, place);
  if (problem !== undefined) yield { problem };
  for (const { name, kind } of entries) {
    if (!name.endsWith('.md') || name.startsWith('.') || name === 'MEMORY.md') continue;
    const shown = `${place}/${name}`;
    const found = kind === 'file' ? ({ kind, path: join(path, name) } as const) : findInside(root, shown);
    if (found.kind === 'file') yield { file: found.path, shown, name: name.slice(0, -'.md'.length) };
    else if (found.kind === 'barred') yield { problem: problemAt(shown, found.message) };
  }
}

type Filing = {
  readonly key: string;
  readonly id: NoteId;
  readonly projectOf: (kind: string | undefined) => string;
  readonly tags: readonly string[];
};

const readMemoryFile = ({ file, shown, name }: MemoryFile, filing: Filing): ImportItem => {
  const read = readNativeText(file, shown);
  if (!read.ok) return read.problem;
  const { text, changedMs } = read;
  if (text.trim() === '') return problemAt(`${shown}:1`, 'the file is empty');
  const { kind, modifiedMs, ...memory } = parseNativeMemory(text, name);
  return {
    kind: 'note',
    note: {
      ...memory,
      sourceKey: `claude-code:${filing.key}`,
      id: filing.id,
      tags: ['import', ...(kind === undefined ? [] : [`kind:${kind}`]), ...filing.tags],
      project: filing.projectOf(kind),
      createdAtMs: Math.min(modifiedMs ?? changedMs, changedMs),
      // A person's edit does not update the time in the front matter.
      updatedAtMs: Math.max(modifiedMs ?? changedMs, changedMs),
      mirrored: true,
    },
  };
};
