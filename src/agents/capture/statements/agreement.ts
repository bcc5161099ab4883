/** Finds the parts of the agent's plan that a person's short answer accepts. Pure; expects masked texts. */
import { clip, oneLine } from '../../transcript/clip.js';
import type { Decision } from './decisions.js';
import { countWords, sentencesOf } from './sentences-of.js';

/**
 * Returns nothing unless the prompt agrees and the reply before it proposed something. A letter or a number may also
 * choose from the list in the reply before that one.
 */
export const agreedIn = (prompt: string, reply: string, before: string): readonly Decision[] => {
  const labels = labelsIn(prompt);
  for (const list of labels.length === 0 ? [] : [reply, before]) {
    const chosen = labels.flatMap((label) => itemOf(list, label));
    if (chosen.length > 0) return ofPlan(chosen.slice(0, maxLines), 3);
  }
  return agreement.test(prompt.trim()) && !turnsDown(prompt) && proposes(reply) ? ofPlan(planLines(reply), 2) : [];
};

/**
 * Returns the person's own words if a short answer turns down a proposal: "right, but no" agrees to nothing. Undefined
 * if nothing was proposed, or if the answer only reports that something fails.
 */
export const refusedIn = (prompt: string, reply: string): Decision | undefined => {
  const text = oneLine(prompt);
  const words = countWords(text);
  if (words < leastAnswerWords || words > maxAnswerWords || /\?["')\]]*$/.test(text)) return undefined;
  const refuses = agreement.test(text) ? turnsDown(text) : refusal.test(text) && !report.test(text);
  return refuses && proposes(reply) ? { by: 'user', text: clip(text, maxAnswerUnits), weight: 4 } : undefined;
};

const leastAnswerWords = 3;
/** A longer answer states its own decisions. */
const maxAnswerWords = 30;
const maxAnswerUnits = 240;

/** True if a clause refuses, or turns away from the one before it. */
const turnsDown = (prompt: string): boolean => turningDown.test(prompt.replace(/[’‘]/g, "'").replace(noRefusal, ' '));

/** "No problem" and "don't forget the tests" refuse nothing. */
const noRefusal =
  /\b(?:no (?:problem|worries|objections?|rush|doubt|question)|why not|not (?:bad|only)|not a problem|(?:can't|cannot) wait|(?:don't|do not) forget|kein problem|pas de (?:problème|souci))(?![\p{L}\p{N}])/giu;

const turningDown =
  /(?<![\p{L}\p{N}'])(?:no|nope|nah|not|never|[a-z]+n't|cannot|but (?!(?:please )?(?:also|keep|add|make sure|first|include|remember|run|write|update|then|be)\b)|however|although|instead|except|unless|rather|wait|hold on|stop|leave (?:it|that|them|this|the)|forget (?:it|that)|stays?|skip|on second thought|aber|nein|nicht|kein(?:e[nmrs]?)?|lieber|stattdessen|warte|lass|mais|non|pas|plutôt|attends?|laisse|pero|mejor|espera|deja)(?![\p{L}\p{N}'])/iu;

const refusal =
  /^(?:no|nope|nah|nein|non|leave (?:it|that|them)|wait|stop|not yet)(?:[,;:.!–—-]|$| (?=leave|keep|use|stay))/i;
const report = /\b(?:fail\w*|error\w*|work(?:s|ed|ing)?|broken|crash\w*|bugs?|still|same)\b/i;

/** An option picked by name weighs more than a plan that was only approved. */
const ofPlan = (texts: readonly string[], weight: number): readonly Decision[] =>
  texts.map((text) => ({ by: 'plan', text, weight }));

/** Returns the lines of a plan that name an action, its alternative or its reason. */
export const planLines = (plan: string, most = maxPlanLines): readonly string[] => {
  const weighed = linesOf(plan).map((text, at) => ({ text, at, weight: weigh(text) }));
  return weighed
    .filter(({ weight }) => weight > 1)
    .toSorted((a, b) => b.weight - a.weight || b.at - a.at)
    .slice(0, most)
    .toSorted((a, b) => a.at - b.at)
    .map(({ text }) => shown(text));
};

const maxLines = 8;
const maxPlanLines = 3;
const maxLineUnits = 120;
/** A longer prompt is an answer of its own, whatever letters it contains. */
const maxChoiceWords = 10;
const maxPlanUnits = 16_000;

const agreement =
  /^(?:ok(?:ay)?|k|y|yes|yep|yeah|yup|sure|agreed|approved|go ahead|go for it|do (?:it|that|so|both|all)|proceed|continue|lgtm|perfect|great|good|fine|nice|cool|please do|please (?:proceed|continue)|absolutely|exactly|correct|right|works? for me|makes sense|sounds? (?:good|great|right|fine)|i agree|i like (?:it|that)|ship it|that works|let's do (?:it|that|this)|ja|klar|gerne|passt|genau|einverstanden|mach (?:das|es)|oui|d'accord|vas-y|parfait|sí|si|vale|dale|claro|de acuerdo|perfecto)(?![\p{L}\p{N}'’])/iu;

/** Returns the labels of a prompt that is nothing but labels and filler: "A", "2", "Implement 1, 2 and 3". */
const labelsIn = (prompt: string): readonly string[] => {
  const tokens = prompt
    .trim()
    .slice(0, 200)
    .split(/[\s,;.:!&+()#/]+/)
    .filter((token) => token !== '');
  if (tokens.length === 0 || tokens.length > maxChoiceWords) return [];
  const labels = tokens.filter((token) => label.test(token));
  return tokens.every((token) => label.test(token) || around.test(token)) ? labels.map((one) => one.toUpperCase()) : [];
};

/** A lone lower-case `a` is usually an article. */
const label = /^(?:[A-H]|[b-h]|\d{1,2})$/;
const around =
  /^(?:ok|okay|yes|yeah|yep|sure|please|let's|lets|do|just|only|go|with|for|pick|take|choose|use|implement|apply|fix|build|start|i|we|prefer|like|want|vote|the|option|options|plan|approach|number|no|step|steps|phase|variant|point|points|item|items|and|then|first|now|all|of|und|et|y|nimm|bitte)$/i;

/** Returns the last line that begins with the label: plans end with the list to choose from. */
const itemOf = (reply: string, wanted: string): readonly string[] => {
  const found = reply
    .slice(-maxPlanUnits)
    .split('\n')
    .flatMap((line) => {
      const [, name = '', text = ''] = item.exec(line.slice(0, 1000)) ?? [];
      return name.toUpperCase() === wanted && /\p{L}{2}/u.test(text) ? [text] : [];
    })
    .at(-1);
  return found === undefined ? [] : [shown(found)];
};

const item =
  /^\s{0,8}(?:[-*+#>]{1,6}\s+)?(?:\*\*|__)?(?:(?:option|approach|plan|step|phase|variant)\s+)?([A-H]|\d{1,2})(?:\*\*|__)?\s?[).:–—-]\s?(.+)$/i;

/** True if the reply ends with a question or an offer, or recommends something outright. */
const proposes = (reply: string): boolean =>
  offers.test(reply.slice(-tailUnits)) || recommends.test(reply.slice(-maxPlanUnits));
const tailUnits = 500;
const offers =
  /\b(?:want me to|would you like|shall i|should i|should we|do you want|does (?:this|that)|is (?:this|that) (?:ok|okay|fine|right)|ready to|what do you think|which (?:one|of|do|would|option)|ok(?:ay)? with you|sound(?:s)? good|let me know (?:if|which|what)|soll ich|möchtest du|veux-tu|quieres que)\b/i;
const recommends =
  /\b(?:i(?:'d| would)? (?:recommend|suggest|propose|go with|lean)|my (?:recommendation|suggestion|proposal|instinct)|here's (?:the|my) (?:plan|approach)|the (?:plan|approach)\b.{0,3}:)/i;

/** Returns prose and list items, without code, tables, drawings and headings. */
const linesOf = (plan: string): readonly string[] => {
  const lines: string[] = [];
  let isCode = false;
  for (const line of plan.slice(-maxPlanUnits).split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode && !/^\s*(?:#{1,6}\s|[|│├└┌┐┘─═])/.test(line) && /\p{L}{2}/u.test(line))
      lines.push(...(listItem.test(line) ? [line.trim()] : sentencesOf(line)));
  }
  return lines;
};

const listItem = /^\s*(?:[-*+•]|\d{1,2}[.)])\s/;

const weigh = (line: string): number => {
  if (countWords(line) < 3) return 0;
  const isOffer = /\b(?:want me to|would you like me to|shall i|should i)\b/i.test(line);
  if (/\?["')\]]*$/.test(line) && !isOffer) return 0;
  let weight = isOffer && countWords(line) >= 6 ? 2 : 0;
  if (action.test(line)) weight += 2;
  if (said.test(line)) weight += 2;
  if (/\b(?:instead of|rather than|compromise|trade-?off)\b/i.test(line)) weight += 2;
  if (/\b(?:because|so that|so you can|so we can|so it|since|which (?:means|avoids|keeps)|in order to)\b/i.test(line))
    weight += 1;
  if (/^\s*(?:[-*+]\s)?\*\*[^*]{2,60}\*\*\s?:|^\*\*[^*]{2,60}:\*\*\s?\S/.test(line)) weight += 3;
  return weight;
};

const action =
  /^(?:[-*+•]|\d{1,2}[.)])\s+(?:\*\*)?(?:use|build|add|create|implement|update|remove|replace|move|rename|write|keep|switch|set|make|extract|split|refactor|drop|introduce|migrate|wrap|store|delete|change|fix|convert|merge|expose|cache|reuse|port|start)\b/i;
const said =
  /\b(?:i can (?:add|also|make|change|implement|build)|i(?:'ll| will) (?!let|check|look)|i(?:'d| would) (?:recommend|suggest|use|go|start|keep|add|lean)|we (?:should|can|could|'ll|need to)|recommend|propose|my suggestion)\b/i;

const shown = (line: string): string =>
  clip(
    oneLine(line.replace(/^(?:[-*+•]|\d{1,2}[.)])\s+/, '').replace(/\*\*|__/g, '')).replace(/[:;,.]$/, ''),
    maxLineUnits,
  );
