/** The part of a query that may leave this machine. Pure. */
import { normalForm } from '../../events/normal-form.js';
import type { Scope } from '../../events/note/note.js';
import { redact } from '../../events/note/redact.js';
import { parseQuery } from '../../projections/search/query/parse-query.js';

/** Returns why a query may not be sent, or undefined if it may. */
export const whyNotSent = (
  text: string,
  { scope, staysHere }: { readonly scope: Scope | undefined; readonly staysHere?: boolean | undefined },
): string | undefined => {
  if (staysHere === true) return 'the note never leaves this machine, and neither do its words';
  if (redact(text).masked.length > 0) return 'the query may hold a secret, so it stays on this machine';
  return scope === 'machine-local' || mayAskForKept(text)
    ? 'machine-local and sensitive notes are searched only on this machine'
    : undefined;
};

/** Examines the text: a misspelled or negated filter may mean notes that stay here. When in doubt, it stays. */
const mayAskForKept = (text: string): boolean => keptKey.test(normalForm(text, 'NFKC').replace(/\p{Cf}/gu, ''));

const keptKey = /(?<![\p{L}\p{N}])(?:is|scopes?|has|id)\s?:/iu;

/** Removes keys, which mean nothing to a model. */
export const wordsOf = (text: string): string => {
  const { text: words, allWords } = parseQuery(text, 0);
  return words === '' ? allWords : words;
};
