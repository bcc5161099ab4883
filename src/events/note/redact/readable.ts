/** Reads a text as honest tools mean it: no colours, escapes decoded, one sort of blank, signs narrow. Pure, linear. */
import type { Span } from './span.js';

export type Reading = { readonly text: string; readonly original: (span: Span) => Span };

/** The codes of a blank and of ASCII characters that are neither letters nor digits. */
const hexOfSign = '(?:2[0-9A-Fa-f]|3[A-Fa-f]|40|5[B-Fb-f]|60|7[B-Eb-e]|0[9AaDd])';
const begin = String.raw`(?:\u001b|\\{1,4}(?:u001b|x1b|x1B|u001B|033|e)|\^\[)`;

const written = new RegExp(
  [
    String.raw`${begin}\[[0-9;:?]{0,40}[A-Za-z]|\u001b\][^\u0007\u001b\n]{0,1000}(?:\u0007|\u001b\\)|[\u00ad\u200b-\u200d\u2060\ufeff]`,
    String.raw`%(?:25){0,2}(?<url>${hexOfSign})|\\{1,4}(?:u00|x)(?<string>${hexOfSign})`,
    String.raw`\\{1,15}(?<sign>["'/_*.~&=+#!-]|[nrt])`,
    String.raw`&(?:amp;){0,2}(?<entity>#\d{2,3}|#[xX][0-9A-Fa-f]{2}|quot|apos|amp|lt|gt|nbsp|equals|colon|sol|commat|num|excl);`,
    String.raw`(?<blank>[\u00a0\u2000-\u200a\u202f\u205f\u3000])|(?<wide>[\uff01-\uff5e]{1,1000})`,
  ].join('|'),
  'g',
);
const mayBeWritten = /[\\%&\u001b\u00a0\u00ad\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff\uff01-\uff5e]|\^\[/;

const entities: Readonly<Record<string, string>> = {
  ...{ quot: '"', apos: "'", amp: '&', lt: '<', gt: '>', nbsp: ' ' },
  ...{ equals: '=', colon: ':', sol: '/', commat: '@', num: '#', excl: '!' },
};
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: '\t' };

const signOfEntity = (name: string): string => {
  if (!name.startsWith('#')) return entities[name] ?? '';
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code === 160 ? ' ' : String.fromCharCode(code);
};

const meaningOf = ({
  url,
  string,
  sign,
  entity,
  blank,
  wide,
}: Readonly<Record<string, string | undefined>>): string => {
  const hex = url ?? string;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (sign !== undefined) return controls[sign] ?? sign;
  if (entity !== undefined) return signOfEntity(entity);
  if (blank !== undefined) return ' ';
  return wide?.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0)) ?? '';
};

/** Undefined if the text means what it is. */
export const readableText = (text: string): Reading | undefined => {
  if (!mayBeWritten.test(text)) return undefined;
  const pieces: string[] = [];
  /** Where each piece begins in the reading, and where it begins and ends in the text. */
  const places: { readonly read: number; readonly start: number; readonly end: number }[] = [];
  let read = 0;
  let done = 0;
  const add = (piece: string, start: number, end: number): void => {
    if (piece === '') return;
    pieces.push(piece);
    places.push({ read, start, end });
    read += piece.length;
  };
  for (const match of text.matchAll(written)) {
    const end = match.index + match[0].length;
    add(text.slice(done, match.index), done, match.index);
    add(meaningOf(match.groups ?? {}), match.index, end);
    done = end;
  }
  if (done === 0) return undefined;
  add(text.slice(done), done, text.length);
  /** Finds a place of the reading in the text: the first character of what stands for it, or the last. */
  const placeIn = (at: number, isLast: boolean): number => {
    let low = 0;
    let high = places.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((places[middle]?.read ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const { read: from, start, end } = places[low] ?? { read: 0, start: 0, end: 0 };
    if (end - start === (pieces[low]?.length ?? 0)) return start + at - from;
    return isLast ? end - 1 : start;
  };
  return {
    text: pieces.join(''),
    original: ({ kind, start, end }) => ({ kind, start: placeIn(start, false), end: placeIn(end - 1, true) + 1 }),
  };
};
