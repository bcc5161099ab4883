import { describe, expect, it } from 'vitest';
import { commandWords, gistOfError, isSameCommand, shownCommand } from '../../../src/agents/capture/failures.js';

const same = (a: string, b: string) => isSameCommand(commandWords(a), commandWords(b));

describe('commands', () => {
  it.each([
    ['npm run build', 'npm run build 2>&1 | head -50'],
    ['git push', 'git push --set-upstream origin main'],
    ['cd /work && CI=1 npm test', 'npm test -- --watch=false'],
    ['pytest -x', 'pytest'],
    ['mix test', 'mix test test/a_test.exs'],
    ['sudo make', 'make'],
  ])('%j and %j are the same', (a, b) => {
    expect(same(a, b)).toBe(true);
    expect(same(b, a)).toBe(true);
  });

  it.each([
    ['npm run build', 'npm run lint'],
    ['make', 'make install'],
    ['go test ./a/...', 'go test ./b/...'],
    ['', ''],
    ['ls', 'lsof'],
  ])('%j and %j are different', (a, b) => {
    expect(same(a, b)).toBe(false);
  });

  it('are shown on one line of at most 200 units', () => {
    expect(shownCommand('git commit -m "one\n\ntwo"')).toBe('git commit -m "one two"');
    expect(shownCommand('x'.repeat(9000)).length).toBe(200);
  });
});

describe('the gist of an error', () => {
  it('is the exit code and the lines that name the error', () => {
    expect(gistOfError('Exit code 2\n> build\n> tsc\n\nsrc/a.ts(1,2): error TS2322: no\nmore')).toBe(
      'exit code 2 · src/a.ts(1,2): error TS2322: no · more',
    );
  });

  it('is the end of the output when no line names an error', () => {
    expect(gistOfError('one line\ntwo line\nthree line')).toBe('two line · three line');
  });

  it('leaves out progress, colours and tags', () => {
    const output = '<tool_use_error>\u001b[31m 10 20.6M\r 99 21.1M\rfatal: no upstream\u001b[0m</tool_use_error>';
    expect(gistOfError(output)).toBe('fatal: no upstream');
  });

  it('is found at the end of a huge output and is at most 300 units', () => {
    const gist = gistOfError(`Exit code 1\n${'fine line\n'.repeat(100_000)}TypeError: boom ${'x'.repeat(3000)}`);
    expect(gist).toContain('TypeError: boom');
    expect(gist.length).toBeLessThanOrEqual(300);
  });

  it('is empty when the output says nothing', () => {
    expect(gistOfError('')).toBe('');
    expect(gistOfError('\n 12 \n --')).toBe('');
  });
});
