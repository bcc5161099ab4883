/** The cache of git's answers, each of which is asked for once. */
import { describe, expect, it } from 'vitest';
import { cacheAnswers } from '../../src/events/answer-cache.js';

describe('kept answers', () => {
  const countAsked = (most: number, isFinal?: (answer: string) => boolean) => {
    const asked: string[] = [];
    const keep = cacheAnswers<string>(most, isFinal);
    const ask = (key: string): Promise<string> =>
      keep('repository', [key.repeat(40)], async () => {
        asked.push(key);
        return `${key}!`;
      });
    return { asked, ask, keep };
  };

  it('are asked for once, even by two callers at the same time', async () => {
    const { asked, ask } = countAsked(2);
    expect(await Promise.all([ask('a'), ask('a')])).toEqual(['a!', 'a!']);
    expect(await ask('a')).toBe('a!');
    expect(asked).toEqual(['a']);
  });

  it('are dropped, oldest first, to make room for newer ones', async () => {
    const { asked, ask } = countAsked(2);
    for (const key of ['a', 'b', 'c', 'c', 'a']) await ask(key);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });

  it('are asked for again where they may change', async () => {
    const { asked, ask } = countAsked(2, (answer) => answer !== 'a!');
    for (const key of ['a', 'b', 'a', 'b']) await ask(key);
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('are asked for again where a ref was named, which may move', async () => {
    const { keep } = countAsked(2);
    let head = 'one';
    const ask = (): Promise<string> => keep('repository', ['main'], async () => head);
    expect(await ask()).toBe('one');
    head = 'two';
    expect(await ask()).toBe('two');
  });

  it('are asked for again after a failure', async () => {
    const { ask, keep } = countAsked(2);
    await expect(keep('repository', ['a'.repeat(40)], () => Promise.reject(new Error('no git')))).rejects.toThrow(
      'no git',
    );
    expect(await ask('a')).toBe('a!');
  });
});
