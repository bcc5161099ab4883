/** Refusals: normal answers to impossible requests, worded in one place for every surface. */
import type { NoteId } from '../events/note/note.js';
import { cutGiven, quoteTitle } from '../events/note/quoted-text.js';

/** `message` is one sentence about what is wrong, `next` what to do about it. */
export type Refusal = { readonly code: string; readonly message: string; readonly next: string };

export const noteUnknown = (id: NoteId): Refusal => ({
  code: 'note-unknown',
  message: `there is no note ${id}`,
  next: 'search or list to find its id; `anamnesis log` shows notes that were forgotten',
});

export const noteForgotten = (id: NoteId): Refusal => ({
  code: 'note-forgotten',
  message: `note ${id} was forgotten`,
  next: `bring it back first: anamnesis restore ${id}`,
});

/** The text of a purged note is no longer in any history. */
export const notePurged = (id: NoteId): Refusal => ({
  code: 'note-purged',
  message: `note ${id} was purged: its text is no longer in any history`,
  next: `nothing can restore it; anamnesis history ${id} shows when it was purged, and by which machine`,
});

export const idNotAUlid = (given: string): Refusal => ({
  code: 'id-invalid',
  message: `${JSON.stringify(cutGiven(given))} is not a note id`,
  next: 'give the id that search and list print, or at least 4 characters of its beginning or its end',
});

/** A note or an event that matches a typed id; its title is untrusted text. */
export type IdChoice = { readonly shortId: string; readonly title: string };

/** `choices` may list fewer than `total`; the message says how many are missing. */
export const idAmbiguous = (
  given: string,
  what: 'notes' | 'events',
  choices: readonly IdChoice[],
  total: number,
): Refusal => {
  const left = total - choices.length;
  return {
    code: 'id-ambiguous',
    message: `${given} fits ${total} ${what}: ${listOf(choices)}${left > 0 ? `, and ${left} more` : ''}`,
    next: left > 0 ? 'give more characters of the id' : 'give one of these ids',
  };
};

export const titleAmbiguous = (words: string, choices: readonly IdChoice[], areWhole = false): Refusal => ({
  code: 'title-ambiguous',
  message: `several ${areWhole ? 'notes have the title' : 'titles contain'} ${JSON.stringify(cutGiven(words))}: ${listOf(choices)}`,
  next: 'give one of these ids',
});

/** Refuses a change to a note named by part of its title; to read a note, a part is enough. */
export const titleInPart = (words: string, choices: readonly IdChoice[]): Refusal => ({
  code: 'title-ambiguous',
  message: `${JSON.stringify(cutGiven(words))} is only a part of a title: ${listOf(choices)}`,
  next: 'give this id, or the whole title',
});

const listOf = (choices: readonly IdChoice[]): string =>
  choices.map(({ shortId, title }) => `${shortId} (${cutTitle(quoteTitle(title))})`).join(', ');

const cutTitle = (title: string): string => {
  const letters = [...title];
  return letters.length <= maxTitleChars ? title : `${letters.slice(0, maxTitleChars - 1).join('')}…`;
};

const maxTitleChars = 60;

export const limitPassed = (field: string, limit: string, given: string): Refusal => ({
  code: 'limit-passed',
  message: `${field} ${limit}; given: ${cutGiven(given)}`,
  next:
    field === 'body'
      ? 'split the text into several notes, each about one thing'
      : `give ${field.endsWith('s') ? field : `a ${field}`} within the limit`,
});

export const valueInvalid = (field: string, expected: string, given: string): Refusal => ({
  code: 'value-invalid',
  message: `${field} must be ${expected}; given: ${cutGiven(given)}`,
  next: `give another ${field}`,
});

export const textPrivate = (id: NoteId): Refusal => ({
  code: 'text-private',
  message: `the text says scope: machine-local, and note ${id} is portable: nothing was changed`,
  next: `first anamnesis move ${id} --scope machine-local, or take that line out of the text`,
});

/** `suggested` is the project that the folder itself would have. */
export const projectMissing = (notes: number, suggested: string): Refusal => ({
  code: 'project-missing',
  message: `${notes} ${notes === 1 ? 'note names' : 'notes name'} no project`,
  next: `name one: --project ${suggested === 'global' ? 'KEY' : suggested}, or --project global for notes that every session gets`,
});

export const versionMoved = (id: NoteId, expected: string, actual: string): Refusal => ({
  code: 'version-moved',
  message: `note ${id} changed since you read it: its version is ${actual.slice(0, 12)}, not ${expected.slice(0, 12)}`,
  next: `read it again (anamnesis show ${id}) and repeat the edit on the current text`,
});

export const supersedeCycle = (older: NoteId, newer: NoteId): Refusal => ({
  code: 'supersede-cycle',
  message: `${newer} can't supersede ${older}: ${older === newer ? 'they are the same note' : `${older} already supersedes ${newer}`}`,
  next: 'write a new note that supersedes both, or forget one of them',
});

export const notEditable = (id: NoteId, path: string): Refusal => ({
  code: 'not-editable',
  message: `the front matter of ${path} can be read but not edited key by key`,
  next: `edit the file by hand so that each key starts a line, then run: anamnesis adopt (note ${id})`,
});

export const linksForeign = (id: NoteId, path: string): Refusal => ({
  code: 'links-foreign',
  message: `the links in ${path} are not all of the form RELATION ID, and setting one would drop the others`,
  next: `give them another key by hand, then run: anamnesis adopt (note ${id})`,
});

export const resolvesItself = (id: NoteId): Refusal => ({
  code: 'resolves-itself',
  message: `note ${id} can't resolve itself`,
  next: 'name the note that says how it was solved',
});

export const commandIdTaken = (commandId: string, since: string): Refusal => ({
  code: 'command-id-taken',
  message: `the command id ${commandId} names another command, which was recorded at ${since}: nothing was recorded now`,
  next: 'repeat the command with another id, or without one',
});

export const moveContested = (id: NoteId, why: string, next: string): Refusal => ({
  code: 'move-contested',
  message: `note ${id} ${why}: it can't move to the other journal, where it would be another note`,
  next,
});

export const nothingToDo = (what: string, next: string): Refusal => ({ code: 'nothing-asked', message: what, next });

export const fileBlocked = (path: string, reason: string): Refusal => ({
  code: 'file-blocked',
  message: `${path} can't be used: ${reason}`,
  next: 'correct that file or move it away, then repeat the command',
});

/** The journal's version is unreadable too, so moving the file away restores nothing. */
export const unreadableNote = (id: NoteId, path: string, reason: string): Refusal => ({
  ...fileBlocked(path, reason),
  next: `correct that file and run: anamnesis adopt, or bring an older text back: anamnesis restore ${id} --at POINT; then repeat the command`,
});

/** The journal has that file, so moving it away is a change that must be recorded first. */
export const unreadableThere = (path: string, reason: string): Refusal => ({
  ...fileBlocked(path, reason),
  next: 'correct that file or move it away, run: anamnesis adopt, then repeat the command',
});
