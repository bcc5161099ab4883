/** Arguments of the tools, validated at the boundary. Clients are shown the same schemas. */
import * as z from 'zod';
import { searchModes, searchSorts } from '../../answers/search-mode.js';
import { noteTypes, scopes } from '../../events/note/note.js';
import { cutGiven } from '../../events/note/quoted-text.js';

/** Limit of any text but the body, which has its own; the limits of single fields are smaller. */
const maxTextChars = 4000;
const maxListed = 64;
const textIs = `a text of at most ${maxTextChars} characters`;
const listedIs = `a list of at most ${maxListed} texts`;

/** Each schema's error is the phrase that completes "must be …"; `describeIssue` puts the argument's name before it. */
const anyText = () => z.string('a text');
const text = (about?: string) => describe(anyText().max(maxTextChars, textIs), about);
const filledText = (about?: string) =>
  describe(anyText().max(maxTextChars, textIs).trim().min(1, 'a text that is not empty'), about);
const texts = () => z.array(text(), 'a list of texts, such as ["build", "ci"]').max(maxListed, listedIs);
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, `one of ${values.join(', ')}`);
const whole = (least: number, most: number, fallback: number) => {
  const phrase = `a whole number from ${least} to ${most}`;
  return z.int(phrase).min(least, phrase).max(most, phrase).default(fallback);
};
const share = () => z.number(shareIs).min(0, shareIs).max(1, shareIs);
const expiryIs = 'last day it holds, such as 2027-01-31, or a time; local without a zone';
const shareIs = 'a number from 0 to 1';
const describe = <Schema extends z.ZodType>(schema: Schema, about: string | undefined): Schema =>
  about === undefined ? schema : schema.describe(about);

const noteId = () => filledText('note id, its beginning or its end');
const filter = {
  project: filledText('only this project: its key, or a unique part of it').optional(),
  type: oneOf(noteTypes).optional(),
  scope: oneOf(scopes).optional(),
};

export const SearchArguments = z.strictObject({
  query: filledText(
    'words of the task, the error or the question; "a phrase", word*, -word, AND OR NOT, tag:x and after:7d work as usual',
  ),
  ...filter,
  tag: filledText().optional(),
  also: texts().describe('the same in other words, which count half as much').optional(),
  mode: oneOf(searchModes).describe('semantic: by meaning; exact: as grep does').optional(),
  sort: oneOf(searchSorts).optional(),
  k: whole(1, 50, 8),
  offset: whole(0, 10_000, 0),
});

export const ListArguments = z.strictObject({ ...filter, limit: whole(1, 200, 20) });

export const StatusArguments = z.strictObject({});

export const WriteArguments = z.strictObject({
  type: oneOf(noteTypes).describe('procedural: how to do it; semantic: what is so; episodic: what happened'),
  title: text('one line that says what the note is about'),
  body: describe(anyText(), 'markdown that makes sense on its own; no secrets'),
  project: filledText(
    "project key (default: that of the notes superseded, else this folder's); global for what holds everywhere",
  ).optional(),
  tags: texts().optional(),
  scope: oneOf(scopes)
    .describe('machine-local is never synced; default: as the notes superseded, else portable')
    .optional(),
  supersedes: z
    .union([text(), texts()], `a note id or a list of at most ${maxListed} note ids`)
    .describe('ids of notes that this one replaces')
    .optional(),
  keywords: texts().describe('extra words to find it by').optional(),
  importance: share().describe('notes of high importance begin each session').optional(),
  expires_at: text(expiryIs).optional(),
});

export const GetArguments = z.strictObject({ id: noteId() });

export const EditArguments = z.strictObject({
  id: noteId(),
  title: text().optional(),
  body: anyText().optional(),
  tags: texts().optional(),
  project: filledText().optional(),
  type: oneOf(noteTypes).optional(),
  importance: share().nullable().optional(),
  confidence: share().optional(),
  keywords: texts().optional(),
  expires_at: text(`${expiryIs}; null removes it`).nullable().optional(),
  resolved_by: texts()
    .describe('ids of the notes that say how this problem was solved: search returns them with it')
    .nullable()
    .optional(),
  expected_version: filledText(
    'version you read, or its beginning: the edit is refused when the note has changed since',
  ).optional(),
});

export const ForgetArguments = z.strictObject({ id: noteId(), reason: text().optional() });

export const HistoryArguments = z.strictObject({ id: noteId(), limit: whole(1, 200, 20) });

export const SyncArguments = z.strictObject({
  force: z.boolean('true or false').describe('even if the remote failed just now').default(false),
});

export type Shape = z.ZodObject;
export type ArgumentsOf<Schema extends Shape> = z.output<Schema>;

export type ParsedArguments<Schema extends Shape> =
  | { readonly ok: true; readonly value: ArgumentsOf<Schema> }
  | { readonly ok: false; readonly message: string };

/** Null counts as left out, because models write it for that, unless the argument accepts null. */
export const parseArguments = <Schema extends Shape>(schema: Schema, given: unknown): ParsedArguments<Schema> => {
  const source = given ?? {};
  if (typeof source !== 'object' || Array.isArray(source)) {
    return { ok: false, message: 'the arguments must be an object of named values' };
  }
  const named = Object.entries(source).map(([name, value]) => [ownName(schema, source, name), value] as const);
  const known = named
    .filter(([name, value]) => value !== null || takesNull(schema, name))
    .map(
      ([name, value]) => [name, typeof value === 'string' ? readText(fieldOf(schema, name), value) : value] as const,
    );
  const unread = known.filter(([, value]) => value === notJson).map(([name]) => `${name} must be ${listIs}`);
  if (unread.length > 0) return { ok: false, message: unread.join('; ') };
  const parsed = schema.safeParse(Object.fromEntries(known), { reportInput: true });
  if (parsed.success) return { ok: true, value: parsed.data };
  const names = Object.keys(schema.shape);
  return { ok: false, message: parsed.error.issues.map((issue) => describeIssue(issue, names)).join('; ') };
};

/** Maps `k` to `limit` or the reverse: tools name their count differently, and models confuse the two. */
const ownName = (schema: Shape, given: object, name: string): string => {
  const other = name === 'k' ? 'limit' : name === 'limit' ? 'k' : name;
  const isOther = !Object.hasOwn(schema.shape, name) && Object.hasOwn(schema.shape, other);
  return isOther && !Object.hasOwn(given, other) ? other : name;
};

const fieldOf = (schema: Shape, name: string): z.ZodType | undefined => {
  const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
  return field instanceof z.ZodType ? field : undefined;
};
const takesNull = (schema: Shape, name: string): boolean => fieldOf(schema, name)?.safeParse(null).success === true;

/** For the refusal of a text such as `[a, b]`, which could mean a list of two or one name. */
const listIs = 'a list: JSON such as ["build", "ci"], or texts separated by commas';
const notJson = Symbol('a text in brackets that is not JSON');

/** A text for a list, a number or a boolean: some clients send the JSON of it, and the model can't repair that. */
const readText = (field: z.ZodType | undefined, given: string): unknown => {
  const plain = unwrap(field);
  const isList = plain instanceof z.ZodArray || (plain instanceof z.ZodUnion && plain.options.some(isArray));
  const value = parseJson(given);
  if (!isList) {
    const type = plain instanceof z.ZodNumber ? 'number' : plain instanceof z.ZodBoolean ? 'boolean' : undefined;
    return typeof value === type ? value : given;
  }
  if (Array.isArray(value)) return value;
  if (given.trimStart().startsWith('[')) return notJson;
  return given.split(',').flatMap((part) => part.trim() || []);
};

const isArray = (schema: unknown): boolean => schema instanceof z.ZodArray;

const unwrap = (field: unknown): unknown =>
  field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault
    ? unwrap(field.unwrap())
    : field;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const describeIssue = (issue: z.core.$ZodIssue, names: readonly string[]): string => {
  if (issue.code === 'unrecognized_keys') {
    const takes = names.length === 0 ? 'it takes none' : `there are ${names.join(', ')}`;
    return `there is no argument ${cutGiven(issue.keys.join(', '))}: ${takes}`;
  }
  const [name, ...rest] = issue.path.map(String);
  const place = `${name ?? 'the arguments'}${rest.map((part) => `[${part}]`).join('')}`;
  if (issue.input === undefined) return `${place} is missing: it must be ${issue.message}`;
  const given = Array.isArray(issue.input) ? `${issue.input.length}` : cutGiven(JSON.stringify(issue.input), maxShown);
  return `${place} must be ${issue.message}; given: ${given}`;
};

const maxShown = 60;

/** JSON Schema of the arguments. Leaves out lengths: a model learns nothing from them, and space is limited. */
export const describeArguments = (schema: Shape): Readonly<Record<string, unknown>> => {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.minLength;
      delete jsonSchema.maxLength;
      delete jsonSchema.maxItems;
    },
  });
  return described;
};
