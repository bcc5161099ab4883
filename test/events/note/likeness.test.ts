import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTexts, contentWordsOf, shareOf } from '../../../src/events/note/likeness.js';
import { anyUnits } from '../../agents/learn/any-text.js';
import { processorMs } from '../../support/processor-time.js';

describe('two texts say the same', () => {
  it.each([
    ['Use pnpm instead of npm.', 'use pnpm instead of npm'],
    ['Use pnpm instead of npm.', 'Use pnpm, not npm'],
    ['Use pnpm instead of npm', 'Use pnpm rather than npm.'],
    ['Never push directly to the main branch.', 'Do not push directly to the main branch'],
    ['Always run the tests before committing.', 'Run tests before every commit.'],
    ["Don't mock the database in integration tests.", 'Integration tests must not mock the database.'],
    ['The staging server is at stg-2.example.org.', 'Our staging server is at `stg-2.example.org`'],
    ['The API listens on port 8080.', 'API listens on port 8080 in development'],
    ['Wir benutzen pnpm für alle Pakete.', 'Wir benutzen pnpm für alle Pakete'],
    ['このプロジェクトではタブを使います。', 'このプロジェクトではタブを使います'],
  ])('%j and %j', (fresh, known) => {
    expect(compareTexts(fresh, known)).toBe('same');
  });

  it('even if the note says more', () => {
    const note = `# How we build\n\nUse pnpm instead of npm, because the lock file is shared.\n\n- Node 22 is required.\n- Run the linter before each commit.`;
    expect(compareTexts('Use pnpm instead of npm.', note)).toBe('same');
    expect(compareTexts('Run the linter before each commit. Use pnpm instead of npm.', note)).toBe('same');
    expect(compareTexts('Run the linter before each commit. Deploy on Fridays only with a second person.', note)).toBe(
      'apart',
    );
  });
});

describe('two texts contradict each other', () => {
  it.each([
    ['a number', 'The API listens on port 8080.', 'The API listens on port 9090.'],
    ['a number within different words', 'Keep lines at 100 columns at most.', 'Lines are kept at 120 columns at most.'],
    ['a version', 'The project requires Node 22.4.', 'This project requires Node 20.19.'],
    ['a path', 'Migrations live in db/migrations.', 'Migrations live in server/sql/migrations.'],
    [
      'a negation',
      'Squash commits before merging a pull request.',
      'Never squash commits before merging a pull request.',
    ],
    ['a contraction', "Don't use default exports in the library.", 'Use default exports in the library.'],
    ['the rejected option', 'Use pnpm instead of npm.', 'Use npm instead of pnpm.'],
    ['tabs and spaces', 'Prefer tabs over spaces.', 'Prefer spaces over tabs.'],
    ['the direction', 'We migrated from MySQL to PostgreSQL.', 'We migrated from PostgreSQL to MySQL.'],
    ['an earlier choice', 'Use pnpm instead of npm for packages.', 'Use npm for packages.'],
    ['a number in Chinese', '服务器使用端口 8080', '服务器使用端口 9090'],
  ])('in %s', (_, fresh, known) => {
    expect(compareTexts(fresh, known)).toMatch(/opposite|changed/);
    expect(compareTexts(known, fresh)).toMatch(/opposite|changed/);
    expect(compareTexts(fresh, `${known} Something else is written here as well.`)).toMatch(/opposite|changed/);
  });
});

describe('two texts are unrelated', () => {
  it.each([
    ['Use pnpm instead of npm.', 'The staging server is at stg-2.example.org.'],
    ['Never push to main.', 'Pushing to main deploys to production.'],
    ['Run the migrations before deploying the server.', 'Run the migrations after deploying the server.'],
    ['Run the unit tests with vitest.', 'Run the unit tests with jest.'],
    ['Use pnpm instead of npm.', 'npm publish needs a second factor from a maintainer.'],
    ['The tests of the parser are in test/parser.test.ts.', 'The tests of the lexer are in test/lexer.test.ts.'],
    [
      'All unit tests of the parser module are in test/parser.',
      'All unit tests of the lexer module are in test/lexer.',
    ],
    ['Run the parser tests before a release.', 'Run the lexer tests before a release.'],
    ['Use tabs instead of spaces in Makefiles.', 'Use spaces instead of tabs in Python files.'],
    ['Deploy with Fly.io from the main branch every Friday.', 'Deploy previews are removed after seven days.'],
    ['The server runs Debian.', 'The server runs out of memory when the nightly import overlaps with the backup.'],
    ['', 'Anything at all.'],
    ['Anything at all.', ''],
  ])('%j and %j', (fresh, known) => {
    expect(compareTexts(fresh, known)).toBe('apart');
  });

  it('when the new one adds a value that the note does not have', () => {
    expect(compareTexts('The API listens on port 8080.', 'The API listens on a port.')).toBe('apart');
  });
});

describe('comparing', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    anyUnits(200),
    fc
      .array(
        fc.constantFrom(
          ...'use pnpm not npm instead of never from to over , . port 8080 a/b.ts v1.2 is 漢字 don’t before after prefer over test -- `x`'.split(
            ' ',
          ),
        ),
        { maxLength: 30 },
      )
      .map((words) => words.join(' ')),
  );

  it('finds any text the same as itself, whatever its spacing', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(compareTexts(text, text)).toBe('same');
        expect(compareTexts(`  ${text}`, `${text} .\n`)).toBe('same');
      }),
    );
  });

  it('never throws, and always gives the same answer', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(compareTexts(a, b)).toBe(compareTexts(a, b));
        const [mine, yours] = [contentWordsOf(a), contentWordsOf(b)];
        expect(shareOf(mine, yours)).toBe(shareOf(yours, mine));
        expect(shareOf(mine, yours)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it.each([
    ['full stops', '.'.repeat(200_000)],
    ['brackets', `${'('.repeat(100_000)}${')'.repeat(100_000)}`],
    ['one word', 'a'.repeat(200_000)],
    ['marks', 'from x '.repeat(30_000)],
    ['"instead of"', 'instead of '.repeat(20_000)],
    ['sentences', 'The port is 8080. '.repeat(10_000)],
    ['Chinese', '漢字を使う'.repeat(40_000)],
  ])('takes time in proportion to a note of nothing but %s', (_, note) => {
    const startedMs = processorMs();
    compareTexts('Use pnpm instead of npm, because the port is 8080.', note);
    expect(processorMs() - startedMs).toBeLessThan(2000);
  });
});
