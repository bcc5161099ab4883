/** Notes that a query asks for by their id or a part of it, if that is the whole query. */
import type Database from 'better-sqlite3';
import { filesOfNote, filterCondition, type IndexedNote, type NoteFilter } from '../../index/query.js';
import { preparedTexts } from '../../prepared.js';
import { notesLike } from '../../short-ids.js';

/**
 * Notes that pass the filter and whose id begins or ends with the text, by id; superseded and expired ones too.
 * `isWord` says that notes contain the text as a word: then it is an id only if it has a digit, as nearly all ids do.
 */
export const namedNotes = (
  database: Database.Database,
  text: string,
  filter: NoteFilter,
  isWord: boolean,
): readonly IndexedNote[] => {
  const typed = text.trim().toUpperCase();
  if (!isIdOrPart.test(typed) || (isWord && !/\d/.test(typed))) return [];
  const { sql, args } = filterCondition(filter);
  const passes = passing(database, `SELECT 1 FROM notes n WHERE n.rowid = ? AND ${sql}`);
  return notesLike(database, typed, filter, maxNamed)
    .found.flatMap(({ id }) => filesOfNote(database, id).slice(0, 1))
    .filter(({ rowid }) => passes.get(rowid, ...args) !== undefined);
};

const isIdOrPart = /^[0-9A-HJKMNP-TV-Z]{6,26}$/;

/** Ids of one import may begin alike. */
const maxNamed = 100;

const passing = preparedTexts<(string | number)[], unknown>();
