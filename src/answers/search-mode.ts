/** Search modes and sort orders. Plain data. */

/** `auto`: the configured model, if any; `hybrid` says if there is none; `semantic`: meaning alone; `exact`: grep. */
export const searchModes = ['auto', 'keyword', 'hybrid', 'semantic', 'exact'] as const;
export type SearchMode = (typeof searchModes)[number];

/** `date` sorts by last change, newest first. */
export const searchSorts = ['relevance', 'date', 'importance'] as const;
export type SearchSort = (typeof searchSorts)[number];
