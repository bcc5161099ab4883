/** Conditions of a query beyond sharing words with it, as plain data and as text. */
import type { Term } from './tokens.js';

export type Structure =
  | Term
  | { readonly kind: 'all' | 'any'; readonly of: readonly Structure[] }
  | { readonly kind: 'but'; readonly of: Structure; readonly without: Structure };

/** Formats it as it could be typed. */
export const showStructure = (node: Structure): string => {
  switch (node.kind) {
    case 'word':
      return node.text;
    case 'phrase':
      return `"${node.text}"`;
    case 'prefix':
      return `${node.text}*`;
    case 'all':
      return node.of.map(inBrackets).join(' AND ');
    case 'any':
      return node.of.map(inBrackets).join(' OR ');
    case 'but':
      return `${inBrackets(node.of)} NOT ${inBrackets(node.without)}`;
  }
};

const inBrackets = (node: Structure): string =>
  node.kind === 'all' || node.kind === 'any' || node.kind === 'but' ? `(${showStructure(node)})` : showStructure(node);

/** Its words in order, without those that it excludes. */
export const termsOf = (node: Structure): readonly Term[] => {
  switch (node.kind) {
    case 'word':
    case 'phrase':
    case 'prefix':
      return [node];
    case 'all':
    case 'any':
      return node.of.flatMap(termsOf);
    case 'but':
      return termsOf(node.of);
  }
};

/** The exclusions inside its brackets. */
export const exclusionsOf = (node: Structure): readonly Structure[] => {
  switch (node.kind) {
    case 'word':
    case 'phrase':
    case 'prefix':
      return [];
    case 'all':
    case 'any':
      return node.of.flatMap(exclusionsOf);
    case 'but':
      return [node.without, ...exclusionsOf(node.of)];
  }
};
