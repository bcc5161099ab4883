/** The ways to search. Plain data. */

/** `auto` takes the model that is in use, if there is one; `hybrid` asks for it, and the answer says where there is none. */
export const searchModes = ['auto', 'keyword', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];
