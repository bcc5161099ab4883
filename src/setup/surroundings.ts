/** Facts about the machine that setup needs, as a value, so that a test can use a home of its own. Pure. */

export type Surroundings = {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  /** Absolute paths of Node and of this program, which clients start: their PATH may contain neither. */
  readonly execPath: string;
  readonly scriptPath: string;
};

export const clientNames = ['claude-code', 'codex', 'cursor', 'gemini', 'opencode', 'vscode'] as const;
export type ClientName = (typeof clientNames)[number];

export const serverNameForm = /^[A-Za-z0-9_-]{1,64}$/;
export const defaultServerName = 'anamnesis';

/** Adds quotes only if the word needs them. */
export const quoteForShell = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
