/** Prints the hits of a search. Loads no commander. */
import type { SearchAnswer } from '../../app/notes.js';
import type { JsonOption } from '../answer.js';
import { formatExplanation, formatHits } from '../note-view.js';
import { cleanLine, isTerminal, print, printJson, say } from '../output.js';
import { cutTo } from '../table.js';

export type HitOptions = JsonOption & { readonly paths?: true | undefined };

type PrintedHits = HitOptions & {
  /** As the person typed it. */
  readonly asked: string;
  /** Projects whose notes come before those of others. */
  readonly first?: readonly string[] | undefined;
  /** Printed if nothing was found, in place of the query. */
  readonly nothing?: string | undefined;
  readonly offset?: number | undefined;
};

export const printHits = (
  { hits, total, about }: SearchAnswer,
  { asked, json, paths, first, nothing, offset = 0 }: PrintedHits,
): void => {
  if (json === true) {
    printJson({ hits, total, ...about, ...(first === undefined ? {} : { first }) });
    return;
  }
  if (about.read_as !== undefined) say(`read as: ${cleanLine(about.read_as)}`);
  if (about.relaxed !== undefined) say(about.relaxed);
  for (const line of correctionLines(about.corrected ?? [])) say(line);
  if (about.explain !== undefined && paths !== true) print(`${formatExplanation(about.explain)}\n`);
  if (paths === true) print(hits.flatMap(({ path }) => (path === undefined ? [] : `${path}\n`)).join(''));
  else print(formatHits(hits));
  if (about.degraded !== undefined) say(`warning: ${about.degraded}`);
  if (total === 0) say(nothing ?? `no note matches ${cutTo(asked, maxQuoted)}`);
  else if (hits.length === 0) say(`--offset ${offset} skips all of them: there are ${total}`);
  const shown = offset + hits.filter(({ resolves }) => resolves === undefined).length;
  if (hits.length > 0 && shown < total && isTerminal('stderr')) say(`${total - shown} more: --offset ${shown}`);
};

/** Columns of a query that a message quotes. */
export const maxQuoted = 60;

/** Returns a line for each corrected word, or for two words that were joined into one. */
const correctionLines = (corrected: NonNullable<SearchAnswer['about']['corrected']>): readonly string[] => {
  const insteadOf = new Map<string, string>();
  for (const { typed, instead } of corrected) insteadOf.set(typed, join(insteadOf.get(typed), ', ', instead));
  const typedFor = new Map<string, string>();
  for (const [typed, words] of insteadOf) typedFor.set(words, join(typedFor.get(words), ' ', typed));
  return [...typedFor].map(([words, typed]) => `searched for ${words} instead of ${typed}`);
};

const join = (before: string | undefined, gap: string, word: string): string =>
  before === undefined ? word : `${before}${gap}${word}`;
