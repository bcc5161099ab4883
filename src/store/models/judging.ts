/** Reranks the first hits of a search with a model that reads each with the query. Loaded only if one is chosen. */
import type { Settings } from '../../config/settings.js';
import { textPassages } from '../../embedding/text-passages.js';
import type { FusedNote } from '../../projections/search/fusion.js';
import { fuseJudgements, mostJudged } from '../../projections/search/reranking.js';
import type { NoteTexts, ReadNote } from '../note-texts.js';
import { openJudge } from './meaning.js';
import { wordsOf } from './sent-queries.js';

export type JudgedHits = {
  readonly hits: readonly FusedNote[];
  /** Why the order is unchanged. */
  readonly degraded?: string | undefined;
};

export type ToBeJudged = {
  readonly text: string;
  /** Starting with the first. */
  readonly hits: readonly FusedNote[];
  /** The query's words, as the notes spell them. */
  readonly words: readonly string[];
};

/** A person or an agent waits for this; the first time, it includes loading the model. */
const judgeMs = 4000;

/** Never throws when the model fails. */
export const judgeHits = async (
  { settings: { home, rerankModel }, texts }: { readonly settings: Settings; readonly texts: NoteTexts },
  { text, hits, words }: ToBeJudged,
): Promise<JudgedHits> => {
  const question = wordsOf(text).trim();
  const first = hits.slice(0, mostJudged);
  // A note found by its id or by keys alone answers no question.
  if (rerankModel === undefined || question === '' || first.length < 2 || !first.every(isFound)) return { hits };
  const opened = await openJudge(home, rerankModel);
  if (!opened.ok) return { hits, degraded: notJudged(opened.problem) };
  const read = await texts.readHeads(first.map(({ note }) => note));
  const answers = first.map(({ note }, at) => passageFor(read[at] ?? { note, body: '' }, words));
  const judged = await opened.value.judge(question, answers, judgeMs);
  return judged.ok ? { hits: fuseJudgements(hits, judged.value) } : { hits, degraded: notJudged(judged.problem) };
};

const isFound = ({ parts, legs, ranks }: FusedNote): boolean =>
  parts !== undefined || legs !== undefined || ranks !== undefined;

const notJudged = ({ message, next }: { readonly message: string; readonly next: string }): string =>
  `hits were not judged: ${message}; ${next}`;

/** Returns the passage with most of the words; the first one if none has a word. */
const passageFor = (
  { note, body }: Pick<ReadNote, 'body'> & { readonly note: { readonly title: string } },
  words: readonly string[],
): string => {
  const passages = textPassages({ title: note.title, body });
  let best = passages[0] ?? note.title;
  let most = 0;
  for (const passage of passages) {
    const text = passage.toLowerCase();
    const held = words.filter((word) => text.includes(word)).length;
    if (held <= most) continue;
    most = held;
    best = passage;
  }
  return best;
};
