import { describe, expect, it } from 'vitest';
import { openPromptsOf, statusOf } from '../../../../src/agents/capture/note/session-status.js';
import type { Turn } from '../../../../src/agents/capture/session.js';
import { session, turn } from './sessions.js';

const passed = { command: 'npm test', error: '', hasFailed: false };
const failed = { command: 'npm test', error: 'error: boom', hasFailed: true };
const statusAfter = (...turns: readonly Partial<Turn>[]) =>
  statusOf(session({ turns: turns.map((fields, i) => turn({ number: i + 1, outcome: 'Done.', ...fields })) }));

describe('a session', () => {
  it('is done when nothing speaks against it', () => {
    expect(statusAfter({ files: ['a.ts'], lastRun: passed, lastCheck: passed })).toEqual({ kind: 'done' });
    expect(statusAfter({ lastCheck: failed, lastRun: failed }, { lastCheck: passed, lastRun: passed })).toEqual({
      kind: 'done',
    });
  });

  it('is mere talk when nothing was written, committed or run', () => {
    expect(statusAfter({}, {})).toEqual({ kind: 'talked' });
    expect(statusAfter({ files: ['notes.md'] })).toEqual({ kind: 'done' });
  });

  it('is unverified when its last check failed, whatever was committed after it', () => {
    const commit = { command: 'git commit', error: '', hasFailed: false };
    const expected = { kind: 'unverified', why: '`npm test` failed when it last ran: error: boom' };
    expect(statusAfter({ lastRun: failed, lastCheck: failed })).toEqual(expected);
    expect(statusAfter({ lastRun: commit, lastCheck: failed })).toEqual(expected);
    expect(statusAfter({ lastRun: failed, lastCheck: failed }, { outcome: 'It is fine.' })).toEqual(expected);
  });

  it('is unverified when nothing was run after the last change or the reported error', () => {
    expect(statusAfter({ untried: ['a.ts'], lastCheck: passed })).toEqual({
      kind: 'unverified',
      why: 'nothing was run after the last change to `a.ts`',
    });
    expect(statusAfter({ reported: 'error: boom', untried: ['a.ts'] })).toEqual({
      kind: 'unverified',
      why: 'the user reported “error: boom”, and nothing has tried the change to `a.ts` since',
    });
    expect(statusAfter({ reported: 'error: boom', lastCheck: passed })).toEqual({ kind: 'done' });
  });

  it('is interrupted at a prompt after which nothing was done', () => {
    const broken = { prompt: 'Now push', isInterrupted: true, outcome: '' };
    expect(statusAfter({}, broken)).toEqual({ kind: 'interrupted', prompt: 'Now push', isAnswered: true });
    expect(statusAfter(broken, { prompt: 'wait, why?' })).toMatchObject({ kind: 'interrupted', prompt: 'Now push' });
    expect(statusAfter(broken, { prompt: 'go on', files: ['a.md'] })).toEqual({ kind: 'done' });
    expect(statusAfter({}, { prompt: 'Now push', outcome: '' })).toMatchObject({
      kind: 'interrupted',
      isAnswered: false,
    });
  });

  it("is not interrupted by the program's own slash commands", () => {
    expect(statusAfter({ files: ['a.md'] }, { prompt: '/clear', isSlashCommand: true, outcome: '' })).toEqual({
      kind: 'done',
    });
    expect(openPromptsOf(session({ turns: [turn({ prompt: '', outcome: '' })] }))).toEqual([]);
  });
});
