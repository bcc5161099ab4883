/** Builders for sessions and their parts; a test fills in the fields it is about. */
import type { Failure, Session, Subagent, Turn } from '../../../../src/agents/capture/session.js';
import { firstLineMs } from '../../../support/transcripts.js';

export const turn = (fields: Partial<Turn> = {}): Turn => ({
  number: 1,
  uuid: 'u1',
  offset: 0,
  atMs: firstLineMs,
  prompt: 'Make it fast',
  isSlashCommand: false,
  outcome: '',
  isInterrupted: false,
  files: [],
  failures: [],
  commits: [],
  lastRun: undefined,
  lastCheck: undefined,
  untried: [],
  reported: '',
  ...fields,
});

export const session = (fields: Partial<Session> = {}): Session => ({
  id: 'session-1',
  file: 'session-1.jsonl',
  cwd: undefined,
  branch: undefined,
  startedAtMs: undefined,
  endedAtMs: undefined,
  title: undefined,
  turns: [],
  compactions: [],
  compactionOffsets: [],
  endsCompacted: false,
  subagents: [],
  choices: [],
  questions: [],
  todos: [],
  bytes: 0,
  ...fields,
});

export const subagent = (fields: Partial<Subagent> = {}): Subagent => ({
  id: 'a1',
  type: 'Explore',
  task: 'Find dead code',
  outcome: 'There is none.',
  files: [],
  startedIn: undefined,
  ...fields,
});

export const failure = (fields: Partial<Failure> = {}): Failure => ({
  command: 'npm test',
  error: 'error: boom',
  ending: 'failed',
  times: 1,
  changed: [],
  ...fields,
});
