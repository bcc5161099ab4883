/** All that stands beside a sensitive name. */
import { findNames } from './names.js';
import { findEnvLines, findNamedValue } from './pairs.js';
import { findValueBefore, findValueInSentence, mostBefore } from './prose.js';
import type { Detector, Span } from './span.js';

export const findNamed: Detector = (text, seen) => {
  const names = findNames(text, seen.names);
  const found: Span[] = [];
  /** Of the last digit before the name: a value that stands there has one. */
  let digit = -mostBefore - 1;
  let read = 0;
  for (const name of names) {
    const pair = findNamedValue(text, name);
    const span = pair ?? (pair === null ? undefined : findValueInSentence(text, name));
    if (span !== undefined) found.push(span);
    for (; read < name.start; read++) if (isDigit(text.charCodeAt(read))) digit = read;
    const before = name.start - digit <= mostBefore ? findValueBefore(text, name) : undefined;
    if (before !== undefined) found.push(before);
  }
  return [...found, ...findEnvLines(text, names)];
};
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
