/** Words that were put right, as the notes have them: the vocabulary knows `lucken` where they say `Lücken`. Pure. */

import { normalForm } from '../../../events/normal-form.js';
import { foldWord, lowerCase } from '../../prints/fold-word.js';
import type { Correction } from '../fuzzy/corrections.js';

/** In lower case, as the first of the texts has each; one that stands in none of them stays as it is. Linear. */
export const asWritten = (
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
