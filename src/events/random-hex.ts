/** Chance for names and ids. node:crypto is loaded with the first, as in `hash.ts`: whoever records nothing does without it. */
export const randomHex = (bytes: number): string =>
  process.getBuiltinModule('node:crypto').randomBytes(bytes).toString('hex');
