/** All that stands beside a sensitive name. */
import { findNames } from './names.js';
import { findEnvLines, findNamedValue } from './pairs.js';
import { findValueBefore, findValueInSentence } from './prose.js';
import type { Detector, Span } from './span.js';

export const findNamed: Detector = (text, seen) => {
  const names = findNames(text, seen.names);
  const found: Span[] = [];
  for (const name of names) {
    const pair = findNamedValue(text, name);
    const span = pair ?? (pair === null ? undefined : findValueInSentence(text, name));
    if (span !== undefined) found.push(span);
    const before = findValueBefore(text, name);
    if (before !== undefined) found.push(before);
  }
  return [...found, ...findEnvLines(text, names)];
};
