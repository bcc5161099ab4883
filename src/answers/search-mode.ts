/** Search modes and sort orders. Plain data. */

/**
 * `auto` uses the configured model, if there is one; `hybrid` requests it, and the answer says if there is none;
 * `semantic` ranks all notes by meaning alone; `exact` searches for the literal text, as grep does.
 */
export const searchModes = ['auto', 'keyword', 'hybrid', 'semantic', 'exact'] as const;
export type SearchMode = (typeof searchModes)[number];

/** `date` sorts by last change, newest first. */
export const searchSorts = ['relevance', 'date', 'importance'] as const;
export type SearchSort = (typeof searchSorts)[number];
