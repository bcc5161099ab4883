/** Corrected words as the notes spell them: the vocabulary has `lucken` where they have `Lücken`. Pure. */

import { normalForm } from '../../../events/normal-form.js';
import { foldWord, lowerCase } from '../../prints/fold-word.js';
import type { Correction } from '../fuzzy/corrections.js';

/** In lower case, as the first of the texts spells each; a word that is in none of them stays unchanged. Linear. */
export const inOriginalSpelling = (
  corrected: readonly Correction[],
  texts: readonly { readonly note: { readonly title: string }; readonly body: string }[],
): readonly Correction[] => {
  const written = new Map<string, string>();
  for (const { note, body } of texts)
    for (const [word] of normalForm(`${note.title}\n${body}`).matchAll(/[\p{L}\p{M}]+/gu)) {
      const folded = foldWord(word);
      if (!written.has(folded)) written.set(folded, lowerCase(word));
    }
  return corrected.map(({ typed, instead }) => ({
    typed,
    instead: instead
      .split(' ')
      .map((word) => written.get(word) ?? word)
      .join(' '),
  }));
};
