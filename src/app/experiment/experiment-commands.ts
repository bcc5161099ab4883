/** Changes that may be tried on a copy of the store. Plain data. */

/** Commands that change notes and nothing outside of the store. */
export const experimentCommands = [
  'edit',
  'forget',
  'import',
  'move',
  'restore',
  'supersede',
  'tag',
  'untag',
  'undo',
  'write',
] as const;

export const isExperimentCommand = (name: string | undefined): boolean =>
  name === 'merge' || experimentCommands.some((command) => command === name);
