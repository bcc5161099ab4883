/**
 * Keys of a query as a store knows them: `#infra` if there is such a tag, other names of keys, and why a text that
 * looks like a key is none. Loaded only for a query that has a colon or a `#`. Pure.
 */
import { noteTypes, scopes } from '../../../events/note/note.js';
import {
  conditionsOf,
  type Field,
  type FieldConditions,
  isField,
  isKey,
  partsAsked,
  statesAt,
  valuesOf,
} from './fields.js';
import { plainOf, type Token } from './tokens.js';

/** Tags and ids of the notes that the reader may see. */
export type StoreKeys = {
  /** Whether a note has the tag, or one below it. */
  hasTag(tag: string): boolean;
  /** Whether the id of a note begins or ends with `part`. */
  hasId(part: string): boolean;
  /** Tags with nearly the same spelling, nearest first. */
  tagsLike(tag: string): readonly string[];
};

export type KnownKeys = {
  /**
   * A token as it is meant: a field under its own name, or words if it is none. `isTyped` is false if it was pasted in
   * a long text.
   */
  read(token: Token, isTyped: boolean): Token;
  /** Why one of the tokens, as they were typed, is not a key. */
  problemOf(tokens: readonly Token[]): string | undefined;
  conditionsOf(fields: readonly Field[]): FieldConditions;
  /** For a search that found nothing: names the first asked tag that no note has. */
  missingTag(fields: readonly Field[], tags: readonly string[]): string | undefined;
};

export const openKnownKeys = (store: StoreKeys, nowSeconds: number): KnownKeys => {
  const isMeant = (key: string, value: string): boolean =>
    isField({ key, value }, nowSeconds) &&
    (key !== 'tag' || valuesOf(value).every((tag) => store.hasTag(tag))) &&
    (key !== 'id' || valuesOf(value).every((part) => store.hasId(part)));

  const firstMissing = (tags: readonly string[]): string | undefined => {
    const missing = tags.find((tag) => !store.hasTag(tag));
    if (missing === undefined) return undefined;
    const near = store.tagsLike(missing);
    return `there is no tag ${JSON.stringify(missing)}${near.length === 0 ? '' : `; near it: ${near.join(', ')}`}`;
  };

  const problemOfField = (typed: string, value: string): string | undefined => {
    const key = otherNames.get(typed) ?? typed;
    if (isKey(key)) {
      if (!isField({ key, value }, nowSeconds)) return `${typed}:${value} is not understood; ${choicesOf(key)}`;
      if (key === 'id' && !isMeant(key, value)) return `there is no note with the id ${value}`;
      return key === 'tag' && typed !== key ? firstMissing(valuesOf(value)) : undefined;
    }
    const instead = nearestKeys.get(key);
    return instead === undefined || !isField({ key: instead, value }, nowSeconds)
      ? undefined
      : `${key}: is not a key; use ${instead}:${value}`;
  };

  return {
    conditionsOf: (fields) => conditionsOf(fields, nowSeconds),
    missingTag: (fields, tags) => firstMissing([...tags, ...fields.flatMap(tagsOf)]),
    read(token, isTyped) {
      if (!isTyped) return token.kind === 'field' && isField(token, nowSeconds) ? token : plainOf(token);
      if (token.kind === 'term' && token.term.kind === 'word') {
        const [, minus = '', tag] = /^(-?)#(.+)$/.exec(token.term.text) ?? [];
        // `#123` is the number of an issue.
        return tag === undefined || /^\d+$/.test(tag) || !isMeant('tag', tag)
          ? token
          : { kind: 'field', key: 'tag', value: tag, isWithout: minus !== '' };
      }
      if (token.kind !== 'field') return token;
      const key = otherNames.get(token.key) ?? token.key;
      // A tag that is asked for by its key is a condition even if no note has it, so that nothing else is found.
      const isAsked = token.key === 'tag' && isField(token, nowSeconds);
      return isAsked || isMeant(key, token.value) ? { ...token, key } : plainOf(token);
    },
    problemOf(tokens) {
      for (const [at, token] of tokens.entries()) {
        if (token.kind === 'field') {
          const problem = problemOfField(token.key, token.value);
          if (problem !== undefined) return problem;
        }
        const [typed, next] = [wordOf(token), wordOf(tokens[at + 1])];
        const name = typed?.endsWith(':') === true ? typed.slice(0, -1).toLowerCase() : '';
        const key = otherNames.get(name) ?? name;
        if (next !== undefined && withFewValues.has(key) && isMeant(key, next))
          return `${typed} has a space after it; use ${key}:${next}`;
      }
      return undefined;
    },
  };
};

const tagsOf = ({ key, value, isWithout }: Field): readonly string[] =>
  key === 'tag' && !isWithout ? valuesOf(value) : [];

/** Understood if the value is one of the key's. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['tags', 'tag'],
  ['types', 'type'],
  ['scopes', 'scope'],
  ['since', 'after'],
  ['until', 'before'],
]);

/**
 * Keys to suggest only: with one that accepts any value, words of a text would become conditions; the others have other
 * meanings as well.
 */
const nearestKeys: ReadonlyMap<string, string> = new Map([
  ['projects', 'project'],
  ['machines', 'machine'],
  ['agents', 'agent'],
  ['updated', 'after'],
  ['modified', 'after'],
  ['changed', 'after'],
  ['date', 'after'],
]);

/** Not `project`, because a text may have any word after `project:`. */
const withFewValues: ReadonlySet<string> = new Set(['id', 'tag', 'type', 'scope', 'after', 'before', 'is', 'has']);

const wordOf = (token: Token | undefined): string | undefined =>
  token?.kind === 'term' && token.term.kind === 'word' ? token.term.text : undefined;

const choicesOf = (key: string): string => {
  switch (key) {
    case 'type':
      return `a type is ${eitherOf(noteTypes)}`;
    case 'scope':
      return `a scope is ${eitherOf(scopes)}`;
    case 'is':
      return `it takes ${eitherOf(Object.keys(statesAt(0)))}`;
    case 'has':
      return `it takes ${eitherOf(Object.keys(partsAsked))}`;
    case 'id':
      return 'an id, or at least 4 characters of its beginning or end, has letters and digits';
    case 'after':
    case 'before':
      return 'a time is 2026-06-24, 2026-06, 7d, today or yesterday';
    default:
      return 'a value is missing';
  }
};

const eitherOf = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
