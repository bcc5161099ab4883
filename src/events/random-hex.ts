/** Random hex for names and ids. node:crypto is loaded on first use (see `hash.ts`); many commands don't need it. */
export const randomHex = (bytes: number): string =>
  process.getBuiltinModule('node:crypto').randomBytes(bytes).toString('hex');
