/** JSON Schemas of what the tools answer: the main properties by name, others allowed, because all of it is context. */

export type JsonSchema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const whole = { type: 'integer' };
const texts = { type: 'array', items: text };
const anyObject = { type: 'object' };

const objectOf = (properties: JsonSchema, required: readonly string[] = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

const list = { type: 'array' };

const brief = { id: text, title: text, version: text };
const inFull = { id: text, type: text, title: text, project: text, tags: list, updated_at: text, version: text };
const note = objectOf(inFull, Object.keys(brief));
const wholeNote = objectOf({ ...inFull, body: text }, [...Object.keys(brief), 'body']);
const hit = objectOf({ ...inFull, snippet: text, rank: whole, score: { type: 'number' }, reasons: texts }, [
  ...Object.keys(brief),
  'snippet',
  'rank',
]);
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

export const hitsOutput = objectOf({ hits: listOf(hit), total: whole });
export const notesOutput = objectOf({ notes: listOf(note), total: whole });
export const noteOutput = objectOf({ note: wholeNote });
export const statusOutput = objectOf({
  root: text,
  total: whole,
  by_type: anyObject,
  by_project: anyObject,
  sync: anyObject,
});

const event = { type: 'object', properties: { id: text, kind: text, at: text } };
const status = { enum: ['recorded', 'unchanged'] };

export const changedOutput = objectOf({ note: objectOf(brief), event, status, masked: list, warnings: texts }, [
  'note',
  'status',
  'masked',
  'warnings',
]);
export const forgottenOutput = objectOf({ id: text, event, status }, ['id', 'status']);
export const eventsOutput = objectOf({ events: listOf(event) });
