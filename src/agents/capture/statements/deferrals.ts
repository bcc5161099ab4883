/** Finds sentences in which a person defers something: "leave the retries for tomorrow". Pure; expects masked text. */
import { extractProse } from '../../learn/prose.js';
import { countWords, sentencesOf } from './sentences-of.js';

/** Returns the sentences in order. Only typed text counts: a pasted page puts nothing off. */
export const deferralsIn = (prompt: string): readonly string[] =>
  sentencesOf(extractProse(prompt)).filter(
    (sentence) =>
      countWords(sentence) >= leastWords &&
      !sentence.endsWith('?') &&
      deferrals.some((form) => form.test(sentence.replace(/[’‘]/g, "'"))),
  );

const leastWords = 4;

const day = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const later = String.raw`(?:later(?: on)?|afterwards?|tomorrow|(?:an|some )other (?:day|time|session|pr|issue|round)|(?:the )?next (?:time|week|month|sprint|session|release|version|round|pr)|(?:next )?${day}|v\d[\w.]{0,8}|once [^.!?]{3,60})`;
const german =
  '(?:später|übermorgen|morgen|danach|hinterher|ein andermal|nächste[snr]? (?:mal|woche|monat|sprint|version)|am (?:mon|diens|donners|frei|sams|sonn)tag|am mittwoch)';
/** The end of the clause: "later in the file" and "the later date" mean something else. */
const end = String.raw`(?=\s{0,2}(?:[.!,;:)–—-]|$|(?:and|but|because|since|so|then|please|und|aber|weil|dann)\b))`;
const clause = `(?:^|[,;:–—.-] )(?:(?:ok(?:ay)?|no|yes|good|and|but|so|then|please|just|maybe|rather|better)[,.]? ){0,3}`;
const we = `(?:let's|lets|let us|we|i|you|(?:we|i)(?:'ll|'d| will| can| could| should)) (?:just |rather |better )?`;

const deferrals: readonly RegExp[] = [
  new RegExp(
    String.raw`${clause}(?:${we})?(?:leave|save|park|postpone|defer|skip|finish|continue|revisit|do|come back|get back|pick|remind me)\b[^.!?]{0,60}\b${later}${end}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:let's|lets|let us|(?:we|i)(?:'ll| will| can| could| should)) (?!(?:see|be)\b)\w+ (?:[^.!?]{0,60}\b)?${later}${end}`,
    'i',
  ),
  new RegExp(
    String.raw`${clause}(?:${we})?(?:(?:leave|skip|ignore|forget|park|drop|don't (?:bother|worry|care))\b[^.!?]{0,60}\bfor now${end}|keep [^.!?]{1,60} for (?:later|tomorrow|another (?:day|time))${end})`,
    'i',
  ),
  new RegExp(
    String.raw`${clause}(?:${we})?(?:(?:hold off (?:on|with)|put off|park (?:it|this|that|the|all)|backlog|shelve) \S|put [^.!?]{1,40} (?:on hold|aside|on the back ?burner)(?!\w))`,
    'i',
  ),
  new RegExp(`${clause}not (?:now|today|this (?:time|week|sprint|round))${end}`, 'i'),
  /\bcan wait(?! for\b|,? if\b)(?: (?:until|till) (?!the\b|it\b|all\b)|\s{0,2}(?:[.!,;]|$))|\bout of scope\b/i,
  /\b(?:for|in|to) (?:another|a (?:later|separate|follow-?up|different)) (?:pr|issue|ticket|session|change|commit|release)[.!]?$/i,
  // German
  new RegExp(
    String.raw`\b(?:das|dies|den|die|darum|damit|ich|wir|rest)\b[^.!?]{0,60}\b(?:mach|kümmer|lass|heb|erledig|schau|komm|verschieb|vertag)\p{L}{0,4}(?!\p{L})[^.!?]{0,60}(?<!\p{L})${german}(?: (?:an|auf|nach|ab|dazu|weiter))?${end}`,
    'iu',
  ),
  /\b(?:verschieb|vertag)en wir\b|\bstellen wir [^.!?]{1,60} zurück(?!\p{L})|\b(?:erst ?mal|vorerst|fürs erste) (?:noch )?nicht\b|^(?:jetzt|heute) nicht\b|\blass(?:en|t)?(?! uns\b)(?!\p{L})[^.!?]{0,30}\b(?:erst ?mal|vorerst|fürs erste)\b/iu,
  /^(?:lass|heb|mach|verschieb)\p{L}{0,4}(?!\p{L})[^.!?]{0,60}(?<!\p{L})(?:später|morgen|nächste[snr]? (?:mal|woche))[.!]?$/iu,
];
