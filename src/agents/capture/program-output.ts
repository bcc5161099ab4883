/** Filters the output of a program, which may print a page or a file that was written to instruct agents. Pure. */
import { normalForm } from '../../events/normal-form.js';
import { withoutUnseen } from '../../events/note/plain-text.js';
import { splitSentences } from '../learn/sentences.js';
import { foreignOrders } from './non-english-orders.js';

/**
 * Removes the sentences that tell the reader what to do; returns '' if nothing is left. An error that says what the
 * command lacks ("error: you must specify a name") stays: it is why the command failed.
 */
export const withoutAddress = (line: string): string => {
  const visible = withoutUnseen(line).replace(/(?<=\w)<(?=\p{Lu}\p{Ll})/gu, '\u2039');
  const said = visible.replace(marks, '');
  const sentences = splitSentences(said);
  const kept = sentences.filter((sentence) => !isAddress(withoutAccents(sentence)));
  return plainLine(kept.length === sentences.length ? visible : kept.join(' '));
};

/**
 * True for a rule for the reader. Unlike in `withoutAddress`, a label excuses nothing, and an imperative
 * alone is not a rule: commit subjects are imperatives.
 */
export const givesRule = (line: string): boolean =>
  [...standing, ...rules].some((form) => form.test(withoutAccents(line)));

/** The forms of other languages are written without accents. */
const withoutAccents = (text: string): string => normalForm(text, 'NFKD').replace(/\p{M}/gu, '');

/** Marks of headings, quotes and lists. */
const marks = /^(?:\s{0,8}(?:#{1,6}|>|[-*+•]|\d{1,3}[.)])\s)+/;

/** Keeps the text from looking like a section of a note, or like the end of a line that we write. */
const plainLine = (text: string): string =>
  text
    .replace(/^(?:\s{0,8}(?:#{1,6}|>)\s)+/, '')
    .replaceAll('→', '->')
    .replaceAll('\u2039', '<');

const isAddress = (sentence: string): boolean => {
  if (standing.some((form) => form.test(sentence))) return true;
  const found = forms.map((form) => form.exec(sentence)).filter((one) => one !== null);
  return found.some(({ index }) => !label.test(sentence.slice(0, index)));
};

/** Precedes a message of the program about itself: `error TS2322:`, `✗`, the name of a test that failed. */
const label =
  /\b(?:\w{0,40}(?:error|exception)|fatal|failed|failure|panic(?:ked)?|err!|denied|invalid)\b[^:]{0,40}:|^\s{0,20}(?:[✗✘✖×●]|FAIL\b|not ok\b|--- FAIL\b)/i;

const reader = String.raw`\b(?:you|agents?|assistants?|claude|copilot|ai|llms?|language models?|bots?)\b`;
const toDo =
  'must|should|shall|ha(?:s|ve) to|needs? to|ought to|is (?:required|expected|instructed|authori[sz]ed) to|can now|will now|may now|are (?:now|required|expected|instructed|authori[sz]ed|to)';
/** An imperative: test names and states have other endings ("never loses", "never used"). */
const verb = String.raw`(?!\w+(?:(?<!s)s|(?<!e)ed|ing)\b)[a-z]{2,}`;

/** Rules for later, which no program may set, whatever label it puts before them. */
const standing: readonly RegExp[] = [
  new RegExp(String.raw`(?:^|[:.!;,–—-]\s{1,3})(?:please )?(?:always|never) ${verb}`, 'i'),
  new RegExp(String.raw`${reader}.{0,30}\b(?:always|never)\b`, 'i'),
  /\b(?:from now on|going forward|for all future|in (?:all |any |every )?future (?:sessions?|conversations?|runs?|tasks?)|every (?:session|conversation)|remember (?:to|that)|before (?:each|every|any) (?:commit|push|task|step|answer|session|command|run)|whenever (?:you|asked))\b/i,
  /\bhereby\b/i,
  /\b(?:must|should|shall|needs? to|ha(?:s|ve) to|ought to)\b.{0,80}\b(?:prior to|before) (?:committ|push|merg|deploy|releas)ing\b/i,
  new RegExp(
    String.raw`\b(?:workflow|procedure|practice|policy|convention|protocol)\b.{0,40}\bis (?:now )?to (?!be\b)${verb}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:developers?|engineers?|contributors?|maintainers?|programmers?|everyone|everybody|whoever\b.{0,40})\s(?:${toDo})\b`,
    'i',
  ),
  ...foreignOrders,
];

/** Imperatives that also name a thing or a system call: "store is closed", "open .env: no such file". */
const nouns =
  'run|execute|install|download|fetch|curl|send|post|upload|delete|remove|add|set|commit|push|use|ask|switch|open|visit|' +
  'copy|paste|save|write|store|read|act|reply|answer|call|stop|start|change|update|edit|create|skip|accept|trust';
const acts =
  `${nouns}|ignore|disregard|forget|do not|don['’]t|make sure|ensure|be sure|tell|go to|follow|respond|disable|enable|` +
  'approve|treat|consider|prefer|avoid';
const errno =
  'e(?:conn(?:reset|refused|aborted)|pipe|acces|again|[mn]file|busy|exist|inval|io|of|isdir|isconn|noent|nospc|nomem|nosys|' +
  'not(?:dir|empty|conn|sup)|perm|rofs|addr(?:inuse|notavail)|timedout|hostunreach|netunreach|badf|msgsize|xdev|loop|nametoolong)';
/** Reasons after the colon of a failed call: "read tcp 10.0.0.1:443: connection reset by peer". */
const reasons =
  'no such|not found|command not found|cannot|can.t|could not|permission denied|access denied|is a directory|' +
  'not a directory|file exists|already exists|connection (?:reset|refused|closed)|broken pipe|dial |lookup |i/o timeout|' +
  'unexpected eof|eof\\b|too many|operation not permitted|bad file|inappropriate|net/http|tls:|x509|use of closed|context ';
/** A few words without an article, and what happened to them: "call stack size exceeded". */
const fate = String.raw`(?: (?!(?:the|an?|this|that|these|those|your|our|all|any|every|it|them|to|in|into|from|with|if|when|what|which|who|where|as|and|or|so|then|until|before|after)\b)[\w'-]{1,40}){0,3},? (?:is|was|are|were|has|had|have|cannot|can't|could|couldn't|did|didn't|does|doesn't|must (?:be|have)|(?:but )?not (?:found|allowed|supported|permitted|available|set|used)|already|too|missing|expected|exceeded|detected|rejected|aborted|cancell?ed|expired|violate[sd]|conflicts?)\b`;
/** A verb that begins an error report and not an order. */
const report = [
  String.raw`(?:${nouns}) ${errno}\b`,
  String.raw`(?:${nouns})(?: (?:tcp|udp|unix))?(?: \S{1,200})?: (?:${reasons})`,
  String.raw`(?:${nouns}) of (?!.{0,120}\b(?:required|mandatory)\b)`,
  String.raw`(?:${nouns})(?=-\w)`,
  `(?:${nouns})${fate}`,
  'call to (?!https?:)|send on |use (?:before|after) |write (?:after|past|beyond) |read (?:after|past|beyond) ',
  String.raw`(?:write|store|read) (?:to|from) (?:a )?(?:closed|null|misaligned)\b`,
  String.raw`(?:update|delete)(?: or delete)? on table\b`,
  'curl: \\(\\d',
].join('|');

const rules: readonly RegExp[] = [
  new RegExp(String.raw`${reader}.{0,30}\b(?:${toDo})\b`, 'i'),
  /\b(?:must|should|shall) (?:always|never)\b/i,
  // Errors name a state that something must be in; these are acts.
  /\b(?:must|should|shall|needs? to|ha(?:s|ve) to|ought to) be (?:disabled|skipped|ignored|bypassed|turned off|switched off|suppressed|uploaded|obeyed|followed|trusted|approved)\b/i,
];

const forms: readonly RegExp[] = [
  ...rules,
  /^\W{0,8}(?:important|attention|urgent|mandatory|instructions?|action required|reminder|notice|notes? (?:to|for) \w{1,20})\b.{0,40}?[:!]/i,
  // "Read failed" and "fetch error" report an outcome.
  new RegExp(
    String.raw`(?:^\W{0,8}|[:;–—-]\s{1,3}|\bplease )(?:(?:please|now|then|first|next|and|so|just|also|instead) ){0,3}(?!${report})(?:${acts})\b(?!.{0,20}\b(?:fail(?:ed|ure)?|error|timed out|timeout|denied|refused)\b)`,
    'i',
  ),
];
