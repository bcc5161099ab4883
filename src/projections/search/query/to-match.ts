/** A query in FTS5's own language. Everything typed stands in quotation marks there. Pure. */
import { lowerCase } from '../../prints/fold-word.js';
import { isSpaceless } from '../../spaceless.js';
import { queryParts } from '../../word-parts.js';
import type { Structure } from './structure.js';

/** How words are looked for that the notes know otherwise than they were typed. */
export type Forms = {
  /** Corrections of a mistyped word. One is enough, with all of its words; undefined leaves the word as it is. */
  instead(word: string): readonly (readonly string[])[] | undefined;
  /** Words of the notes that begin so. */
  begunWith(begin: string): readonly string[];
};

export const toMatch = (node: Structure, forms: Forms): string => {
  switch (node.kind) {
    case 'word': {
      const instead = forms.instead(lowerCase(node.text));
      if (instead === undefined) return literal(node.text);
      return inBrackets(
        instead.map((words) => inBrackets(words.map(literal), 'AND')),
        'OR',
      );
    }
    case 'phrase':
      return literal(node.text);
    case 'prefix':
      return inBrackets([`${quote(node.text)}*`, ...forms.begunWith(node.text).map(quote)], 'OR');
    case 'near':
      return `NEAR(${node.of.map(({ text }) => quote(text)).join(' ')}, ${node.distance})`;
    case 'all':
      return inBrackets(
        node.of.map((one) => toMatch(one, forms)),
        'AND',
      );
    case 'any':
      return inBrackets(
        node.of.map((one) => toMatch(one, forms)),
        'OR',
      );
    case 'but':
      return `(${toMatch(node.of, forms)} NOT ${toMatch(node.without, forms)})`;
  }
};

/** With its parts beside it: `busyTimeout` finds `busy_timeout`, 迁移计划 finds 数据库迁移计划. */
const literal = (text: string): string => {
  // A part of one word does not stand for a phrase.
  if (/\s/.test(text.trim())) return quote(text);
  const parts = queryParts(text, maxParts);
  if (parts.length === 0) return quote(text);
  // Other spellings of one word stand for each other; pairs of characters and parts of a name follow each other.
  const others = /[^\x00-\x7f]/.test(text) && !isSpaceless(text) ? parts.map(quote) : [quote(parts.join(' '))];
  return inBrackets([quote(text), ...others], 'OR');
};

const maxParts = 64;

const inBrackets = (parts: readonly string[], operator: 'AND' | 'OR'): string =>
  parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(` ${operator} `)})`;

/** SQLite ends a text at a NUL. */
export const quote = (text: string): string => `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"`;
