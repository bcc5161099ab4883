import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings, type Settings } from '../../src/config/settings.js';
import { modelFolder } from '../../src/embedding/installed-models.js';
import { chooseModel, chooseServer, dropModel, installModel, listModels, testModel } from '../../src/setup/models.js';
import { hasVectors, openVectorFile } from '../../src/state/vector-file.js';
import { floatsOf, gge1Of, madeUpParts, safetensorsOf, tokenizerOf } from '../embedding/made-up-model.js';

let folder: string;
let home: string;
let source: string;
const parts = madeUpParts();
const settings = (): Settings => readSettings({ ANAMNESIS_HOME: home });
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const install = (from: string, name?: string) => installModel(settings(), { from, name });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anamnesis-models-'));
  home = join(folder, 'home');
  source = join(folder, 'made-up');
  mkdirSync(source);
  writeFileSync(join(source, 'words.bin'), gge1Of(parts));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writeSafetensors = (): void => {
  const embeddings = { name: 'embeddings', kind: 'F32', shape: [parts.tokens.length, parts.dimension] };
  rmSync(join(source, 'words.bin'));
  writeFileSync(
    join(source, 'model.safetensors'),
    safetensorsOf([{ ...embeddings, bytes: Buffer.from(floatsOf(parts).buffer) }]),
  );
  writeFileSync(join(source, 'tokenizer.json'), tokenizerOf(parts));
};

describe('installing a model', () => {
  it('installs a folder under its own name, once', async () => {
    expect(await install(source)).toMatchObject({ status: 'installed', name: 'made-up', tokens: parts.tokens.length });
    expect(await install(source)).toMatchObject({ status: 'unchanged', in_use: false });
    expect(listModels(settings()).models).toMatchObject([{ name: 'made-up', problem: null, in_use: false }]);
  });

  it('installs a file under its own name or another one', async () => {
    expect(await install(join(source, 'words.bin'))).toMatchObject({ name: 'words' });
    expect(await install(join(source, 'words.bin'), 'other')).toMatchObject({ name: 'other' });
  });

  it('installs model.safetensors with the files beside it', async () => {
    writeSafetensors();
    expect(await install(source)).toMatchObject({ status: 'installed', dimension: 8 });
    expect(await install(join(source, 'model.safetensors'))).toMatchObject({ name: 'made-up', status: 'unchanged' });
  });

  it('refuses files that have no tokenizer, or are truncated', async () => {
    expect(await install(source, 'x')).toMatchObject({ status: 'installed', sha256: hashOf(gge1Of(parts)) });
    truncateSync(join(source, 'words.bin'), 100);
    expect(await install(source, 'y')).toMatchObject({ code: 'model-damaged' });
    writeSafetensors();
    rmSync(join(source, 'tokenizer.json'));
    expect(await install(source, 'y')).toMatchObject({ code: 'model-unreadable' });
    expect(await install(join(folder, 'gone'), 'y')).toMatchObject({ code: 'model-unreadable' });
    expect(existsSync(modelFolder(home, 'y'))).toBe(false);
  });

  it('refuses invalid names, such as paths', async () => {
    for (const name of ['../up', '', 'none', 'a/b', '.hidden', 'x'.repeat(65)])
      expect(await install(source, name)).toMatchObject({ code: 'value-invalid' });
  });
});

describe('a model in use', () => {
  it('must be installed, and is unset when it is removed', async () => {
    expect(await chooseModel(settings(), 'made-up')).toMatchObject({ code: 'model-unknown' });
    await install(source);
    expect(await chooseModel(settings(), 'made-up')).toEqual({ status: 'set', in_use: 'made-up' });
    expect(await chooseModel(settings(), 'made-up')).toEqual({ status: 'unchanged', in_use: 'made-up' });
    expect(settings().searchModel).toBe('made-up');
    expect(await dropModel(settings(), 'made-up')).toEqual({ status: 'removed', name: 'made-up', was_in_use: true });
    expect(settings().searchModel).toBeUndefined();
    expect(await dropModel(settings(), 'made-up')).toMatchObject({ code: 'model-unknown' });
    expect(await dropModel(settings(), '../../config')).toMatchObject({ code: 'model-unknown' });
  });

  it('is listed with its problem, and can be removed, when its files are gone or truncated', async () => {
    await install(source);
    await chooseModel(settings(), 'made-up');
    truncateSync(join(modelFolder(home, 'made-up'), 'anamnesis.json'), 50);
    expect(listModels(settings()).models).toMatchObject([
      { in_use: true, problem: expect.stringContaining('damaged') },
    ]);
    rmSync(modelFolder(home, 'made-up'), { recursive: true });
    expect(listModels(settings()).models).toMatchObject([
      { in_use: true, problem: expect.stringContaining('no model') },
    ]);
    expect(await dropModel(settings(), 'made-up')).toMatchObject({ status: 'removed' });
    expect(listModels(settings())).toMatchObject({ in_use: null, models: [] });
  });
});

describe('testing a model', () => {
  it('returns what it is, and refuses one whose vectors are damaged', async () => {
    await install(source);
    expect(await testModel(settings(), 'made-up')).toMatchObject({ tokens: parts.tokens.length, dimension: 8 });
    await install(source, 'damaged');
    truncateSync(join(modelFolder(home, 'damaged'), 'vectors.bin'), 100);
    expect(await testModel(settings(), 'damaged')).toMatchObject({ code: 'model-damaged' });
  });
});

describe('a server in place of a model', () => {
  const server = { url: 'https://api.example.com/v1?v=2', model: 'm', keyVariable: 'SOME_KEY' };
  const vectors = (): void => openVectorFile(join(home, 'index'), 'a model').close();

  it('replaces the model in use and its vectors, and can be replaced by it again', async () => {
    await install(source);
    await chooseModel(settings(), 'made-up');
    vectors();
    const endpoint = { url: 'https://api.example.com/v1', model: 'm', key_variable: 'SOME_KEY' };
    expect(await chooseServer(settings(), server)).toEqual({ status: 'set', in_use: null, endpoint });
    expect(hasVectors(join(home, 'index'))).toBe(false);
    expect(settings()).toMatchObject({ searchModel: undefined, embedding: { ...server, key: undefined } });
    expect(listModels(settings())).toMatchObject({ in_use: null, endpoint, models: [{ in_use: false }] });
    expect(await chooseServer(settings(), server)).toMatchObject({ status: 'unchanged' });
    vectors();
    expect(await chooseModel(settings(), 'made-up')).toEqual({ status: 'set', in_use: 'made-up' });
    expect(settings().embedding).toBeUndefined();
    expect(hasVectors(join(home, 'index'))).toBe(false);
  });

  it('is stored without its key: only the environment variable that has it is named', async () => {
    await chooseServer(settings(), server);
    expect(readSettings({ ANAMNESIS_HOME: home, SOME_KEY: 'sk-1' }).embedding?.key).toBe('sk-1');
    expect(readFileSync(join(home, 'config.json'), 'utf8')).not.toContain('sk-1');
    expect(await chooseServer(settings(), { ...server, keyVariable: 'sk-1' })).toMatchObject({ code: 'value-invalid' });
  });

  it('is refused at an address that is not allowed', async () => {
    for (const url of ['http://example.com/v1', 'https://me:pw@example.com', 'nowhere'])
      expect(await chooseServer(settings(), { url, model: 'm' })).toMatchObject({ code: 'value-invalid' });
    expect(settings().embedding).toBeUndefined();
  });

  it('is tested with three fixed sentences', async () => {
    const asked: string[] = [];
    const listening = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { input }: { readonly input: readonly string[] } = JSON.parse(body);
        asked.push(...input);
        response.end(JSON.stringify({ embeddings: input.map((_, at) => [at + 1, 1]) }));
      });
    });
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const address = listening.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await chooseServer(settings(), { url: `http://127.0.0.1:${port}/api/embed`, model: 'm' });
    expect(await testModel(settings(), undefined)).toMatchObject({ name: 'm', tokens: null, dimension: 2 });
    expect(new Set(asked).size).toBe(3);
    listening.close();
    listening.closeAllConnections();
    expect(await testModel(settings(), undefined)).toMatchObject({ code: 'model-unusable' });
  });
});
