import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteTypes } from '../../../src/events/note/note.js';
import { indexIndexes, indexTables } from '../../../src/projections/index/note-index.js';
import { countNotes } from '../../../src/projections/index/rows.js';

const row = fc.record({
  type: fc.constantFrom(...noteTypes),
  project: fc.constantFrom('global', 'a\0b', 'a\0', '7', '\u{1f600}', '\uffee', ''),
  journal: fc.constantFrom('portable', 'local'),
  workspace: fc.constantFrom('personal', 'team', 'personal\0'),
  shadowed: fc.constantFrom(0, 1),
  supersededBy: fc.constantFrom(null, 'another'),
});
type Row = typeof row extends fc.Arbitrary<infer One> ? One : never;

const countBy = (rows: readonly Row[], keyOf: (one: Row) => string): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const one of rows) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return Object.entries(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
};

describe('counting notes', () => {
  let database: Database.Database;
  beforeEach(() => {
    database = new Database(':memory:');
    database.exec(indexTables + indexIndexes);
  });
  afterEach(() => {
    database.close();
  });

  const put = (rows: readonly Row[]): void => {
    database.exec('DELETE FROM notes');
    const insert =
      database.prepare(`INSERT INTO notes VALUES (NULL, ?, ?, NULL, 0, ?, ?, ?, 'm', 'u', ?, NULL, 0, 0, 1, ?, ?,
      'b', 't', 's', NULL, NULL, 0, NULL, 0, NULL, '', '', 0, 'r')`);
    rows.forEach(({ type, project, journal, workspace, shadowed, supersededBy }, at) => {
      insert.run(shadowed, supersededBy, journal, type, project, workspace, `id-${at}`, `path-${at}`);
    });
  };

  it('counts each note that is not shadowed under each of its keys, in code unit order', () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        put(rows);
        const shown = rows.filter(({ shadowed }) => shadowed === 0);
        const { total, live, byType, byProject, byScope, byWorkspace } = countNotes(database);
        expect({ total, live }).toEqual({
          total: shown.length,
          live: shown.filter(({ supersededBy }) => supersededBy === null).length,
        });
        expect(Object.entries(byType)).toEqual(countBy(shown, ({ type }) => type));
        expect(Object.entries(byProject)).toEqual(countBy(shown, ({ project }) => project));
        expect(Object.entries(byWorkspace)).toEqual(countBy(shown, ({ workspace }) => workspace));
        expect(Object.entries(byScope)).toEqual(
          countBy(shown, ({ journal }) => (journal === 'portable' ? 'portable' : 'machine-local')),
        );
      }),
    );
  });
});
