/** git could not merge two texts of a note and left its marks in the file, which a person has yet to resolve. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectTree } from '../../../src/commands/worktree/inspect-tree.js';
import { openStore } from '../../support/store.js';
import { bodyOf, replace, text, useSite } from './support/killed-command.js';

describe('a file with the marks of a merge', () => {
  const site = useSite();
  /** Two branches that changed the same line, merged: git stops. */
  const stopInMerge = (): void => {
    const { git, x } = site();
    git('checkout', '-q', '-b', 'side');
    replace(x.path, 'one', 'theirs');
    git('commit', '-qam', 'theirs');
    git('checkout', '-q', 'main');
    replace(x.path, 'one', 'mine');
    git('commit', '-qam', 'mine');
    expect(() => git('merge', '-q', 'side')).toThrow();
    expect(readFileSync(x.path, 'utf8')).toContain('<<<<<<<');
  };
  const adopt = async () => {
    const { memory } = openStore({ home: site().home });
    const { left } = (await memory.adopt('hold')).portable;
    const body = await bodyOf(memory, site().x.id);
    await memory.finish();
    return { left, body };
  };

  it('waits and is named', async () => {
    stopInMerge();
    const marked = readFileSync(site().x.path);
    const { left } = await adopt();
    expect(left).toMatchObject([{ reason: expect.stringContaining('git could not finish') }]);
    expect(readFileSync(site().x.path)).toEqual(marked);
    expect(site().git('show', `main:${relative(site().folder, site().x.path)}`)).not.toContain('<<<<<<<');
  });

  it('is named by a look at the store', async () => {
    stopInMerge();
    const { memory } = openStore({ home: site().home });
    const { left } = await inspectTree(await memory.store(), 'portable');
    expect(left).toMatchObject([{ reason: expect.stringContaining('git could not finish') }]);
    await memory.finish();
  });

  it('is taken in as it was resolved, before or after the merge is committed', async () => {
    stopInMerge();
    await adopt();
    const marked = readFileSync(site().x.path, 'utf8');
    writeFileSync(site().x.path, marked.replace(/<<<<<<<[\s\S]*>>>>>>> side\n/, 'both\n'));
    expect(await adopt()).toEqual({ left: [], body: text.replace('one', 'both') });
    site().git('add', '-A');
    site().git('commit', '-qm', 'merged');
    expect(await adopt()).toEqual({ left: [], body: text.replace('one', 'both') });
  });

  it('goes back to what it was where the merge is given up', async () => {
    stopInMerge();
    await adopt();
    site().git('merge', '--abort');
    expect(await adopt()).toEqual({ left: [], body: text.replace('one', 'mine') });
  });

  it('is a text like any other where git merges nothing', async () => {
    const marks = '<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> side\n';
    appendFileSync(site().x.path, marks);
    expect(await adopt()).toEqual({ left: [], body: `${text}${marks}` });
  });
});
