/** Which part of a prompt a person typed, and which they pasted: pages, mails, logs, what somebody else said. Pure. */

/**
 * The lines that come before what is introduced as somebody else's ("the docs say:", a bare address, a heading, the head
 * of a mail), without what stands in quotes and without blocks that nobody types. Where it is in doubt a line counts as
 * pasted: a rule of a page that is learned in the user's name does more harm than one of theirs that is missed.
 */
export const typedPart = (text: string): string => {
  const lines = withoutQuotations(text).split('\n');
  const kept = lines.slice(0, startOfPaste(lines));
  return withoutBlocks(kept).join('\n');
};

/** Sentences that tell what somebody else says. */
export const isReported = (sentence: string): boolean => reported.test(sentence) && sourceSays.test(sentence);

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

/** Ends with a colon and speaks of somebody else's text. */
const introduction = new RegExp(
  String.raw`\b(?:${says}|${source}|according to|got|get|found|copied|pasted|quote|quoting|see below)\b[^:]{0,80}:$`,
  'i',
);
const pointing = String.raw`\b(?:this|that|these|the following|below|here'?s|here is|attached|pasted|copied)\b`;
/** A colon is not needed where a line points at what follows it. */
const pointer = new RegExp(
  String.raw`${pointing}.{0,40}\b(?:${source})\b|\b(?:${source})\b.{0,20}\b(?:below|follows)\b`,
  'i',
);
const reading =
  /\b(?:summari[sz]e|translate|explain|proof-?read|rewrite|rephrase|shorten|paraphrase|read|answer|reply to|respond to|what do you (?:think|make) of|thoughts on|opinion on|tl;?dr)\b.{0,40}(?:\b(?:this|these|following|below)\b|:$)/i;

const bareAddress = /^\s*(?:\S{1,20}:?\s+)?<?https?:\/\/\S+>?\s*$/i;

/** Heads of mails, chats, comments and pages. */
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

/** The index of the first line that is somebody else's. */
const startOfPaste = (lines: readonly string[]): number => {
  const filled = lines.flatMap((line, at) => (line.trim() === '' ? [] : [{ line, at, text: line.trim() }]));
  for (const [i, { line, at, text }] of filled.entries()) {
    // As many as it takes to see a block.
    const rest = filled.slice(i + 1, i + 1 + leastLines).map((one) => one.line);
    if (foreignHeads.some((form) => form.test(line))) return at;
    if (rest.length === 0) continue;
    if (introduction.test(text) || (text.endsWith(':') && reading.test(text))) return at + 1;
    const isApart = (lines[at + 1] ?? '').trim() === '';
    if ((bareAddress.test(text) || pointer.test(text) || reading.test(text)) && isBlock(rest, isApart)) return at + 1;
  }
  return countTitles(lines) >= 2 ? firstTitle(lines) : lines.length;
};

const leastLines = 3;

/** What is typed behind a request is a short remark; what is pasted has lines, or sentences with full stops. */
const isBlock = (rest: readonly string[], isApart: boolean): boolean => {
  const text = rest.join(' ');
  return (
    rest.length >= leastLines || text.length >= 160 || (isApart && /^\s*\p{Lu}/u.test(text) && /[.!]\s*$/.test(text))
  );
};

/** Short lines with a capital that stand alone and end like no sentence are headings that lost their marks. */
const isTitle = (lines: readonly string[], at: number): boolean => {
  const text = (lines[at] ?? '').trim();
  const isAlone = (lines[at - 1] ?? '').trim() === '' && (lines[at + 1] ?? '').trim() === '';
  return isAlone && /^\p{Lu}[^.!?,:;]{2,60}$/u.test(text) && text.split(/\s+/).length <= 7;
};
const countTitles = (lines: readonly string[]): number => lines.filter((_, at) => isTitle(lines, at)).length;
const firstTitle = (lines: readonly string[]): number => lines.findIndex((_, at) => isTitle(lines, at));

/** A paragraph whose lines are broken at a width, or one line of the length of a page. */
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

/** Three words or more in quotes, unless they are what the sentence is about: `add "Reviewed by two" to the title`. */
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
