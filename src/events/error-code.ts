/** The code of an error that the operating system gave (`ENOENT`), or its text where it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
