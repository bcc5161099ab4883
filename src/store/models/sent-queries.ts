/** The part of a query that may leave this machine. Pure but for the moment that `after:7d` counts from, which changes no word. */

import { normalForm } from '../../events/normal-form.js';
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
  return scope === 'machine-local' || mayAskForKept(text)
    ? 'notes of this machine alone, and sensitive ones, are looked for on this machine'
    : undefined;
};

/**
 * Looks at the text itself and not at what a search reads in it: what is misspelled there, or not understood, may mean notes
 * that stay here. In doubt the query does too.
 */
const mayAskForKept = (typed: string): boolean => {
  const text = normalForm(typed, 'NFKC').replace(/\p{Cf}/gu, '');
  const isPlain = !turns.test(text);
  return [...text.matchAll(keptKey)].some(({ groups }) => {
    const { gap = '', quoted, value: list = quoted ?? '' } = groups ?? {};
    // `the question is: why` is a sentence.
    if (gap !== ':' && !/local|portable|sensitive|secret/i.test(list)) return false;
    const values = list
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean);
    return values.length === 0 || !values.every((one) => otherValues.has(one) || (isPlain && one === 'portable'));
  });
};

const keptKey =
  /(?<![\p{L}\p{N}])(?:is|scopes?|has|id)(?<gap>\s?:\s|\s:|:)(?:["'\u201c](?<quoted>[^"'\u201d]*)|(?<value>[^\s"'\u201d()]*))/giu;
/** Words and signs that may negate a filter. */
const turns = /\bnot\b|(?:^|[\s("'\u201c])[-!~\u2010-\u2015\u2212]/iu;
/** These are as many notes of one scope as of the other. */
const otherValues: ReadonlySet<string> = new Set(['superseded', 'expired', 'live', 'any', 'tag', 'expiry']);

/** Without keys and operators, which mean nothing to a model. */
export const wordsOf = (text: string): string => {
  const { text: words, allWords } = parseQuery(text, allKeys);
  return words === '' ? allWords : words;
};

/** As the names of keys are read; whether a store has the tag changes nothing that is kept here. */
const allKeys = openKnownKeys({ hasTag: () => false, hasId: () => true, tagsLike: () => [] }, 0);
