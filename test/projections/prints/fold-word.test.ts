import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { foldWord } from '../../../src/projections/prints/read-words.js';

/** Returns, for each letter, a word with it as FTS5 folds it; undefined if FTS5 doesn't treat it as a letter. */
const foldedByFts5 = (letters: readonly string[]): readonly (string | undefined)[] => {
  const database = new Database(':memory:');
  try {
    database.exec(`
      CREATE VIRTUAL TABLE fts USING fts5(word, tokenize = 'unicode61 remove_diacritics 2');
      CREATE VIRTUAL TABLE terms USING fts5vocab(fts, 'instance');`);
    const insert = database.prepare('INSERT INTO fts (rowid, word) VALUES (?, ?)');
    database.transaction(() => {
      for (const [at, letter] of letters.entries()) insert.run(at + 1, `q${letter}z`);
    })();
    const rows = database
      .prepare<[], { term: string; doc: number }>("SELECT term, doc FROM terms WHERE term GLOB 'q*z'")
      .all();
    const terms = new Map(rows.map(({ term, doc }) => [doc, term]));
    return letters.map((_, at) => terms.get(at + 1));
  } finally {
    database.close();
  }
};

const letters = Array.from({ length: 0x10000 - 0x80 }, (_, at) => String.fromCharCode(at + 0x80)).filter((letter) =>
  /\p{L}/u.test(letter),
);

describe('foldWord', () => {
  let folded: readonly (string | undefined)[];
  beforeAll(() => {
    folded = foldedByFts5(letters);
  });

  it('folds every letter from U+0080 to U+FFFF as the index does', () => {
    const others = letters.flatMap((letter, at) => {
      const expected = folded[at];
      return expected === undefined || expected === foldWord(`q${letter}z`) ? [] : [{ letter, expected }];
    });
    expect(others).toEqual([]);
    // Characters that FTS5 doesn't treat as letters end the word there.
    expect(folded.filter((one) => one === undefined).length).toBeLessThan(30);
  });

  it('drops combining marks, as the index does', () => {
    expect(['cafe\u0301', 'и\u0306', 'CAFÉ'].map(foldWord)).toEqual(['cafe', 'и', 'cafe']);
  });

  it('ends a Greek word in a medial sigma', () => {
    expect(['ΛΟΓΟΣ', 'λογος'].map(foldWord)).toEqual(['λογοσ', 'λογοσ']);
  });
});
