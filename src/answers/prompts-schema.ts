/** The answer of `eval prompts`. */
import * as z from 'zod';
import { shape, whole } from './shape-schema.js';

const share = () => z.number().min(0).max(1);

const shares = {
  /** Of the cases: a right note is shown; it is shown or named in a line. */
  right: share(),
  named: share(),
  /** Notes shown for a case, and the right ones among all of them. */
  shown: z.number(),
  precision: share(),
  /** Of the cases, with their right notes left out: something is shown all the same. */
  unanswered: share(),
  /** Of other sets' and everyday prompts: something is shown; then of each of the two; then: a line at least. */
  false_alarms: share(),
  foreign: share(),
  everyday: share(),
  false_lines: share(),
};

const PromptSet = shape({ notes: whole(), cases: whole(), ...shares, p50_ms: z.number(), p95_ms: z.number() });
export type PromptSet = z.infer<typeof PromptSet>;

/** By the name of the folder, and the mean over them, each counting alike; and the model that judged with the words. */
export const PromptSets = shape({
  model: z.string().nullable(),
  sets: z.record(z.string(), PromptSet),
  mean: shape(shares),
});
export type PromptSets = z.infer<typeof PromptSets>;
