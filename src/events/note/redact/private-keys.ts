/** Finds private keys in text: whole, cut at either end, numbered, quoted, escaped, in logs. */
import { type Detector, findAll, markerStart, type Span } from './span.js';

const dash = '(?:-|%2D)';
const space = '(?: |%20|[+])';
const pemEdge = new RegExp(
  `${dash}{4,5} ?(BEGIN|END)${space}(?:[A-Z0-9]{1,12}${space}){0,4}PRIVATE${space}KEY(?:${space}BLOCK)? ?${dash}{4,5}`,
  'g',
);
/** Bounded, but longer than any key: the engine stores a position per character and has room for some 8 million. */
const base64Run = /(?:[A-Za-z0-9+/=]|%2B|%2F|%3D){16,1000000}/g;
const pemHeader =
  /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Key-Derivation|Encryption|Public-Lines): /;
/** Line ends, also escaped ones and those of HTML and URLs. */
const lineEnd = /\r?\n|(?:\\{1,4}r)?\\{1,4}n|<br ?\/?>(?:\r?\n)?|(?:%0D)?%0A|&#(?:10|xA|13);|\r/gi;

/** Between the edges of a key there is Base64 and little else; a text that only mentions the edges has other words. */
const isPemBody = (body: string): boolean => {
  const solid = [...body.matchAll(base64Run)].reduce((total, [run]) => total + run.length, 0);
  return solid > 0 && solid * 4 >= body.replace(/\s|\\[nrt]/g, '').length && !body.includes(markerStart);
};

/** Prefixes of a key's lines: marks of quotes, comments, lists and tables, line numbers. */
const front = /^(?:[\s"'`,>|*+#;/│┃║·.=-]|\d{1,7}(?=[\s:|.)→│])|[:)→]|&gt;|\\t){0,40}$/;
/** Suffixes of a key's lines. */
const back = /^(?:[\s"'`,;+|│┃║)\\]|\\|<\/\w{1,10}>){0,20}$/;
const longRun = /(?:[A-Za-z0-9+/]|%2B|%2F){40,1000000}(?:={0,2}|(?:%3D){0,2})/;
const shortRun = /(?:[A-Za-z0-9+/]|%2B|%2F){1,1000000}(?:={0,2}|(?:%3D){0,2})(?:…|\.\.\.)?/g;
const isMixed = (run: string): boolean => /[A-Z]/.test(run) && /[a-z]/.test(run);

/** Returns where the part of a key in this line ends; undefined when there is none. */
const keyEnd = (line: string, isLast: boolean, fronts: ReadonlySet<string>): number | undefined => {
  const long = longRun.exec(line);
  if (long !== null && isMixed(long[0])) return long.index + long[0].length;
  for (const match of line.matchAll(shortRun)) {
    const [run] = match;
    const before = line.slice(0, match.index);
    const after = line.slice(match.index + run.length);
    if (!front.test(before) && !fronts.has(shapeOf(before))) continue;
    if (!back.test(after) && !(run.length >= 16 && isMixed(run) && /\d/.test(run))) continue;
    const plain = run.replace(/(?:…|\.\.\.)$/, '');
    if (plain.length >= 16 && (isMixed(run) || run.length >= 40)) return match.index + run.length;
    // The last line is shorter: it ends in `=`, is not a word, or is the end of the text.
    if (isLast || /=$/.test(plain) || plain !== run) return match.index + run.length;
    if (
      /[a-z]/.test(plain) &&
      /[A-Z]/.test(plain.slice(1)) &&
      (/[\d+/]/.test(plain) || /[a-z][A-Z].*[a-z][A-Z]/.test(plain))
    )
      return match.index + run.length;
  }
  return undefined;
};
const shapeOf = (text: string): string => text.replace(/\d+/g, '0');

const maxKeyLines = 2000;
const maxKeyLine = 20_000;

/** Returns where a key without an END edge ends: it continues as long as the lines have Base64. */
const endOfCutKey = (text: string, textEnd: number, start: number, end: number): number | undefined => {
  let at = start;
  let covered: number | undefined;
  let lines = 0;
  let blanks = 0;
  const fronts = new Set<string>();
  lineEnd.lastIndex = start;
  while (at < end && lines < maxKeyLines) {
    const next = lineEnd.exec(text);
    const stop = next === null || next.index >= end ? Math.min(end, at + maxKeyLine) : next.index;
    const line = text.slice(at, stop);
    const solid = keyEnd(line, lines > 0 && (next === null || stop >= textEnd), fronts);
    if (solid !== undefined) {
      covered = at + solid;
      lines++;
      blanks = 0;
      const first = line.search(/[A-Za-z0-9+/]{16}/);
      if (first > 0) fronts.add(shapeOf(line.slice(0, first)));
    } else if (lines > 0 && /^[\s"'`+,;\\]+$/.test(line) && line.trim() !== '') {
      // Between an escaped line break and a real one, as in source code.
    } else if (at !== start && !pemHeader.test(line)) {
      // A blank line separates the headers from the key; two, or one after the key, end it.
      if (line.replace(/[^A-Za-z0-9]/g, '').replace(/^\d+$/, '') !== '' || lines > 0 || blanks++ > 1) break;
    } else if (at === start && back.test(line) === false && line.trim().length > 40) break;
    if (next === null || next.index >= end) break;
    at = next.index + next[0].length;
  }
  return covered;
};

/** Returns where the rest of a key whose beginning was cut off starts: at the lines of Base64 before its END edge. */
const tailStart = (text: string, from: number, edge: number): number | undefined => {
  let start: number | undefined;
  let at = edge;
  for (let lines = 0; lines < 200 && at > from; lines++) {
    const before = text.slice(Math.max(from, at - 200), at);
    const found =
      /(?:[A-Za-z0-9+/]{1,100}={0,2})(?:[^A-Za-z0-9+/=]{0,12}|[^\n]{0,3}\\{1,2}n|<br ?\/?>\s?|%0A|[^A-Za-z0-9+/=]{0,6}\d{1,6}[^A-Za-z0-9+/=]{0,6})$/.exec(
        before,
      );
    if (found === null) break;
    const run = /^[A-Za-z0-9+/=]+/.exec(found[0])?.[0] ?? '';
    if (run.length < 24 && lines > 0) break;
    if (run.length >= 24 && !isMixed(run)) break;
    at -= found[0].length;
    if (run.length >= 24 || lines === 0) start = at;
  }
  // A single word before the edge is not a key.
  return start !== undefined && edge - start >= 24 ? start : undefined;
};

const puttyKey =
  /(?<keep>Private-Lines: \d{1,3}\s{1,4})(?:[A-Za-z0-9+/=]{4,100}\s{1,4}){1,200}(?:Private-MAC: [0-9a-f]{40,64})?/g;
/** The private numbers of a JSON Web Key. */
const jwkPart = /(?<keep>"(?:d|p|q|dp|dq|qi|k)"\s{0,4}:\s{0,4}")[\w-]{20,2000}(?=")/g;

export const findPrivateKeys: Detector = (text) => {
  const found: Span[] = [];
  if (text.includes('PRIVATE')) {
    const edges = [...text.matchAll(pemEdge)];
    const textEnd = text.trimEnd().length;
    edges.forEach((edge, i) => {
      const next = edges[i + 1];
      const bodyStart = edge.index + edge[0].length;
      if (edge[1] === 'END') {
        const before = edges[i - 1];
        if (before?.[1] === 'BEGIN') return;
        const start = tailStart(text, before === undefined ? 0 : before.index + before[0].length, edge.index);
        if (start !== undefined) found.push({ kind: 'private-key', start, end: bodyStart });
        return;
      }
      if (next?.[1] === 'END' && isPemBody(text.slice(bodyStart, next.index))) {
        found.push({ kind: 'private-key', start: edge.index, end: next.index + next[0].length });
        return;
      }
      const end = endOfCutKey(text, textEnd, bodyStart, next?.index ?? text.length);
      if (end !== undefined) found.push({ kind: 'private-key', start: edge.index, end });
    });
  }
  const putty = text.includes('Private-Lines') ? findAll(text, puttyKey, () => 'private-key') : [];
  const numbers = text.includes('"kty"') ? findAll(text, jwkPart, () => 'private-key') : [];
  return [...found, ...putty, ...numbers];
};
