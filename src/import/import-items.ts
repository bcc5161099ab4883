/** Imports foreign notes from any source, and Claude Code's own. Loads no zod, since the background worker uses it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ForeignFile, ForeignNote, ImportItem, ImportProblem } from '../commands/foreign-note.js';
import { projectMissing } from '../commands/refusals.js';
import type { ImportFormat } from '../commands/source-keys.js';
import { whyNoKey } from '../config/project-key.js';
import type { Scope } from '../events/note/note.js';
import { statGiven } from '../files/given-file.js';
import type { Answer, Asker, Memory } from '../store/memory.js';
import { type PlannedNote, planImportOf } from './dry-run.js';
import { type FolderRead, type MissingFile, type MovedFile, matchMovedFiles } from './moved-files.js';
import { readNative } from './native/native.js';
import { type GivenSource, nameSource, rememberSource } from './source-name.js';

export type ImportAnswer = {
  readonly format: ImportFormat;
  readonly answer: Answer;
  readonly problems: readonly ImportProblem[];
  /** Files that are not text, such as images, and links. */
  readonly passed: readonly string[];
  /** For a folder that was imported before. */
  readonly moved: readonly MovedFile[];
  readonly missing: readonly MissingFile[];
  /** Only for a dry run, which records nothing. */
  readonly planned?: readonly PlannedNote[] | undefined;
};

export type Progress = {
  readonly done: number;
  readonly total: number | undefined;
  readonly stage: 'reading' | 'recording';
};

export type ImportSource = {
  readonly format: ImportFormat;
  /** Name of the source in the event's subject. */
  readonly from: string;
  readonly items: AsyncIterable<ImportItem>;
  readonly total?: number | undefined;
  /** Of notes that name none and of JSONL lines that say `global`; with another program's front matter, of all. */
  readonly project?: string | undefined;
  readonly isFrontMatter?: boolean | undefined;
  /** Scope of all notes, whatever they say. */
  readonly scope?: Scope | undefined;
  /** Not the person's own words, whatever they say. */
  readonly untrusted?: boolean | undefined;
  /** Refuses notes without a project, which every session would be given; the refusal suggests this project. */
  readonly projectNeeded?: { readonly such: string } | undefined;
  /** The place of the source, which tells it from another one of the same name. */
  readonly named?: Omit<GivenSource, 'notes'> | undefined;
  /** For a folder, whose files may have been moved or deleted since. */
  readonly folder?: Pick<FolderRead, 'keysArePaths'> | undefined;
  readonly dryRun?: boolean | undefined;
  /** For an automatic import: an undone import stays undone. */
  readonly isUnasked?: boolean | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly asker?: Asker | undefined;
};

const readItems = async (source: ImportSource) => {
  const { total, onProgress } = source;
  const notes: ForeignNote[] = [];
  const files: ForeignFile[] = [];
  const problems: ImportProblem[] = [];
  const passed: string[] = [];
  let done = 0;
  for await (const item of source.items) {
    if (item.kind === 'note') {
      const { note } = item;
      notes.push({
        ...note,
        project: chooseProject(note.project, source),
        scope: source.scope ?? note.scope,
        ...(source.untrusted === true ? { untrusted: true } : {}),
      });
    } else if (item.kind === 'file') files.push(item.file);
    else if (item.kind === 'passed') passed.push(item.path);
    else problems.push(item.problem);
    done += 1;
    if (done % 500 === 0) {
      onProgress?.({ done, total, stage: 'reading' });
      await nextTurn();
    }
  }
  onProgress?.({ done, total: done, stage: 'recording' });
  return { notes, files, problems, passed };
};

/** Imports a whole source as one event; records none when nothing is new. */
export const importItems = async (memory: Memory, source: ImportSource): Promise<ImportAnswer> => {
  const { format, from } = source;
  const { notes, files, problems, passed } = await readItems(source);
  const without = notes.filter((note) => note.project === undefined).length;
  const rest = { format, problems, passed, moved: [], missing: [] };
  if (without > 0 && source.projectNeeded !== undefined)
    return { ...rest, answer: { status: 'refused', refusal: projectMissing(without, source.projectNeeded.such) } };
  const given = source.named === undefined ? undefined : { ...source.named, notes };
  const named = given === undefined ? undefined : await nameSource(memory, given);
  if (named !== undefined && 'message' in named) return { ...rest, answer: { status: 'refused', refusal: named } };
  const followed =
    source.folder === undefined || named === undefined
      ? { notes: named?.notes ?? notes, moved: [], missing: [] }
      : await matchMovedFiles(memory, { ...source.folder, prefix: named.prefix, notes: named.notes, problems });
  const found = { ...rest, moved: followed.moved, missing: followed.missing };
  const command = {
    kind: 'import',
    from: named?.name ?? from,
    notes: followed.notes,
    files,
    scope: source.scope,
    isUnasked: source.isUnasked,
  } as const;
  if (source.dryRun === true) {
    const { planned, ...plan } = await planImportOf(memory, command);
    return { ...found, planned, answer: { ...unchanged, ...plan } };
  }
  // With nothing to decide, it neither waits for the lock nor creates a store.
  if (followed.notes.length + files.length === 0) return { ...found, answer: unchanged };
  const answer = await memory.perform(command, source.asker);
  if (answer.status !== 'refused' && given !== undefined && named !== undefined)
    await rememberSource(memory, given, named.name);
  return { ...found, answer };
};

const chooseProject = (
  own: string | undefined,
  { project, isFrontMatter, format }: ImportSource,
): string | undefined => {
  // Otherwise a file from someone else would give its notes to every session, whatever project the person typed.
  if (format === 'jsonl' && own === 'global') return project ?? own;
  if (isFrontMatter !== true) return own ?? project;
  return project ?? (own === undefined || whyNoKey(own) !== undefined ? undefined : own);
};

const unchanged: Exclude<Answer, { status: 'refused' }> = {
  status: 'unchanged',
  event: undefined,
  note: undefined,
  masked: [],
  warnings: [],
  counts: { imported: 0, updated: 0, skipped: 0 },
};

type NativeImportOptions = {
  readonly claudeHome: string;
  readonly userHome: string;
  readonly claudeMd: boolean;
  readonly scope?: Scope | undefined;
  readonly dryRun?: boolean | undefined;
  readonly isUnasked?: boolean | undefined;
  readonly asker?: Asker | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
};

/** Records one event, or none when nothing is new. A Claude home that does not exist has nothing to import. */
export const importNative = async (
  memory: Memory,
  { claudeHome, userHome, claudeMd, scope, dryRun, isUnasked, asker, onProgress }: NativeImportOptions,
): Promise<ImportAnswer> => {
  const options = {
    userHome,
    claudeMd,
    machine: memory.settings.machine,
    trusted: memory.settings.trustedProjects,
  };
  return importItems(memory, {
    format: 'claude-code',
    from: 'Claude Code',
    items: isFolder(claudeHome) ? readNative(claudeHome, options) : nothing(),
    scope,
    asker,
    dryRun,
    isUnasked,
    onProgress,
  });
};

const isFolder = (path: string): boolean => statGiven(path)?.isDirectory() === true;

async function* nothing(): AsyncGenerator<never> {}
