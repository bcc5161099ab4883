/** Resolves the notes that a command names to whole ids. */
import { checkNamed } from '../commands/limits.js';
import type { NoteId } from '../events/note/note.js';
import type { Lookup } from './reading.js';

export type Resolve = (given: string) => Promise<Lookup<NoteId>>;

/** Returns the ids in order, or the refusal for the first that can't be resolved. */
export const resolveAll = async (given: readonly string[], resolve: Resolve): Promise<Lookup<readonly NoteId[]>> => {
  const ids: NoteId[] = [];
  for (const one of given) {
    const id = await resolve(one);
    if (!id.ok) return id;
    ids.push(id.answer);
  }
  return { ok: true, answer: ids };
};

/** Resolves the notes that a change names in a field, each once; limits their number so that a server isn't blocked. */
export const resolveNamed = async (
  field: string,
  given: readonly string[],
  resolve: Resolve,
): Promise<Lookup<readonly NoteId[]>> => {
  const refusal = checkNamed(field, given);
  if (refusal !== undefined) return { ok: false, refusal };
  const named = await resolveAll([...new Set(given)], resolve);
  return named.ok ? { ok: true, answer: [...new Set(named.answer)] } : named;
};
