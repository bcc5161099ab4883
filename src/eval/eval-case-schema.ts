/** Eval cases as stored in JSONL files, validated at the boundary. */
import * as z from 'zod';

/** `eval run`: a case about a person's own store. Ids are note ids or foreign ids under which notes were imported. */
export const EvalRunCase = z.object({
  query: z.string().min(1),
  relevant_ids: z.array(z.string().min(1)),
  approved: z.boolean().default(true),
  source: z.string().optional(),
  note_titles: z.array(z.string()).optional(),
  category: z.string().optional(),
  project: z.string().optional(),
});
export type EvalRunCase = z.infer<typeof EvalRunCase>;

const key = z.union([z.string(), z.number()]).transform(String);
const keys = z.array(key);

/** `eval bench`: a case about the notes beside it, from a public set or in the form of `eval run`. */
export const EvalBenchCase = z
  .object({
    id: key.optional(),
    query: z.string().min(1),
    relevant: keys.optional(),
    relevant_ids: keys.optional(),
    category: z.string().optional(),
    project: z.string().optional(),
  })
  .refine(({ relevant, relevant_ids: ids }) => relevant !== undefined || ids !== undefined, {
    path: ['relevant'],
    message: 'received undefined',
  })
  .transform(({ id, relevant, relevant_ids: ids, ...rest }) => ({
    ...rest,
    id: id ?? rest.query,
    relevant: relevant ?? ids ?? [],
  }));
export type EvalBenchCase = z.infer<typeof EvalBenchCase>;

/** `eval prompts`: a case of either kind. */
export const PromptCase = z
  .object({
    query: z.string().min(1),
    relevant: keys.optional(),
    relevant_ids: keys.optional(),
    project: z.string().optional(),
  })
  .transform(({ query, project, relevant, relevant_ids: ids }) => ({
    query,
    project: project ?? 'global',
    relevant: relevant ?? ids ?? [],
  }));
export type PromptCase = z.infer<typeof PromptCase>;

/** Phrase that says why a line is not a case; `cause` is an error of the schema or of JSON. */
export const whyNoCase = (cause: unknown): string => {
  const [issue] = cause instanceof z.ZodError ? cause.issues : [];
  if (issue === undefined) return 'it is not JSON';
  const key = issue.path.join('.');
  if (key === '') return 'it is not a JSON object';
  return issue.message.endsWith('received undefined') ? `it has no ${key}` : `${key}: ${issue.message}`;
};
