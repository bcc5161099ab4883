/**
 * Compiles less in a process that ends after one search with a model. V8 compiles frequent loops a second time, on threads of
 * its own, and is done about when the search is: that took 32 of 175 ms of processor time and saved none.
 */
import type { SearchMode } from '../answers/search-mode.js';

/** The mode matters because a search by meaning alone may have to compute every vector: that is worth compiling for. */
export type ModelAsked = { readonly mode: SearchMode | undefined; readonly model: string | undefined };

/**
 * Lets a function run 4.5 times as long as usual before it is optimised. Undefined where the usual is right, and on a V8 where
 * this was not measured: from 12 on there is another compiler in between.
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
