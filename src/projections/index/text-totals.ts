/**
 * Corrects the sums of BM25's averages. FTS5 adds each inserted row to them and, in a contentless table, never
 * subtracts deleted ones: with every edit, words would seem rarer and notes shorter than in a rebuilt index.
 */
import type Database from 'better-sqlite3';
import { prepared } from '../prepared.js';

export type TextTotals = {
  /** Call it before the row is deleted. */
  forget(rowid: number): void;
  /** Call it once, after all insertions and deletions. */
  finish(): void;
};

export const openTextTotals = (database: Database.Database): TextTotals => {
  let rows = 0;
  const words: number[] = [];
  return {
    forget(rowid) {
      const sizes = selectSizes(database).get(rowid)?.sz;
      if (sizes === undefined) return;
      rows += 1;
      for (const [column, size] of readVarints(sizes).entries()) words[column] = (words[column] ?? 0) + size;
    },
    finish() {
      if (rows === 0) return;
      // Without a savepoint, FTS5 would overwrite this with its record in memory at the end of the transaction.
      database.exec('SAVEPOINT text_totals');
      const sums = readVarints(selectTotals(database).get()?.block ?? Buffer.alloc(0));
      const left = sums.map((sum, at) => Math.max(0, sum - (at === 0 ? rows : (words[at - 1] ?? 0))));
      // better-sqlite3 write-protects the shadow tables of a virtual table.
      database.unsafeMode(true);
      try {
        updateTotals(database).run(writeVarints(left));
      } finally {
        database.unsafeMode(false);
      }
      database.exec('RELEASE text_totals');
    },
  };
};

/** Varints as SQLite writes them: seven bits a byte, most significant first, the eighth set on all but the last. */
const readVarints = (bytes: Buffer): readonly number[] => {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 0x80 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
};

const writeVarints = (numbers: readonly number[]): Buffer =>
  Buffer.from(
    numbers.flatMap((number) => {
      const bytes = [number % 0x80];
      for (let rest = Math.floor(number / 0x80); rest > 0; rest = Math.floor(rest / 0x80))
        bytes.unshift((rest % 0x80) | 0x80);
      return bytes;
    }),
  );

const selectSizes = prepared<[number], { sz: Buffer }>('SELECT sz FROM fts_docsize WHERE id = ?');
/** The record of the sums has this id. */
const selectTotals = prepared<[], { block: Buffer }>('SELECT block FROM fts_data WHERE id = 1');
const updateTotals = prepared<[Buffer], unknown>('UPDATE fts_data SET block = ? WHERE id = 1');
