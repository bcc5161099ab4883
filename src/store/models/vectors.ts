/** Brings a store's vectors up to date: in batches, each saved, so that a kill loses one. Never used by a hook. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { NoteText } from '../../embedding/closeness.js';
import { failRead, type ModelProblem, otherDimension, type Read, readAs } from '../../embedding/embedder.js';
import type { PackedVectors } from '../../embedding/packed-vectors.js';
import type { Journal } from '../../events/journal.js';
import { findFences } from '../../events/note/fences.js';
import type { JournalName } from '../../events/note/note.js';
import { readInBatches } from '../../events/read-in-batches.js';
import { readVersion } from '../../events/worktree/working-tree.js';
import { reflectedBy, type VersionedNote, versionedNotes } from '../../projections/index/note-versions.js';
import {
  beginVectorFile,
  isDamagedVectors,
  type NoteVersion,
  notesPerSegment,
  openVectorFile,
  type Segment,
  type VectorFile,
} from '../../state/vector-file.js';
import type { LiveIndex } from '../live-index.js';

/** Makes vectors of notes; `identity` covers everything they depend on besides the notes. */
export type PassageMaker = {
  readonly identity: string;
  /** Returns the vectors in the order of the notes. */
  passages(notes: readonly NoteText[]): Promise<Read<readonly PackedVectors[]>>;
  /** False for a note whose text it must not read. */
  mayRead(note: VersionedNote): boolean;
  /** Notes per call. */
  readonly batch: number;
};

export type VectorSource = {
  readonly folder: string;
  readonly liveIndex: LiveIndex;
  readonly journals: Readonly<Record<JournalName, Journal>>;
};

export type CaughtUp = {
  /** Notes that have vectors, those just made, and those still missing. */
  readonly notes: number;
  readonly made: number;
  readonly left: number;
  /** Why some are left, if it wasn't the time limit. */
  readonly problem?: ModelProblem | undefined;
};

export type UpToDate = { readonly vectors: LoadedVectors; readonly caughtUp: CaughtUp };

export type LoadedVectors = Pick<VectorFile, 'notesAt' | 'placesOf'> & {
  readonly file: VectorFile;
  readonly segments: readonly Segment[];
  /** Vectors of recent queries, by text; valid only for this file, like the notes' vectors. */
  readonly queries: Map<string, Float32Array>;
};

type OpenedFile = Pick<LoadedVectors, 'file' | 'segments' | 'queries'> & { readonly identity: string };

/** Keeps the file and its contents open for a process that asks again. */
export class Vectors {
  private opened: OpenedFile | undefined;

  constructor(private readonly source: VectorSource) {}

  /** Runs until `untilMs` on the `performance.now()` clock; a next call continues. Throws errors of SQLite and disk. */
  async catchUp(maker: PassageMaker, untilMs = Number.POSITIVE_INFINITY): Promise<UpToDate> {
    try {
      return await this.run(openVectorFile, maker, untilMs);
    } catch (error) {
      if (!isDamagedVectors(error)) throw error;
      this.close();
      return this.run(beginVectorFile, maker, untilMs);
    }
  }

  close(): void {
    this.opened?.file.close();
    this.opened = undefined;
  }

  private async run(open: typeof openVectorFile, maker: PassageMaker, untilMs: number): Promise<UpToDate> {
    const opened = this.open(open, maker.identity);
    const { file } = opened;
    const caughtUp = await bringUpToDate(file, this.source, maker, untilMs);
    const known = opened.segments[0]?.id === file.firstSegment() ? opened.segments : [];
    const now = { ...opened, segments: [...known, ...file.segments(known.at(-1)?.id ?? 0)] };
    if (this.opened?.file === file) this.opened = now;
    const { notesAt, placesOf } = file;
    return { caughtUp, vectors: { ...now, notesAt, placesOf } };
  }

  private open(open: typeof openVectorFile, identity: string): OpenedFile {
    if (this.opened?.identity === identity && this.opened.file.isCurrent()) return this.opened;
    this.close();
    this.opened = { identity, file: open(this.source.folder, identity), queries: new Map(), segments: [] };
    return this.opened;
  }
}

const bringUpToDate = async (
  file: VectorFile,
  { liveIndex, journals }: VectorSource,
  maker: PassageMaker,
  untilMs: number,
): Promise<CaughtUp> => {
  const before = file.reflects();
  const asked = await liveIndex.ask((database) => {
    const reflects = reflectedBy(database);
    return reflects === before ? undefined : { reflects, notes: versionedNotes(database) };
  });
  if (asked === undefined) return { notes: file.waste().notes, made: 0, left: 0 };
  const notes = asked.notes.filter(maker.mayRead);
  const known = new Map(file.notes().map((note) => [keyOf(note), note]));
  const missing = notes.filter((note) => known.get(keyOf(note))?.blob !== note.blob);
  for (const note of notes) if (known.get(keyOf(note))?.blob === note.blob) known.delete(keyOf(note));
  // Removes obsolete versions first: they may have been forgotten.
  let remove: readonly NoteVersion[] | undefined = [...known.values()];
  let pending: { notes: VersionedNote[]; vectors: PackedVectors[] } = { notes: [], vectors: [] };
  let made = 0;
  let dimension = file.dimension();
  const keep = (reflects?: string): void => {
    if (pending.notes.length === 0 && remove === undefined && reflects === undefined) return;
    file.change({ add: pending, remove, reflects });
    made += pending.notes.length;
    remove = undefined;
    pending = { notes: [], vectors: [] };
  };
  if (remove.length > 0) keep();
  for (let at = 0; at < missing.length; at += maker.batch) {
    // A long text must not block other clients of this process.
    if (at > 0) await yieldToEventLoop();
    const isLate = performance.now() >= untilMs;
    const batch = missing.slice(at, at + maker.batch);
    const read = isLate ? undefined : await maker.passages(await readTexts(journals, batch));
    const vectors = read?.ok === true ? ofDimension(read.value, dimension) : read;
    if (vectors === undefined || !vectors.ok) {
      keep();
      const left = missing.length - made;
      return { notes: file.waste().notes, made, left, problem: vectors?.problem };
    }
    dimension ??= dimensionOf(vectors.value);
    pending.notes.push(...batch);
    pending.vectors.push(...vectors.value);
    if (pending.notes.length >= notesPerSegment) keep();
  }
  keep(asked.reflects);
  packIfWorth(file);
  return { notes: file.waste().notes, made, left: 0 };
};

const keyOf = ({ journal, path }: Pick<NoteVersion, 'journal' | 'path'>): string => `${journal}/${path}`;

const dimensionOf = (vectors: readonly PackedVectors[]): number | undefined =>
  vectors.map(({ values, count }) => values.length / count)[0];

/** A server may have replaced the model under the same name. */
const ofDimension = (
  vectors: readonly PackedVectors[],
  dimension: number | undefined,
): Read<readonly PackedVectors[]> => {
  const now = dimensionOf(vectors);
  return dimension === undefined || now === dimension
    ? readAs(vectors)
    : failRead('model-unusable', ...otherDimension(now, dimension));
};

/** Packs when worthwhile: each search reads all segments, and single writes create one each. */
const packIfWorth = (file: VectorFile): void => {
  const { places, notes, segments } = file.waste();
  const fewest = Math.ceil(notes / notesPerSegment);
  if (places > 256 + notes / 4 || segments > 64 + 2 * fewest) file.pack();
};

/** Reads texts in the versions of the index: for a file changed by hand, from git. */
const readTexts = async (
  journals: VectorSource['journals'],
  notes: readonly VersionedNote[],
): Promise<readonly NoteText[]> => {
  const bodies = new Map<string, string>();
  const missing: Record<JournalName, VersionedNote[]> = { portable: [], local: [] };
  for (const note of notes) {
    const bytes = readVersion(journals[note.journal].folder, note.path, note.blob);
    if (bytes === undefined) missing[note.journal].push(note);
    else bodies.set(note.blob, bodyIn(bytes));
  }
  for (const journal of [journals.portable, journals.local]) {
    const left = missing[journal.name];
    if (left.length === 0) continue;
    for await (const { entry, bytes } of readInBatches(journal, left)) {
      if (bytes !== undefined) bodies.set(entry.blob, bodyIn(bytes));
    }
  }
  return notes.map(({ title, blob }) => ({ title, body: bodies.get(blob) ?? '' }));
};

const bodyIn = (bytes: Buffer): string => {
  const fences = findFences(bytes.toString('utf8'));
  return fences.ok ? fences.body : '';
};
