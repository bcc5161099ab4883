/** The tags and ids that a query may name, of the notes that the reader may see. */
import type Database from 'better-sqlite3';
import { type Access, type Condition, filterCondition, joinConditions } from '../../index/query.js';
import { preparedTexts } from '../../prepared.js';
import { editDistance } from '../fuzzy/edit-distance.js';
import { conditionOf } from './fields.js';
import { type KnownKeys, openKnownKeys } from './known-keys.js';

export const openStoreKeys = (
  database: Database.Database,
  { user, workspace }: Access,
  nowSeconds: number,
): KnownKeys => {
  const allowed = filterCondition({ user, workspace });
  const has = (condition: Condition | undefined): boolean => {
    if (condition === undefined) return false;
    const { sql, args } = joinConditions([allowed, { ...condition, sql: `(${condition.sql})` }]);
    return asking(database, `SELECT 1 FROM notes n WHERE ${sql} LIMIT 1`).get(...args) !== undefined;
  };
  return openKnownKeys(
    {
      hasTag: (tag) => has(conditionOf('tag', tag, nowSeconds)),
      hasId: (part) => has(conditionOf('id', part, nowSeconds)),
      tagsLike(typed) {
        const all = asking(
          database,
          `SELECT DISTINCT t.tag FROM notes n JOIN tags t ON t.note = n.rowid WHERE ${allowed.sql} ORDER BY t.tag`,
        ).all(...allowed.args);
        const named = new Set(all.flatMap(({ tag }) => withThoseAbove(tag)));
        return nearest([...named], typed.toLowerCase());
      },
    },
    nowSeconds,
  );
};

/** `infra/prod` is in `infra`, too. */
const withThoseAbove = (tag: string): readonly string[] => {
  const steps = tag.split('/');
  return steps.map((_, at) => steps.slice(0, at + 1).join('/'));
};

/** Equally near ones keep their order. */
const nearest = (tags: readonly string[], typed: string): readonly string[] => {
  const allowed = typed.length < 6 ? 1 : 2;
  return tags
    .map((tag) => ({
      tag,
      away: typed.length < leastCompared ? Number.POSITIVE_INFINITY : distance(tag, typed, allowed),
    }))
    .filter(({ away }) => away <= allowed)
    .toSorted((a, b) => a.away - b.away)
    .slice(0, maxNamed)
    .map(({ tag }) => tag);
};

/** A tag that continues the typed one is as near as one typo. */
const distance = (tag: string, typed: string, allowed: number): number =>
  tag.startsWith(typed) ? 1 : editDistance(tag, typed, allowed);

const leastCompared = 3;
const maxNamed = 3;

const asking = preparedTexts<(string | number)[], { readonly tag: string }>();
