/**
 * The part of a query that may leave this machine. Pure.
 */
import { normalForm } from '../events/normal-form.js';
import type { Scope } from '../events/note/note.js';
import { redact } from '../events/note/redact.js';
import { parseQuery } from '../projections/search/query/parse-query.js';

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

/**
 * Examines the text itself instead of the parsed query: a filter that is misspelled or not understood may mean notes
 * that stay here. When in doubt, the query stays too.
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
/** Words and characters that may negate a filter. */
const turns = /\bnot\b|(?:^|[\s("'\u201c])[-!~\u2010-\u2015\u2212]/iu;
/** Filter values that select notes of either scope. */
const otherValues: ReadonlySet<string> = new Set(['superseded', 'expired', 'live', 'any', 'tag', 'expiry']);

/** Removes keys and operators, which mean nothing to a model. */
export const wordsOf = (text: string): string => {
  const { text: words, allWords } = parseQuery(text, 0);
  return words === '' ? allWords : words;
};
