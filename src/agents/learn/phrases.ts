/** Finds sentences that state a rule, a choice or a fact that outlives the task. Pure. */
import type { LearnedKind } from './learned.js';

export type Cue = {
  readonly kind: LearnedKind;
  /** The sentence without introductory words. */
  readonly text: string;
  readonly confidence: number;
  /** How many topic words the text needs, so that it can be understood alone. */
  readonly leastWords: number;
};

export const findCue = (sentence: string): Cue | undefined => {
  const text = withoutLead(sentence.replace(/[’‘]/g, "'").replace(/\s+/g, ' ').trim());
  if (isOpen.some((form) => form.test(text))) return undefined;
  const rule = rules.find(
    ({ form, unless, needs }) =>
      form.test(text) && unless?.test(text) !== true && (needs === undefined || needs.test(text)),
  );
  if (rule === undefined) return undefined;
  const said = text.replace(askedToKeep, '');
  if (pointsElsewhere.some((form) => form.test(said))) return undefined;
  return { kind: rule.kind, text: said, confidence: rule.confidence, leastWords: rule.leastWords ?? 3 };
};

/** Removes conversational words before a rule: "no, actually, please always …". */
const withoutLead = (text: string): string => {
  const rest = text.replace(leadWord, '');
  return rest === text ? text : withoutLead(rest);
};
const leadWord =
  /^(?:(?:ok(?:ay)?|no|nope|yes|yeah|yep|well|so|and|but|also|actually|great|good|perfect|thanks?|thank you|cool|right|sure|hmm+|oh|hey|sorry|please|pls|btw|by the way|just|fyi|important|note|listen|nice|fine|alright|again|yet|because)(?:[,.!:;…—-]+\s*|\s+(?=\S))|i said\s+|as i said,?\s*|[—–-]\s+)/i;

const askedToKeep = /^(?:remember|keep in mind|for the record|bear in mind|for future reference)(?: that|[:,]) /i;

/** Questions, doubts, wishes for now, and what applies only this once. */
const isOpen: readonly RegExp[] = [
  /\?/,
  /^(?:can|could|would|will|should|shall|do|does|did|is|are|was|were|has|have|what|why|how|where|which|who|whose|may|might)\b(?!\s+not\b)/i,
  /\b(?:i think|i guess|i suppose|i wonder|i believe|i feel|kind of|kinda|sort of|maybe|perhaps|probably|possibly|might|not sure|unsure|seems?|looks? like|tell me|let me know|what if|or should|whether|i bet|i hope|could be|if you (?:want|like|can|think)|if possible|not certain)\b/i,
  /\b(?:for now|right now|this time|just this once|once more|today|tonight|tomorrow|temporar(?:y|ily)|for the moment|at the moment|first step|next step|in this (?:pr|commit|session|task|change|branch|case|file)|until (?:then|tomorrow|later))\b/i,
  /\b(?:haha|lol|jk|just kidding|for example,? let)\b/i,
  /[:,]$|\.\.\.$|…$/,
];

/** Phrases that can't be understood without the text before them. */
const pointsElsewhere: readonly RegExp[] = [
  /^(?:it|its|it's|that|that's|this(?! (?:repo|project|codebase|team|machine|monorepo)\w*\b)|these|those|they|they're|them|he|she|his|her|both|neither|same|the (?:first|second|third|last|latter|former|other)|one|either|none)\b/i,
  /^(?:\S+\s+){1,3}(?:it|them|they)\b/i,
  /\b(?:it|them)$|\b(?:it|them)[.!,]/i,
  /\b(?:this|these|those)\b(?! (?:repo|repository|project|codebase|machine|team|workspace|monorepo|company|organi[sz]ation)\b)/i,
  /(?:\b(?:do|use|want|like|need|keep|try|with|about|of|for|than|not|to|from|prefer|doing|using|as|and|or)|^\S+) that\b(?! (?:the|all|every|each|any|no|we|i|you|our|my)\b)/i,
  /\bthat(?:'s| one| is| was| way| file| function| error| bug| approach| version| change| thing| part| stuff| too| instead| again)\b|\bthat[.!,]?$/i,
  /\b(?:the|as|see|like|from) (?:above|below|following|previous|former|latter|other|same|earlier|before|one|ones|first|second|third)\b|\b(?:above|below|previously|aforementioned)\b/i,
  /\b(?:there|here)[.!,]?$|\bsuch an?\b|\b(?:one|ones|thing|things|stuff|way)[.!,]?$|\bsome(?:thing|how)\b/i,
  /\b(?:option|approach|plan|choice|variant|version|solution|idea|step|item|point|number|suggestion)s? (?:[a-d]|\d+|one|two|three)\b/i,
];

type Rule = {
  readonly kind: LearnedKind;
  readonly form: RegExp;
  readonly unless?: RegExp;
  readonly needs?: RegExp;
  readonly confidence: number;
  readonly leastWords?: number;
};

const aside = String.raw`\b(?:instead of|rather than|in place of|as opposed to|over)\b|, not\b`;
/** A thing with a name: in backticks, with a capital, digits or signs inside; or a choice between two things. */
const namesThings = new RegExp(
  String.raw`\x60[^\x60]+\x60|(?<=\s)[A-Z][\w+#]|(?<=\s)[\w-]*\d|\w[./_]\w|[a-z][A-Z]|[a-z]-[a-z]|${aside}`,
);
const forbiddenVerbs =
  'use|add|write|commit|push|edit|touch|run|mock|put|import|call|delete|rely|hard-?code|install|merge|deploy|assume|wrap|' +
  'skip|generate|name|store|create|change|modify|catch|swallow|return|log|bump|upgrade|rename|remove|introduce|include';
const modal = '(?:should|must|have to|need to|needs to|has to|ought to|shall)';
const indefinite = /\b(?:something|anything|whatever|someone|somewhere|another|different|existing|simpler|simple)\b/i;
/** Words about the task at hand: nothing in them outlives it. */
const taskAtHand =
  /\b(?:you (?:just|only|already|still)|i just|we just|you've|you were|you did|you are|you're|my (?:last|previous) (?:message|prompt))\b/i;

const rules: readonly Rule[] = [
  // Rules with always and never. "It never works" reports something, "never push" sets a rule.
  {
    kind: 'preference',
    form: new RegExp(
      String.raw`^(?:(?:from now on|going forward|in (?:the )?future|in general|as a rule|by default),?|(?:when(?:ever)?|every time) [^,]{3,80},) (?:please |also |then |you |we )*(?:always|never|use|do not|don't|add|run|write|keep|${modal}|prefer|ask|avoid|commit|stick|include|name|call|start|test|create|update|document)\b`,
      'i',
    ),
    unless: taskAtHand,
    confidence: 0.6,
    leastWords: 2,
  },
  {
    kind: 'preference',
    form: /^(?:always|never) (?!(?:mind|ending|before|again|been|had|was|seen|heard|works?|fails?|happens?|the|an?|ever)\b)[a-z]+\b/i,
    confidence: 0.6,
    leastWords: 2,
  },
  {
    kind: 'preference',
    form: new RegExp(
      String.raw`\b(?:you|we|tests?|code|commits?|everyone|(?:all|every) \w+|functions?|files?|names?|messages?|branches|migrations?|prs?|pull requests) ${modal} (?:always|never)\b|\b(?:we|i|i'd) (?:always|never) (?:want|use|write|commit|push|merge|deploy|run|put|name|add|test|squash|rebase|mock|keep|import|start|ship|release|review|prefer)\b`,
      'i',
    ),
    unless: taskAtHand,
    confidence: 0.6,
    leastWords: 2,
  },
  {
    kind: 'preference',
    form: /^(?:remember|make sure|be sure) (?:to|that (?:we|you|i|i'd|all|every|our|the)|you)\b.{0,160}\b(?:always|never|every|each|whenever|prefer|rather|before (?:you )?(?:commit|push|merg|deploy|releas)\w*)\b/i,
    unless: taskAtHand,
    confidence: 0.6,
  },
  {
    kind: 'preference',
    form: /\b(?:i|we)(?: (?:really|strongly|generally|usually|much))? prefer\b|\b(?:i|we)(?:'d| would)(?: (?:really|much|strongly))? (?:rather|prefer)\b|\b(?:i|we) (?:explicitly|really|definitely|absolutely|never) (?:don't |do not )?want\b|\b(?:i|we) (?:hate|dislike|can't stand)\b|\bi (?:don't|do not) (?:like|want) (?:you to|any)\b|\bi (?:always )?(?:like|want) (?:all|every|my|our)\b/i,
    unless: new RegExp(
      `${indefinite.source}|${taskAtHand.source}|\\bwould you\\b|\\bprefer if\\b|\\bto (?:pass|work|run|succeed|build|compile)\\b`,
      'i',
    ),
    confidence: 0.6,
    leastWords: 2,
  },
  // Corrections by the person.
  {
    kind: 'correction',
    form: new RegExp(
      String.raw`^(?:(?:do not|don't|never) (?:ever )?(?:${forbiddenVerbs})|(?:stop|avoid|quit) [a-z]+ing)\b`,
      'i',
    ),
    unless: new RegExp(
      String.raw`${taskAtHand.source}|\b(?:yet|anymore|now|again)[.!]?$|\bthe (?:\w+ )?(?:button|page|header|footer|sidebar|text|line)\b`,
      'i',
    ),
    confidence: 0.6,
  },
  {
    kind: 'correction',
    form: new RegExp(`^(?:use|run|import|write|store|install) .{2,120}(?:${aside})`, 'i'),
    unless: indefinite,
    confidence: 0.6,
    leastWords: 2,
  },
  {
    kind: 'correction',
    form: /^the (?:right|correct|proper|actual|real) (?:way|command|path|name|url|branch|port|file|folder|package|endpoint|flag|option|version|value|place|spelling|term)\b.{0,80} (?:is|are)\b/i,
    confidence: 0.6,
  },
  {
    kind: 'correction',
    form: /^.{2,80} (?:is|are|was) (?:deprecated|obsolete|outdated|no longer (?:used|supported|needed|maintained)|not (?:used|supported|maintained) any ?more)\b/i,
    needs: namesThings,
    unless: taskAtHand,
    confidence: 0.5,
  },
  {
    kind: 'correction',
    form: /^(?:the|our|my) .{2,80} (?:is|are|runs on|lives in|should be|must be|is called) .{1,80}, not\b/i,
    confidence: 0.6,
  },
  // Choices that were settled.
  {
    kind: 'decision',
    form: /^(?:let's|lets|let us|we'll|we will|we're going to|we are going to|i'll) (?:go with|use|stick (?:with|to)|switch to|move to|migrate to|adopt|standardi[sz]e on|settle on) (?!an? )/i,
    needs: namesThings,
    unless: indefinite,
    confidence: 0.5,
    leastWords: 2,
  },
  {
    kind: 'decision',
    form: /^(?:we|the team|we've|we have)(?: (?:have|finally|just|all))? (?:decided|agreed|chose|chosen|settled|switched|migrated|standardi[sz]ed|adopted)\b|^(?:the )?decision(?: is|:)|^decided:/i,
    unless: indefinite,
    confidence: 0.6,
    leastWords: 2,
  },
  {
    kind: 'decision',
    form: /^(?:we're|we are) (?:using|switching to|moving to|migrating to|going with|standardi[sz]ing on|sticking with)\b/i,
    needs: namesThings,
    unless: indefinite,
    confidence: 0.5,
    leastWords: 2,
  },
  // Facts that the person asks to keep, or that say where and with what things run.
  {
    kind: 'fact',
    form: /^(?:remember|keep in mind|for the record|bear in mind|for future reference)(?: that|[:,]) .*\b(?:is|are|runs?|lives?|uses?|has|have|needs?|requires?|goes|go|must|should|only|can't|cannot|can)\b/i,
    unless: taskAtHand,
    confidence: 0.6,
  },
  {
    kind: 'fact',
    form: /^(?:our|the|my) (?:[\w-]+ ){1,4}(?:runs|lives|listens|(?:is|are) (?:hosted|deployed|stored|located|built)|resides?|sits) (?:on|at|in|under|behind|with|by|from|to)\b/i,
    needs: namesThings,
    confidence: 0.5,
  },
  {
    kind: 'fact',
    form: /^(?:(?:this|our|the) (?:project|repo|repository|codebase|monorepo|team|company|backend|frontend|ci|api)|we) (?:uses?|requires?|targets?|supports?|deploys? (?:to|with|via)|builds? with|runs? on|is written in|is built with|pins?)\b/i,
    needs: namesThings,
    unless: new RegExp(`${indefinite.source}|${taskAtHand.source}`, 'i'),
    confidence: 0.5,
    leastWords: 2,
  },
  {
    kind: 'fact',
    form: /^(?:the )?root cause\b.{0,80} (?:is|was|turned out to be)\b|^the (?:actual |real )?(?:problem|issue|bug|cause) (?:was|turned out to be)(?: that)?\b/i,
    confidence: 0.5,
    leastWords: 4,
  },
  {
    kind: 'fact',
    form: /^(?:my name is|i work (?:as|at|for|in) an?\b|my (?:time ?zone|role|team|editor|shell|os) is)\b/i,
    confidence: 0.5,
    leastWords: 1,
  },
];
