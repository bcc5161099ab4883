/** The part of a query that may leave this machine. Pure but for the moment that `after:7d` counts from, which changes no word. */

import { redact } from '../../events/note/redact.js';
import { openKnownKeys } from '../../projections/search/query/known-keys.js';
import { parseQuery } from '../../projections/search/query/parse-query.js';
import type { ModeAsked } from './modes.js';

/** Undefined where it may be sent. */
export const whyNotSent = (
  text: string,
  { scope, staysHere }: Pick<ModeAsked, 'scope' | 'staysHere'>,
): string | undefined => {
  if (staysHere === true) return 'the note never leaves this machine, and neither do its words';
  if (redact(text).masked.length > 0) return 'the query may hold a secret, so it stays on this machine';
  const { fields } = parseQuery(text, allKeys);
  const isLocal = fields.some(({ key, value, isWithout }) => !isWithout && keptValues[key]?.test(value) === true);
  return scope === 'machine-local' || isLocal
    ? 'notes of this machine alone, and sensitive ones, are looked for on this machine'
    : undefined;
};

const keptValues: Readonly<Record<string, RegExp>> = { scope: /local/i, is: /local|sensitive/i, has: /secret/i };

/** Without keys and operators, which mean nothing to a model. */
export const wordsOf = (text: string): string => {
  const { text: words, allWords } = parseQuery(text, allKeys);
  return words === '' ? allWords : words;
};

/** As the names of keys are read; whether a store has the tag changes nothing that is kept here. */
const allKeys = openKnownKeys({ hasTag: () => false, hasId: () => true, tagsLike: () => [] }, 0);
