import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { schemaNumber } from '../../../src/projections/checkpoint.js';
import { openGeneration } from '../../../src/projections/generation.js';
import { agentStateCheck, indexCheck, stateCheck } from '../../../src/setup/doctor/databases.js';
import { handEditsCheck } from '../../../src/setup/doctor/hand-edits.js';
import { openAgentState } from '../../../src/state/agent-state.js';
import { bundleChild, startChild } from '../../support/children.js';
import { personsGit } from '../../support/store.js';
import { aNote, openPatient, type Patient, pictureOf } from './support.js';

let patient: Patient;
beforeEach(async () => {
  patient = await openPatient({ notes: 6 });
});
afterEach(() => patient.remove());

const indexFile = (): string =>
  patient.path('index', readFileSync(patient.path('index', `current-v${schemaNumber}`), 'utf8').trim());

describe('state.db', () => {
  it('is read in full', async () => {
    expect(await patient.find(stateCheck)).toMatchObject([{ state: 'ok', message: 'knows 6 files' }]);
  });
  it('is reported when it is not a database', async () => {
    writeFileSync(patient.path('state.db'), 'rubbish '.repeat(1_000));
    expect(await patient.find(stateCheck)).toMatchObject([
      { state: 'problem', damage: true, next: expect.stringContaining('remove that file') },
    ]);
  });
  it('is reported when some of its pages were overwritten', async () => {
    const handle = openSync(patient.path('state.db'), 'r+');
    for (let page = 1; page < 30; page += 1) writeSync(handle, Buffer.alloc(4_096, 0x5a), 0, 4_096, page * 4_096);
    expect(await patient.find(stateCheck)).toMatchObject([{ state: 'problem', damage: true }]);
    const { damaged, findings } = await patient.diagnose();
    expect(damaged).toBe(true);
    expect(findings.filter(({ state }) => state === 'problem').map(({ check }) => check)).toEqual(['state.db']);
  });
  it.each(['gone', 'empty'])('is not created when it is %s', async (how) => {
    unlinkSync(patient.path('state.db'));
    if (how === 'empty') writeFileSync(patient.path('state.db'), '');
    const before = pictureOf(patient.store);
    expect(await patient.find(stateCheck)).toMatchObject([{ state: 'warning' }]);
    await patient.diagnose();
    expect(pictureOf(patient.store)).toEqual(before);
  });
});

describe('agents.db', () => {
  const addTranscripts = (): void => {
    const state = openAgentState(patient.path('agents.db'));
    for (let count = 0; count < 300; count += 1) state.expectTranscript(`/transcripts/${count}.jsonl`, `s${count}`, 1);
    state.close();
  };
  it('is neither created nor changed by the check', async () => {
    const before = pictureOf(patient.store);
    expect(await patient.find(agentStateCheck)).toEqual([]);
    expect(pictureOf(patient.store)).toEqual(before);
    addTranscripts();
    const made = pictureOf(patient.store);
    expect(await patient.find(agentStateCheck)).toMatchObject([{ state: 'ok', message: 'knows 300 sessions' }]);
    expect(pictureOf(patient.store)).toEqual(made);
  });
  it('counts sessions without a transcript, and each of the others once', async () => {
    addTranscripts();
    const state = openAgentState(patient.path('agents.db'));
    for (const session of ['s1', 'other', 'another']) state.serve(session, [], { fresh: true, nowMs: 1 });
    state.close();
    expect(await patient.find(agentStateCheck)).toMatchObject([{ message: 'knows 302 sessions' }]);
  });
  it.each([
    ['is not a database', () => writeFileSync(patient.path('agents.db'), 'rubbish '.repeat(1_000))],
    [
      'has overwritten pages',
      () => {
        const handle = openSync(patient.path('agents.db'), 'r+');
        const { size } = statSync(patient.path('agents.db'));
        for (let at = 4_096; at < size; at += 4_096) writeSync(handle, Buffer.alloc(512, 0x5a), 0, 512, at);
      },
    ],
  ])('is reported when it %s, left unchanged, and removed by the fix', async (_, damage) => {
    addTranscripts();
    damage();
    const before = pictureOf(patient.store);
    const { damaged, findings } = await patient.diagnose();
    expect(damaged).toBe(false);
    expect(findings.filter(({ state }) => state === 'problem').map(({ check }) => check)).toEqual(['agents.db']);
    expect(pictureOf(patient.store)).toEqual(before);
    expect(await patient.mend(agentStateCheck)).toMatchObject([{ done: true }]);
    expect(await patient.find(agentStateCheck)).toEqual([]);
  });
  it('is not taken for damaged while hooks write it', async () => {
    addTranscripts();
    const script = `
      const database = new (require('better-sqlite3'))(${JSON.stringify(patient.path('agents.db'))});
      database.pragma('synchronous = OFF');
      database.pragma('journal_mode = TRUNCATE');
      const insert = database.prepare('INSERT OR REPLACE INTO transcripts VALUES (?, ?, 0, 0, 1)');
      const delay = new Int32Array(new SharedArrayBuffer(4));
      console.log('up');
      for (let count = 0; ; count += 1) {
        database.transaction(() => {
          for (let row = 0; row < 200; row += 1) insert.run('/t/' + ((count * 7919 + row * 104729) % 5000), 's' + count);
        })();
        Atomics.wait(delay, 0, 0, 3);
      }`;
    const writer = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(writer.stdout, 'data');
    const states: string[] = [];
    for (let round = 0; round < 15; round += 1) {
      states.push(...(await patient.find(agentStateCheck)).map((one) => one.state));
    }
    writer.kill('SIGKILL');
    await once(writer, 'close');
    expect(new Set(states)).toEqual(new Set(['ok']));
  });
});

describe('the index', () => {
  it.each([
    ['rubbish', () => writeFileSync(indexFile(), 'rubbish '.repeat(1_000))],
    ['truncated', () => writeFileSync(indexFile(), readFileSync(indexFile()).subarray(0, 9_000))],
    ['gone', () => unlinkSync(indexFile())],
  ])('is reported when its file is %s, and rebuilt by the fix', async (_, damage) => {
    damage();
    expect(await patient.find(indexCheck)).toMatchObject([{ state: 'problem', damage: true }]);
    expect(await patient.mend(indexCheck)).toMatchObject([{ done: true }]);
    expect(await patient.find(indexCheck)).toMatchObject([{ state: 'ok' }]);
  });
  it('warns when it does not exist or has another version', async () => {
    const index = openGeneration(indexFile());
    index.pragma('user_version = 1');
    index.close();
    expect(await patient.find(indexCheck)).toMatchObject([
      { state: 'warning', message: expect.stringMatching(/version 1/) },
    ]);
    rmSync(patient.path('index'), { recursive: true });
    expect(await patient.find(indexCheck)).toMatchObject([
      { state: 'warning', message: expect.stringMatching(/there is no index/) },
    ]);
    expect(existsSync(patient.path('index'))).toBe(false);
    expect(await patient.mend(indexCheck)).toMatchObject([{ done: true }]);
  });
  it('is ok before the first note', async () => {
    const empty = await openPatient();
    await empty.with((memory) => memory.initialise());
    expect(await empty.find(indexCheck)).toMatchObject([{ state: 'ok', message: 'nothing to index yet' }]);
    empty.remove();
  });
  it('is ok, and left as it is, when it is behind a commit made by hand', async () => {
    appendFileSync(aNote(patient), 'and more\n');
    personsGit(patient.path('memory'), 'commit', '-qam', 'by hand');
    const before = pictureOf(patient.path('index'));
    expect(await patient.find(indexCheck)).toMatchObject([
      { state: 'ok', message: expect.stringContaining('catches up') },
    ]);
    expect(pictureOf(patient.path('index'))).toEqual(before);
  });
  it('is reported when SQLite finds pages of it damaged', async () => {
    const handle = openSync(indexFile(), 'r+');
    const { size } = statSync(indexFile());
    for (let at = 8 * 4_096; at < size; at += 4_096) writeSync(handle, Buffer.alloc(64, 0x5a), 0, 64, at);
    expect(await patient.find(indexCheck)).toMatchObject([{ state: 'problem', damage: true }]);
  });
  it('is not taken for damaged while another process writes', async () => {
    const { child, ended } = startChild(await bundleChild('many-writer'), [patient.store, 'other', '15']);
    child.stdin?.write('go\n');
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    const states: string[] = [];
    while (!isOver) states.push(...(await patient.find(indexCheck)).map(({ state }) => state));
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(states.length).toBeGreaterThan(3);
    expect(new Set(states)).toEqual(new Set(['ok']));
  });
});

describe('edits made by hand', () => {
  it('are reported, and recorded by the fix', async () => {
    expect(await patient.find(handEditsCheck)).toMatchObject([{ state: 'ok' }]);
    const file = aNote(patient);
    appendFileSync(file, 'by hand\n');
    // The check asks the index whose file it is, and leaves it open.
    const picture = (): object =>
      Object.entries(pictureOf(patient.store)).filter(([name]) => !/^index\/.*-(?:shm|wal)$/.test(name));
    const before = picture();
    expect(await patient.find(handEditsCheck)).toMatchObject([
      {
        state: 'warning',
        message: expect.stringContaining(file.slice(-29)),
        next: expect.stringMatching(/anamnesis adopt/),
      },
    ]);
    expect(picture()).toEqual(before);
    expect(await patient.mend(handEditsCheck)).toMatchObject([{ done: true }]);
    expect(
      personsGit(patient.path('memory'), 'show', `HEAD:${file.slice(patient.path('memory').length + 1)}`),
    ).toContain('by hand');
    expect(await patient.find(handEditsCheck)).toMatchObject([{ state: 'ok' }]);
  });
  it('that contain no note are reported, without a fix', async () => {
    writeFileSync(patient.path('memory', 'semantic', 'scribble.md'), 'not a note');
    const [found] = await patient.find(handEditsCheck);
    expect(found).toMatchObject({ state: 'warning', message: expect.stringContaining('semantic/scribble.md') });
    expect(found!.fix).toBeUndefined();
  });
  it('that remove many notes are reported, without a fix', async () => {
    for (let removed = 0; removed < 3; removed += 1) unlinkSync(aNote(patient));
    const [found, ...others] = await patient.find(handEditsCheck);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ state: 'warning', next: expect.stringContaining('--put-back') });
    expect(found!.fix).toBeUndefined();
  });
});

it('data that a killed process left in the WAL of a database is no damage', async () => {
  const script = `
    const database = new (require('better-sqlite3'))(${JSON.stringify(patient.path('state.db'))});
    database.exec("INSERT INTO touched VALUES ('memory', 'semantic/x.md')");
    process.kill(process.pid, 'SIGKILL');`;
  const ended = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(ended).toMatchObject({ signal: 'SIGKILL', stderr: '' });
  expect(existsSync(patient.path('state.db-wal'))).toBe(true);
  expect(await patient.find(stateCheck)).toMatchObject([{ state: 'ok' }]);
  await patient.with(async (memory) => {
    expect((await memory.store()).state.touched('portable')).toEqual(['semantic/x.md']);
  });
});
