/**
 * Less compiling in a process that ends after one search with a model. V8 compiles loops that run often once more, on threads
 * of its own, and most of that is done when the search is: it took 32 of 175 ms of processor time, and saved none.
 */
import type { SearchMode } from '../answers/search-mode.js';

/** What a search asks of a model, as far as this matters: by meaning alone, every vector may have to be made. */
export type ModelAsked = { readonly mode: SearchMode | undefined; readonly model: string | undefined };

/**
 * How much a function runs before it is compiled for good: 4.5 times the usual, so that what is worth it still is after a
 * few milliseconds. Undefined where the usual is right, and for a V8 that this was not measured on: from 12 on there is
 * another compiler in between.
 */
export const flagFor = ({ mode = 'auto', model }: ModelAsked, v8: string): string | undefined =>
  model !== undefined && (mode === 'auto' || mode === 'hybrid') && /^11\./.test(v8)
    ? '--interrupt-budget=600000'
    : undefined;

/** Loads nothing where there is nothing to set. */
export const compileLess = async (asked: ModelAsked): Promise<void> => {
  const flag = flagFor(asked, process.versions.v8);
  if (flag !== undefined) (await import('node:v8')).setFlagsFromString(flag);
};
