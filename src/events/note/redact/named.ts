/** Finds the secrets beside a sensitive name. */
import { type FoundName, findNames } from './names.js';
import { findEnvLines, findNamedValues } from './pairs.js';
import { findValueBefore, findValueInSentence } from './prose.js';
import { digitReader, linkReader, signReader } from './prose-signs.js';
import type { Detector, Span } from './span.js';

export const findNamed: Detector = (text, seen) => {
  const names = findNames(text, seen.names);
  const found: Span[] = [];
  const hasDigit = digitReader(text, 121, /[\d\0-\x20]/g);
  const mayFollowValue = linkReader(text);
  const mayLeadToValue = signReader(text);
  const findValuesInSentence = (name: FoundName): readonly Span[] => {
    const span = mayLeadToValue(name.tail) ? findValueInSentence(text, name) : undefined;
    return span === undefined ? [] : [span];
  };
  let longEnd = 0;
  for (const name of names) {
    // Skips names inside a long secret: each would read on to its end.
    if (name.end < longEnd) continue;
    const spans = findNamedValues(text, name, hasDigit) ?? findValuesInSentence(name);
    for (const span of spans) {
      found.push(span);
      if (span.end - span.start >= longLength) longEnd = Math.max(longEnd, span.end);
    }
    const before = mayFollowValue(name.start) ? findValueBefore(text, name) : undefined;
    if (before !== undefined) found.push(before);
  }
  return [...found, ...findEnvLines(text, names)];
};

const longLength = 100;
