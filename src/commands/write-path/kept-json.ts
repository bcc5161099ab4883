/**
 * JSON in `state.db`, which a process of another version may read: it calls each journal by the name of its folder, as every
 * version does. Pure.
 */
import { type JournalName, journalFolder, journalNames } from '../../events/note/note.js';

/** `journal: NAME` anywhere in the value, and `commits: { NAME: … }`, get the folder's name. */
export const formatKept = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => renamed(key, inner, (name) => folderOf.get(name)));

/** The text is trusted: a version of this program formatted it. */
export const parseKept = <Kept>(text: string): Kept =>
  JSON.parse(text, (key, inner: unknown) => renamed(key, inner, (name) => nameOf.get(name)));

const folderOf: ReadonlyMap<string, string> = new Map(Object.entries(journalFolder));
const nameOf: ReadonlyMap<string, JournalName> = new Map(journalNames.map((name) => [journalFolder[name], name]));

const renamed = (key: string, value: unknown, rename: (name: string) => string | undefined): unknown => {
  if (key === 'journal' && typeof value === 'string') return rename(value) ?? value;
  if (key !== 'commits' || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, commit]) => [rename(name) ?? name, commit]));
};
