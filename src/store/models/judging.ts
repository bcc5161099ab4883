/** The first hits of a search, judged by a model that reads each together with the question. Loaded where one is chosen. */
import type { Settings } from '../../config/settings.js';
import { textPassages } from '../../embedding/text-passages.js';
import type { FusedNote } from '../../projections/search/fusion.js';
import { fuseJudgements, mostJudged } from '../../projections/search/judgement.js';
import type { NoteTexts, ReadNote } from '../note-texts.js';
import { openJudge } from './meaning.js';
import { wordsOf } from './sent-queries.js';

export type JudgedHits = {
  readonly hits: readonly FusedNote[];
  /** Why they stand as they stood. */
  readonly degraded?: string | undefined;
};

export type ToBeJudged = {
  readonly text: string;
  /** From the first on. */
  readonly hits: readonly FusedNote[];
  /** Of the query, as the notes have them. */
  readonly words: readonly string[];
};

/** A person or an agent waits for it, and the first time for the model too. */
const judgeMs = 4000;

/** Never throws for what the model does. */
export const judgeHits = async (
  { settings: { home, rerankModel }, texts }: { readonly settings: Settings; readonly texts: NoteTexts },
  { text, hits, words }: ToBeJudged,
): Promise<JudgedHits> => {
  const question = wordsOf(text).trim();
  const first = hits.slice(0, mostJudged);
  // A note asked for by its id, or by keys alone, answers no question.
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

/** The one that has most of the words; the first where they stand in none. */
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
