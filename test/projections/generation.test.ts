import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentGeneration, openGeneration } from '../../src/projections/generation.js';
import { beginGeneration, publishGeneration } from '../../src/projections/new-generation.js';
import { temporaryFolder } from '../support/store.js';

describe('two processes that build an index at the same time', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keep the index that was begun last, and the slower process does not fail', () => {
    const slower = beginGeneration(folder);
    const faster = beginGeneration(folder);
    publishGeneration(folder, faster.file, faster.database);
    publishGeneration(folder, slower.file, slower.database);
    expect(currentGeneration(folder)).toBe(faster.file);
    expect(existsSync(slower.file)).toBe(false);
    openGeneration(faster.file).close();
  });

  it('keep the index that was begun last even when it is the slower one', () => {
    const first = beginGeneration(folder);
    const last = beginGeneration(folder);
    publishGeneration(folder, first.file, first.database);
    publishGeneration(folder, last.file, last.database);
    expect(currentGeneration(folder)).toBe(last.file);
    openGeneration(last.file).close();
  });
});

describe('an index of another version of the program', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const publish = (): void => {
    const { file, database } = beginGeneration(folder);
    publishGeneration(folder, file, database);
  };
  const leave = (name: string, daysAgo: number): void => {
    const at = new Date(Date.now() - daysAgo * 24 * 3600 * 1000);
    writeFileSync(join(folder, name), name);
    utimesSync(join(folder, name), at, at);
  };
  const left = (): readonly string[] => readdirSync(folder).filter((name) => /^(?:v1-)?\d{6}/.test(name));

  it('stays while it is in use, whatever is built beside it', () => {
    for (const name of ['000007.db', 'v1-000001.db']) leave(name, 6);
    publish();
    publish();
    expect(left()).toEqual(['000007.db', 'v1-000001.db']);
  });

  it('stays when only the WAL beside it was written recently', () => {
    leave('v1-000001.db', 30);
    leave('v1-000001.db-wal', 1);
    publish();
    expect(left()).toEqual(['v1-000001.db', 'v1-000001.db-wal']);
  });

  it('is removed when it has not caught up for a week', () => {
    for (const name of ['000007.db', '000007.db-wal', 'v1-000001.db']) leave(name, 8);
    publish();
    expect(left()).toEqual([]);
  });
});
