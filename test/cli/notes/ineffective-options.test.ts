/** Warnings about options that have no effect beside others. */
import { describe, expect, it } from 'vitest';
import { ineffectiveOptions } from '../../../src/cli/notes/search.js';

/** Returns the option that each warning names. */
const named = (how: Parameters<typeof ineffectiveOptions>[0]): readonly (string | undefined)[] =>
  ineffectiveOptions(how).map((line) => /--[a-z-]+/.exec(line)?.[0]);

describe('options of a search that do nothing', () => {
  it('are none in an ordinary search', () => {
    expect(named({})).toEqual([]);
    expect(named({ mode: 'hybrid', also: ['other words'] })).toEqual([]);
    expect(named({ mode: 'exact', ignoreCase: true })).toEqual([]);
    expect(named({ mode: 'keyword', fuzzy: false })).toEqual([]);
  });
  it('are those for words when the text itself is searched for', () => {
    const how = { mode: 'exact', also: ['other words'], fuzzy: false } as const;
    expect(named(how)).toEqual(['--also', '--no-fuzzy']);
  });
  it('are --ignore-case when words are searched for', () => {
    expect(named({ ignoreCase: true })).toEqual(['--ignore-case']);
  });
});
