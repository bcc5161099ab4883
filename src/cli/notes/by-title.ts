/** A note by its title, for a person who has no id at hand. */
import type { Found } from '../../app/app.js';
import type { NoteJson, Notes } from '../../app/notes.js';
import { titleAmbiguous } from '../../commands/refusals.js';

/** `otherwise` is what looking for an id said; it stands where no title holds the words. */
export const showByTitle = async (
  notes: Pick<Notes, 'search' | 'show'>,
  words: string,
  otherwise: Found<NoteJson>,
): Promise<Found<NoteJson>> => {
  const wanted = plain(words);
  if (wanted === '') return otherwise;
  const { hits } = await notes.search(words, { k: maxHits });
  const named = hits.filter(({ title }) => plain(title) === wanted);
  const holding = named.length > 0 ? named : hits.filter(({ title }) => plain(title).includes(wanted));
  const [only, ...others] = holding;
  if (only === undefined) return otherwise;
  if (others.length === 0) return notes.show(only.id);
  const choices = holding.map(({ short_id, title }) => ({ shortId: short_id, title }));
  return { ok: false, refusal: titleAmbiguous(words, choices) };
};

const maxHits = 20;

const plain = (text: string): string => text.normalize('NFC').toLowerCase().split(/\s+/).join(' ').trim();
