/** Returns the code of an operating system error (`ENOENT`), or the error's text when it has no code. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
