/**
 * Output schemas of the tools whose answers hold single values, drawn from the schemas of the answers. They list only the main keys and allow others, because
 * a client puts all of them into the model's context.
 */
import * as z from 'zod';
import { answersOfTools } from '../../answers/answers-schema.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Keys to show; one that ends in `?` is not listed as required, which it may be all the same. */
type Outline = { readonly [key: string]: true | Outline };

export type Output = { readonly schema: z.ZodType; readonly shown: Outline };

const change = { 'id?': true, 'short_id?': true, 'version?': true, 'event?': true, status: true } as const;

type Structured = 'memory_write' | 'memory_get' | 'memory_edit' | 'memory_forget' | 'memory_sync';

const outlines: { readonly [Name in Structured]: Outline } = {
  memory_write: change,
  memory_get: { note: { id: true, title: true, version: true, body: true } },
  memory_edit: change,
  memory_forget: { id: true, 'event?': true, status: true },
  memory_sync: { pulled: true, pushed: true, conflicted: true, detail: true },
};

export const outputOf = (name: Structured): Output => ({
  schema: answersOfTools[name],
  shown: outlines[name],
});

export const describeOutput = ({ schema, shown }: Output): JsonSchema => draw(z.toJSONSchema(schema), shown);

type Drawn = z.core.JSONSchema._JSONSchema | undefined;

/** Throws where the answer has no such key. */
const draw = (schema: Drawn, shown: true | Outline): JsonSchema => {
  if (typeof schema !== 'object') throw new Error(`an answer has no ${JSON.stringify(shown)}`);
  const { type, enum: values, items, properties = {} } = schema;
  if (shown === true) return values === undefined ? { type } : { enum: values };
  if (type === 'array') return { type, items: draw(Array.isArray(items) ? items[0] : items, shown) };
  const keys = Object.entries(shown).map(([key, inside]) => ({
    name: key.replace(/\?$/, ''),
    isRequired: !key.endsWith('?'),
    inside,
  }));
  const required = keys.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type,
    properties: Object.fromEntries(keys.map(({ name, inside }) => [name, draw(properties[name], inside)])),
    ...(required.length === 0 ? {} : { required }),
  };
};
