import { describe, expect, it } from 'vitest';
import { commandsThatWorked, commandWords, isSameCommand, shownCommand } from '../../../src/agents/capture/commands.js';
import { gistOfError } from '../../../src/agents/capture/failures.js';

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

const showsThatTestsPass = (line: string): boolean =>
  commandsThatWorked(line).some((words) => isSameCommand(words, commandWords('npm test')));

describe('a shell line that worked', () => {
  it.each([
    'npm test',
    'cd shop && npm test',
    'NODE_ENV=test npm test',
    'npm test; echo done',
    'npm test 2>&1 | tail -5',
    'docker compose up -d db && npm test',
    'docker compose up -d db && npm test && git push',
    'docker compose up -d db && npm test 2>&1 | tail -5',
    'docker compose up -d db; sleep 3; npm test',
    'docker compose up -d db; sleep 3; npm test;\n',
    'docker compose up -d db\nnpm test # with the database',
    'docker compose \\\n  up -d db && \\\n  npm test',
    'make db || true; npm test',
    'git commit -m "tests; and more" && npm test',
    'timeout 60 npm test',
    'timeout -k 5s 1.5m npm test',
    'make db && timeout 60 npm test',
    'time npm test',
  ])('shows that a command in it works: %j', (line) => {
    expect(showsThatTestsPass(line)).toBe(true);
  });

  it.each([
    ['that may have failed unseen', 'make db; npm test; git status'],
    ['that may not have run', 'make db || npm test'],
    ['that may not have run, on the next line', 'make db ||\nnpm test'],
    ['that was left running', 'make db && npm test &'],
    ['that is only named in a message', 'git commit -m "Fix it; npm test works"'],
    ['that is written to a file', "cat > run.sh <<'END'\nmake db\nnpm test"],
    ['that is only echoed', "echo 'make db && npm test'"],
    ['in an overlong line', `make db && npm test && echo ${'x'.repeat(9000)}`],
  ])('shows nothing about a command %s', (_, line) => {
    expect(showsThatTestsPass(line)).toBe(false);
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
