import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/config/settings.js';
import { searchModelCheck } from '../../../src/setup/doctor/settings.js';
import { installModel } from '../../../src/setup/models.js';
import { installMadeUp } from '../../embedding/made-up-model.js';
import { useRuntime, writeRuntime } from '../../embedding/sentence/fake-runtime.js';
import { publish, publishedSentences } from '../../embedding/sentence/tiny-onnx.js';
import { openPatient, type Patient } from './support.js';

let patient: Patient;
beforeEach(async () => {
  patient = await openPatient({ notes: 1 });
});
afterEach(() => patient.remove());

const configure = (config: object): void => writeFileSync(patient.path('config.json'), JSON.stringify(config));
const server = { embedding_url: 'https://api.example.com/v1?key=hidden', embedding_model: 'm' };

describe('the check of search by meaning', () => {
  it('finds nothing when it is not set up', async () => {
    expect(await patient.find(searchModelCheck)).toEqual([]);
  });

  it('reports a model on this machine, or that it is missing', async () => {
    configure({ search_model: 'made-up' });
    expect(await patient.find(searchModelCheck)).toMatchObject([{ state: 'problem', next: expect.any(String) }]);
    installMadeUp(patient.store);
    expect(await patient.find(searchModelCheck)).toMatchObject([
      { state: 'ok', message: 'search compares meanings with made-up, on this machine' },
    ]);
  });

  it('reports a model that needs a runtime, or that its package is missing', async () => {
    const from = publish(join(patient.store, '..', 'tiny'), publishedSentences());
    const runtime = writeRuntime(join(patient.store, '..', 'runtime'));
    const putBack = useRuntime(runtime);
    try {
      await installModel(readSettings({ ANAMNESIS_HOME: patient.store }), { from });
      configure({ search_model: 'tiny' });
      expect(await patient.find(searchModelCheck)).toMatchObject([
        { state: 'ok', message: 'search compares meanings with tiny, on this machine' },
      ]);
      configure({ search_model: 'tiny' });
      rmSync(runtime, { recursive: true });
      expect(await patient.find(searchModelCheck)).toMatchObject([
        { state: 'problem', next: expect.stringContaining('npm install -g') },
      ]);
    } finally {
      putBack();
    }
  });

  it('reports a server and what is sent to it', async () => {
    configure(server);
    expect(await patient.find(searchModelCheck)).toMatchObject([
      {
        state: 'ok',
        message: 'm at api.example.com receives portable notes that are not sensitive, and search queries',
      },
    ]);
  });

  it('reports a server without its key, or at an address that is not allowed', async () => {
    configure({ ...server, embedding_key_env: 'SOME_KEY' });
    expect(await patient.find(searchModelCheck)).toMatchObject([{ state: 'problem', next: 'set SOME_KEY' }]);
    const environment = { ...patient.environment, SOME_KEY: 'sk-1' };
    expect(await patient.find(searchModelCheck, { environment })).toMatchObject([{ state: 'ok' }]);
    configure({ ...server, embedding_url: 'http://example.com' });
    expect(await patient.find(searchModelCheck)).toMatchObject([{ state: 'problem' }]);
  });
});
