/** Notes that a person has yet to decide about: there is a conflict copy, or a note proposes to replace another. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { prepared } from '../prepared.js';
import { shortNoteIds } from '../short-ids.js';
import type { IndexedNote } from './query.js';
import { markOf, type Owner } from './trust.js';

type Pair = { readonly copy: NoteId; readonly original: NoteId };

/** Copies among the notes or of them, if the original is live and of one project and owner: anyone can name one. */
const pairsAmong = (database: Database.Database, ids: readonly NoteId[], nowSeconds: number): readonly Pair[] =>
  ids.length === 0 ? [] : selectPairs(database).all(JSON.stringify(ids), nowSeconds);

/** A copy is replaced by the note that it conflicts with, from `noteOf`; it stays if that note is in `exclude`. */
export const withoutCopies = <Found extends { readonly note: IndexedNote }>(
  database: Database.Database,
  found: readonly Found[],
  nowSeconds: number,
  exclude: ReadonlySet<NoteId>,
  noteOf: (id: NoteId) => IndexedNote | undefined,
): readonly Found[] => {
  const pairs = pairsAmong(
    database,
    found.map(({ note }) => note.id),
    nowSeconds,
  );
  const originalOf = new Map(pairs.map(({ copy, original }) => [copy, original]));
  const kept = new Map<NoteId, Found>();
  for (const one of found) {
    const original = originalOf.get(one.note.id);
    const note = original === undefined || exclude.has(original) ? one.note : (noteOf(original) ?? one.note);
    if (!kept.has(note.id)) kept.set(note.id, { ...one, note });
  }
  return [...kept.values()];
};

/** The ids that are copies of a live note. */
export const copiesAmong = (
  database: Database.Database,
  ids: readonly NoteId[],
  nowSeconds: number,
): ReadonlySet<NoteId> => new Set(pairsAmong(database, ids, nowSeconds).map(({ copy }) => copy));

/** For each contested note, and each that is not the owner's, the reasons in fixed wording, with what settles it. */
export const contestsOf = (
  database: Database.Database,
  ids: readonly NoteId[],
  nowSeconds: number,
  owner: Owner,
): ReadonlyMap<NoteId, readonly string[]> => {
  const clashes = pairsAmong(database, ids, nowSeconds);
  const proposals = ids.length === 0 ? [] : selectProposals(database).all(JSON.stringify(ids));
  const all = [
    ...clashes.flatMap(({ copy, original }) => [copy, original]),
    ...proposals.flatMap(({ newer, older }) => [newer, older]),
  ];
  const shortIds = shortNoteIds(database, [...new Set(all)]);
  const short = (id: NoteId): string => shortIds.get(id) ?? id;
  const reasons = new Map<NoteId, string[]>();
  const add = (id: NoteId, reason: string): void => {
    const known = reasons.get(id) ?? [];
    if (!known.includes(reason)) reasons.set(id, [...known, reason]);
  };
  for (const { copy, original } of clashes) {
    add(original, 'in conflict: there is another version of it (anamnesis conflicts)');
    add(copy, `in conflict with ${short(original)} (anamnesis conflicts)`);
  }
  for (const { newer, older } of proposals) {
    add(older, `${short(newer)} is proposed to replace it (anamnesis review)`);
    add(newer, `proposed to replace ${short(older)} (anamnesis review)`);
  }
  for (const row of ids.length === 0 ? [] : selectSourced(database).all(JSON.stringify(ids))) {
    const mark = markOf({ untrusted: row.untrusted === 1, userId: row.user_id, machineId: row.machine_id }, owner);
    if (mark !== undefined) add(row.id, mark);
  }
  return reasons;
};

const selectSourced = prepared<
  [string],
  { readonly id: NoteId; readonly untrusted: number; readonly user_id: string; readonly machine_id: string }
>(
  `SELECT n.id, n.untrusted, n.user_id, n.machine_id FROM json_each(?) asked CROSS JOIN notes n ON n.id = asked.value
   WHERE n.shadowed = 0`,
);
const selectPairs = prepared<[string, number], Pair>(
  `SELECT DISTINCT c.copy, c.original
   FROM conflicts c CROSS JOIN notes n ON n.rowid = c.note CROSS JOIN notes o ON o.id = c.original, json_each(?) asked
   WHERE (c.copy = asked.value OR c.original = asked.value) AND n.shadowed = 0 AND n.superseded_by IS NULL
     AND o.shadowed = 0 AND o.superseded_by IS NULL AND (o.expires_at IS NULL OR o.expires_at > ?)
     AND o.project = n.project AND o.user_id = n.user_id AND o.workspace_id = n.workspace_id`,
);
const selectProposals = prepared<[string], { readonly newer: NoteId; readonly older: NoteId }>(
  `SELECT DISTINCT n.id AS newer, o.id AS older
   FROM proposals p CROSS JOIN notes n ON n.rowid = p.note CROSS JOIN notes o ON o.id = p.older, json_each(?) asked
   WHERE (n.id = asked.value OR o.id = asked.value) AND n.shadowed = 0 AND n.superseded_by IS NULL
     AND o.shadowed = 0 AND o.superseded_by IS NULL AND o.id <> n.id
     AND o.project = n.project AND o.user_id = n.user_id AND o.workspace_id = n.workspace_id`,
);
