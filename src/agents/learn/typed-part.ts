/** Separates what a person typed in a prompt from what they pasted: pages, mails, logs, others' words. Pure. */
import { beginsLetter, startOfSigned } from './letters.js';

/**
 * Returns the lines before the first text introduced as someone else's ("the docs say:", "check this", a bare address,
 * a title, a list, a quote, a mail header), without quotations and blocks that no one types. When in doubt a line
 * counts as pasted: a rule from a page, learned in the user's name, does more harm than one of theirs that is missed.
 */
export const typedPart = (text: string): string => {
  const lines = withoutQuotations(text).split(/[\n\v\f\u0085\u2028\u2029]/);
  const kept = lines.slice(0, startOfPaste(lines));
  return withoutBlocks(kept).join('\n');
};

/** True for a sentence that reports what someone else says. */
export const isReported = (sentence: string): boolean =>
  (reported.test(sentence) && sourceSays.test(sentence)) ||
  (namesSourceBehind.test(sentence) && !(ownTeamBehind.test(sentence) && /\b(?:we|our)\b/i.test(sentence)));

const source =
  'docs?|documentation|readme|page|article|post|blog|guide|tutorial|manual|wiki|web ?site|site|issue|ticket|thread|comment|' +
  'review|reviewer|e-?mail|mail|message|slack|chat|conversation|transcript|answer|reply|stack ?overflow|changelog|' +
  'release notes?|spec|rfc|policy|guidelines|contributing|snippet|text|paragraph|section|excerpt|output|error|warning|log|' +
  'logs|trace|stack ?trace|traceback|diff|patch|response|description|file|prompt|report|handbook|template|instructions|' +
  'linter|compiler|terminal|console|tool|bot|copilot|chatgpt|gpt|gemini|llm|model';
const says =
  'says?|said|states?|stated|reads|wrote|writes|written|reports?|reported|prints?|printed|shows?|tells?|told|recommends?|' +
  'recommended|suggests?|suggested|claims?|claimed|advises?|advised|mentions?|mentioned|explains?|explained|asks? (?:you|us|me)';

const reported = new RegExp(String.raw`\b(?:${says}|according to)\b`, 'i');
const sourceSays = new RegExp(
  String.raw`\b(?:${source}|it|he|she|they|somebody|someone|colleague|people|vendor)\b.{0,40}\b(?:${says})\b|\baccording to\b`,
  'i',
);

const origin = String.raw`(?:[\w-]{1,30} ){0,4}?(?:${source}|server|mcp|tools|plugin|extension|customer|client|vendor|team|colleague|boss|support|upstream|maintainers?|web|internet|discord|forum|gist|agent|assistant|somebody|someone)\b`;
/** `…, says Bob`, `…, says the lead of our team`, `… (from the MCP server)`. */
const namesSourceBehind = new RegExp(
  String.raw`, (?:${says}) (?:(?:the|our|my|a|an) )?[\p{L}\w-]{1,30}[.!…)]{0,3}$|` +
    String.raw`, (?:says|said|states|stated|claims|claimed|writes|wrote) (?!(?:it|so|this|that)\b)(?:[\p{L}\w'’-]{1,30},? ){0,5}[\p{L}\w'’-]{1,30}[.!…)]{0,3}$|` +
    String.raw`\((?:from|via|source:?) ${origin}[^()]{0,40}\)[.!…]{0,3}$`,
  'iu',
);
/** Doesn't count as a source if the sentence says what "we" do. "The Stripe team" is someone else. */
const ownTeamBehind =
  /\((?:from|via) (?:the team|(?:our|my) (?:(?!(?:vendor|customer|client|support|partner|sales)s?\b)[\w-]{1,30} )?team)\)[.!…)]{0,3}$/i;
/** `This came from the MCP server.`, `Our vendor sent this.`, `This is required by the maintainers.` */
const attribution = new RegExp(
  `(?:^|[.!?…:;] )(?:(?:ok|fyi|so|btw),? )?(?:` +
    `(?:this|that|these|it|the following) (?:just )?(?:came|comes|arrived|is|are|was|were) (?:in |taken |copied |pasted |quoted |sent )?(?:from|via) ${origin}|` +
    String.raw`(?:this|that|these|it) (?:is|are|was|were) (?:required|requested|demanded|written|recommended|suggested|sent|posted) by \S|` +
    `(?:i|we) (?:just )?(?:got|found|copied|pasted|took|read|saw) (?:this|that|these|it|the following) (?:from|via|on|in) ${origin}|` +
    String.raw`(?:(?:copied|pasted|quoted|forwarded|taken|straight) )?from (?!now\b|then\b)${origin}(?=[.!…:])|` +
    String.raw`(?:(?!(?:i|we|you) )[\w-]{1,30} ){1,3}(?:sent|gave|wrote|posted|forwarded) (?:me |us )?(?:this|that|these|it)(?=[.!…:]))`,
  'i',
);
/** True for a line that says where something is from, and more. */
const attributesOnLine = (text: string): boolean => {
  const found = attribution.exec(text);
  // The text after it may be the pasted rule, which names a project of its own.
  if (found === null || (ownPart.test(found[0]) && ownProject.test(text.slice(0, found.index)))) return false;
  const behind = text.slice(found.index + found[0].length).replace(/^[^.!?…:]{0,60}[.!?…:]{0,3}/, '');
  return found.index > 0 || behind.trim() !== '';
};

/** `It came from the server.`: a part of the project mentioned before. `This` would announce a quotation. */
const ownPart = /\bit (?:just )?(?:came|comes|is|was) (?:in )?from (?:the|our|my) (?:server|client|tools|web)$/i;
const ownProject = /\bin (?:our|my|this) (?:repo|repository|project|code ?base|monorepo)\b/i;

/** Ends with a colon and mentions someone else's text. */
const introduction = new RegExp(
  String.raw`\b(?:${says}|${source}|according to|got|get|found|copied|pasted|quote|quoting|see below)\b[^:]{0,80}:$`,
  'i',
);
const pointing = String.raw`\b(?:this|that|these|the following|below|here'?s|here is|attached|pasted|copied)\b`;
/** A colon is not needed if a line points to what follows it. */
const pointer = new RegExp(
  String.raw`${pointing}.{0,40}\b(?:${source})\b|\b(?:${source})\b.{0,20}\b(?:below|follows)\b`,
  'i',
);
/** `we got this in the mail`, `implement the ticket`: the mail or the ticket may come next. */
const someText =
  /\b(?:the|this|that) (?:\w+ )?(?:docs|documentation|page|article|post|guide|tutorial|manual|issue|ticket|thread|e-?mail|mail|message|changelog|spec|rfc)\b/i;
/** `is that true`, `why does it want these?` */
const asking = 'is|are|was|were|does|do|did|should|can|could|would|why|what|how';
const asksAbout = new RegExp(
  String.raw`^(?:${asking})\b.{0,60}\b(?:this|that|these|those)\b.{0,40}$|` +
    String.raw`\b(?:why|what|how)\b[^.!?]{0,40}\b(?:this|that|these|those)\b[^.!?]{0,20}\?$`,
  'i',
);
const question = new RegExp(String.raw`^(?!do(?:n['’]t| not)\b)(?:${asking})\b|\?`, 'i');
/** Sentences that order something are the person's own; "never seen before" and "should I?" order nothing. */
const ordering = new RegExp(
  String.raw`\b(?:always|never)\b(?! (?:seen?|saw|had|got|gets?|been|heard|kn[eo]wn?|happen(?:s|ed)|work(?:s|ed)|fail(?:s|ed)|thought)\b)|` +
    String.raw`\b(?:don['’]?t|do not|prefer|remember|from now on)\b|` +
    String.raw`\b(?:you|we|i|it|they|everything|everybody|everyone|nobody|(?:the|this|that|these|those|all|every|each|our|your|my|no|any|new)(?: [\w-]{1,30}){1,4}|[\w-]{2,30}s)` +
    String.raw`(?<!\b(?:and|or|but|then|which)) (?:must|should)\b`,
  'i',
);
const isOrder = (line: string): boolean => ordering.test(line) && !question.test(line);
/** May be all that is said about what comes next, whatever that is. */
const handsOver =
  /^(?:(?:ok(?:ay)?|so|and|well|hi|hey|please),? )?(?:here (?:you go|it is|it comes|they are|goes|we go)|(?:this|these|it) (?:just )?(?:came|comes|arrived|is|are|was|were) (?:in )?(?:from|by|via)\b.{0,40}|(?:forwarded |copied |pasted )?from (?:our|the|my|their|a|an)(?: [\w-]{1,30}){1,4}|\p{Lu}[\w-]{1,30} (?:just )?sent (?:me|us|it|this)(?: this| that)?|(?:do|does|implement|handle|follow|apply|fix|solve|address)(?: \w+){0,3} (?:this|that|it|these|those|wants|the following)|(?:what|why|how)\b.{0,40}\b(?:here|going on|happening|happened|wrong|mean))\s?[.!?…]{0,3}$/iu;
/** A bare question, or a line that names nothing but "this": what it is about is pasted below. */
const isAboutBelow = (line: string): boolean =>
  /\?[\s)"'!?.…]{0,4}$/.test(line) ||
  (endsPointing.test(line) && !(isOrder(line) && /\b(?:always|never|prefer|remember|from now on)\b/i.test(line)));
const endsPointing = /^(?:\S{1,30} ){1,9}(?:this|that|it|these|those|(?:this|that) one|here|me|us)\s?[.!…]{0,3}$/i;
/** True for a question that names nothing itself: it asks about what comes next. */
const isBareQuestion = (text: string): boolean =>
  text.endsWith('?') &&
  text.length <= 80 &&
  (text.match(/[\p{L}\p{N}'’]+/gu) ?? []).every((word) => emptyWord.test(word));
const emptyWord =
  /^(?:is|are|was|does|do|did|should|shall|can|could|would|will|must|may|why|what|how|who|when|where|which|or|and|so|not|no|yes|to|of|on|for|about|by|with|in|then|too|also|still|really|actually|even|just|here|there|a|an|the|any|some|all|i|you|we|us|me|our|my|your|it|its|they|them|their|he|she|this|that|these|those|ok|okay|well|hm+|huh|hey|please|mean|means|say|says|want|wants|think|thoughts?|opinion|idea|ideas|take|view|sense|agree|true|false|right|wrong|correct|valid|good|bad|sane|sensible|legit|safe|common|normal|best|make|makes|follow|apply|applies|hold|holds|need|needed|needs|understand|get|got|know|have|has|advice|rule|rules|practice|sentence|line|lines|words?|part|bit|like|read|it's|that's|what's|isn't|don't|doesn't)$/iu;
/** `What does this mean? Always …`: the text it asks about may be on the same line. */
const asksOnLine = (text: string): boolean =>
  text
    .split(/(?<=[.!?]) /, maxAsked)
    .slice(0, -1)
    .some(
      (asked) =>
        asked.endsWith('?') &&
        ((/\b(?:this|that|these|those|it)\b/i.test(asked) && isBareQuestion(asked)) ||
          (asksAboutText.test(asked) && !teaches.test(asked))),
    );
const maxAsked = 40;
/** `what do you think about the following rule?`, `why does it print this?` */
const asksAboutText =
  /\b(?:the following|this|that|these|those) (?:[\w-]{1,30} )?(?:rule|advice|sentence|policy|instruction|guideline|statement|tip|practice|recommendation|convention|suggestion|wording|text|message|warning|hint)s?\b|\b(?:why|what|how|where)\b.{0,60}\b(?:prints?|says?|shows?|tells?|wants?|claims?|outputs?|states?|writes?|recommends?|suggests?|means?) (?:me |us )?(?:this|that|these|it|so)\b/i;
/** `Can you remember this rule?` is the person's own. */
const teaches = /\b(?:remember|keep|save|note|learn|store|add|stick)\b/i;
/** A request to look at something is followed by the thing itself. "Can you look?" names nothing. */
const looking =
  'look|check|read|review|see|scan|skim|go (?:over|through)|have a look|take a look|translate|summari[sz]e|sum up|explain|' +
  'proof-?read|rewrite|rephrase|reword|reformat|shorten|paraphrase|simplify|improve|correct|compare|verify|analy[sz]e|' +
  'inspect|parse|digest|apply|follow|answer|reply|respond|what do you (?:think|make) of|what does|thoughts|opinion|tl;?dr';
const request = new RegExp(
  String.raw`(?:^|[.!?,;:)-] |\b(?:please|pls|you|to|me|us|and|then|just|now|quickly|ok|hey|hi|let's|lets|i want|any|your|first) )(?:${looking})\b(?! ?\?)`,
  'i',
);

/** The name of a text that someone may have written, at the end of a line. */
const endsInDocument =
  /(?:^|[\s"'`(@/])[\w@./*~-]{0,80}(?:\.(?:mdx?|mdc|markdown|txt|rst|adoc|org|html?|pdf|docx?|cursorrules)|\b(?:README|CONTRIBUTING|CHANGELOG|SECURITY))["'`)]{0,2}\s?[.!?…]{0,3}$/;
/** A request to change a document quotes nothing from it. */
const changing =
  /\b(?:fix|add|update|write|rename|delete|move|create|change|edit|remove|put|document|mention|replace|correct|extend|shorten|append|commit|sort|format|generate|drop|insert|bump)\b/i;
/** `look at docs/x.md: Always …`. */
const showsDocument = /^[^.!?:]{0,80}\s\S{0,80}\.\w{1,5}["'`)]{0,2}: \S/;
const document = String.raw`\S{0,80}(?:\.(?:mdx?|mdc|markdown|txt|rst|adoc|org|html?|pdf|docx?)|\b(?:README|CONTRIBUTING|CHANGELOG|SECURITY))`;
const pieces =
  'text|words?|wording|content|message|sentence|banner|label|title|caption|notice|headline|line|string|copy';
/** `Translate to German.`, `Put a banner there with this text.`, `npm printed a hint.`: the text is on its line. */
const handsOverOnLine = new RegExp(
  String.raw`(?:^|[.!?…:;] )(?:(?:(?:please|pls|now|can you|could you) ){0,2}(?:translate|summari[sz]e|sum up|paraphrase|proof-?read|rephrase|reword|tl;?dr)(?: (?:this|that|it|these|those|the following|(?:(?:the|this) )?(?:text|page|e-?mail|mail|article|message|document|file)|${document})){0,3}(?: (?:to|into|in|for|as) [\p{L}\d-]{1,30}(?: [\p{L}\d-]{1,30}){0,2})?(?: (?:for me|please|pls)){0,2}[.!?:…]|` +
    String.raw`(?:please )?(?:put|add|show|display|print|insert|place|write|render|set|create|make|include|paste|post|send)\b[^.!?]{0,80} (?:this|that|these|the following) (?:${pieces})[.!:…]|` +
    String.raw`(?!(?:i|we|you) )(?:[\p{L}\d'’@/_-]{1,30} ){1,4}?(?:${says}|answers?|answered|repl(?:ies|ied)|respond(?:s|ed)|logged|gave|gives|displayed|displays|outputs?)(?: (?:to )?(?:me|us))?(?: (?:something|this|that|it|so|the following|(?:a|an|the|some|another|one|this|that) (?:[\w-]{1,30} )?(?:${pieces}|hint|tip|note|warning|error|advice|suggestion|recommendation|instruction|rule|answer|reply|response)s?))?[.!:…]) \S`,
  'iu',
);
const showsOnLine = (text: string): boolean =>
  asksOnLine(text) ||
  attributesOnLine(text) ||
  handsOverOnLine.test(text) ||
  (showsDocument.test(text) && request.test(text));

/** Rules that the person sets themselves may be a list. */
const ownList =
  /^(?:and |also,? )?(?:some|our|my|a few|these are (?:our|my)) (?:\w+ ){0,2}(?:rules|conventions|preferences)\b[^:]{0,60}:$|^(?:please )?(?:do the following|remember)\b[^:]{0,60}:$/i;
const listItem = /^\s*(?:[-*+•–]|\d{1,3}[.)]|\(?[a-z][.)])\s/i;
/** A shell prompt, a quote. */
const shownLine = /^\s*(?:[$%#❯➜»]\s|[$%#❯➜»]$|>)/;
/** `Eve: …`, `README.md: …`, unless it is a word that people begin a remark with. */
const speaker =
  /^\s*(?!(?:also|and|note|remember|reminder|rule|important|please|ps|p\.s\.|btw|fyi|todo|one more thing|by the way)\s?:)(?:\S+\.\w{1,5}|@?\p{Lu}[\w.-]{0,30}(?: \p{Lu}[\w.-]{0,30}){0,2}):(?:\s|$)/iu;

const bareAddress = /^\s*(?:\S{1,20}:?\s+)?<?https?:\/\/\S+>?\s*$/i;

/** Headers of mails, chats, comments and pages. */
const foreignHeads: readonly RegExp[] = [
  /^\s*#{1,6}\s+\S/,
  /^\s*(?:={3,}|-{3,}|\*{3,}|_{3,})\s*$/,
  /^\s*(?:From|To|Cc|Subject|Date|Sent|Reply-To|Author|Title|Source|URL):\s\S/,
  /^\s*On .{5,100} wrote:\s*$|^\s*-{2,}\s*(?:Original|Forwarded) message/i,
  /^\s*\[?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AP]M)?\]?\s+\S|^\s*[\w.@ -]{2,40}\s\s?\[?\d{1,2}:\d{2}(?:\s?[AP]M)?\]?\s*$/i,
  /^\s*@?[\w-]{2,40} (?:commented|replied|wrote|said|opened|approved|requested changes)\b/i,
  /^\s*(?:Answered|Asked|Posted|Published|Updated|Edited|Created|Last (?:updated|modified|edited|reviewed))\b.{0,40}\d/i,
  /^\s*(?:table of contents|contents|skip to (?:main )?content|edit this page|on this page|in this article|read more|share this|copyright|©|all rights reserved|sign in|log in|accept (?:all )?cookies|was this (?:page|article) helpful|back to top|next page|previous page|subscribe)\b/i,
  /^\s*\d+ (?:votes?|answers?|comments?|replies|points?|stars?|min(?:ute)? read)\b/i,
  /\]\(https?:\/\/|!\[[^\]]{0,100}\]\(|^\s*(?:[-*+]\s+)?\*\*[^*]{2,60}\*\*\s*:?|<\/?(?:p|li|ul|ol|div|h[1-6]|span|a|code|pre|strong|em|table|td|tr|br)\b[^>]{0,200}>/i,
  /^\s*(?:BEGIN|START|END) (?:OF )?(?:FILE|DOCUMENT|PAGE|TEXT|QUOTE)|^\s*\[(?:page|document|file|start|pasted text)\b/i,
];

/** Returns the index of the first line that is someone else's. */
const startOfPaste = (lines: readonly string[]): number => {
  const filled = lines.flatMap((line, at) => (line.trim() === '' ? [] : [{ line, at, text: line.trim() }]));
  const end = startOfSigned(lines, filled);
  let inOwnList = false;
  for (const [i, { line, at, text }] of filled.entries()) {
    // As many lines as it takes to recognise a block.
    const rest = filled.slice(i + 1, i + 1 + leastLines).map((one) => one.line);
    if (at >= end) return end;
    if (
      beginsLetter(line, filled.length === 1) ||
      [...foreignHeads, shownLine, speaker].some((form) => form.test(line))
    )
      return at;
    if (showsOnLine(text)) return at;
    if (listItem.test(line) && !inOwnList) return at;
    inOwnList = (inOwnList && listItem.test(line)) || ownList.test(text);
    if (isHeading(text, rest[0]?.trim())) return at;
    if (rest.length === 0 || inOwnList) continue;
    if (text.endsWith(':') || introduction.test(text) || request.test(text)) return at + 1;
    const isOwn = isOrder(text);
    if (!isOwn && (someText.test(text) || asksAbout.test(text))) return at + 1;
    if (isBareQuestion(text) && rest.some((one) => ruleWord.test(one))) return at + 1;
    if (!isOwn && endsInDocument.test(text) && !changing.test(text) && rest.some(isWrittenRule)) return at + 1;
    const isApart = (lines[at + 1] ?? '').trim() === '';
    if (isApart && rest.length >= 2 && isAboutBelow(text)) return at + 1;
    const pointsOn = bareAddress.test(text) || pointer.test(text) || handsOver.test(text);
    if (pointsOn && (isBlock(rest, isApart) || (!isOwn && rest.some(isWrittenRule)))) return at + 1;
  }
  return end;
};

const leastLines = 3;

/** Text typed after a request is a short remark; pasted text has lines, or sentences with full stops. */
const isBlock = (rest: readonly string[], isApart: boolean): boolean => {
  const text = rest.join(' ');
  return (
    rest.length >= leastLines || text.length >= 160 || (isApart && /^\s*\p{Lu}/u.test(text) && /[.!]\s*$/.test(text))
  );
};

/** A rule that begins with a capital, as in a document: people type theirs in lower case, and after "and". */
const isWrittenRule = (line: string): boolean => /^\s*\p{Lu}/u.test(line) && ruleWord.test(line);
const ruleWord =
  /\b(?:always|never|don['’]?t|do not|must|should|shall|prefer|remember|from now on|use|avoid|ensure|make sure)\b/i;

/**
 * True for a short line that doesn't end like a sentence and gives no rule, with a capital or before a line that has
 * one: a heading that lost its marks, the name of a file or a page.
 */
const isHeading = (text: string, next: string | undefined): boolean => {
  if (next === undefined || !/^\p{L}[^.!?,;:]{1,60}(?:\.\w{1,5})?$/u.test(text) || ruling.test(text)) return false;
  const words = text.split(/\s+/).length;
  return words <= 7 && (/^\p{Lu}/u.test(text) || (words <= 2 && /^\p{Lu}/u.test(next)));
};
const ruling =
  /\b(?:always|never|don['’]?t|do not|must|should|prefer|use|we|our|i|please|remember|from now on|thanks?)\b/i;

/** Drops paragraphs whose lines are wrapped at a width, and lines as long as a page. */
const withoutBlocks = (lines: readonly string[]): readonly string[] => {
  const kept: string[] = [];
  let paragraph: string[] = [];
  const end = (): void => {
    const isWrapped =
      paragraph.length >= 3 && paragraph.slice(0, -1).every((line) => line.length >= 50 && line.length <= 110);
    const breaksSentences = paragraph.slice(0, -1).some((line) => /[\p{L}\p{N},]$/u.test(line.trimEnd()));
    if (!isWrapped || !breaksSentences) kept.push(...paragraph.filter((line) => line.length <= longestTyped));
    paragraph = [];
  };
  for (const line of lines) {
    if (line.trim() === '') {
      end();
      kept.push(line);
    } else {
      paragraph.push(line);
    }
  }
  end();
  return kept;
};

const longestTyped = 700;

/** Removes three or more quoted words, unless the sentence is about them: `add "Reviewed by two" to the title`. */
const withoutQuotations = (text: string): string =>
  text.replace(quotation, (all: string, _inner: string, at: number) => {
    const inner = all.slice(1, -1);
    if (inner.trim().split(/\s+/).length < 3) return all;
    const before = text.slice(Math.max(0, at - 40), at);
    const begins =
      /(?:^|[\n:,([]|[.!?])\s*$/.test(before) || new RegExp(String.raw`\b(?:${says})(?: that)?\s*$`, 'i').test(before);
    return begins || /[.!?](?:\s|$)|\n/.test(inner) ? ' ' : all;
  });

const quotation = /(?:"([^"]{1,4000})"|“[^“”]{1,4000}”|«[^«»]{1,4000}»|„[^„“”]{1,4000}[“”])/g;
