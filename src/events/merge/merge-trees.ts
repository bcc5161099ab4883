/** Merges two trees that grew from one: notes by fields, other files by lines. Pure and symmetric: machines agree. */
import type { ImportedChange, PathChange } from '../journal.js';
import type { LostOfNote } from '../note/lost-values.js';
import type { BlobId, NoteId } from '../note/note.js';
import { type NoteFile, parseNoteFile } from '../note/note-file.js';
import { idOfPath, isNotePath } from '../note/paths.js';
import { mergeOther } from './merge-other.js';
import { mergeNoteVersions, type NoteVersions, type Version } from './note-versions.js';
import { placeFiles } from './place-files.js';
import type { Contents, FileState, PathStates, PlacedFile } from './tree-state.js';

export type TreeSide = {
  /** All that differs from the base, notes or not. */
  readonly changes: readonly PathChange[];
  /** Epoch milliseconds of each note's newest event that the other side lacks. */
  readonly times: ReadonlyMap<NoteId, number>;
};

export type MergedTree = {
  /** What differs from the base; undefined is a path that is gone. */
  readonly files: ReadonlyMap<string, FileState | undefined>;
  readonly contents: Contents;
  /** Notes that both sides changed. */
  readonly merged: readonly NoteId[];
  /** Notes of which a text that clashes is kept in a sibling. */
  readonly conflicts: readonly { readonly noteId: NoteId; readonly sibling: NoteId }[];
  readonly lost: readonly LostOfNote[];
  /** Notes that one side removed and the other one edited: the edit stays. */
  readonly returned: readonly NoteId[];
};

/** Returns the contents that merging needs. */
export const contentsToMerge = (a: TreeSide, b: TreeSide): readonly BlobId[] => {
  const sides = [indexByPath(a), indexByPath(b)] as const;
  const blobs = [...contestedPaths(sides)].flatMap((path) =>
    sides.flatMap((side) => {
      const change = side.get(path);
      return change === undefined || isLink(change.afterMode) ? [] : [change.before ?? [], change.after ?? []].flat();
    }),
  );
  return distinct(blobs);
};

export const mergeTrees = (a: TreeSide, b: TreeSide, bytes: Contents): MergedTree => {
  const sides = [indexByPath(a), indexByPath(b)] as const;
  const contested = contestedPaths(sides);
  const files = new Map<string, FileState | undefined>();
  const taken = [...a.changes, ...b.changes].filter(({ path }) => !contested.has(path));
  for (const change of taken) files.set(change.path, stateAfter(change));
  const states = [...contested].sort().map((path) => statesAt(path, sides));
  const contents = new Map(bytes);
  const isPlain = ({ path, ...state }: PathStates): boolean =>
    !isNotePath(path) ||
    [state.base, state.a, state.b].some((one) => one !== undefined && fileOf(bytes, one, path) === undefined);
  const placed: PlacedFile[] = [];
  for (const state of states) {
    files.set(state.path, undefined);
    const isNote = (one: FileState): boolean => isNotePath(state.path) && fileOf(bytes, one, state.path) !== undefined;
    if (isPlain(state)) placed.push(...mergeOther(state, contents, isNote));
  }
  const results = notesAmong(
    states.filter((state) => !isPlain(state)),
    bytes,
  ).map((versions) => mergeNoteVersions(versions, { a: a.times, b: b.times }, contents));
  placed.push(...results.flatMap((result) => result.placed));
  placeFiles(files, placed);
  for (const { path, base } of states) if (isSame(files.get(path), base)) files.delete(path);
  // A file that makes way for a folder never was in the base.
  for (const [path, state] of [...files])
    if (state === undefined && (sides[0].get(path) ?? sides[1].get(path))?.before === undefined) files.delete(path);
  return {
    files,
    contents,
    merged: distinct(results.flatMap(({ merged }) => merged ?? [])),
    conflicts: results.flatMap(({ conflict }) => conflict ?? []),
    lost: results.flatMap(({ lost }) => lost),
    returned: distinct(results.flatMap(({ returned }) => returned ?? [])),
  };
};

/** Returns what turns the tree of one side into the merged one: removals first, since a folder may replace a file. */
export const changesTo = (side: TreeSide, { files, contents }: MergedTree): readonly ImportedChange[] => {
  const own = indexByPath(side);
  const changes = [...new Set([...files.keys(), ...own.keys()])].sort().flatMap((path): readonly ImportedChange[] => {
    const change = own.get(path);
    const now = files.has(path) ? files.get(path) : asBefore(change);
    if (change === undefined ? !files.has(path) : isSame(now, stateAfter(change))) return [];
    if (now === undefined) return [{ path, bytes: undefined }];
    const made = contents.get(now.blob);
    return made === undefined || now.isMade !== true
      ? [{ path, blob: now.blob, mode: now.mode }]
      : [{ path, bytes: made }];
  });
  const isRemoval = (change: ImportedChange): boolean => 'bytes' in change && change.bytes === undefined;
  return [...changes.filter(isRemoval), ...changes.filter((change) => !isRemoval(change))];
};

type Sides = readonly [Changes, Changes];
type Changes = ReadonlyMap<string, PathChange>;

const indexByPath = ({ changes }: TreeSide): Changes => new Map(changes.map((change) => [change.path, change]));

const stateAfter = ({ after, afterMode }: PathChange): FileState | undefined =>
  after === undefined ? undefined : { blob: after, mode: afterMode };

/** The mode of the base isn't known; a side that leaves a file alone says nothing about it. */
const asBefore = (change: PathChange | undefined): FileState | undefined =>
  change?.before === undefined ? undefined : { blob: change.before, mode: '100644' };

const isSame = (one: FileState | undefined, other: FileState | undefined): boolean =>
  one?.blob === other?.blob && (one?.mode === other?.mode || one === undefined);

const statesAt = (path: string, [a, b]: Sides): PathStates => {
  const [inA, inB] = [a.get(path), b.get(path)];
  const base = asBefore(inA ?? inB);
  return {
    path,
    base,
    a: inA === undefined ? base : stateAfter(inA),
    b: inB === undefined ? base : stateAfter(inB),
  };
};

/** Paths that differ from the base differently on both sides, and every other changed path of a note of both sides. */
const contestedPaths = (sides: Sides): ReadonlySet<string> => {
  const [a, b] = sides;
  const idsOf = (side: Changes): ReadonlySet<NoteId> => new Set([...side.keys()].filter(isNotePath).map(idOfPath));
  const [idsOfA, idsOfB] = [idsOf(a), idsOf(b)];
  const isEqual = (path: string): boolean => {
    const [inA, inB] = [a.get(path), b.get(path)];
    return inA !== undefined && inB !== undefined && isSame(stateAfter(inA), stateAfter(inB));
  };
  const unequal = [...new Set([...a.keys(), ...b.keys()])].filter((path) => !isEqual(path));
  const isNoteOf = (ids: ReadonlySet<NoteId>, path: string): boolean => isNotePath(path) && ids.has(idOfPath(path));
  const ids = new Set(
    unequal.flatMap((path) => (isNoteOf(idsOfA, path) && isNoteOf(idsOfB, path) ? [idOfPath(path)] : [])),
  );
  const inBoth = [...a.keys(), ...b.keys()].filter((path) => isNoteOf(ids, path));
  return new Set([...unequal.filter((path) => a.has(path) && b.has(path)), ...inBoth]);
};

const isLink = (mode: string): boolean => mode === '120000' || mode === '160000';

const parsed = new WeakMap<Buffer, NoteFile | false>();

const fileOf = (bytes: Contents, { blob }: Pick<FileState, 'blob'>, path: string): NoteFile | undefined => {
  const content = bytes.get(blob);
  if (content === undefined) return undefined;
  const known = parsed.get(content);
  if (known !== undefined) return known === false ? undefined : known;
  const read = parseNoteFile(content, 'portable', path);
  parsed.set(content, read.ok ? read.file : false);
  return read.ok ? read.file : undefined;
};

/** Pairs the files of each note on both sides: by path first, the rest in path order. */
const notesAmong = (states: readonly PathStates[], bytes: Contents): readonly NoteVersions[] => {
  const versionsOf = (side: 'base' | 'a' | 'b'): readonly Version[] =>
    states.flatMap(({ path, [side]: state }) => {
      const file = state === undefined ? undefined : fileOf(bytes, state, path);
      return state === undefined || file === undefined ? [] : [{ path, ...state, file }];
    });
  const [base, inA, inB] = [versionsOf('base'), versionsOf('a'), versionsOf('b')];
  const ids = distinct([...base, ...inA, ...inB].map(({ file }) => file.note.id)).sort();
  return ids.flatMap((id) => {
    const isOfNote = ({ file }: Version): boolean => file.note.id === id;
    const [olds, as, bs] = [base.filter(isOfNote), inA.filter(isOfNote), inB.filter(isOfNote)];
    const both = as.filter(({ path }) => bs.some((other) => other.path === path));
    const isAlone = ({ path }: Version): boolean => !both.some((one) => one.path === path);
    const [restOfA, restOfB] = [as.filter(isAlone), bs.filter(isAlone)];
    const pairs = [
      ...both.map((a) => ({ a, b: bs.find(({ path }) => path === a.path) })),
      ...Array.from({ length: Math.max(restOfA.length, restOfB.length) }, (_, at) => ({
        a: restOfA[at],
        b: restOfB[at],
      })),
    ];
    return withBases(id, pairs, olds);
  });
};

/** A pair's base is the file at one of its paths, else any that no pair claims. */
const withBases = (
  id: NoteId,
  pairs: readonly Pick<NoteVersions, 'a' | 'b'>[],
  olds: readonly Version[],
): readonly NoteVersions[] => {
  const left = new Set(olds);
  const take = (old: Version | undefined): Version | undefined => {
    if (old !== undefined) left.delete(old);
    return old;
  };
  const found = pairs.map(({ a, b }) => ({
    id,
    a,
    b,
    base: take([...left].find(({ path }) => path === a?.path || path === b?.path)),
  }));
  return found.map((one) => ({ ...one, base: one.base ?? take([...left][0]) }));
};

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
