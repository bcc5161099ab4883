import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findDownloaded } from '../../../src/embedding/sentence/downloaded-model.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anamnesis-cache-'));
  const model = join(folder, 'hub', 'models--a--tiny');
  for (const snapshot of ['4b23', 'f72a']) mkdirSync(join(model, 'snapshots', snapshot), { recursive: true });
  mkdirSync(join(model, 'refs'));
  writeFileSync(join(model, 'refs', 'main'), 'f72a\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a model by its published name', () => {
  it('is the newest downloaded version', () => {
    const snapshot = join(folder, 'hub', 'models--a--tiny', 'snapshots', 'f72a');
    expect(findDownloaded('a/tiny', { HF_HOME: folder })).toBe(snapshot);
    expect(findDownloaded('a/tiny', { HF_HUB_CACHE: join(folder, 'hub') })).toBe(snapshot);
  });

  it('is undefined if it is not there or the name leads elsewhere', () => {
    for (const name of ['a/other', 'tiny', '../tiny', 'a/..', 'a/b/c', '/a/tiny', ''])
      expect(findDownloaded(name, { HF_HOME: folder })).toBeUndefined();
    writeFileSync(join(folder, 'hub', 'models--a--tiny', 'refs', 'main'), '../../..');
    expect(findDownloaded('a/tiny', { HF_HOME: folder })).toBeUndefined();
  });
});
