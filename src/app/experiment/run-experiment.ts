/** Measures the effect of a change on search, on a copy of the store. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EvalRunOptions, evaluate, readCounted } from '../../eval/evaluating.js';
import { Fault } from '../../events/faults.js';
import type { NoteId } from '../../events/note/note.js';
import { compareReports, type ModeComparison } from '../../projections/eval/compare-reports.js';
import type { EvalReport } from '../../projections/eval/report.js';
import { filesOfNote, type IndexedNote, listNotes } from '../../projections/index/query.js';
import { type Memory, openMemory } from '../../store/memory.js';
import { openNoteTexts } from '../../store/note-texts.js';
import { findSimilarNotes } from '../similar-notes.js';

export type ExperimentAsked = Pick<EvalRunOptions, 'sets' | 'includeUnreviewed'> & {
  /** `merge`, or a command with its arguments. */
  readonly change: readonly string[];
  /** The path of this program, which runs the command. */
  readonly program: string;
};

export type Experiment = {
  /** Notes that search can find, before and after. */
  readonly notes: { readonly before: number; readonly after: number };
  /** Relevant notes missing from the store, before and after. */
  readonly gone: { readonly before: number; readonly after: number };
  /** For `merge`: the notes that a newer one superseded. */
  readonly merged: readonly { readonly title: string; readonly into: string }[];
  readonly comparison: ModeComparison;
};

/** Leaves the store itself alone; the copy has no remote. Throws Fault 'eval-set-missing' and 'experiment-failed'. */
export const runExperiment = async (memory: Memory, asked: ExperimentAsked): Promise<Experiment> => {
  const cases = readCounted(memory, asked);
  const home = mkdtempSync(join(tmpdir(), 'anamnesis-experiment-'));
  try {
    await memory.exclusively(async () => copyStore(memory.settings.home, home));
    const settings = { ...memory.settings, home, trace: false };
    const measure = async () => {
      const copy = openMemory(settings);
      try {
        const { report } = await evaluate(copy, cases, asked);
        return {
          report,
          notes: await copy.liveIndex.ask((database) => live(listNotes(database, {}, -1).notes).length),
        };
      } finally {
        await copy.finish();
      }
    };
    const before = await measure();
    const merged = asked.change[0] === 'merge' ? await mergeDuplicates(settings) : [];
    if (asked.change[0] !== 'merge') await runCommand(asked, home);
    const after = await measure();
    const [comparison] = compareReports(savedOf(before.report), savedOf(after.report));
    if (comparison === undefined) throw new Error('a comparison without a mode');
    const gone = { before: before.report.gone, after: after.report.gone };
    return { notes: { before: before.notes, after: after.notes }, gone, merged, comparison };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

const savedOf = ({ results }: EvalReport) => ({ sets: { '': { keyword: results } } });

/** Copies both journals but no settings, and drops remotes from git's own: nothing tried on the copy leaves it. */
export const copyStore = (from: string, to: string): void => {
  for (const folder of ['memory', 'local']) {
    if (!existsSync(join(from, folder))) continue;
    cpSync(join(from, folder), join(to, folder), { recursive: true, verbatimSymlinks: true });
    const config = join(to, folder, '.git', 'config');
    if (!existsSync(config)) continue;
    const text = readFileSync(config, 'utf8');
    writeFileSync(config, text.replace(sectionsOfRemotes, ''));
  }
};

/** Git allows blanks before a section name, capitals in it and unindented lines below it. */
const sectionsOfRemotes = /^[ \t]*\[(?:remote|branch|include)[^\n]*\n(?:(?![ \t]*\[)[^\n]*\n?)*/gim;

const runCommand = async ({ change, program }: ExperimentAsked, home: string): Promise<void> => {
  const environment = { ...process.env, ANAMNESIS_HOME: home, ANAMNESIS_GIT_REMOTE: undefined };
  const child = spawn(process.execPath, [program, ...change], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errorOutput: Buffer[] = [];
  child.stderr.on('data', (bytes: Buffer) => errorOutput.push(bytes));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 0) return;
  const last = Buffer.concat(errorOutput).toString('utf8').trim().split('\n').at(-1) ?? '';
  throw new Fault('experiment-failed', `the command failed on the copy: ${last}`, 'correct the command and try again');
};

const live = (notes: readonly IndexedNote[]): readonly IndexedNote[] =>
  notes.filter(({ supersededBy }) => supersededBy === undefined);

/**
 * Lets the newest of several similar notes supersede the others, by the rule that warns of one when a note is written.
 */
const mergeDuplicates = async (settings: Memory['settings']): Promise<Experiment['merged']> => {
  const memory = openMemory(settings);
  try {
    const notes = live(await memory.liveIndex.ask((database) => listNotes(database, {}, -1).notes));
    const texts = openNoteTexts(memory.journals, () => undefined);
    const gone = new Set<NoteId>();
    const merged: { readonly title: string; readonly into: string }[] = [];
    // The list is sorted newest first.
    for (const note of notes) {
      if (gone.has(note.id) || note.type === 'episodic') continue;
      const [read] = await texts.read([note]);
      const owner = { user: note.userId, workspace: note.workspaceId };
      const asked = { ...note, body: read?.body ?? '', supersedes: [note.id, ...gone] };
      const { same, near } = await findSimilarNotes(memory, asked, owner, undefined);
      const older = [...new Set([...same, ...near].map(({ id }) => id))].filter(
        (id) => id !== note.id && !gone.has(id),
      );
      const inProject = await memory.liveIndex.ask((database) =>
        older.filter((id) => filesOfNote(database, id)[0]?.project === note.project),
      );
      if (inProject.length === 0) continue;
      const answer = await memory.perform({ kind: 'supersede', ids: inProject, by: note.id });
      if (answer.status !== 'recorded') continue;
      for (const id of inProject) {
        gone.add(id);
        merged.push({ title: notes.find((one) => one.id === id)?.title ?? id, into: note.title });
      }
    }
    return merged;
  } finally {
    await memory.finish();
  }
};
