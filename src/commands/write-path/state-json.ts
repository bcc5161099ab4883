/**
 * Formats JSON for `state.db`. A process of another version may read it, so each journal goes by the name of its
 * folder, as in every version. Pure.
 */
import { type JournalName, journalFolder, journalNames } from '../../events/note/note.js';

/** Replaces NAME with the folder's name in `journal: NAME` and `commits: { NAME: … }`, anywhere in the value. */
export const formatState = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => renamed(key, inner, (name) => folderOf.get(name)));

/** The text is trusted: a version of this program formatted it. */
export const parseState = <Kept>(text: string): Kept =>
  JSON.parse(text, (key, inner: unknown) => renamed(key, inner, (name) => nameOf.get(name)));

const folderOf: ReadonlyMap<string, string> = new Map(Object.entries(journalFolder));
const nameOf: ReadonlyMap<string, JournalName> = new Map(journalNames.map((name) => [journalFolder[name], name]));

const renamed = (key: string, value: unknown, rename: (name: string) => string | undefined): unknown => {
  if (key === 'journal' && typeof value === 'string') return rename(value) ?? value;
  if (key !== 'commits' || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, commit]) => [rename(name) ?? name, commit]));
};
