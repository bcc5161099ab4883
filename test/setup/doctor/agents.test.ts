import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listItems, putItem, type SpoolItem } from '../../../src/agents/hooks/spool.js';
import { captureCheck, modelsCheck, spoolCheck, workerCheck } from '../../../src/setup/doctor/agents.js';
import { openAgentState } from '../../../src/state/agent-state.js';
import { openPatient, type Patient, pictureOf } from './support.js';

const hourMs = 3_600_000;

let patient: Patient;
let spool: string;
beforeEach(async () => {
  patient = await openPatient({ notes: 1 });
  spool = patient.path('spool');
});
afterEach(() => patient.remove());

/** Writes a transcript with one question, an edit and an answer, last modified `ageMs` ago. */
const writeTranscript = (session: string, ageMs: number): string => {
  const folder = join(patient.claudeHome, 'projects', '-work-shop');
  mkdirSync(folder, { recursive: true });
  const base = { sessionId: session, cwd: '/work/shop', version: '2.1.0', timestamp: '2026-11-20T10:00:00.000Z' };
  const edit = { type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: '/work/shop/deploy.ts' } };
  const lines = [
    {
      ...base,
      type: 'user',
      uuid: `${session}-1`,
      message: {
        role: 'user',
        content: 'Why does the deploy hang when the registry is slow? Please find and mend it.',
      },
    },
    {
      ...base,
      type: 'assistant',
      uuid: `${session}-2`,
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'The client had no timeout. I gave it ten seconds.' }, edit],
      },
    },
  ];
  const file = join(folder, `${session}.jsonl`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  age(file, ageMs);
  return file;
};

const age = (file: string, ageMs: number): void => {
  const then = (Date.now() - ageMs) / 1000;
  utimesSync(file, then, then);
};

const item = (transcript: string, session = 's1'): SpoolItem => ({
  kind: 'capture',
  session,
  transcript,
  cwd: '/work/shop',
  event: 'SessionEnd',
  text: '',
  size: 1,
  client: 'claude-code',
});

/** Holds the worker's lock in a separate process, as a worker does; resolves once it is held. */
const holdWorkerLock = async (): Promise<{ end(): Promise<void> }> => {
  const script = `
    const database = new (require('better-sqlite3'))(${JSON.stringify(patient.path('worker.db'))});
    database.exec('BEGIN IMMEDIATE');
    console.log('held');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    end: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
};

describe('the spool', () => {
  it('is ok while it is empty, and while its items are young', async () => {
    expect(await patient.find(spoolCheck)).toMatchObject([{ state: 'ok', message: 'nothing is waiting' }]);
    putItem(spool, item('/nowhere'));
    expect(await patient.find(spoolCheck)).toMatchObject([{ state: 'ok', message: '1 item for the worker' }]);
  });
  it('is reported when items wait for more than an hour, and processed by the fix', async () => {
    const transcript = writeTranscript('s1', 3 * hourMs);
    age(join(spool, putItem(spool, item(transcript))), 3 * hourMs);
    age(join(spool, putItem(spool, item('/gone', 's2'))), 0);
    const before = pictureOf(patient.folder);
    expect(await patient.find(spoolCheck)).toMatchObject([
      {
        state: 'warning',
        message: '2 items in the spool, the oldest waiting for 3 hours',
        next: expect.stringMatching(/^run: anamnesis work/),
      },
    ]);
    expect(pictureOf(patient.folder)).toEqual(before);
    expect(await patient.mend(spoolCheck)).toMatchObject([
      { done: true, message: expect.stringMatching(/^captured 1 session/) },
    ]);
    expect(listItems(spool)).toEqual([]);
    expect(await patient.find(spoolCheck)).toMatchObject([{ state: 'ok' }]);
    await patient.with(async (memory) => {
      expect(await memory.events({ kind: 'session.captured' }, 5)).toMatchObject([{ session: 's1' }]);
    });
  });
  it.each(['', '{', '[]', '{"kind":"other"}', '\u0000'])('is reported when it contains %j', async (text) => {
    mkdirSync(spool, { recursive: true });
    writeFileSync(join(spool, 'x.json'), text);
    expect(await patient.find(spoolCheck)).toMatchObject([
      { state: 'warning', message: expect.stringContaining('x.json') },
    ]);
  });
});

describe('the worker', () => {
  it('is reported as running or not running', async () => {
    const worker = await holdWorkerLock();
    expect(await patient.find(workerCheck)).toMatchObject([{ state: 'ok', message: 'running' }]);
    await worker.end();
    expect(await patient.find(workerCheck)).toMatchObject([{ state: 'ok', message: 'not running' }]);
  });
  it('is reported when it holds its lock while work waits, as the fix of the spool says', async () => {
    const worker = await holdWorkerLock();
    age(join(spool, putItem(spool, item('/gone'))), 2 * hourMs);
    expect(await patient.find(workerCheck)).toMatchObject([
      { state: 'problem', message: expect.stringContaining('2 hours') },
    ]);
    expect(await patient.mend(spoolCheck)).toMatchObject([{ done: false, message: 'another worker is running' }]);
    await worker.end();
    expect(await patient.mend(spoolCheck)).toMatchObject([{ done: true }]);
  });
});

it('a worker lock that is not a database is reported', async () => {
  writeFileSync(patient.path('worker.db'), 'rubbish '.repeat(1_000));
  expect(await patient.find(workerCheck)).toMatchObject([
    { state: 'problem', damage: true, message: expect.stringContaining('worker.db is damaged') },
  ]);
});

describe('models', () => {
  it('are none unless one is named, and then it says what is sent', async () => {
    const nothing = 'no model is asked: session notes and lessons are made by rules';
    expect(await patient.find(modelsCheck)).toEqual([{ check: 'models', state: 'ok', message: nothing }]);
    writeFileSync(patient.path('config.json'), '{"learn_judges": ["claude"], "learn_daily_calls": 7}');
    const [found] = await patient.find(modelsCheck);
    expect(found?.message).toMatch(/^claude: sent excerpts of sessions .* at most 7 times a day/);
  });
});

describe('capture', () => {
  /** Writes the record that init leaves, `ageMs` old. */
  const writeSetupRecord = (ageMs: number): void => {
    mkdirSync(patient.path('setup'));
    writeFileSync(patient.path('setup', 'record.json'), '{}');
    age(patient.path('setup', 'record.json'), ageMs);
  };

  it('has nothing to report before there are sessions', async () => {
    expect(await patient.find(captureCheck)).toEqual([
      { check: 'capture', state: 'ok', message: 'no session captured yet' },
    ]);
  });
  it('reports when a session was last captured', async () => {
    const transcript = writeTranscript('s1', 0);
    putItem(spool, item(transcript));
    age(join(spool, listItems(spool)[0]!), 2 * hourMs);
    await patient.mend(spoolCheck);
    expect(await patient.find(captureCheck)).toMatchObject([
      { state: 'ok', message: expect.stringMatching(/^last capture 20\d\d-.*, 0 minutes ago$/) },
    ]);
  });
  it('warns when a known session continued without being captured, and captures it in the fix', async () => {
    const transcript = writeTranscript('s1', 2 * hourMs);
    const state = openAgentState(patient.path('agents.db'));
    state.expectTranscript(transcript, 's1', Date.now());
    state.close();
    expect(await patient.find(captureCheck)).toMatchObject([
      { state: 'warning', message: '1 session not fully captured; no session captured yet' },
    ]);
    expect(await patient.mend(captureCheck)).toMatchObject([{ done: true }]);
    expect(await patient.find(captureCheck)).toMatchObject([{ state: 'ok' }]);
    appendFileSync(transcript, '{}\n');
    expect(await patient.find(captureCheck)).toMatchObject([{ state: 'ok' }]);
    age(transcript, 2 * hourMs);
    expect(await patient.find(captureCheck)).toMatchObject([{ state: 'warning' }]);
  });
  it('warns when no hook ran in sessions since init', async () => {
    writeSetupRecord(5 * hourMs);
    writeTranscript('s1', 2 * hourMs);
    writeTranscript('s2', 0);
    const [found, ...others] = await patient.find(captureCheck);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      state: 'warning',
      message: 'no hook ran in 1 session since init; no session captured yet',
    });
    expect(found!.next).toContain('anamnesis import transcripts');
  });
  it('does not count sessions that began before init', async () => {
    const transcript = writeTranscript('s1', 2 * hourMs);
    const later = Date.now() + 4 * hourMs;
    writeSetupRecord(-1 * hourMs);
    age(transcript, -2 * hourMs);
    expect(statSync(transcript).mtimeMs).toBeGreaterThan(statSync(patient.path('setup', 'record.json')).mtimeMs);
    expect(await patient.find(captureCheck, { nowMs: () => later })).toMatchObject([{ state: 'ok' }]);
  });
  it('is ok when it is turned off', async () => {
    writeSetupRecord(5 * hourMs);
    writeTranscript('s1', 2 * hourMs);
    writeFileSync(patient.path('config.json'), '{"capture": false}');
    expect(await patient.find(captureCheck)).toMatchObject([{ state: 'ok', message: 'turned off in the settings' }]);
  });
  it('names a session that was not captured because its transcript is nowhere', async () => {
    const state = openAgentState(patient.path('agents.db'));
    state.expectTranscript('/gone/s9.jsonl', 's9', Date.now());
    state.close();
    expect(await patient.find(captureCheck)).toMatchObject([
      { state: 'warning', message: expect.stringMatching(/^1 session without a transcript, .*s9\.jsonl$/) },
    ]);
  });
});
