/** git could not merge two texts of a note and left its markers in the file, which a person has yet to resolve. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectTree } from '../../../src/commands/worktree/inspect-tree.js';
import { openStore } from '../../support/store.js';
import { bodyOf, replace, text, useSite } from './support/killed-command.js';

describe('a file with merge conflict markers', () => {
  const site = useSite();
  /** Merges two branches that changed the same line: git stops. */
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

  it('waits and is named by adopt', async () => {
    stopInMerge();
    const marked = readFileSync(site().x.path);
    const { left } = await adopt();
    expect(left).toMatchObject([{ reason: expect.stringContaining('git could not finish') }]);
    expect(readFileSync(site().x.path)).toEqual(marked);
    expect(site().git('show', `main:${relative(site().folder, site().x.path)}`)).not.toContain('<<<<<<<');
  });

  it('is named by inspecting the store', async () => {
    stopInMerge();
    const { memory } = openStore({ home: site().home });
    const { left } = await inspectTree(await memory.store(), 'portable');
    expect(left).toMatchObject([{ reason: expect.stringContaining('git could not finish') }]);
    await memory.finish();
  });

  it('is adopted as the person resolved it, before and after the merge is committed', async () => {
    stopInMerge();
    await adopt();
    const marked = readFileSync(site().x.path, 'utf8');
    writeFileSync(site().x.path, marked.replace(/<<<<<<<[\s\S]*>>>>>>> side\n/, 'both\n'));
    expect(await adopt()).toEqual({ left: [], body: text.replace('one', 'both') });
    site().git('add', '-A');
    site().git('commit', '-qm', 'merged');
    expect(await adopt()).toEqual({ left: [], body: text.replace('one', 'both') });
  });

  it('has its earlier text again once the merge is aborted', async () => {
    stopInMerge();
    await adopt();
    site().git('merge', '--abort');
    expect(await adopt()).toEqual({ left: [], body: text.replace('one', 'mine') });
  });

  it('is ordinary text when git is not merging', async () => {
    const marks = '<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> side\n';
    appendFileSync(site().x.path, marks);
    expect(await adopt()).toEqual({ left: [], body: `${text}${marks}` });
  });
});
