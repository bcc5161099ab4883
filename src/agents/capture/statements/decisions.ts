/** Finds sentences in which a person chooses, forbids or gives a reason. Pure. */
import { extractProse } from '../../learn/prose.js';
import { clip } from '../../transcript/clip.js';
import { countWords, sentencesOf } from './sentences-of.js';

/** A sentence by the person, or from an agent's plan that they agreed to. A clearer decision weighs more. */
export type Decision = { readonly by: 'user' | 'plan'; readonly text: string; readonly weight: number };

/** Returns decisions in order. Only typed text counts: a pasted page decides nothing. Expects a masked prompt. */
export const decisionsIn = (prompt: string): readonly Decision[] =>
  sentencesOf(extractProse(prompt))
    .flatMap((sentence): readonly Decision[] => {
      const weight = weigh(sentence);
      return weight === 0
        ? []
        : [{ by: 'user', text: clip(sentence.replace(conjunctions, ''), maxSentenceUnits), weight }];
    })
    .slice(0, maxPerPrompt);

const maxSentenceUnits = 240;
const maxPerPrompt = 6;
const leastWords = 3;

/** Returns 0 for a sentence that decides nothing, and more for one that also forbids something or gives a reason. */
const weigh = (sentence: string): number => {
  const text = sentence.replace(/[’‘]/g, "'").replace(leadWords, '');
  if (countWords(text) < leastWords || isQuestion(text) || inquiry.test(text) || undecided.test(text)) return 0;
  const chosen = choosing.some((form) => form.test(text)) ? 2 : 0;
  const forbids = forbidding.some((form) => form.test(text)) || leavesOut.test(sentence);
  const forbidden = forbids && !noticing.test(text) ? 2 : 0;
  const reason = reasoning.some((form) => form.test(text)) ? 1 : 0;
  const weight = Math.max(chosen, forbidden) + (chosen > 0 && forbidden > 0 ? 1 : 0) + reason;
  return asksForWork.test(text) && forbidden + reason === 0 ? 0 : weight;
};

/** "So we need X?" states something and is not a question here; "can we do X?" is one. */
const isQuestion = (text: string): boolean =>
  /\?["')\]]*$/.test(text) && !/^(?:i think|i guess|i'd say|i believe|looks like|we|you|the|because)\b/i.test(text);

/** Words that tie the sentence to the one before it. */
const conjunctions = /^(?:(?:so|and|but|also|well|ok|then|yet|because)\b[\s,]{1,3}){1,3}/i;

const leadWords =
  /^(?:(?:ok(?:ay)?|no|nope|yes|yeah|yep|well|so|and|but|also|oh|hm+|actually|great|thanks|sure|right|good|perfect|ja|nein|oui|non|sí|si|vale)\b[\s,.;:!–—-]{1,3}){1,3}/i;

/** Begins a mere request for information. */
const inquiry =
  /^(?:(?:please|pls|can you|could you|just)\s)?(?:tell|show|explain|describe|let me know|remind|read|look|check|see|list|find out|help me understand|i wonder|not sure|thanks|thank you|hi|hello)\b/i;

const undecided =
  /\bi (?:don't|do not) know\b|^(?:maybe|perhaps|possibly)\b.{0,60}\b(?:should|could|might|need)\b|\b(?:not|un) ?sure (?:if|whether|what|how)\b|\bi wonder\b|^(?:where|why|how|when|who) (?:do|does|did|is|are|was|can|could|should|would)\b/i;

/** "I don't see it" forbids nothing. */
const noticing =
  /\b(?:i|we) (?:don't|do not) (?:see|find|hear|understand|remember|get)\b|\bich (?:sehe|finde|verstehe)\b/i;

/** "No redux, plain state": here "no" is not an answer. */
const leavesOut =
  /^(?:(?:ok(?:ay)?|and|but|so)[,.]? )?(?:no more than\b|(?:no|kein(?:e|en)?) (?!(?:problem|idea|worries|thanks?|luck|need|way|clue|rush|changes?|errors?|output|wait|sorry|but|that|it|this|we|i|you|the|bugs?|issues?)\b)[\p{L}\w-]{2,40}(?: [\p{L}\w-]{2,40})?(?:,|[.!]?$| (?:in|at|for|anywhere)\b))/iu;

const asksForWork = /\b(?:i (?:want|need|would like)|i'd like) you to\b|^please\b/i;

const choosing: readonly RegExp[] = [
  /\b(?:let's|let us|lets (?!you|us\b|me\b|it\b|them\b)|i'll|we'll|i'd rather|we'd rather|i'd prefer|i'd love|would rather|prefer|decided|agreed|settled)\b/i,
  /\b(?:we|you|it|they|i|there|this|that|everything|all|\w+s) (?:really |definitely |always |only |explicitly |just |also )?(?:should|must|shall|need to|needs to|have to|has to|ought to|will (?!it|that|this|you|there)|want|wants|might want|are going to|is going to)\b/i,
  /\b(?:should|must|needs? to|ha(?:s|ve) to|going to) (?:be|stay|remain|live|go|use|only|always|never)\b/i,
  /^(?:please )?(?:use|switch|keep|stick|go with|go for|choose|pick|drop|skip|leave|rename|replace|revert|undo|always|only|make sure|stay|prefer|remember)\b/i,
  /\b(?:(?:i'd|i would|we) (?:pick|take|choose)|go(?:ing)? (?:with|for)|stick(?:ing)? (?:to|with)|stay(?:ing)? (?:on|with))\b|(?<!\b(?:what|how|where|who|as|that|than|why|like|whatever)) it is[.!]?$|\bmy vote\b/i,
  /^(?:the |option )?(?:first|second|third|last|former|latter|[a-d]|\d)(?: (?:one|option|idea|variant|approach|solution|way|version))? (?:sounds|looks|is|seems) (?:best|better|right|simpler|cleaner|fine)\b|\bi(?:'d| would)? (?:like|prefer|favou?r|vote)\b.{1,40}\b(?:better|more|best)[.!]?$/i,
  /^(?:please )?(?:scrap|ditch|abandon|forget(?! (?:to|about|it)\b)|get rid of)\b/i,
  /\bwe (?:do|go|use|keep|take|ship|start with|stick)\b|\b(?:instead|for now|from now on|by default|first)[.!]?$/i,
  /\b(?:bleiben|nehmen|nutzen|machen|lassen|verwenden) wir\b|\bwir lassen\b/i,
  /\b(?:wir (?:nehmen|nutzen|verwenden|bleiben|machen|wollen|brauchen|müssen|sollten)|ich (?:will|möchte)|lass uns|soll(?:te|ten)? .{1,80} (?:sein|werden|bleiben)|nimm|verwende|nutze|immer|lieber)(?![\p{L}])/iu,
  /\b(?:on (?:va|doit|prend|utilise|garde|veut)|nous (?:allons|devons|utilisons|voulons)|je (?:veux|préfère)|il faut|utilise[zr]?|toujours|plutôt)(?![\p{L}])/iu,
  /\b(?:vamos a|debemos|tenemos que|queremos|quiero|prefiero|hay que|usa(?:r|mos)?|siempre|mejor)(?![\p{L}])/iu,
];

const forbidding: readonly RegExp[] = [
  /\b(?:don't|do not|never|no longer|must not|mustn't|should not|shouldn't|avoid|stop \w{2,20}ing|won't|will not|forbid|forbidden|not allowed|no need (?:to|for)|without)\b/i,
  /\b(?:instead of|rather than|rather\b.{1,120}\bthan|in place of|as opposed to)\b|, not\b|^not\b|\bnot .{1,60}\bbut\b|\bexcept\b|\bonly\b.{1,60}\bnot\b/i,
  /\b(?:nicht|kein|keine|keinen|niemals|statt|anstatt|ohne)\b|\b(?:ne .{1,30} (?:pas|jamais|plus)|au lieu de|sans)\b|\b(?:nunca|en vez de|en lugar de|sin)\b/i,
];

const reasoning: readonly RegExp[] = [
  /\b(?:because|so that|so we can|so it|otherwise|in order to|that's why|due to|based on|means? that|the reason|since (?:it|we|they|the|that|i|you|our|this)|as (?:it|we|they) (?:is|are|can|do|does|need)|too (?:slow|heavy|big|expensive|complex|risky|hard)|hard to|the point is)\b/i,
  /\b(?:weil|damit|sonst|denn|deshalb)\b|\b(?:parce que|car|sinon|pour que|puisque)\b|\b(?:porque|para que|si no|ya que)\b/i,
];
