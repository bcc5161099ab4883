import { existsSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  beginGeneration,
  currentGeneration,
  openGeneration,
  publishGeneration,
} from '../../src/projections/generation.js';
import { temporaryFolder } from '../support/store.js';

describe('two processes that build an index at once', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('leave the one that was begun last, and the slower one is no error', () => {
    const slower = beginGeneration(folder);
    const faster = beginGeneration(folder);
    publishGeneration(folder, faster.file, faster.database);
    publishGeneration(folder, slower.file, slower.database);
    expect(currentGeneration(folder)).toBe(faster.file);
    expect(existsSync(slower.file)).toBe(false);
    openGeneration(faster.file).close();
  });

  it('leave the one that was begun last when it is the slower one', () => {
    const first = beginGeneration(folder);
    const last = beginGeneration(folder);
    publishGeneration(folder, first.file, first.database);
    publishGeneration(folder, last.file, last.database);
    expect(currentGeneration(folder)).toBe(last.file);
    openGeneration(last.file).close();
  });
});
