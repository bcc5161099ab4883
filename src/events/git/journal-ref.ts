/** Names of the refs that a journal may have. Pure. */

/** Journals have one branch. */
export const branch = 'refs/heads/main';

/** Our last head, by which a person's moves of the branch are told. It is written after main, and may lag behind it. */
export const headRef = 'refs/anamnesis/head';
