/** The notes that a command names, as whole ids. */
import { checkNamed } from '../commands/limits.js';
import type { NoteId } from '../events/note/note.js';
import type { Found } from './reading.js';

export type Resolve = (given: string) => Promise<Found<NoteId>>;

/** In their order; the first that is none is the refusal. */
export const resolveAll = async (given: readonly string[], resolve: Resolve): Promise<Found<readonly NoteId[]>> => {
  const ids: NoteId[] = [];
  for (const one of given) {
    const id = await resolve(one);
    if (!id.ok) return id;
    ids.push(id.answer);
  }
  return { ok: true, answer: ids };
};

/** Of those that a change names in a field: so many that a server is not held up by them, and each once. */
export const resolveNamed = async (
  field: string,
  given: readonly string[],
  resolve: Resolve,
): Promise<Found<readonly NoteId[]>> => {
  const refusal = checkNamed(field, given);
  if (refusal !== undefined) return { ok: false, refusal };
  const named = await resolveAll([...new Set(given)], resolve);
  return named.ok ? { ok: true, answer: [...new Set(named.answer)] } : named;
};
