/** Formats a query in FTS5's syntax. Everything that was typed is in quotation marks there. Pure. */
import { lowerCase } from '../../prints/fold-word.js';
import { isSpaceless } from '../../spaceless.js';
import { queryParts } from '../../word-parts.js';
import type { Structure } from './structure.js';

/** How to search for words that the notes spell otherwise. */
export type Forms = {
  /** Corrections of a mistyped word. One suffices, with all of its words; undefined leaves the word unchanged. */
  instead(word: string): readonly (readonly string[])[] | undefined;
  /** Words of the notes with this beginning. */
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

/** The text, or its parts: `busyTimeout` finds `busy_timeout`, 迁移计划 finds 数据库迁移计划. */
const literal = (text: string): string => {
  // Parts of single words can't replace a phrase.
  if (/\s/.test(text.trim())) return quote(text);
  const parts = queryParts(text, maxParts);
  if (parts.length === 0) return quote(text);
  // Any spelling of a word may match; pairs of characters and parts of a name must follow each other.
  const others = /[^\x00-\x7f]/.test(text) && !isSpaceless(text) ? parts.map(quote) : [quote(parts.join(' '))];
  return inBrackets([quote(text), ...others], 'OR');
};

const maxParts = 64;

const inBrackets = (parts: readonly string[], operator: 'AND' | 'OR'): string =>
  parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(` ${operator} `)})`;

/** Replaces NUL, at which SQLite ends a text. */
export const quote = (text: string): string => `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"`;
