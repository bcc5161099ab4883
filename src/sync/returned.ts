/** Finds notes that were forgotten here but changed elsewhere, and that an exchange therefore brought back. */
import type { GitJournal } from '../events/git/git-journal.js';
import type { PathChange } from '../events/journal.js';
import type { NoteId } from '../events/note/note.js';
import { idOfPath, isNotePath } from '../events/note/paths.js';
import { quoteTitle } from '../events/note/quoted-text.js';
import { listEvents } from '../projections/history/query.js';
import { filesOfNote } from '../projections/index/query.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { Memory } from '../store/memory.js';

export type ReturnedNote = { readonly id: NoteId; readonly short_id: string; readonly title: string };

/** `before` is the head before the exchange. Makes one git call if the head moved and notes were forgotten here. */
export const findReturned = async (memory: Memory, before: string | undefined): Promise<readonly ReturnedNote[]> => {
  const journal = memory.journals.portable;
  const head = journal.head();
  if (before === undefined || head === undefined || before === head) return [];
  const { machine } = memory.settings;
  const hasForgotten = await memory.liveIndex.ask(
    (database) => listEvents(database, { kind: 'note.forgotten', machine }, 1).length > 0,
  );
  if (!hasForgotten) return [];
  const changes = (await readChanges(journal, before, head)).filter(({ path }) => isNotePath(path));
  const wasThere = new Set(changes.flatMap((one) => (one.before === undefined ? [] : [idOfPath(one.path)])));
  const added = changes.flatMap((one) => (one.before === undefined ? [idOfPath(one.path)] : []));
  return memory.liveIndex.ask((database) => {
    const returned = [...new Set(added)].filter(
      (id) => !wasThere.has(id) && listEvents(database, { note: id, kind: 'note.forgotten', machine }, 1).length > 0,
    );
    const shortIds = shortNoteIds(database, returned);
    return returned.flatMap((id) => {
      const title = filesOfNote(database, id)[0]?.title;
      return title === undefined ? [] : [{ id, short_id: shortIds.get(id) ?? id, title }];
    });
  });
};

/** Returns nothing if a followed purge has removed the history with `before`. */
const readChanges = async (journal: GitJournal, before: string, head: string): Promise<readonly PathChange[]> => {
  try {
    return await journal.diff(before, head);
  } catch (error) {
    if (await journal.contains(before, before)) throw error;
    return [];
  }
};

const maxNamed = 3;

/** Returns one line, which names the first three. */
export const describeReturned = (returned: readonly ReturnedNote[]): string => {
  const named = returned.slice(0, maxNamed).map(({ short_id, title }) => `${short_id} (${quoteTitle(title)})`);
  const more = returned.length > maxNamed ? ` and ${returned.length - maxNamed} more` : '';
  const [first] = returned;
  return returned.length === 1
    ? `note ${named.join('')} was forgotten here but changed elsewhere, and is back; to forget it: anamnesis forget ${first?.short_id}`
    : `${returned.length} notes were forgotten here but changed elsewhere, and are back: ${named.join(', ')}${more}; to forget one: anamnesis forget ${first?.short_id}`;
};
