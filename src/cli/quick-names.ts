/** Subcommands that a session waits for, and that look at the whole store: they start in a third more time than Node itself. */
export const quickNames = ['inject', 'recall', 'search', 'status', 'adopt', 'sync', 'replay'] as const;

/** Commands whose compiled code is kept. They are few, because each takes about half a megabyte. */
export const waitedFor: ReadonlySet<string> = new Set([
  ...quickNames,
  'list',
  'show',
  'write',
  'work',
  'hook SessionStart',
  'hook UserPromptSubmit',
  'hook SubagentStart',
  'hook PermissionRequest',
  'hook PreCompact',
  'hook PostCompact',
  'hook Stop',
  'hook SubagentStop',
  'hook SessionEnd',
]);
