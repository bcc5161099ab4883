/** The versions that syncs replaced, kept for files that a person may have open. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlobId } from '../../src/events/note/note.js';
import { findReplacedBy, keepReplaced, readReplaced } from '../../src/state/replaced-by-sync.js';
import { openState, type State } from '../../src/state/state.js';
import { temporaryFolder } from '../support/store.js';

const version = (name: string): BlobId => name as BlobId;

const replacedTimes = (path: string, times: number) =>
  Array.from({ length: times }, (_, at) => ({ path, before: version(`${at}`), after: version(`${at + 1}`) }));

describe('the versions that syncs replaced', () => {
  let folder: string;
  let state: State;
  beforeEach(() => {
    folder = temporaryFolder();
    state = openState(join(folder, 'state.db'));
  });
  afterEach(() => {
    state.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const pathsKept = (): ReadonlySet<string> => new Set(readReplaced(state).map(({ path }) => path));

  it('are kept across several syncs', () => {
    for (const one of replacedTimes('a.md', 3)) keepReplaced(state, [one]);
    expect(readReplaced(state)).toEqual(replacedTimes('a.md', 3).toReversed());
  });

  it('are kept once, with the version that replaced them last', () => {
    const [one] = replacedTimes('a.md', 1);
    if (one === undefined) return;
    keepReplaced(state, [one]);
    keepReplaced(state, [{ ...one, after: version('other') }]);
    expect(readReplaced(state)).toEqual([{ ...one, after: 'other' }]);
  });

  it('are not evicted by those of a note that syncs replace all day', () => {
    keepReplaced(state, replacedTimes('quiet.md', 1));
    keepReplaced(state, replacedTimes('busy.md', 1000));
    expect(pathsKept()).toEqual(new Set(['quiet.md', 'busy.md']));
  });

  it('are dropped after many others have been replaced', () => {
    keepReplaced(state, replacedTimes('old.md', 1));
    for (let at = 0; at < 500; at += 1) keepReplaced(state, replacedTimes(`${at}.md`, 1));
    expect(pathsKept()).not.toContain('old.md');
  });

  it('are found from the last one backwards', () => {
    expect(findReplacedBy([version('2')], replacedTimes('a.md', 3))).toEqual(['1', '0']);
  });
});
