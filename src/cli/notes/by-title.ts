/** A note by its title, for a person who has no id at hand. */
import type { Found } from '../../app/app.js';
import type { NoteJson, Notes } from '../../app/notes.js';
import { type Refusal, titleAmbiguous } from '../../commands/refusals.js';
import { orRefuse } from '../errors.js';

/** `otherwise` is what looking for an id said. */
export const showByTitle = async (
  notes: Pick<Notes, 'titled' | 'show'>,
  words: string,
  otherwise: Found<NoteJson>,
): Promise<Found<NoteJson>> => {
  if (otherwise.ok) return otherwise;
  const titled = await notes.titled(words);
  const [only, ...others] = titled;
  if (only === undefined) return isUnknown(otherwise.refusal) ? nothingCalled(words, otherwise.refusal) : otherwise;
  if (others.length === 0) return notes.show(only.id);
  const choices = titled.map(({ short_id, title }) => ({ shortId: short_id, title }));
  return { ok: false, refusal: titleAmbiguous(words, choices) };
};

/** The whole id; also of a forgotten note, which has no title to be found by. */
export const idOrTitled = async (
  notes: Pick<Notes, 'resolveId' | 'titled' | 'show'>,
  given: string,
): Promise<string> => {
  const byId = await notes.resolveId(given);
  return byId.ok ? byId.answer : orRefuse(await showByTitle(notes, given, byId)).id;
};

const isUnknown = ({ code }: Refusal): boolean => code === 'note-unknown' || code === 'id-invalid';

const nothingCalled = (words: string, { code }: Refusal): Found<NoteJson> => ({
  ok: false,
  refusal: {
    code,
    message: `no note has the id or the title ${JSON.stringify(words)}`,
    next: 'anamnesis search WORDS finds notes by what they say; anamnesis log shows notes that were forgotten',
  },
});
