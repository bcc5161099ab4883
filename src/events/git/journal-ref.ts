/** Names of the refs that a journal may have. Pure. */
/** True for `main` and refs below `refs/anamnesis`, the only ones that our bundles may contain. */
export const isJournalRef = (name: string): boolean =>
  name === branch || (/^refs\/anamnesis\/[^\p{Cc}\s~^:?*[\\]+$/u.test(name) && !/\.\.|\/[./]/.test(name));

/** Journals have one branch. */
export const branch = 'refs/heads/main';

/** Our last head, by which a person's moves of the branch are told. It is written after main, and may lag behind it. */
export const headRef = 'refs/anamnesis/head';
