/** Masks foreign text for a note, the spool, a judge or the log: whole, because half a key isn't recognised. Pure. */
import { redact } from './redact.js';

declare const passedTheDoor: unique symbol;

/** A text without terminal codes and control characters in which every secret is masked. */
export type MaskedText = string & { readonly [passedTheDoor]: true };

/** Marks the end of a beginning: the last word may be half a secret, and is dropped, as in a text that ends in NUL. */
export const cutMark = '\0';

/** Masks with terminal codes, which may separate a key from a word, and again without, which joins what they split. */
export const maskText = (text: string): MaskedText => {
  const masked = redact(withoutLooseEnd(text)).text;
  const plain = withoutCodes(masked);
  return maskKeyFragments(plain === masked ? plain : redact(plain).text) as MaskedText;
};

/** If lines of a key cross a border, all pieces become one; if a token may, the words at the borders are dropped. */
export const maskPieces = (pieces: readonly string[]): readonly MaskedText[] => {
  const each = pieces.map(maskText);
  if (pieces.length < 2) return each;
  // The lines of a key join at a line feed, the halves of a token without one.
  const byLine = maskText(pieces.map(withoutLooseEnd).join('\n'));
  if (byLine !== each.join('\n')) return [byLine];
  const bare = maskText(pieces.map(withoutLooseEnd).join(''));
  return countClear(bare) < countClear(each.join('')) ? each.map(withoutBorders) : each;
};

/** Returns a caching `maskText`, for names that repeat on every line of a transcript. */
export const startNameMasking = (): ((name: string) => MaskedText) => {
  const known = new Map<string, MaskedText>();
  return (name) => {
    if (uuid.test(name)) return name as MaskedText;
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= maxKnown) known.clear();
    const masked = maskText(name);
    known.set(name, masked);
    return masked;
  };
};

const maxKnown = 64;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Strips codes: colours inside a token hide its shape, and would be removed later. */
export const withoutCodes = (text: string): string =>
  control.test(text) ? text.replace(terminalCode, '').replace(/\r\n?/g, '\n').replace(everyControl, '') : text;

const withoutLooseEnd = (text: string): string => {
  if (!text.endsWith(cutMark)) return text;
  let at = text.length - cutMark.length;
  while (at > 0 && !/\s/.test(text[at - 1] ?? '')) at -= 1;
  return text.slice(0, at);
};

/** Counts unmasked characters; a joined text has fewer if a secret crossed a border. */
const countClear = (text: string): number => text.replace(/\[REDACTED:[a-z0-9-]{1,40}\]/g, '').length;

const withoutBorders = (text: MaskedText, at: number, all: readonly MaskedText[]): MaskedText => {
  const words = text.split(/(\s+)/);
  return words.slice(at === 0 ? 0 : 1, at === all.length - 1 ? undefined : -1).join('') as MaskedText;
};

const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/;
/** The codes that a terminal would interpret: colours, titles, links, line drawing. */
const terminalCode =
  /\u001b\[[0-?]{0,100}[ -/]{0,2}[@-~]|\u001b[P\]X^_][^\n\u0007\u001b]{0,1000}(?:\u0007|\u001b\\)|\u001b[()*+][0B]|\u001b[=>78cDEHM]|\u009b[0-?]{1,100}[@-~]/g;
const everyControl = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff]/g;

/**
 * Masks the rest of a private key cut before it was read: its end without BEGIN, or lines of base64. Redaction goes by
 * BEGIN, since a note may contain base64; an account of a session needs none. Linear.
 */
export const maskKeyFragments = (text: string): string => {
  if (!hint.test(text)) return text;
  const kept: string[] = [];
  let run: string[] = [];
  const endRun = (): void => {
    const last = run.at(-1) ?? '';
    // A word below the lines is not part of the key, unless it has base64 padding.
    const isApart = !keyLine.test(last) && !last.includes('=');
    if (run.filter(isFullLine).length >= leastLines) kept.push(mark, ...(isApart ? [last] : []));
    else for (const line of run) kept.push(line);
    run = [];
  };
  for (const line of text.split('\n')) {
    const end = line.search(keyEnd);
    if (end !== -1) {
      const before = withoutLastRun(line.slice(0, end));
      const isKeys = run.length > 0 || before.length < end - leastRest;
      const rest = line.slice(end).replace(keyEnd, '');
      run = [];
      kept.push(isKeys ? `${before}${mark}${rest}` : line);
    } else if (keyLine.test(line) || (keyLine.test(run.at(-1) ?? '') && lastLine.test(line))) {
      run.push(line);
    } else {
      endRun();
      kept.push(line);
    }
  }
  endRun();
  return kept.join('\n');
};

const mark = '[REDACTED:private-key]';

/** Full lines of base64 that are masked without an END line; a single one may be a hash, a signature or an id. */
const leastLines = 2;
/** More base64 than this before END on its own line is a key whose line breaks are escaped. */
const leastRest = 16;
const hint = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY|[A-Za-z0-9+/]{56}/;
const keyEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/** The prefixes of quotes, comments, lists and numbered lines. */
const lead = String.raw`^[\s"',>|│*+#/-]{0,20}(?:\d{1,6}[\s:|│→-]{1,8})?`;
const trail = String.raw`(?:\\[nrt]|[\s"',;+]|<br>){0,12}$`;
const keyLine = new RegExp(`${lead}[A-Za-z0-9+/=]{16,100}${trail}`);
const lastLine = new RegExp(`${lead}[A-Za-z0-9+/]{1,80}={0,2}${trail}`);

const isFullLine = (line: string): boolean =>
  /[A-Za-z0-9+/]{56}/.test(line) && /[a-z]/.test(line) && /[A-Z]/.test(line) && /\d/.test(line);

/** Drops the base64 at the end of the text, including escaped line breaks in it. */
const withoutLastRun = (text: string): string => {
  let at = text.length;
  while (at > 0 && /[A-Za-z0-9+/=\\]/.test(text[at - 1] ?? '')) at -= 1;
  return text.slice(0, at);
};
