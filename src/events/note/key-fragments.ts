/**
 * Masks the remains of a private key that was cut before it was read: its end without the BEGIN line, or lines of
 * base64 from its middle. Redaction of notes recognises keys by their BEGIN line, since a note may contain base64; an
 * account of a session needs none. Pure, linear.
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
