/** Subcommands that a session waits for, and that look at the whole store: they start in a third more time than Node itself. */
export const quickNames = ['inject', 'recall', 'search', 'status', 'adopt', 'sync'] as const;
