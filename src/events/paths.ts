/** Where notes lie in a journal. */
import type { NoteId, NoteType } from './note.js';

/** Folders that hold notes. */
export const noteFolders = ['procedural', 'semantic', 'episodic'] as const;

const notePath = /^(?:procedural|semantic|episodic)\/(?:[^/\\\p{Cc}\ufffd]+\/)*[0-7][0-9A-HJKMNP-TV-Z]{25}\.md$/u;
/** Folders that lead elsewhere, or into what git keeps for itself. */
const barredFolder = /^(?:\.{1,2}|\.git|git~1)$/i;

/** Only these paths are projected or written; a path that is not valid UTF-8 carries U+FFFD and is none. */
export const isNotePath = (path: string): boolean =>
  notePath.test(path) && !path.split('/').some((part) => barredFolder.test(part));

/**
 * `<type>/<last two characters of the id>/<id>.md`. The fan-out is by the random end of the ULID: a commit rewrites the
 * tree objects on its way, and this keeps them small at any size (design §2).
 */
export const pathOfNote = (type: NoteType, id: NoteId): string => `${type}/${id.slice(-2)}/${id}.md`;
