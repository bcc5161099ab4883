/** Finds a letter to someone else in a prompt, by its salutation, its closing and its signature. Pure, linear. */

export type FilledLine = { readonly at: number; readonly text: string };

/**
 * True for the first line of a letter that is not to an agent, alone or with text after it. A prompt of nothing but
 * "Good morning all!" and one sentence is the person's own.
 */
export const beginsLetter = (line: string, isAll: boolean): boolean =>
  (salutation.test(line) && !isToAgent(line)) ||
  (salutationToOthers.test(line) && !(isAll && ownGreeting.test(line.trim())));

/**
 * Returns the index of the line where a signed letter begins, `lines.length` if there is none. The letter begins after
 * what was typed above it: paragraphs in lower case, or without a full stop, up to its salutation; only the first one
 * if it has no salutation. Otherwise everything is the letter.
 */
export const startOfSigned = (lines: readonly string[], filled: readonly FilledLine[]): number => {
  const closingAt = filled.findIndex((_, i) => endsLetter(filled.slice(i, i + 1 + mostBelowName)));
  const [first, last] = [filled[0], filled[closingAt]];
  if (first === undefined || last === undefined) return lines.length;
  if (filled.length === 1 && ownThanks.test(first.text)) return lines.length;
  const greeting = filled.find(({ text, at }) => at < last.at && beginsLetter(text, false));
  if (greeting !== undefined) return endOfTyped(lines.slice(0, greeting.at), !small.test(greeting.text));
  const gap = lines.findIndex((line, at) => at > first.at && line.trim() === '');
  if (gap === -1 || gap > last.at) return first.at;
  // One paragraph is the letter, however it is typed; "thanks" in lower case closes a prompt.
  if (!filled.some(({ at }) => at > gap && at < last.at))
    return small.test(first.text) && smallThanks.test(last.text) ? gap : first.at;
  return isTyped(lines.slice(first.at, gap), true) ? gap : first.at;
};

const small = /^\s*\p{Ll}/u;
const smallThanks = /^(?:many |thank you|thanks|cheers)/;
/** A prompt of one sentence: `Always use pnpm. Thanks, Bob`. */
const ownThanks = /^(?:(?![.!?] ).){1,300}[.!] (?:(?:many )?thanks|thank you),? \p{Lu}\p{L}{0,30}$/iu;

/** True for a paragraph unlike a letter: in lower case, unless the letter is so too, or without a full stop. */
const isTyped = (paragraph: readonly string[], isSmallOwn: boolean): boolean =>
  (isSmallOwn && small.test(paragraph[0] ?? '')) || !/[.!?…:]["')]?\s*$/.test(paragraph.at(-1) ?? '');

/** Returns the index after the typed paragraphs. The last one may also ask about the letter or introduce it. */
const endOfTyped = (above: readonly string[], isSmallOwn: boolean): number => {
  let begin = 0;
  for (const [at, line] of above.entries()) {
    if (line.trim() !== '') continue;
    const paragraph = above.slice(begin, at);
    if (paragraph.length > 0 && !isTyped(paragraph, isSmallOwn) && !leadsTo(paragraph, above.slice(at))) return begin;
    begin = at + 1;
  }
  return begin < above.length && !isTyped(above.slice(begin), isSmallOwn) ? begin : above.length;
};

const leadsTo = (paragraph: readonly string[], below: readonly string[]): boolean =>
  /[?:]\s*$/.test(paragraph.at(-1) ?? '') && below.every((line) => line.trim() === '');

const agent = '(?:claude(?: code)?|codex(?: cli)?|gemini(?: cli)?|(?:github )?copilot|cursor)';
const agents = `${agent}(?: (?:and|&) ${agent})?`;
const greetings =
  'Hi|Hello|Hey|Dear|Greetings|Good (?:morning|afternoon|evening|day)|Hola|Buen[oa]s(?: d[ií]as| tardes)?|Estimad[oa]s?|Querid[oa]s?|' +
  'Hallo|Guten (?:Morgen|Tag|Abend)|Moin|Servus|Liebe[rs]?|Sehr geehrte[rs]?|Bonjour|Salut|Ch(?:er|ère)e?s?|Ciao|Buongiorno|' +
  'Car[oai]|Gentil[ei]|Olá|Bom dia|Prezad[oa]s?|Beste|Hej|Hei';
const others = 'all|team|everyone|everybody|folks|colleagues|together';
/** `Hi Claude,`, `Hey Claude Code, one more thing,`. Jean-Claude, and "Marie and Claude", are other people. */
const toAgent = new RegExp(
  String.raw`^\s*(?:(?:${greetings})(?: there| again)?,? )?(?:dear )?${agents}(?:!|,(?<more> [^,]{1,40},)?)\s*$`,
  'i',
);
const isToAgent = (line: string): boolean => {
  const found = toAgent.exec(line);
  return found !== null && !someoneElse.test(found.groups?.['more'] ?? '');
};
const someoneElse = new RegExp(String.raw`\p{Lu}|\b(?:and|guys|${others})\b`, 'u');
/** A greeting, `Hi Bob!`, `Team,` or a name alone, but no word that begins a sentence, such as `also,`. */
const salutation = new RegExp(
  String.raw`^\s*(?:(?:${greetings})(?![\p{L}\p{N}]).{0,40},|(?:Hi|Hello|Hey|Dear|Hola|Hallo) \p{L}[\p{L} .'-]{0,40}!|(?:${others}|guys),|` +
    String.raw`(?!(?:also|and|but|or|so|then|now|next|first|second|finally|lastly|please|pls|ok|okay|yes|no|well|thanks|cheers|sorry|btw|fyi|ps|again|instead|otherwise|however|still|sure|great|good|nice|fine|right|actually|anyway|best|regards|sincerely)\b)\p{L}{2,20},)\s*$`,
  'iu',
);
/** No one writes `Dear …` or `Hi all` to an agent, so the rest of the line is the letter. */
const salutationToOthers = new RegExp(
  String.raw`^\s*(?:Dear (?!${agents}[,!:])\p{L}[\p{L}. '-]{1,40}|(?:Hi|Hello|Hey|Good (?:morning|afternoon|evening))(?: to you)? (?:${others}))[,!:](?:\s|$)`,
  'iu',
);
const ownGreeting = new RegExp(`^Good (?:morning|afternoon|evening) (?:${others})! (?:(?![.!?] ).){1,300}$`, 'i');

/** Lines below a name: a title, a company, an address. */
const mostBelowName = 4;
/** Tells whether the first of these lines ends a letter. */
const endsLetter = (lines: readonly FilledLine[]): boolean => {
  const [text = '', next] = lines.map((line) => line.text);
  const isNamed = next !== undefined && signature.test(next);
  if ((closing.test(text) && isNamed) || (fondClosing.test(text) && (isNamed || next === undefined))) return true;
  if (next !== undefined && lines.length <= mostBelowName && signature.test(text) && isTitle(next)) return true;
  const end = text.slice(-longestEnd);
  if (sentByDevice.test(end)) return true;
  if (next === undefined && (dashedName.test(end) || kissesOnLine.test(end))) return true;
  return signature.test(closingOnLine.exec(end)?.groups?.['name'] ?? '');
};

/** Maximum characters of a closing with its name. */
const longestEnd = 120;
const farewell =
  '(?:(?:all the |with )?best(?: regards| wishes)?|(?:(?:with )?(?:kind|warm|best) )?regards|(?:many )?thanks(?: again| in advance)?|thank you|cheers|sincerely|yours(?: sincerely| truly)?|MfG)';
const kisses = 'x(?:ox){1,4}o?';
const fond = '(?:(?:with |much |lots of |all my )?love|hugs(?: and kisses)?)';
const closing = new RegExp(`^(?:${farewell},?|--)$`, 'i');
const fondClosing = new RegExp(`^(?:${kisses}[,.!]{0,3}|${fond},)$`, 'i');
const name = String.raw`\p{Lu}[\p{L}\p{M}\w.'’-]{0,30}(?: \p{Lu}[\p{L}\p{M}\w.'’-]{0,30}){0,2}`;
/** A name, but not the agent's: `Thanks, Claude` is said to it. */
const signature = new RegExp(`^(?!(?:Claude(?: Code)?|Codex|Gemini|Copilot|Cursor)[.!]?$)(?:[-–—] ?)?${name}$`, 'u');
/** True for capitalised words and connecting ones, with a role among them: `Head of Engineering, Acme`. */
const isTitle = (text: string): boolean => titleWords.test(text) && role.test(text);
const titleWords = /^(?:(?:\p{Lu}[\p{L}\d./'’-]{0,30}|of|for|the|and|at|in|&|@|[-–—|])(?:,? |$)){1,9}$/u;
const role =
  /\b(?:Lead|Manager|Director|Officer|Head|President|S?VP|C[TEFIO]O|CISO|Chief|(?:Co-)?[Ff]ounder|Engineer|Developer|Architect|Administrator|Analyst|Consultant|Designer|Owner|Scientist|Maintainer|Coordinator|Specialist|Team)\b/;
/** `… Best, Bob`, `… Kind regards, Eve Adams, CTO`, `… Love, Marie`. */
const closingOnLine = new RegExp(
  `(?:^|[.!?…)"'] )(?:${farewell},?|${kisses},?|${fond},) (?<name>[^,!?]{1,60})(?:, [^,.!?]{1,30})?$`,
  'i',
);
const kissesOnLine = new RegExp(`[.!?…)"'] ${kisses}$`, 'i');
/** `— Bob` on the last line. */
const dashedName = new RegExp(`(?:^|[.!?…)"'] )(?:--|[–—]) ?${name}$`, 'u');
/** `Sent from my iPhone`, a program's signature. */
const sentByDevice =
  /(?:^|[.!?…)"'] )(?:Sent (?:from|via|with) (?:my\b|iPhone|iPad|Android|Outlook|Gmail|Mail\b|Yahoo|Proton)|Get Outlook for\b|Von meinem\b|Gesendet (?:von|mit) |Envoyé (?:de|depuis) |Enviado (?:desde|do) |Inviato da )[^.!?]{0,40}[.!]?$/i;
