/** Names of sources and import formats; loads nothing, because the help lists them. Pure. */

/** Where the text of a session note came from. */
export const captureSources = [
  'session-end',
  'pre-compact',
  'post-compact',
  'subagent',
  'catch-up',
  'import',
  'manual',
] as const;
export type CaptureSource = (typeof captureSources)[number];

export const importFormats = [
  'markdown',
  'anamnesis',
  'jsonl',
  'claude-code',
  'claude-mem',
  'claude-memory',
  'basic-memory',
  'mcp-memory',
] as const;
export type ImportFormat = (typeof importFormats)[number];

export const sourceKeyOfSession = (session: string): string => `session:${session}`;
