/** Schemas of the command line's answers about setup, settings and models. */
import * as z from 'zod';
import { list, shape, text, whole } from './shape-schema.js';

const value = () => z.union([text(), z.number(), z.boolean(), list(text())]).nullable();

const settingKeys = {
  key: text(),
  value: value(),
  source: z.enum(['environment', 'config.json', 'default']),
  variable: text().nullable(),
  help: text(),
  ignored: z.enum(['environment', 'config.json']).nullable(),
};

export const Setting = shape(settingKeys);
export const Settings = shape({ file: text(), settings: list(Setting) });
export const SettingChanged = shape({ status: z.enum(['set', 'unset', 'unchanged']), file: text(), ...settingKeys });

const projectKeys = { project: text(), from: text(), marker: text().nullable(), ignored: text().nullable() };
export const Project = shape({ folder: text(), ...projectKeys });
export const Trusted = shape({
  status: z.enum(['trusted', 'untrusted', 'unchanged']),
  folder: text(),
  named: text(),
  ...projectKeys,
});

const changeOfFile = { client: text(), part: text(), file: text() };

const initKeys = {
  store: text(),
  created: z.boolean(),
  config: shape({ file: text(), changes: list(shape({ key: text(), value: value() })) }),
  registrations: list(
    shape({
      ...changeOfFile,
      change: z.enum(['create', 'change', 'none']),
      added: list(text()),
      removed: list(text()),
    }),
  ),
  notes: list(text()),
};
const attempt = <Result extends z.ZodType>(result: Result) =>
  z.union([shape({ ok: z.literal(true), result }), shape({ ok: z.literal(false), why: text() })]).nullable();

export const InitPlanned = shape({
  printed: z.literal(true),
  ...initKeys,
  first_import: z.boolean(),
  first_sync: z.boolean(),
});
export const Initialised = shape({
  printed: z.literal(false),
  ...initKeys,
  first_import: attempt(shape({ imported: whole(), updated: whole(), skipped: whole() })),
  first_sync: attempt(shape({ detail: text() })),
});

export const Uninstalled = shape({
  printed: z.boolean(),
  store: text(),
  removals: list(
    shape({ ...changeOfFile, change: z.enum(['restore', 'remove', 'edit', 'none']), removed: list(text()) }),
  ),
});

export const Diagnosed = shape({
  ok: z.boolean(),
  damaged: z.boolean(),
  checks: list(
    shape({
      check: text(),
      state: z.enum(['ok', 'warning', 'problem']),
      message: text(),
      next: text().optional(),
      fix: text().optional(),
    }),
  ),
  fixed: list(shape({ fix: text(), done: z.boolean(), message: text() })).optional(),
});

const modelKeys = {
  name: text(),
  kind: z.enum(['static', 'sentences', 'pairs']),
  bytes: whole().nullable(),
  tokens: whole().nullable(),
  dimension: whole().nullable(),
  in_use: z.boolean(),
  problem: text().nullable(),
};
/** A server used instead of a local model. */
const endpoint = () => shape({ url: text(), model: text(), key_variable: text().nullable() }).optional();
export const Models = shape({
  folder: text(),
  in_use: text().nullable(),
  endpoint: endpoint(),
  models: list(shape(modelKeys)),
});
export const ModelInstalled = shape({
  status: z.enum(['installed', 'unchanged']),
  ...modelKeys,
  file: text(),
  sha256: text(),
});
export const ModelUsed = shape({
  status: z.enum(['set', 'unchanged']),
  in_use: text().nullable().optional(),
  endpoint: endpoint(),
});
export const ModelIndexed = shape({ model: text(), notes: whole(), made: whole(), ms: whole() });
export const ModelRemoved = shape({ status: z.literal('removed'), name: text(), was_in_use: z.boolean() });
export const ModelTested = shape({
  name: text(),
  tokens: whole().nullable(),
  dimension: whole().nullable(),
  load_ms: z.number(),
  text_us: z.number(),
  examples: list(shape({ query: text(), text: text(), cosine: z.number() })),
});

/** Any command's answer when it exits with a code other than 0 and has no other answer. */
export const Failed = shape({ error: shape({ code: text(), message: text(), next: text() }) });
