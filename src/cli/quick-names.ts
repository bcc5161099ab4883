/** Subcommands that sessions and people wait for. With plain options they start without commander. */
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
