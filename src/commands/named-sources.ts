/** Names that a caller may give. They stand apart because the help lists them, and loads no command for that. Pure. */

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
