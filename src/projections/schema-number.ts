/** The schema number of index files, apart from the projections' code, which read-only commands need not load. */

/** Raised with every change that gives a projection other rows or tables. */
export const tableVersions = { index: 13, history: 4, prints: 7 } as const;

/** Raised when the tables change but no digest does: raising a projection's version would make digests incomparable. */
const tablesOnly = 6;

/**
 * A different number forces a replay into a new file. When a projection is removed, add its last version here, so that
 * no number recurs.
 */
export const schemaNumber = Object.values<number>(tableVersions).reduce((sum, version) => sum + version, tablesOnly);
