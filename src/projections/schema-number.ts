/** The number of the file that holds all tables. Apart from the projections' code, which whoever only asks does without. */

/** Raised with every change that gives a projection other rows or tables. */
export const tableVersions = { index: 11, history: 4, activity: 1, prints: 7 } as const;

/** Raised when the tables change and no digest does: a projection's own version says that digests can't be compared. */
const tablesOnly = 3;

/**
 * Another number means a replay into a new file. A projection that is removed leaves its last version to be added here, so
 * that no number comes twice.
 */
export const schemaNumber = Object.values<number>(tableVersions).reduce((sum, version) => sum + version, tablesOnly);
