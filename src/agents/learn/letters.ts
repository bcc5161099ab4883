/** Which lines of a prompt are a letter to somebody else: its salutation, its closing, its signature. Pure, linear. */

export type FilledLine = { readonly at: number; readonly text: string };

/** The first line of a letter that is not to an agent, alone or with what follows it. */
export const beginsLetter = (line: string): boolean => salutation.test(line) || salutationToOthers.test(line);

/**
 * The index of the line that a signed letter begins at, `lines.length` where there is none. It begins behind the first
 * paragraph, which may be the user's; if there is only one, all of it is the letter.
 */
export const startOfSigned = (lines: readonly string[], filled: readonly FilledLine[]): number => {
  const end = filled.find(({ text }, i) => endsLetter(text, filled[i + 1]?.text));
  if (end === undefined) return lines.length;
  const last = end.at;
  const first = filled[0]?.at ?? 0;
  const gap = lines.findIndex((line, at) => at > first && line.trim() === '');
  if (gap === -1 || gap > last) return first;
  // A gap right above the closing parts no second paragraph from the first; but people sign their thanks to an agent, too.
  return thanks.test(end.text) || filled.some(({ at }) => at > gap && at < last) ? gap : first;
};

const agents = 'claude|codex|gemini|copilot|cursor';
const salutation = new RegExp(
  String.raw`^\s*(?:(?:Hi|Hello|Hey|Dear|Hola|Hallo|Liebe[rs]?|Bonjour|Sehr geehrte[rs]?|Good (?:morning|afternoon|evening)|Greetings)(?!\p{L})(?! (?:${agents})\b).{0,40},|(?:Hi|Hello|Hey) (?!(?:there|again|${agents})\b)\p{L}[\p{L}. '-]{1,30}!|(?:team|all|everyone|everybody|folks|guys|colleagues),)\s*$`,
  'iu',
);
/** Nobody writes `Dear …` or `Hi all` to an agent, so what stands behind it on its line is the letter. */
const salutationToOthers = new RegExp(
  String.raw`^\s*(?:Dear (?!(?:${agents})\b)\p{L}[\p{L}. '-]{1,40}|(?:Hi|Hello|Hey|Good (?:morning|afternoon|evening))(?: to you)? (?:all|team|everyone|everybody|folks|colleagues|together))[,!:]\s`,
  'iu',
);

const endsLetter = (text: string, next: string | undefined): boolean => {
  if ((closing.test(text) || /^--\s*$/.test(text)) && next !== undefined && signature.test(next)) return true;
  if (next === undefined && /^Sent from my \w[\w ]{1,30}\.?$/i.test(text)) return true;
  const end = text.slice(-longestEnd);
  if (next === undefined && dashedName.test(end)) return true;
  return signature.test(closingOnLine.exec(end)?.groups?.['name'] ?? '');
};

/** Characters of a closing with its name. */
const longestEnd = 120;
const farewell =
  '(?:(?:all the |with )?best(?: regards| wishes)?|(?:(?:with )?(?:kind|warm|best) )?regards|(?:many )?thanks(?: again| in advance)?|thank you|cheers|sincerely|yours(?: sincerely| truly)?)';
const closing = new RegExp(`^${farewell},?$`, 'i');
const thanks = /^(?:many )?(?:thanks|thank you|cheers)\b/i;
/** A name, and the agent's is none: `Thanks, Claude` is said to it. */
const signature =
  /^(?!(?:Claude|Codex|Gemini|Copilot|Cursor)\b)(?:[-–—] ?)?\p{Lu}[\w.-]{0,30}(?: \p{Lu}[\w.-]{0,30}){0,2}$/u;
/** `… Best, Bob`, `… Kind regards, Eve Adams, CTO`. */
const closingOnLine = new RegExp(`(?:^|[.!?…)"'] )${farewell},? (?<name>[^,!?]{1,60})(?:, [^,.!?]{1,30})?$`, 'i');
/** `— Bob` on the last line. */
const dashedName = /(?:^|[.!?…)"'] )(?:--|[–—]) ?\p{Lu}[\w.-]{0,30}(?: \p{Lu}[\w.-]{0,30}){0,2}$/u;
