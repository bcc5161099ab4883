/** JSON Schemas of what the tools answer: the main properties by name, others allowed, because all of it is context. */

export type JsonSchema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const whole = { type: 'integer' };
const anyObject = { type: 'object' };

const objectOf = (properties: JsonSchema, required: readonly string[] = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

const list = { type: 'array' };

const brief = { id: text, title: text, version: text };
const inFull = { id: text, type: text, title: text, project: text, version: text };
const note = objectOf(inFull, Object.keys(brief));
const wholeNote = objectOf({ ...inFull, body: text }, [...Object.keys(brief), 'body']);
const hit = objectOf({ ...inFull, snippet: text, rank: whole, score: { type: 'number' }, reasons: list }, [
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

export const changedOutput = objectOf(
  { note: objectOf(brief), event: anyObject, status, masked: list, warnings: list },
  ['note', 'status', 'masked', 'warnings'],
);
export const forgottenOutput = objectOf({ id: text, event: anyObject, status }, ['id', 'status']);
export const syncOutput = objectOf({ pulled: whole, pushed: whole, conflicted: whole, detail: text });
export const eventsOutput = objectOf({ events: listOf(event) });
