/** Gives every file of a merged tree a path of its own. Pure. */
import { isNoteType } from '../note/note.js';
import { idOfPath, isNotePath, pathOfNote } from '../note/paths.js';
import { type FileState, foldersAbove, type PlacedFile, shortSuffix, withSuffix } from './tree-state.js';

/** Where a path is taken, a note gets a new note's name, another file one made of its content: all machines agree. */
export const placeFiles = (files: Map<string, FileState | undefined>, placed: readonly PlacedFile[]): void => {
  const notes = new Map<string, PlacedFile['note']>();
  for (const one of placed.toSorted(byPath)) {
    const path = [one.path, ...otherNames(one)].find((name) => isFreeFor(files, name, one.state)) ?? one.path;
    files.set(path, one.state);
    notes.set(path, one.note);
  }
  const folders = new Set([...files].flatMap(([path, state]) => (state === undefined ? [] : foldersAbove(path))));
  for (const [path, state] of [...files]) {
    if (state === undefined || !folders.has(path)) continue;
    files.set(path, undefined);
    const names = otherNames({ path, state, note: notes.get(path) ?? noteOfPath(path) });
    files.set(names.find((name) => !folders.has(name) && isFreeFor(files, name, state)) ?? path, state);
  }
};

/** A note that only one side changed wasn't read. */
const noteOfPath = (path: string): PlacedFile['note'] => {
  const type = path.slice(0, path.indexOf('/'));
  return isNotePath(path) && isNoteType(type) ? { type, id: idOfPath(path) } : undefined;
};

const isFreeFor = (files: ReadonlyMap<string, FileState | undefined>, path: string, state: FileState): boolean => {
  const there = files.get(path);
  return there === undefined || there.blob === state.blob;
};

const byPath = (one: PlacedFile, other: PlacedFile): number =>
  one.path === other.path ? order(one.state.blob, other.state.blob) : order(one.path, other.path);
const order = (one: string, other: string): number => (one < other ? -1 : 1);

const otherNames = ({ path, state: { blob }, note }: PlacedFile): readonly string[] => {
  if (note === undefined) return [withSuffix(path, shortSuffix(blob)), withSuffix(path, `.${blob}`)];
  const { type, id } = note;
  return [pathOfNote(type, id), ...[1, 2, 3].map((round) => `${type}/${id.slice(-2)}-${round}/${id}.md`)];
};
