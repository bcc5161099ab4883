/**
 * `agents.db`: sessions served, the notes they were given, how far transcripts were captured, and what models cost.
 * Apart, because hooks write it without waiting for the disk: losing it loses no note.
 */
import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { retryWhileBusy, Statements } from './opening-databases.js';

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

/** A damaged file is replaced by a new one: a session is then given some notes again. */
export const openAgentState = (file: string): AgentState => new AgentState(openOrReplace(file));

/** A damaged file stays as it is. */
export const openKnownAgentState = (file: string): AgentState =>
  new AgentState(new Database(file, { fileMustExist: true, timeout: 5_000 }));

export class AgentState extends Statements {
  /** True if SessionStart has served the session since it began or was compacted. */
  isServed(session: string): boolean {
    return this.number('SELECT served FROM sessions WHERE session = ?', session) === 1;
  }

  /** Marks the session as served with these notes; `fresh` forgets what it got before, because its context is new. */
  serve(
    session: string,
    notes: readonly string[],
    { fresh, nowMs }: { readonly fresh: boolean; readonly nowMs: number },
  ): void {
    this.atOnce(() => {
      this.markActive(session, nowMs);
      this.run('UPDATE sessions SET served = 1 WHERE session = ?', session);
      if (fresh) this.run('DELETE FROM given WHERE session = ?', session);
      this.add(session, notes);
    });
  }

  given(session: string): ReadonlySet<string> {
    return new Set(this.texts('SELECT note FROM given WHERE session = ?', session));
  }

  /** Returns false if all of them were given before, perhaps by a concurrent run of the same hook. */
  give(session: string, notes: readonly string[], nowMs: number): boolean {
    return this.atOnce(() => {
      this.markActive(session, nowMs);
      return this.add(session, notes) > 0;
    });
  }

  transcript(path: string): TranscriptState | undefined {
    return this.database.prepare<[string], TranscriptState>(`${transcripts} WHERE path = ?`).get(path);
  }

  /** Remembers a transcript that has yet to be captured; one that is already known stays as it is. */
  expectTranscript(path: string, session: string, nowMs: number): void {
    this.run('INSERT OR IGNORE INTO transcripts VALUES (?, ?, 0, 0, ?)', path, session, nowMs);
  }

  /** Recently active sessions, whether they write a transcript or not. */
  sessions(): ReadonlySet<string> {
    return new Set(this.texts('SELECT session FROM sessions'));
  }

  /** Transcripts that sessions of this machine write to. */
  transcripts(): readonly TranscriptState[] {
    return this.database.prepare<[], TranscriptState>(`${transcripts} ORDER BY path`).all();
  }

  /** Transcripts that were expected since then and never captured; most are there and have yet to be. */
  expectedTranscripts(sinceMs: number): readonly TranscriptState[] {
    return this.database
      .prepare<[number], TranscriptState>(
        `${transcripts} WHERE bytes = 0 AND size = 0 AND capturedMs >= ? ORDER BY path`,
      )
      .all(sinceMs);
  }

  setTranscript({ path, session, bytes, size }: TranscriptState, nowMs: number): void {
    this.run('INSERT OR REPLACE INTO transcripts VALUES (?, ?, ?, ?, ?)', path, session, bytes, size, nowMs);
  }

  /** Says that a transcript is in another place than was expected. */
  moveTranscript(from: string, to: string): void {
    this.run('UPDATE OR REPLACE transcripts SET path = ? WHERE path = ?', to, from);
  }

  /** The session in which a turn was first captured; a fork contains turns of another session. */
  sessionOfTurn(uuid: string): string | undefined {
    return this.text('SELECT session FROM turns WHERE uuid = ?', uuid);
  }

  /** Keeps the first session of each turn. */
  addTurns(session: string, uuids: readonly string[]): void {
    this.atOnce(() => {
      for (const uuid of uuids) this.run('INSERT OR IGNORE INTO turns VALUES (?, ?)', uuid, session);
    });
  }

  /** Sessions in which a turn was first captured. */
  capturedSessions(): ReadonlySet<string> {
    return new Set(this.texts('SELECT DISTINCT session FROM turns'));
  }

  /** Counts this exchange, and returns how many of the session's exchanges were examined for learning. */
  countExchange(session: string, nowMs: number): number {
    return this.atOnce(() => {
      this.markActive(session, nowMs);
      this.run('UPDATE sessions SET exchanges = exchanges + 1 WHERE session = ?', session);
      return this.number('SELECT exchanges FROM sessions WHERE session = ?', session);
    });
  }

  isJudged(exchange: string): boolean {
    return this.number('SELECT 1 FROM judged WHERE exchange = ?', exchange) === 1;
  }

  setJudged(exchange: string, nowMs: number): void {
    this.run('INSERT OR IGNORE INTO judged VALUES (?, ?)', exchange, nowMs);
  }

  /** Number of model calls on a day (`2026-11-21`). */
  callsOn(day: string): number {
    return this.number('SELECT coalesce(sum(calls), 0) FROM calls WHERE day = ?', day);
  }

  addCall(day: string, judge: string, ok: boolean): void {
    const sql = `INSERT INTO calls VALUES (?, ?, 1, ?) ON CONFLICT (day, judge)
      DO UPDATE SET calls = calls + 1, failures = failures + excluded.failures`;
    this.run(sql, day, judge, ok ? 0 : 1);
  }

  /** Returns the newest days first. */
  ledger(days: number): readonly ModelCalls[] {
    return this.database
      .prepare<[number], ModelCalls>(
        `SELECT day, judge, calls, failures FROM calls
         WHERE day IN (SELECT DISTINCT day FROM calls ORDER BY day DESC LIMIT ?) ORDER BY day DESC, judge`,
      )
      .all(days);
  }

  /** Forgets sessions that were last active, and exchanges that were judged, before that time. */
  forgetBefore(epochMs: number): void {
    this.atOnce(() => {
      this.run('DELETE FROM given WHERE session IN (SELECT session FROM sessions WHERE heardMs < ?)', epochMs);
      this.run('DELETE FROM sessions WHERE heardMs < ?', epochMs);
      this.run('DELETE FROM judged WHERE judgedMs < ?', epochMs);
    });
  }

  private markActive(session: string, nowMs: number): void {
    const sql = `INSERT INTO sessions (session, heardMs) VALUES (?, ?)
      ON CONFLICT (session) DO UPDATE SET heardMs = excluded.heardMs`;
    this.run(sql, session, nowMs);
  }

  private add(session: string, notes: readonly string[]): number {
    return notes.reduce(
      (added, note) => added + this.run('INSERT OR IGNORE INTO given VALUES (?, ?)', session, note),
      0,
    );
  }
}

const transcripts = 'SELECT path, session, bytes, size FROM transcripts';

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
