import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/config/settings.js';
import { benchSet } from '../../src/eval/benching.js';
import { installModel } from '../../src/setup/models.js';
import { publish, publishedSentences } from '../embedding/sentence/tiny-onnx.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anamnesis-bench-models-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('eval bench', () => {
  it('leaves out the modes that need a model if that is not a static one, and refuses them if asked for', async () => {
    const home = join(folder, 'home');
    await installModel(readSettings({ ANAMNESIS_HOME: home }), {
      from: publish(join(folder, 'tiny'), publishedSentences()),
    });
    const set = join(folder, 'set');
    mkdirSync(set);
    writeFileSync(join(set, 'notes.jsonl'), '{"id": "a", "title": "Vehicle", "body": "It runs."}\n');
    writeFileSync(join(set, 'cases.jsonl'), '{"id": "1", "query": "vehicle", "relevant": ["a"]}\n');
    const model = { home, name: 'tiny' };
    expect(Object.keys((await benchSet(set, { model })).modes)).toEqual(['keyword', 'bm25', 'grep']);
    await expect(benchSet(set, { model, modes: ['hybrid'] })).rejects.toMatchObject({
      code: 'model-unusable',
      message: expect.stringContaining('is a model that is run'),
    });
  });
});
