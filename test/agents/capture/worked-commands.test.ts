import { describe, expect, it } from 'vitest';
import { commandWords, isSameCommand } from '../../../src/agents/capture/failures.js';
import { commandsThatWorked } from '../../../src/agents/capture/worked-commands.js';

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
    ['that is only named in a comment', 'make db # && npm test'],
    ['that is written to a file', "cat > run.sh <<'END'\nmake db\nnpm test"],
    ['that is part of another command', 'run $(make db; npm test --silent)'],
    ['that is only echoed', "echo 'make db && npm test'"],
    ['in an overlong line', `make db && npm test && echo ${'x'.repeat(9000)}`],
  ])('shows nothing about a command %s', (_, line) => {
    expect(showsThatTestsPass(line)).toBe(false);
  });
});
