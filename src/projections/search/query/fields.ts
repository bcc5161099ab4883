/** The fields of a query, such as `tag:infra`, `after:2026-06`, `is:superseded`, as conditions on the index. Pure. */
import { isNoteType, noteTypes, scopes } from '../../../events/note/note.js';
import { secretKinds } from '../../../events/note/redact/span.js';
import { parseTime } from '../../../events/time.js';
import { type Condition, filterCondition } from '../../index/query.js';

export type Field = { readonly key: string; readonly value: string; readonly isWithout: boolean };

/** Notes that a search leaves out unless it asks for them. */
export type HiddenState = 'superseded' | 'expired';

export type FieldConditions = {
  /** On `notes n`; all must hold. */
  readonly conditions: readonly Condition[];
  readonly shown: readonly HiddenState[];
};

/** Whether the value makes sense for the key; if not, as in `type:string` or `https://…`, both are words. */
export const isField = ({ key, value }: KeyedValue, nowSeconds: number): boolean =>
  valuesOf(value).length > 0 && valuesOf(value).every((one) => conditionOf(key, one, nowSeconds) !== undefined);

/** Why the value of a known key makes no sense. */
export const problemOfField = ({ key, value }: KeyedValue, nowSeconds: number): string | undefined =>
  Object.hasOwn(keys, key) && !isField({ key, value }, nowSeconds)
    ? `${key}:${value} is not understood; it takes ${keys[key]?.takes}`
    : undefined;

type KeyedValue = Pick<Field, 'key' | 'value'>;

export const conditionsOf = (fields: readonly Field[], nowSeconds: number): FieldConditions => {
  const conditions = fields.flatMap(({ key, value, isWithout }): readonly Condition[] => {
    const either = valuesOf(value).flatMap((one) => conditionOf(key, one, nowSeconds) ?? []);
    if (either.length === 0) return [];
    const sql = either.map((one) => `(${one.sql})`).join(' OR ');
    return [{ sql: isWithout ? `(${sql}) IS NOT TRUE` : `(${sql})`, args: either.flatMap(({ args }) => args) }];
  });
  const wanted = fields.filter(({ isWithout }) => !isWithout);
  const states = wanted.flatMap(({ key, value }) => (key === 'is' ? valuesOf(value.toLowerCase()) : []));
  // Naming a note asks for it, whatever its state.
  const isAny = states.includes('any') || wanted.some(({ key }) => key === 'id');
  return { conditions, shown: hiddenStates.filter((state) => isAny || states.includes(state)) };
};

const hiddenStates = ['superseded', 'expired'] as const;

/** `type:semantic,procedural` means either. */
const valuesOf = (value: string): readonly string[] =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

const conditionOf = (key: string, value: string, nowSeconds: number): Condition | undefined =>
  Object.hasOwn(keys, key) ? keys[key]?.read(value, nowSeconds) : undefined;

type Reader = (value: string, nowSeconds: number) => Condition | undefined;

/** Matches part of the column, ignoring the case of ASCII letters. */
const holds =
  (column: string): Reader =>
  (value) => ({ sql: `instr(lower(n.${column}), lower(?)) > 0`, args: [value] });

/** The key, or whole parts between its slashes; if no key has those, any part of it. */
const inProject: Reader = (value) => {
  const part = value.split('/').filter(Boolean).join('/');
  const isWhole = "instr('/' || lower(project) || '/', '/' || lower(?) || '/') > 0";
  return {
    sql: `instr('/' || lower(n.project) || '/', '/' || lower(?) || '/') > 0
      OR (instr(lower(n.project), lower(?)) > 0 AND NOT EXISTS (SELECT 1 FROM notes WHERE ${isWhole}))`,
    args: [part, part, part],
  };
};

const updated =
  (comparison: '>=' | '<'): Reader =>
  (value, now) => {
    const seconds = readMoment(value, now);
    return seconds === undefined ? undefined : { sql: `n.updated_at ${comparison} ?`, args: [seconds] };
  };

const pick =
  (named: Readonly<Record<string, Condition>>): Reader =>
  (name) =>
    Object.hasOwn(named, name.toLowerCase()) ? named[name.toLowerCase()] : undefined;

const statesAt = (nowSeconds: number): Readonly<Record<string, Condition>> => ({
  superseded: { sql: 'n.superseded_by IS NOT NULL', args: [] },
  expired: { sql: 'n.expires_at <= ?', args: [nowSeconds] },
  live: { sql: 'n.superseded_by IS NULL AND (n.expires_at IS NULL OR n.expires_at > ?)', args: [nowSeconds] },
  any: { sql: 'TRUE', args: [] },
  sensitive: { sql: 'n.sensitive = 1', args: [] },
  portable: { sql: "n.journal = 'portable'", args: [] },
  local: { sql: "n.journal = 'local'", args: [] },
});

/** How a masked secret reads: `[REDACTED:aws-access-key]`. */
const maskedSecret = secretKinds.map((kind) => `"redacted ${kind.replaceAll('-', ' ')}"`).join(' OR ');

const parts: Readonly<Record<string, Condition>> = {
  secret: { sql: 'n.rowid IN (SELECT rowid FROM fts WHERE fts MATCH ?)', args: [maskedSecret] },
  tag: { sql: 'n.rowid IN (SELECT t.note FROM tags t)', args: [] },
  expiry: { sql: 'n.expires_at IS NOT NULL', args: [] },
};

/** SQLite's LIKE ignores the case of ASCII letters. As for an id alone, a shorter text, or one without a digit, is a word. */
const idPart = /^(?=.*\d)[0-9A-HJKMNP-TV-Z]{6,26}$/i;
const times = 'a time such as 2026-06-24, 2026-06, 7d, today or yesterday';

/** The keys of a query, and the values that each takes. */
const keys: Readonly<Record<string, { readonly takes: string; readonly read: Reader }>> = {
  tag: { takes: 'a tag', read: (value) => filterCondition({ tags: [value] }) },
  id: {
    takes: 'an id, or at least 6 characters of its beginning or end',
    read: (value) =>
      idPart.test(value) ? { sql: 'n.id LIKE ? OR n.id LIKE ?', args: [`${value}%`, `%${value}`] } : undefined,
  },
  type: {
    takes: noteTypes.join(', '),
    read: (value) => {
      const type = value.toLowerCase();
      return isNoteType(type) ? filterCondition({ type }) : undefined;
    },
  },
  scope: {
    takes: scopes.join(', '),
    read: (value) => {
      const scope = scopes.find((one) => one === value.toLowerCase());
      return scope === undefined ? undefined : filterCondition({ scope });
    },
  },
  project: { takes: 'a project', read: inProject },
  machine: { takes: 'a machine', read: holds('machine_id') },
  agent: { takes: 'an agent', read: holds('agent') },
  after: { takes: times, read: updated('>=') },
  before: { takes: times, read: updated('<') },
  is: { takes: Object.keys(statesAt(0)).join(', '), read: (value, now) => pick(statesAt(now))(value, now) },
  has: { takes: Object.keys(parts).join(', '), read: pick(parts) },
};

/** `2026`, `2026-06`, `2026-06-24`, an ISO 8601 time, `30m`, `12h`, `7d`, `2w`, `3mo`, `1y`, `today`; local time. */
const readMoment = (value: string, nowSeconds: number): number | undefined => {
  const span = /^(\d{1,4})(h|d|w|mo|m|y)$/i.exec(value);
  const now = new Date(nowSeconds * 1000);
  if (span !== null) {
    const [, count = '', unit = ''] = span;
    return nowSeconds - Number(count) * (unitSeconds[unit.toLowerCase()] ?? 0);
  }
  const name = value.toLowerCase();
  if (name === 'today') return localDay(now.getFullYear(), now.getMonth(), now.getDate());
  if (name === 'yesterday') return localDay(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const day = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(value);
  if (day === null) {
    const ms = withZone.test(value) ? parseTime(value) : undefined;
    return ms === undefined ? undefined : Math.floor(ms / 1000);
  }
  const [, year = '', month = '01', date = '01'] = day;
  if (parseTime(`${year}-${month}-${date}`) === undefined) return undefined;
  return localDay(Number(year), Number(month) - 1, Number(date));
};

const withZone = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,20}(?:Z|[+-]\d{2}:?\d{2})$/i;
const daySeconds = 86_400;
const unitSeconds: Readonly<Record<string, number>> = {
  m: 60,
  h: 3600,
  d: daySeconds,
  w: 7 * daySeconds,
  mo: 30 * daySeconds,
  y: 365 * daySeconds,
};

const localDay = (year: number, month: number, date: number): number => {
  const day = new Date(2000, month, date);
  // The constructor would take a year below 100 for one of the last century.
  day.setFullYear(year, month, date);
  return Math.floor(day.getTime() / 1000);
};
