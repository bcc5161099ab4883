import { spawnSync } from 'node:child_process';
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
import { openAgentState } from '../../../src/events/agent-state.js';
import { newUlid } from '../../../src/events/ids.js';
import { openLock } from '../../../src/events/lock.js';
import { stateCheck, writeLockCheck } from '../../../src/memory/doctor/databases.js';
import { handEditsCheck } from '../../../src/memory/doctor/hand-edits.js';
import { indexCheck } from '../../../src/memory/doctor/index-check.js';
import { askAgentState } from '../../../src/memory/doctor/state-file.js';
import { openGeneration } from '../../../src/projections/index/generation.js';
import { personsGit, writeNote } from '../../support/store.js';
import { aNote, openPatient, type Patient, pictureOf } from './support.js';

let patient: Patient;
beforeEach(async () => {
  patient = await openPatient({ notes: 6 });
});
afterEach(() => patient.remove());

const indexFile = (): string => patient.path('index', readFileSync(patient.path('index', 'current-v2'), 'utf8').trim());

describe('state.db', () => {
  it('is read to its end', async () => {
    expect(await patient.find(stateCheck)).toMatchObject([{ state: 'ok', message: 'knows 6 files' }]);
  });
  it('is named when it is no database', async () => {
    writeFileSync(patient.path('state.db'), 'rubbish '.repeat(1_000));
    expect(await patient.find(stateCheck)).toMatchObject([
      { state: 'problem', damage: true, next: expect.stringContaining('remove that file') },
    ]);
  });
  it('is named when pages of it were overwritten', async () => {
    const handle = openSync(patient.path('state.db'), 'r+');
    for (let page = 1; page < 30; page += 1) writeSync(handle, Buffer.alloc(4_096, 0x5a), 0, 4_096, page * 4_096);
    expect(await patient.find(stateCheck)).toMatchObject([{ state: 'problem', damage: true }]);
    const { damaged, findings } = await patient.diagnose();
    expect(damaged).toBe(true);
    expect(findings.filter(({ state }) => state === 'problem').map(({ check }) => check)).toEqual(['state.db']);
  });
  it.each(['gone', 'empty'])('is not made when it is %s', async (how) => {
    unlinkSync(patient.path('state.db'));
    if (how === 'empty') writeFileSync(patient.path('state.db'), '');
    const before = pictureOf(patient.store);
    expect(await patient.find(stateCheck)).toMatchObject([{ state: 'warning' }]);
    await patient.diagnose();
    expect(pictureOf(patient.store)).toEqual(before);
  });
  it('gets no tables of agents by being looked at', async () => {
    const examined = { home: patient.store } as Parameters<typeof askAgentState>[0];
    const before = pictureOf(patient.store);
    expect(await askAgentState(examined, () => 'there')).toBeUndefined();
    expect(pictureOf(patient.store)).toEqual(before);
    const state = openAgentState(patient.path('agents.db'));
    // Not in the file itself yet: what was just made stands in its log.
    expect(await askAgentState(examined, () => 'there')).toBe('there');
    state.close();
    expect(await askAgentState(examined, () => 'there')).toBe('there');
  });
});

describe('the write lock', () => {
  it('is free in a store that nobody writes to, and free again after being asked', async () => {
    expect(await patient.find(writeLockCheck)).toMatchObject([{ state: 'ok' }]);
    const lock = openLock(patient.path('lock.db'));
    expect(lock.tryAcquire()).toBe(true);
    lock.close();
  });
  it('is named when another holds on to it', async () => {
    const lock = openLock(patient.path('lock.db'));
    lock.tryAcquire();
    expect(await patient.find(writeLockCheck)).toMatchObject([
      { state: 'warning', next: expect.stringMatching(/stuck/) },
    ]);
    setTimeout(() => lock.release(), 200);
    expect(await patient.find(writeLockCheck)).toMatchObject([{ state: 'ok' }]);
    lock.close();
  });
  it('is named when its file is no database', async () => {
    writeFileSync(patient.path('lock.db'), 'rubbish '.repeat(1_000));
    expect(await patient.find(writeLockCheck)).toMatchObject([{ state: 'problem', damage: true }]);
  });
});

describe('the index', () => {
  it('is named when a row of it is not what the journal says, and rebuilt on a yes', async () => {
    const index = openGeneration(indexFile());
    index.prepare("UPDATE notes SET title = 'forged' WHERE rowid = 1").run();
    index.close();
    expect(await patient.find(indexCheck)).toMatchObject([
      { state: 'problem', damage: true, message: expect.stringContaining('(digest)') },
    ]);
    expect(await patient.mend(indexCheck)).toMatchObject([
      { done: true, message: expect.stringMatching(/^replayed 6 notes/) },
    ]);
    expect(await patient.find(indexCheck)).toMatchObject([{ state: 'ok' }]);
  });
  it.each([
    ['rubbish', () => writeFileSync(indexFile(), 'rubbish '.repeat(1_000))],
    ['cut short', () => writeFileSync(indexFile(), readFileSync(indexFile()).subarray(0, 9_000))],
    ['gone', () => unlinkSync(indexFile())],
  ])('is named when its file is %s, and rebuilt on a yes', async (_, damage) => {
    damage();
    expect(await patient.find(indexCheck)).toMatchObject([{ state: 'problem', damage: true }]);
    expect(await patient.mend(indexCheck)).toMatchObject([{ done: true }]);
    expect(await patient.find(indexCheck)).toMatchObject([{ state: 'ok' }]);
  });
  it('is warned of when there is none or it is of another version', async () => {
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
  it('has nothing to hold before the first note', async () => {
    const empty = await openPatient();
    await empty.with((memory) => memory.initialise());
    expect(await empty.find(indexCheck)).toMatchObject([{ state: 'ok', message: 'nothing to hold yet' }]);
    empty.remove();
  });
  it('may be behind a commit of a person, and is left so', async () => {
    appendFileSync(aNote(patient), 'and more\n');
    personsGit(patient.path('memory'), 'commit', '-qam', 'by hand');
    const before = pictureOf(patient.path('index'));
    expect(await patient.find(indexCheck)).toMatchObject([
      { state: 'ok', message: expect.stringContaining('takes in what is new') },
    ]);
    expect(pictureOf(patient.path('index'))).toEqual(before);
  });
  it('says that it could not be compared when history was rewritten', async () => {
    personsGit(patient.path('memory'), 'commit', '-q', '--amend', '-m', 'rewritten');
    personsGit(patient.path('memory'), 'reflog', 'expire', '--expire=now', '--all');
    personsGit(patient.path('memory'), 'gc', '-q', '--prune=now');
    expect(await patient.find(indexCheck)).toMatchObject([
      { state: 'warning', message: expect.stringMatching(/could not be compared/) },
    ]);
    await patient.mend(indexCheck);
    expect(await patient.find(indexCheck)).toMatchObject([{ state: 'ok' }]);
  });
  it('of more than 1,000 notes is looked through by SQLite alone', async () => {
    const note = aNote(patient);
    const [text, id] = [readFileSync(note, 'utf8'), note.slice(-29, -3)];
    for (let count = 0; count < 1_000; count += 1) {
      const other = newUlid(Date.now());
      writeFileSync(patient.path('memory', 'semantic', `${other}.md`), text.replace(id, other));
    }
    personsGit(patient.path('memory'), 'add', '-A');
    personsGit(patient.path('memory'), 'commit', '-qm', 'many');
    await patient.with((memory) => memory.keeper.rebuild('test'));
    expect(await patient.find(indexCheck)).toMatchObject([
      { state: 'ok', message: expect.stringMatching(/^holds 1006 notes; anamnesis replay --verify/) },
    ]);
    const handle = openSync(indexFile(), 'r+');
    const { size } = statSync(indexFile());
    for (let at = 8 * 4_096; at < size; at += 4_096) writeSync(handle, Buffer.alloc(64, 0x5a), 0, 64, at);
    expect(await patient.find(indexCheck)).toMatchObject([{ state: 'problem', damage: true }]);
  });
  it('is not taken for damaged while others write', async () => {
    const states: string[] = [];
    await patient.with(async (memory) => {
      for (let round = 0; round < 8; round += 1) {
        const [found] = await Promise.all([
          patient.find(indexCheck),
          ...Array.from({ length: 5 }, (_, at) =>
            writeNote(memory, { title: `Round ${round}, ${at}`, body: `${round} ${at}\n` }),
          ),
        ]);
        states.push(...found.map(({ state }) => state));
      }
    });
    expect(new Set(states)).toEqual(new Set(['ok']));
  });
});

describe('edits by hand', () => {
  it('are named, and recorded on a yes', async () => {
    expect(await patient.find(handEditsCheck)).toMatchObject([{ state: 'ok' }]);
    const file = aNote(patient);
    appendFileSync(file, 'by hand\n');
    const before = pictureOf(patient.store);
    expect(await patient.find(handEditsCheck)).toMatchObject([
      {
        state: 'warning',
        message: expect.stringContaining(file.slice(-29)),
        next: expect.stringMatching(/anamnesis adopt/),
      },
    ]);
    expect(pictureOf(patient.store)).toEqual(before);
    expect(await patient.mend(handEditsCheck)).toMatchObject([{ done: true }]);
    expect(
      personsGit(patient.path('memory'), 'show', `HEAD:${file.slice(patient.path('memory').length + 1)}`),
    ).toContain('by hand');
    expect(await patient.find(handEditsCheck)).toMatchObject([{ state: 'ok' }]);
  });
  it('that no note comes of are named, without a fix', async () => {
    writeFileSync(patient.path('memory', 'semantic', 'scribble.md'), 'not a note');
    const [found] = await patient.find(handEditsCheck);
    expect(found).toMatchObject({ state: 'warning', message: expect.stringContaining('semantic/scribble.md') });
    expect(found!.fix).toBeUndefined();
  });
  it('that remove many notes wait for a word, and no fix says it', async () => {
    for (let removed = 0; removed < 3; removed += 1) unlinkSync(aNote(patient));
    const [found, ...others] = await patient.find(handEditsCheck);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ state: 'warning', next: expect.stringContaining('--put-back') });
    expect(found!.fix).toBeUndefined();
  });
});

it('what a killed process left in the log of a database is no damage', async () => {
  const script = `
    const database = new (require('better-sqlite3'))(${JSON.stringify(patient.path('state.db'))});
    database.exec("INSERT INTO touched VALUES ('memory', 'semantic/x.md')");
    process.kill(process.pid, 'SIGKILL');`;
  const ended = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(ended).toMatchObject({ signal: 'SIGKILL', stderr: '' });
  expect(existsSync(patient.path('state.db-wal'))).toBe(true);
  expect(await patient.find(stateCheck)).toMatchObject([{ state: 'ok' }]);
  await patient.with(async (memory) => {
    expect((await memory.store()).state.touched('memory')).toEqual(['semantic/x.md']);
  });
});
