/** The schema of one JSONL line. No other module of the import loads zod. */
import * as z from 'zod';
import { parseForeignTime, scopeOfFields } from '../commands/foreign-note.js';
import { noteTypes, scopes } from '../events/note/note.js';

/** A NUL would make a file that cannot be read back as a note. */
const Text = z.string('must be text').refine((text) => !text.includes('\0'), 'has a NUL character');

const TextList = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',') : value),
  z.array(Text, 'must be a list of texts, or one text with commas'),
);

const Time = Text.transform((text, context) => {
  const time = parseForeignTime(text);
  if (time !== undefined) return time;
  context.addIssue('must be a time such as 2026-06-24T18:33:07+00:00');
  return z.NEVER;
});

const JsonlNote = z
  .object({
    id: Text.optional(),
    title: Text.optional(),
    body: Text.optional(),
    tags: TextList.optional(),
    keywords: TextList.optional(),
    project: Text.transform((text) => text.trim() || undefined).optional(),
    type: z.enum(noteTypes, 'must be procedural, semantic or episodic').optional(),
    /** Other programs use this key with their own meaning. */
    scope: z.enum(scopes).optional(),
    created_at: Time.optional(),
    updated_at: Time.optional(),
  })
  .refine(({ title = '', body = '' }) => `${title}${body}`.trim() !== '', 'there is neither a title nor a body');
export type JsonlNote = Readonly<z.infer<typeof JsonlNote>>;

export type ParsedJsonlNote =
  | { readonly ok: true; readonly note: JsonlNote }
  | { readonly ok: false; readonly message: string };

/** Treats null and '' as missing, since exporters write them. Ignores unknown keys; the message names the bad ones. */
export const parseJsonlNote = (value: unknown): ParsedJsonlNote => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, message: 'the line is not a JSON object' };
  }
  const present = Object.entries(value).filter(([, entry]) => entry !== null && entry !== '');
  const parsed = JsonlNote.safeParse({ ...Object.fromEntries(present), scope: scopeOfFields(present) });
  if (parsed.success) return { ok: true, note: parsed.data };
  return { ok: false, message: parsed.error.issues.map(describeIssue).join('; ') };
};

const describeIssue = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.join('.')}: ${message}`;
