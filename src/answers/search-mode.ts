/** The ways to search. Plain data. */

/**
 * `auto` takes the model that is in use, if there is one; `hybrid` asks for it, and the answer says where there is none;
 * `semantic` ranks all notes by what they mean to it; `exact` looks for the text itself, as grep does.
 */
export const searchModes = ['auto', 'keyword', 'hybrid', 'semantic', 'exact'] as const;
export type SearchMode = (typeof searchModes)[number];

/** `date`: by the last change, newest first. */
export const searchSorts = ['relevance', 'date', 'importance'] as const;
export type SearchSort = (typeof searchSorts)[number];

/** How a list by words and one by meaning become one: by their scores, or by their ranks alone. */
export const searchFusions = ['convex', 'rrf'] as const;
export type SearchFusion = (typeof searchFusions)[number];
