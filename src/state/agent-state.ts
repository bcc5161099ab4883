/**
 * `agents.db`: which session of an agent was served, which notes it was given, how far its transcript was captured, and
 * what asking models cost. It is a separate file because hooks write it without waiting for the disk: losing it loses
 * no note, and transcripts are captured again into the same notes.
 */
import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { retryWhileBusy } from './opening-databases.js';

/** How far a transcript was captured. */
export type TranscriptState = {
  readonly path: string;
  readonly session: string;
  /** Bytes of whole lines that the last capture read. */
  readonly bytes: number;
  /** Size of the file then: a larger one has something new. */
  readonly size: number;
};

export type ModelCalls = {
  readonly day: string;
  readonly judge: string;
  readonly calls: number;
  readonly failures: number;
};

export type AgentState = {
  /** True if SessionStart has served the session since it began or was compacted. */
  isServed(session: string): boolean;
  /** Marks the session as served with these notes; `fresh` forgets what it got before, because its context is new. */
  serve(session: string, notes: readonly string[], options: { readonly fresh: boolean; readonly nowMs: number }): void;
  given(session: string): ReadonlySet<string>;
  /** Returns false if all of them were given before, perhaps by a concurrent run of the same hook. */
  give(session: string, notes: readonly string[], nowMs: number): boolean;

  transcript(path: string): TranscriptState | undefined;
  /** Remembers a transcript that has yet to be captured; one that is already known stays as it is. */
  expectTranscript(path: string, session: string, nowMs: number): void;
  /** Recently active sessions, whether they write a transcript or not. */
  sessions(): ReadonlySet<string>;
  /** Transcripts that sessions of this machine write to. */
  transcripts(): readonly TranscriptState[];
  /** Transcripts that were expected since then and never captured; most are there and have yet to be. */
  expectedTranscripts(sinceMs: number): readonly TranscriptState[];
  setTranscript(state: TranscriptState, nowMs: number): void;
  /** Says that a transcript is in another place than was expected. */
  moveTranscript(from: string, to: string): void;
  /** The session in which a turn was first captured; a fork contains turns of another session. */
  sessionOfTurn(uuid: string): string | undefined;
  /** Keeps the first session of each turn. */
  addTurns(session: string, uuids: readonly string[]): void;

  /** Sessions in which a turn was first captured. */
  capturedSessions(): ReadonlySet<string>;

  /** Counts this exchange, and returns how many of the session's exchanges were examined for learning. */
  countExchange(session: string, nowMs: number): number;
  isJudged(exchange: string): boolean;
  setJudged(exchange: string, nowMs: number): void;

  /** Number of model calls on a day (`2026-11-21`). */
  callsOn(day: string): number;
  addCall(day: string, judge: string, ok: boolean): void;
  /** Returns the newest days first. */
  ledger(days: number): readonly ModelCalls[];

  /** Forgets sessions that were last active, and exchanges that were judged, before that time. */
  forgetBefore(epochMs: number): void;
  close(): void;
};

const schema = `
  CREATE TABLE IF NOT EXISTS sessions (
    session TEXT PRIMARY KEY, served INTEGER NOT NULL DEFAULT 0, exchanges INTEGER NOT NULL DEFAULT 0,
    heardMs INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS given (session TEXT NOT NULL, note TEXT NOT NULL, PRIMARY KEY (session, note)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS transcripts (
    path TEXT PRIMARY KEY, session TEXT NOT NULL, bytes INTEGER NOT NULL, size INTEGER NOT NULL,
    capturedMs INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS turns (uuid TEXT PRIMARY KEY, session TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS judged (exchange TEXT PRIMARY KEY, judgedMs INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS calls (
    day TEXT NOT NULL, judge TEXT NOT NULL, calls INTEGER NOT NULL, failures INTEGER NOT NULL,
    PRIMARY KEY (day, judge)) WITHOUT ROWID;
`;

type Value = string | number;

/** Prepares statements when they are first used, because hooks wait for this. */
class Statements {
  readonly #database: Database.Database;
  readonly #known = new Map<string, Database.Statement<Value[]>>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  #prepare(sql: string): Database.Statement<Value[]> {
    const known = this.#known.get(sql) ?? this.#database.prepare<Value[]>(sql);
    this.#known.set(sql, known);
    return known;
  }

  /** Returns the number of rows that changed. */
  run(sql: string, ...args: readonly Value[]): number {
    return this.#prepare(sql).run(...args).changes;
  }

  #column(sql: string, args: readonly Value[]): readonly unknown[] {
    return this.#prepare(sql)
      .pluck()
      .all(...args);
  }

  number(sql: string, ...args: readonly Value[]): number {
    const [found] = this.#column(sql, args);
    return typeof found === 'number' ? found : 0;
  }

  texts(sql: string, ...args: readonly Value[]): ReadonlySet<string> {
    return new Set(this.#column(sql, args).filter((row) => typeof row === 'string'));
  }
}

/** A damaged file is replaced by a new one: a session is then given some notes again. */
export const openAgentState = (file: string): AgentState => {
  const database = openOrReplace(file);
  const statements = new Statements(database);
  return {
    ...sessionsOver(database, statements),
    ...transcriptsOver(database, statements),
    ...judgingOver(database, statements),
    forgetBefore: database.transaction((epochMs) => {
      statements.run('DELETE FROM given WHERE session IN (SELECT session FROM sessions WHERE heardMs < ?)', epochMs);
      statements.run('DELETE FROM sessions WHERE heardMs < ?', epochMs);
      statements.run('DELETE FROM judged WHERE judgedMs < ?', epochMs);
    }),
    close: () => {
      database.close();
    },
  };
};

type Sessions = Pick<AgentState, 'sessions' | 'isServed' | 'serve' | 'given' | 'give' | 'countExchange'>;

const sessionsOver = (database: Database.Database, statements: Statements): Sessions => {
  const markActive = (session: string, nowMs: number): number =>
    statements.run(
      'INSERT INTO sessions (session, heardMs) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET heardMs = excluded.heardMs',
      session,
      nowMs,
    );
  const give = (session: string, notes: readonly string[]): number =>
    notes.reduce(
      (added, note) => added + statements.run('INSERT OR IGNORE INTO given VALUES (?, ?)', session, note),
      0,
    );
  return {
    sessions: () => statements.texts('SELECT session FROM sessions'),
    isServed: (session) => statements.number('SELECT served FROM sessions WHERE session = ?', session) === 1,
    serve: database.transaction((session, notes, { fresh, nowMs }) => {
      markActive(session, nowMs);
      statements.run('UPDATE sessions SET served = 1 WHERE session = ?', session);
      if (fresh) statements.run('DELETE FROM given WHERE session = ?', session);
      give(session, notes);
    }),
    given: (session) => statements.texts('SELECT note FROM given WHERE session = ?', session),
    give: database.transaction((session, notes, nowMs) => {
      markActive(session, nowMs);
      return give(session, notes) > 0;
    }),
    countExchange: database.transaction((session, nowMs) => {
      markActive(session, nowMs);
      statements.run('UPDATE sessions SET exchanges = exchanges + 1 WHERE session = ?', session);
      return statements.number('SELECT exchanges FROM sessions WHERE session = ?', session);
    }),
  };
};

type Judging = Pick<AgentState, 'isJudged' | 'setJudged' | 'callsOn' | 'addCall' | 'ledger'>;
type Transcripts = Omit<AgentState, keyof Sessions | keyof Judging | 'forgetBefore' | 'close'>;

const transcriptsOver = (database: Database.Database, statements: Statements): Transcripts => {
  const columns = 'SELECT path, session, bytes, size FROM transcripts';
  return {
    transcript: (path) => database.prepare<[string], TranscriptState>(`${columns} WHERE path = ?`).get(path),
    expectTranscript: (path, session, nowMs) => {
      statements.run('INSERT OR IGNORE INTO transcripts VALUES (?, ?, 0, 0, ?)', path, session, nowMs);
    },
    transcripts: () => database.prepare<[], TranscriptState>(`${columns} ORDER BY path`).all(),
    moveTranscript: (from, to) => {
      statements.run('UPDATE OR REPLACE transcripts SET path = ? WHERE path = ?', to, from);
    },
    expectedTranscripts: (sinceMs) =>
      database
        .prepare<[number], TranscriptState>(`${columns} WHERE bytes = 0 AND size = 0 AND capturedMs >= ? ORDER BY path`)
        .all(sinceMs),
    setTranscript: ({ path, session, bytes, size }, nowMs) => {
      statements.run('INSERT OR REPLACE INTO transcripts VALUES (?, ?, ?, ?, ?)', path, session, bytes, size, nowMs);
    },
    sessionOfTurn: (uuid) => [...statements.texts('SELECT session FROM turns WHERE uuid = ?', uuid)][0],
    addTurns: database.transaction((session, uuids) => {
      for (const uuid of uuids) statements.run('INSERT OR IGNORE INTO turns VALUES (?, ?)', uuid, session);
    }),
    capturedSessions: () => statements.texts('SELECT DISTINCT session FROM turns'),
  };
};

const judgingOver = (database: Database.Database, statements: Statements): Judging => ({
  isJudged: (exchange) => statements.number('SELECT 1 FROM judged WHERE exchange = ?', exchange) === 1,
  setJudged: (exchange, nowMs) => {
    statements.run('INSERT OR IGNORE INTO judged VALUES (?, ?)', exchange, nowMs);
  },
  callsOn: (day) => statements.number('SELECT coalesce(sum(calls), 0) FROM calls WHERE day = ?', day),
  addCall: (day, judge, ok) => {
    const sql = `INSERT INTO calls VALUES (?, ?, 1, ?) ON CONFLICT (day, judge)
      DO UPDATE SET calls = calls + 1, failures = failures + excluded.failures`;
    statements.run(sql, day, judge, ok ? 0 : 1);
  },
  ledger: (days) =>
    database
      .prepare<[number], ModelCalls>(
        `SELECT day, judge, calls, failures FROM calls
         WHERE day IN (SELECT DISTINCT day FROM calls ORDER BY day DESC LIMIT ?) ORDER BY day DESC, judge`,
      )
      .all(days),
});

const openOrReplace = (file: string): Database.Database => {
  try {
    return retryWhileBusy(() => openDatabase(file));
  } catch (error) {
    const code = error instanceof Database.SqliteError ? error.code : '';
    if (code !== 'SQLITE_NOTADB' && !code.startsWith('SQLITE_CORRUPT')) throw error;
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    return openDatabase(file);
  }
};

const openDatabase = (file: string): Database.Database => {
  const database = new Database(file, { timeout: 5_000 });
  try {
    // Waiting for the disk takes as long as the rest of a hook. A power cut may cost this file; a kill does not.
    database.pragma('synchronous = OFF');
    database.pragma('journal_mode = TRUNCATE');
    database.exec(schema);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};
