/** Rewords refusals for an agent: they name commands of the command line, but it has tools. Pure. */
import type { Refusal } from '../../commands/refusals.js';

/** Returns the same refusal, with its next step in terms of the tools if they have one. */
export const toToolRefusal = ({ code, message, next }: Refusal): Refusal => ({
  code,
  message,
  next: nextByCode[code] ?? next,
});

const nextByCode: Readonly<Record<string, string>> = {
  'note-unknown': 'memory_search or memory_list gives ids; memory_history tells what happened to a forgotten note',
  'note-forgotten':
    'memory_history says who forgot it and why; write it again if it still holds, or ask the person to restore it',
  'note-purged': 'nothing can restore it; memory_history says who purged it and when',
  'note-kept-elsewhere': 'leave it there; only the person may publish it again',
  'id-invalid': 'give the short id of a hit, or at least 4 characters of the beginning or the end of an id',
  'version-moved': 'read it again with memory_get and repeat the edit on that text and version',
  'project-unknown': 'leave the project out to look in all of them; each hit names its project',
};
