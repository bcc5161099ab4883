/** Subcommands that a session waits for: they start in a third more time than Node itself. */
export const quickNames = ['inject', 'recall', 'search'] as const;
