/** Which lines of a prompt are a letter to somebody else: its salutation, its closing, its signature. Pure, linear. */

export type FilledLine = { readonly at: number; readonly text: string };

/**
 * The first line of a letter that is not to an agent, alone or with what follows it. A prompt that is nothing but "Good
 * morning all!" and one sentence is the person's.
 */
export const beginsLetter = (line: string, isAll: boolean): boolean =>
  (salutation.test(line) && !toAgent.test(line)) ||
  (salutationToOthers.test(line) && !(isAll && ownGreeting.test(line.trim())));

/**
 * The index of the line that a signed letter begins at, `lines.length` where there is none. It begins at its salutation, or
 * behind a first paragraph that was typed above it: one in small letters, or without a full stop. Else all of it is the letter.
 */
export const startOfSigned = (lines: readonly string[], filled: readonly FilledLine[]): number => {
  const closingAt = filled.findIndex(({ text }, i) => endsLetter(text, filled[i + 1]?.text));
  const [first, last] = [filled[0], filled[closingAt]];
  if (first === undefined || last === undefined) return lines.length;
  if (filled.length === 1 && ownThanks.test(first.text)) return lines.length;
  const greeting = filled.find(({ text, at }) => at < last.at && beginsLetter(text, false));
  if (greeting !== undefined) return greeting.at;
  const gap = lines.findIndex((line, at) => at > first.at && line.trim() === '');
  if (gap === -1 || gap > last.at) return first.at;
  const endOfFirst = filled.findLast(({ at }) => at < gap)?.text ?? '';
  const isSmall = /^\p{Ll}/u.test(first.text);
  // One paragraph is the letter, however it is typed; "thanks" in small letters closes a prompt.
  if (!filled.some(({ at }) => at > gap && at < last.at))
    return isSmall && smallThanks.test(last.text) ? gap : first.at;
  return isSmall || !/[.!?…:]["')]?$/.test(endOfFirst) ? gap : first.at;
};
const smallThanks = /^(?:many |thank you|thanks|cheers)/;
/** `Always use pnpm. Thanks, Bob`, of one sentence. */
const ownThanks = /^(?:(?![.!?] ).){1,300}[.!] (?:(?:many )?thanks|thank you|cheers),? \p{Lu}\p{L}{0,30}$/iu;

const agents = 'claude|codex|gemini|copilot|cursor';
const toAgent = new RegExp(String.raw`\b(?:${agents})\b`, 'i');
const greetings =
  'Hi|Hello|Hey|Dear|Greetings|Good (?:morning|afternoon|evening|day)|Hola|Buen[oa]s(?: d[ií]as| tardes)?|Estimad[oa]s?|Querid[oa]s?|' +
  'Hallo|Guten (?:Morgen|Tag|Abend)|Moin|Servus|Liebe[rs]?|Sehr geehrte[rs]?|Bonjour|Salut|Ch(?:er|ère)e?s?|Ciao|Buongiorno|' +
  'Car[oai]|Gentil[ei]|Olá|Bom dia|Prezad[oa]s?|Beste|Hej|Hei';
const others = 'all|team|everyone|everybody|folks|colleagues|together';
/** A greeting, `Hi Bob!`, `Team,` or a name alone; a word that people go on from is none. */
const salutation = new RegExp(
  String.raw`^\s*(?:(?:${greetings})(?![\p{L}\p{N}]).{0,40},|(?:Hi|Hello|Hey|Dear|Hola|Hallo) \p{L}[\p{L} .'-]{0,40}!|(?:${others}|guys),|` +
    String.raw`(?!(?:also|and|but|or|so|then|now|next|first|second|finally|lastly|please|pls|ok|okay|yes|no|well|thanks|cheers|sorry|btw|fyi|ps|again|instead|otherwise|however|still|sure|great|good|nice|fine|right|actually|anyway|best|regards|sincerely)\b)\p{L}{2,20},)\s*$`,
  'iu',
);
/** Nobody writes `Dear …` or `Hi all` to an agent, so what stands behind it on its line is the letter. */
const salutationToOthers = new RegExp(
  String.raw`^\s*(?:Dear (?!(?:${agents})\b)\p{L}[\p{L}. '-]{1,40}|(?:Hi|Hello|Hey|Good (?:morning|afternoon|evening))(?: to you)? (?:${others}))[,!:](?:\s|$)`,
  'iu',
);
const ownGreeting = new RegExp(`^Good (?:morning|afternoon|evening) (?:${others})! (?:(?![.!?] ).){1,300}$`, 'i');

const endsLetter = (text: string, next: string | undefined): boolean => {
  if (closing.test(text) && next !== undefined && signature.test(next)) return true;
  const end = text.slice(-longestEnd);
  if (sentByDevice.test(end)) return true;
  if (next === undefined && dashedName.test(end)) return true;
  return signature.test(closingOnLine.exec(end)?.groups?.['name'] ?? '');
};

/** Characters of a closing with its name. */
const longestEnd = 120;
const farewell =
  '(?:(?:all the |with )?best(?: regards| wishes)?|(?:(?:with )?(?:kind|warm|best) )?regards|(?:many )?thanks(?: again| in advance)?|thank you|cheers|sincerely|yours(?: sincerely| truly)?)';
const closing = new RegExp(`^(?:${farewell},?|--)$`, 'i');
/** A name, and the agent's is none: `Thanks, Claude` is said to it. */
const signature =
  /^(?!(?:Claude|Codex|Gemini|Copilot|Cursor)\b)(?:[-–—] ?)?\p{Lu}[\w.-]{0,30}(?: \p{Lu}[\w.-]{0,30}){0,2}$/u;
/** `… Best, Bob`, `… Kind regards, Eve Adams, CTO`. */
const closingOnLine = new RegExp(`(?:^|[.!?…)"'] )${farewell},? (?<name>[^,!?]{1,60})(?:, [^,.!?]{1,30})?$`, 'i');
/** `— Bob` on the last line. */
const dashedName = /(?:^|[.!?…)"'] )(?:--|[–—]) ?\p{Lu}[\w.-]{0,30}(?: \p{Lu}[\w.-]{0,30}){0,2}$/u;
/** `Sent from my iPhone`, as programs sign. */
const sentByDevice =
  /(?:^|[.!?…)"'] )(?:Sent (?:from|via|with) (?:my\b|iPhone|iPad|Android|Outlook|Gmail|Mail\b|Yahoo|Proton)|Get Outlook for\b|Von meinem\b|Gesendet (?:von|mit) |Envoyé (?:de|depuis) |Enviado (?:desde|do) |Inviato da )[^.!?]{0,40}[.!]?$/i;
