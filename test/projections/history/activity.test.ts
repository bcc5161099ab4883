import { rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClaimedEvent,
  type PlaceInJournal,
  type RecordedEvent,
  toJournalEvent,
} from '../../../src/events/event.js';
import { countActivity } from '../../../src/projections/history/activity.js';
import { beginGeneration, discardGeneration } from '../../../src/projections/new-generation.js';
import { beginFold } from '../../../src/projections/registry.js';
import { temporaryFolder } from '../../support/store.js';

let count = 0;
const event = (fields: Partial<ClaimedEvent & PlaceInJournal> = {}): RecordedEvent => {
  count += 1;
  const { journal = 'portable', commit = String(count).padStart(40, '0'), ...claimed } = fields;
  const said = {
    id: `01J${String(count).padStart(23, '0')}`,
    kind: 'note.written',
    at: '2026-06-24T18:33:07+00:00',
    machine: 'laptop',
    subject: 'A note',
    notes: ['01J00000000000000000000NOTE'],
    project: 'shop',
    ...claimed,
  };
  return { ...toJournalEvent(said), journal, commit, depth: count };
};

describe('activity', () => {
  let folder: string;
  let opened: { readonly file: string; readonly database: Database.Database }[];
  beforeEach(() => {
    folder = temporaryFolder();
    opened = [];
  });
  afterEach(() => {
    for (const { file, database } of opened) discardGeneration(file, database);
    rmSync(folder, { recursive: true, force: true });
  });

  const indexOf = (...steps: readonly (RecordedEvent | { readonly dropped: RecordedEvent })[]): Database.Database => {
    const generation = beginGeneration(folder);
    opened.push(generation);
    const fold = beginFold(generation.database, 'catch-up');
    for (const step of steps) {
      if ('dropped' in step) fold.removeEvent(step.dropped);
      else fold.addEvent(step);
    }
    return generation.database;
  };
  const rows = (database: Database.Database, by: 'day' | 'project' | 'kind' | 'machine', project?: string) =>
    countActivity({ by, from: '2026-06-01', project })(database).rows.map(({ key, events, notes }) => [
      key,
      events,
      notes,
    ]);

  it('counts events and the notes they touched per UTC day, newest day first', () => {
    const database = indexOf(
      event({ at: '2026-06-23T23:59:59+00:00', notes: ['A', 'B'] }),
      event({ at: '2026-06-24T01:00:00+02:00' }),
      event({ at: '2026-06-24T00:00:00+00:00', notes: [] }),
    );
    expect(rows(database, 'day')).toEqual([
      ['2026-06-24', 1, 0],
      ['2026-06-23', 2, 3],
    ]);
  });

  it('counts per project, kind and machine, most events first, then by name', () => {
    const database = indexOf(
      event({ kind: 'note.edited' }),
      event({ kind: 'note.edited', machine: 'tower', project: undefined }),
      event({ project: 'api' }),
      event({ at: '2026-05-31T23:59:59+00:00' }),
    );
    expect(rows(database, 'kind')).toEqual([
      ['note.edited', 2, 2],
      ['note.written', 1, 1],
    ]);
    expect(rows(database, 'project')).toEqual([
      [null, 1, 1],
      ['api', 1, 1],
      ['shop', 1, 1],
    ]);
    expect(rows(database, 'machine')).toEqual([
      ['laptop', 2, 2],
      ['tower', 1, 1],
    ]);
    expect(rows(database, 'kind', 'api')).toEqual([['note.written', 1, 1]]);
  });

  it('returns the day of the last event when no event matches', () => {
    const database = indexOf(event({ at: '2026-05-02T00:00:00+00:00' }));
    expect(countActivity({ by: 'day', from: '2026-06-01' })(database)).toEqual({
      rows: [],
      events: 0,
      notes: 0,
      lastDay: '2026-05-02',
    });
    expect(countActivity({ by: 'day', from: '2026-06-01', project: 'api' })(database).lastDay).toBeNull();
  });

  it('counts an event whose id is in several commits once, and picks the same commit whatever their order', () => {
    const one = event({ notes: ['A'], commit: 'a'.repeat(40) });
    const other = { ...one, notes: ['A', 'B'], at: '2026-06-25T00:00:00+00:00', commit: 'b'.repeat(40) };
    const [forward, reversed] = [indexOf(one, other), indexOf(other, one)];
    expect(rows(forward, 'day')).toEqual([['2026-06-24', 1, 1]]);
    expect(rows(reversed, 'day')).toEqual(rows(forward, 'day'));
  });

  it('subtracts a dropped commit and counts the event where it was appended again', () => {
    const [one, other] = [event(), event()];
    const again = { ...one, commit: 'c'.repeat(40), depth: 7 };
    const database = indexOf(one, other, { dropped: one }, again);
    expect(rows(database, 'day')).toEqual([['2026-06-24', 2, 2]]);
    expect(rows(indexOf(one, { dropped: one }), 'day')).toEqual([]);
  });

  it('counts an event without a readable time on the first day of 1970', () => {
    const database = indexOf(event({ at: 'yesterday' }));
    expect(countActivity({ by: 'day', from: '0000-01-01' })(database).rows).toMatchObject([{ key: '1970-01-01' }]);
  });
});
