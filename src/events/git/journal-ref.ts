/** Names of refs that a journal may have. Pure. */
/** True for `main` and for what lies below `refs/anamnesis`: the only refs that a bundle of ours may hold. */
export const isJournalRef = (name: string): boolean =>
  name === branch || (/^refs\/anamnesis\/[^\p{Cc}\s~^:?*[\\]+$/u.test(name) && !/\.\.|\/[./]/.test(name));

/** Journals have one branch. */
export const branch = 'refs/heads/main';
