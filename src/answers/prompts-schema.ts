/** Schema of the answer of `eval prompts`. */
import * as z from 'zod';
import { shape, whole } from './shape-schema.js';

const share = () => z.number().min(0).max(1);

const shares = {
  /** Share of cases with a right note shown (`right`), or shown or named on a line (`named`). */
  right: share(),
  named: share(),
  /** Mean number of notes shown per case. */
  shown: z.number(),
  /** Share of cases in which a note is still shown when the right ones are excluded. */
  unanswered: share(),
  /** Shares of prompts without a right note for which one is shown, or named on a line. */
  false_alarms: share(),
  false_lines: share(),
};

const PromptSet = shape({ notes: whole(), cases: whole(), ...shares });
export type PromptSet = z.infer<typeof PromptSet>;

/** Results by folder name, their mean with equal weight per set, and the model that judged beside the words. */
export const PromptSets = shape({
  model: z.string().nullable(),
  sets: z.record(z.string(), PromptSet),
  mean: shape(shares),
});
export type PromptSets = z.infer<typeof PromptSets>;
