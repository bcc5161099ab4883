/**
 * Keys of a query as a store knows them: `#infra` where there is such a tag, other names of keys, and why what looks like a key
 * is none. Loaded only for a query that has a colon or a `#`. Pure.
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

/** Tags and ids of the notes that somebody may see. */
export type StoreKeys = {
  /** The tag itself, or one below it. */
  hasTag(tag: string): boolean;
  /** A note whose id begins or ends so. */
  hasId(part: string): boolean;
  /** Tags that are spelt nearly like it, the nearest first. */
  tagsLike(tag: string): readonly string[];
};

export type KnownKeys = {
  /** A token as it is meant: a field by its own name, and words where it is none. `isTyped`: it was not pasted in a long text. */
  read(token: Token, isTyped: boolean): Token;
  /** Why one of the tokens, as they were typed, is no key. */
  problemOf(tokens: readonly Token[]): string | undefined;
  conditionsOf(fields: readonly Field[]): FieldConditions;
  /** Said where nothing was found: the first that no note has of the tags that were asked for. */
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
      : `${key}: is not a key; ${instead}:${value} is`;
  };

  return {
    conditionsOf: (fields) => conditionsOf(fields, nowSeconds),
    missingTag: (fields, tags) => firstMissing([...tags, ...fields.flatMap(tagsOf)]),
    read(token, isTyped) {
      if (!isTyped) return token.kind === 'field' && isField(token, nowSeconds) ? token : plainOf(token);
      if (token.kind === 'term' && token.term.kind === 'word') {
        const [, minus = '', tag] = /^(-?)#(.+)$/.exec(token.term.text) ?? [];
        // An issue has a number.
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
          return `${typed} has a space behind it; ${key}:${next} is a key`;
      }
      return undefined;
    },
  };
};

const tagsOf = ({ key, value, isWithout }: Field): readonly string[] =>
  key === 'tag' && !isWithout ? valuesOf(value) : [];

/** Understood where the value is one of the key's. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['tags', 'tag'],
  ['types', 'type'],
  ['scopes', 'scope'],
  ['since', 'after'],
  ['until', 'before'],
]);

/** Of keys that take any value, words of a text would be taken for conditions; others mean something else as well. */
const nearestKeys: ReadonlyMap<string, string> = new Map([
  ['projects', 'project'],
  ['machines', 'machine'],
  ['agents', 'agent'],
  ['updated', 'after'],
  ['modified', 'after'],
  ['changed', 'after'],
  ['date', 'after'],
]);

/** Any word may stand behind `project:` in a text. */
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
      return 'an id, or its beginning or end from 4 characters on, has letters and digits';
    case 'after':
    case 'before':
      return 'a time is 2026-06-24, 2026-06, 7d, today or yesterday';
    default:
      return 'a value is missing';
  }
};

const eitherOf = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
