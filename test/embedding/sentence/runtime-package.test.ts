import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRuntime } from '../../../src/embedding/sentence/sentence-embedder.js';
import { writeRuntime } from './fake-runtime.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anamnesis-runtime-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the package that runs models', () => {
  it('is found in the named folder', () => {
    writeRuntime(folder);
    expect(findRuntime({ ANAMNESIS_TRANSFORMERS: folder })).toMatchObject({ ok: true, value: { version: '4.3.1' } });
  });

  it('is found through the links of npm link and of pnpm, but not in a parent of the named folder', () => {
    writeRuntime(join(folder, 'store'));
    mkdirSync(join(folder, 'linked', 'node_modules', '@huggingface'), { recursive: true });
    const scoped = 'node_modules/@huggingface/transformers';
    symlinkSync(join(folder, 'store', scoped), join(folder, 'linked', scoped), 'junction');
    expect(findRuntime({ ANAMNESIS_TRANSFORMERS: join(folder, 'linked') })).toMatchObject({ ok: true });
    expect(findRuntime({ ANAMNESIS_TRANSFORMERS: join(folder, 'store', 'deeper') })).toMatchObject({ ok: false });
  });

  it.each(['runtime', './runtime', '.'])('is not looked for in the folder %s, which could be anywhere', (name) => {
    expect(findRuntime({ ANAMNESIS_TRANSFORMERS: name })).toMatchObject({
      problem: { code: 'model-runtime' },
    });
  });

  it('is asked for by its name if it is missing, too old or damaged', () => {
    const missing = { ok: false, problem: { code: 'model-runtime', next: expect.stringContaining('npm install -g') } };
    expect(findRuntime({ ANAMNESIS_TRANSFORMERS: join(folder, 'gone') })).toMatchObject(missing);
    writeRuntime(folder, { version: '2.17.2' });
    expect(findRuntime({ ANAMNESIS_TRANSFORMERS: folder })).toMatchObject({
      ...missing,
      problem: { message: expect.stringContaining('2.17.2 is installed') },
    });
    writeFileSync(join(folder, 'node_modules/@huggingface/transformers/package.json'), '{');
    expect(findRuntime({ ANAMNESIS_TRANSFORMERS: folder })).toMatchObject(missing);
  });

  it('is never taken from the working directory', () => {
    const before = process.cwd();
    mkdirSync(join(folder, 'work'));
    writeRuntime(join(folder, 'work'), { version: '4.99.0' });
    process.chdir(join(folder, 'work'));
    try {
      const found = findRuntime({});
      expect(found.ok ? found.value.version : undefined).not.toBe('4.99.0');
    } finally {
      process.chdir(before);
    }
  });
});
