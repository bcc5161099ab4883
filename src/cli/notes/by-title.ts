/** Finds a note by its title, for a person who has no id at hand. */
import type { Lookup } from '../../app/app.js';
import type { NoteJson, Notes, TitleMatch } from '../../app/notes.js';
import { type Refusal, titleAmbiguous, titleInPart } from '../../commands/refusals.js';
import { answerOrThrow } from '../errors.js';

type Finder = Pick<Notes, 'titled' | 'names'>;

/** `byId` is the result of looking for an id. */
export const showByTitle = async (
  notes: Finder & Pick<Notes, 'show'>,
  words: string,
  byId: Lookup<NoteJson>,
): Promise<Lookup<NoteJson>> => {
  if (byId.ok) return byId;
  const found = await findTitled(notes, words, byId.refusal);
  return found.ok ? notes.show(found.answer.id) : found;
};

/** Returns the whole id of a note to read: a part of its title is enough. */
export const idOrTitled = async (notes: Finder & Pick<Notes, 'resolveId'>, given: string): Promise<string> => {
  const byId = await notes.resolveId(given);
  return byId.ok ? byId.answer : answerOrThrow(await findTitled(notes, given, byId.refusal)).id;
};

/** Returns the whole id of a note to change: a part of its title is too vague, and refused. */
export const idToChange = async (notes: Finder & Pick<Notes, 'resolveId'>, given: string): Promise<string> => {
  const byId = await notes.resolveId(given);
  if (byId.ok) return byId.answer;
  const found = answerOrThrow(await findTitled(notes, given, byId.refusal));
  if (!found.isWhole) return answerOrThrow({ ok: false, refusal: titleInPart(given, await choiceOf(notes, [found])) });
  return found.id;
};

export const idsToChange = (
  notes: Finder & Pick<Notes, 'resolveId'>,
  given: readonly string[],
): Promise<readonly string[]> => Promise.all(given.map((one) => idToChange(notes, one)));

const findTitled = async (notes: Finder, words: string, refusal: Refusal): Promise<Lookup<TitleMatch>> => {
  const titled = await notes.titled(words);
  const [only, ...others] = titled;
  if (only === undefined) return { ok: false, refusal: isUnknown(refusal) ? nothingCalled(words, refusal) : refusal };
  if (others.length === 0) return { ok: true, answer: only };
  return { ok: false, refusal: titleAmbiguous(words, await choiceOf(notes, titled), only.isWhole) };
};

const choiceOf = async (notes: Finder, titled: readonly TitleMatch[]) => {
  const names = await notes.names(titled.map(({ id }) => id));
  return titled.map(({ id, title }) => ({ shortId: names.get(id)?.shortId ?? id, title }));
};

const isUnknown = ({ code }: Refusal): boolean => code === 'note-unknown' || code === 'id-invalid';

const nothingCalled = (words: string, { code }: Refusal): Refusal => ({
  code,
  message: `no note has the id or the title ${JSON.stringify(words)}`,
  next: 'anamnesis search WORDS finds notes by what they say; anamnesis log shows notes that were forgotten',
});
