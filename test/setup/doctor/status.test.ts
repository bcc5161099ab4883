import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putItem } from '../../../src/agents/hooks/spool.js';
import type { Status } from '../../../src/answers/store-schema.js';
import { readStatus, tellOfModels } from '../../../src/app/status.js';
import { modelsByChoice } from '../../../src/config/model-choice.js';
import { openAgentState } from '../../../src/state/agent-state.js';
import { noteOf, writeCommand, writeNote } from '../../support/store.js';
import { openPatient, type Patient, pictureOf } from './support.js';

let patient: Patient;
beforeEach(async () => {
  patient = await openPatient({ notes: 1 });
});
afterEach(() => patient.remove());

const agents = (): Promise<Status['agents']> => patient.with(async (memory) => (await readStatus(memory)).agents);

/** A status records in state.db that files are unchanged which were written just now. */
const withoutStamps = (): object => ({ ...pictureOf(patient.store), 'state.db': undefined });

describe('the status of agents', () => {
  it('is empty in a store that no agent has used, and reading it makes no file', async () => {
    await agents();
    const before = withoutStamps();
    expect(await agents()).toEqual({
      last_capture: null,
      spool: 0,
      missing_transcripts: 0,
      model_calls_today: 0,
      proposals: 0,
    });
    expect(withoutStamps()).toEqual(before);
  });
  it('is empty without a store, and none is made', async () => {
    const empty = await openPatient();
    expect(await empty.with(async (memory) => (await readStatus(memory)).agents)).toEqual({
      last_capture: null,
      spool: 0,
      missing_transcripts: 0,
      model_calls_today: 0,
      proposals: 0,
    });
    expect(() => pictureOf(empty.store)).toThrow('ENOENT');
    empty.remove();
  });
  it('counts spooled items, model calls today and proposals, and names the last capture on this machine', async () => {
    const item = {
      kind: 'capture',
      session: 's',
      transcript: '/t',
      cwd: '/',
      event: 'SessionEnd',
      text: '',
      size: 0,
    } as const;
    putItem(patient.path('spool'), { ...item, client: 'claude-code' });
    putItem(patient.path('spool'), { ...item, session: 'other', client: 'claude-code' });
    const state = openAgentState(patient.path('agents.db'));
    const today = new Date().toISOString().slice(0, 10);
    state.addCall(today, 'ollama', true);
    state.addCall(today, 'claude', false);
    state.addCall('2020-01-01', 'claude', true);
    state.close();
    const at = await patient.with(async (memory) => {
      const older = await writeNote(memory, { title: 'Deploys run on Friday' });
      await memory.perform(
        writeCommand({ title: 'Deploys run on Monday', body: 'Since June.\n', proposes: [older.id] }),
      );
      const captured = await memory.perform({
        kind: 'capture',
        session: 's1',
        title: 'A session',
        body: 'Deployed.\n',
        tags: [],
        project: 'global',
        startedAtMs: Date.now(),
      });
      noteOf(captured);
      return captured.status === 'refused' ? undefined : captured.event?.at;
    });
    expect(await agents()).toEqual({
      last_capture: at,
      spool: 2,
      missing_transcripts: 0,
      model_calls_today: 2,
      proposals: 1,
    });
  });
});

describe('a person with claude on PATH', () => {
  const told = (config: string): Promise<readonly (string | undefined)[]> => {
    writeFileSync(patient.path('config.json'), config);
    writeFileSync(join(patient.folder, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
    const environment = { PATH: patient.folder };
    return patient.with(async (memory) => [
      await tellOfModels(memory, {}),
      await tellOfModels(memory, environment),
      await tellOfModels(memory, environment),
    ]);
  };
  it('is told once that models are asked by choice only', async () => {
    expect(await told('{}')).toEqual([undefined, modelsByChoice, undefined]);
  });
  it('is told nothing after choosing', async () => {
    expect(await told('{"learn_judges": ""}')).toEqual([undefined, undefined, undefined]);
  });
});
