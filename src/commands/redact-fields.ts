/** Masks secrets in every field of a note that carries free text. Git history is for ever, so nothing gets round this. */

import { type NoteFile, setNoteFields } from '../events/note/note-file.js';
import { type Masked, redact } from '../events/note/redact.js';

export type FreeText = {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly keywords?: readonly string[] | undefined;
  /** Named by a folder or a remote, whose names are anybody's. */
  readonly project?: string | undefined;
};

export const redactFields = <Fields extends FreeText>(
  fields: Fields,
): { fields: Fields; masked: readonly Masked[] } => {
  const found: Masked[] = [];
  const mask = (text: string): string => {
    const result = redact(text);
    found.push(...result.masked);
    return result.text;
  };
  // Two secrets leave one mask.
  const maskEach = (list: readonly string[]): readonly string[] =>
    list.map(mask).filter((text, at, all) => text === list[at] || all.indexOf(text) === at);
  const masked = {
    ...fields,
    ...(fields.title === undefined ? {} : { title: mask(fields.title) }),
    ...(fields.body === undefined ? {} : { body: mask(fields.body) }),
    ...(fields.project === undefined ? {} : { project: mask(fields.project) }),
    ...(fields.tags === undefined ? {} : { tags: maskEach(fields.tags) }),
    ...(fields.keywords === undefined ? {} : { keywords: maskEach(fields.keywords) }),
  };
  return { fields: masked, masked: addUp(found) };
};

/** One entry per kind, by kind. */
export const addUp = (masked: readonly Masked[]): readonly Masked[] => {
  const countByKind = new Map<Masked['kind'], number>();
  for (const { kind, count } of masked) countByKind.set(kind, (countByKind.get(kind) ?? 0) + count);
  return [...countByKind].map(([kind, count]) => ({ kind, count })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
};

/** The note with every secret masked, and what was masked. */
export const redactFile = (file: NoteFile): { readonly file: NoteFile; readonly masked: readonly Masked[] } => {
  const { title, body, tags, keywords } = file.note;
  const { fields, masked } = redactFields({ title, body, tags, keywords });
  return masked.length === 0 ? { file, masked } : { file: setNoteFields(file, fields), masked };
};
