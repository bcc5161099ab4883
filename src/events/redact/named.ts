/** All that stands beside a sensitive name, found in one pass over the names. */
import { findNames } from './names.js';
import { findEnvLines, findNamedValue } from './pairs.js';
import { findValueInSentence } from './prose.js';
import type { Detector, Span } from './span.js';

export const findNamed: Detector = (text) => {
  const names = findNames(text);
  if (names.length === 0) return [];
  const found: Span[] = [];
  for (const name of names) {
    const pair = findNamedValue(text, name);
    const span = pair ?? (pair === null ? undefined : findValueInSentence(text, name));
    if (span !== undefined) found.push(span);
  }
  return [...found, ...findEnvLines(text)];
};
