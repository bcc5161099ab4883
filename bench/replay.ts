/**
 * Compares a replay with its floor: one thread that reads each file, cuts off its front matter, and makes the same insert
 * into the same FTS5 table, in one transaction.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { parseNoteFile } from '../src/events/note/note-file.js';
import { indexTables } from '../src/projections/index/note-index.js';
import { projectNote } from '../src/projections/note-row.js';
import type { Memory } from '../src/store/memory.js';
import { median, type Row, runProcess, timeEach } from './measure.js';

/** Runs the two in turn, so that both meet the same machine. Of a replay, its own milliseconds count, not the start. */
export const measureReplayFloor = async (
  cli: string,
  memory: Memory,
  environment: NodeJS.ProcessEnv,
  size: number,
  add: (row: Row) => void,
): Promise<void> => {
  const journal = memory.journals.portable;
  const head = journal.head();
  const entries = head === undefined ? [] : await journal.notes(head);
  // Parsing isn't part of the floor, but what it puts into the columns is part of the insert.
  const columns = entries.map(({ path, blob }) => {
    const projected = projectNote(
      parseNoteFile(readFileSync(join(journal.folder, path)), 'portable', path),
      'portable',
      path,
      blob,
      [],
    );
    if ('skipped' in projected) throw new Error(projected.skipped.message);
    const { title, tags, keywords, parts } = projected.note;
    return { path, columns: [title, tags.join(' '), keywords.join(' '), parts] };
  });
  const file = join(journal.folder, '..', 'floor.db');
  const floors: number[] = [];
  const replays: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    floors.push(
      ...(await timeEach(1, () => {
        const database = new Database(file);
        database.pragma('journal_mode = OFF');
        database.pragma('synchronous = OFF');
        database.exec(indexTables);
        database.exec(`INSERT INTO fts (fts, rank) VALUES ('hashsize', ${64 * 1024 * 1024})`);
        const insert = database.prepare('INSERT INTO fts (title, body, tags, keywords, parts) VALUES (?, ?, ?, ?, ?)');
        database.exec('BEGIN');
        for (const {
          path,
          columns: [title, tags, keywords, parts],
        } of columns) {
          const text = readFileSync(join(journal.folder, path), 'utf8');
          insert.run(title, text.slice(text.indexOf('\n---\n', 4) + 5), tags, keywords, parts);
        }
        database.exec('COMMIT');
        database.close();
        rmSync(file);
      })),
    );
    const { ms } = JSON.parse(await runProcess([cli, 'replay', '--json'], environment));
    replays.push(Number(ms));
  }
  add({ what: `one thread's floor of a replay, ${size}`, measured: median(floors), unit: 'ms' });
  add({
    what: `replay / its floor, ${size}`,
    measured: median(replays) / median(floors),
    unit: 'x',
    limit: 1.5,
    note: `${Math.round(median(replays))} ms`,
  });
};
