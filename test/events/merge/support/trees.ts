/** Trees for the merge laws: texts by path, compared and merged as the journal's are. */
import {
  contentsToMerge,
  type MergedTree,
  mergeTrees,
  type TreeSide,
} from '../../../../src/events/merge/merge-trees.js';
import { blobIdOf } from '../../../../src/events/note/blob-id.js';
import type { BlobId, Note, NoteId } from '../../../../src/events/note/note.js';
import { formatNoteFile, newNoteFile } from '../../../../src/events/note/note-file.js';
import { pathOfNote } from '../../../../src/events/note/paths.js';
import { idOf, makeNote } from '../../../support/arbitraries.js';

export type Tree = ReadonlyMap<string, string>;
export type Head = { readonly tree: Tree; readonly times?: ReadonlyMap<NoteId, number> };

export const textOfNote = (note: Partial<Note>): string => formatNoteFile(newNoteFile(makeNote(note))).toString('utf8');

/** The `n`th note of a series, with its usual path and what it says. */
export const noteAt = (n: number, fields: Partial<Note> = {}): readonly [path: string, text: string] => {
  const note = makeNote({ id: idOf(n), ...fields });
  return [pathOfNote(note.type, note.id), textOfNote(note)];
};

export const blobOf = (text: string): BlobId => blobIdOf(Buffer.from(text));

export const sideOf = (base: Tree, { tree, times = new Map() }: Head): TreeSide => ({
  times,
  changes: [...new Set([...base.keys(), ...tree.keys()])].sort().flatMap((path) => {
    const [was, is] = [base.get(path), tree.get(path)];
    if (was === is) return [];
    return [
      {
        path,
        before: was === undefined ? undefined : blobOf(was),
        after: is === undefined ? undefined : blobOf(is),
        afterMode: is === undefined ? '000000' : '100644',
      },
    ];
  }),
});

export const merge = (base: Tree, a: Head, b: Head): MergedTree & { readonly tree: Tree } => {
  const all = new Map(
    [base, a.tree, b.tree].flatMap((tree) =>
      [...tree.values()].map((text) => [blobOf(text), Buffer.from(text)] as const),
    ),
  );
  const [left, right] = [sideOf(base, a), sideOf(base, b)];
  const bytes = new Map(contentsToMerge(left, right).map((blob) => [blob, all.get(blob) ?? Buffer.alloc(0)]));
  const merged = mergeTrees(left, right, bytes);
  const tree = new Map(base);
  for (const [path, state] of merged.files) {
    if (state === undefined) tree.delete(path);
    else tree.set(path, (merged.contents.get(state.blob) ?? all.get(state.blob) ?? Buffer.alloc(0)).toString('utf8'));
  }
  return { ...merged, tree };
};

export const sorted = (tree: Tree): readonly (readonly [string, string])[] =>
  [...tree].sort(([one], [other]) => (one < other ? -1 : 1));
