/** Finds the commands that worked in a shell line: a fix is often on one line with the command it repairs. Pure, linear. */
import { commandWords, lookedAt, stepWords } from './failures.js';

/**
 * Returns the words of each: the command that the line is about, and the steps of its last list. It is not known
 * whether the steps before a `;` worked, nor whether those beside `||` ran.
 */
export const commandsThatWorked = (line: string): readonly (readonly string[])[] => {
  const steps = line.length > lookedAt ? [] : stepsOf(line);
  const begin = steps.findLastIndex(({ after }) => after === ';');
  const last = steps.slice(Math.max(begin, 0));
  const isCertain = last.every(({ after }) => after !== '||');
  const ran = isCertain ? last.filter(({ after }) => after !== '|') : [];
  return [commandWords(line), ...ran.map(({ text }) => stepWords(text.replaceAll('\\\n', ' ')))];
};

/** `after` is the operator before it. */
type Step = { readonly text: string; readonly after: '' | ';' | '|' | '&&' | '||' };

/**
 * Returns the steps that aren't blank. None if it can't be told what the shell runs or how that ends: with a here
 * document or a background command.
 */
const stepsOf = (line: string): readonly Step[] => {
  const steps: Step[] = [];
  let after: Step['after'] = '';
  let text = '';
  let begin = 0;
  let depth = 0;
  for (const { 0: sign, index } of line.matchAll(signs)) {
    if (sign === '<<' || sign === '&') return [];
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    const operator = depth === 0 ? operators.get(sign) : undefined;
    if (operator === undefined && !sign.startsWith('#')) continue;
    text += line.slice(begin, index);
    begin = index + sign.length;
    if (operator === undefined) continue;
    // A line may end with an operator and continue in the next.
    const isBlank = text.trim() === '';
    if (!isBlank) steps.push({ text, after });
    if (!isBlank || sign !== '\n') after = operator;
    text = '';
  }
  text += line.slice(begin);
  return text.trim() === '' ? steps : [...steps, { text, after }];
};

const operators: ReadonlyMap<string, Step['after']> = new Map([
  [';', ';'],
  ['\n', ';'],
  ['|', '|'],
  ['&&', '&&'],
  ['||', '||'],
]);

/** Escapes, quotes, redirections to a number and comments come first, so that no operator is found inside them. */
const signs = /\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|`[^`]*`|[<>]&|&>|<<|&&|\|\|?|[;\n()&]|(?<![^\s;])#[^\n]*/g;
