import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findHeading } from '../../../src/import/markdown/markdown-heading.js';
import { processorMs } from '../../support/processor-time.js';

it.each([
  ['an ATX heading of any level', 'Text.\n\n### Title\n', 'Title'],
  ['an ATX heading below text', 'Text.\n# Title', 'Title'],
  ['an ATX heading without its closing hashes', '# Title ##  \r\n', 'Title'],
  ['an ATX heading whose text ends with a hash', '# About C#\n', 'About C#'],
  ['the first heading that is not empty', '#\n# ##\n## Title\n', 'Title'],
  ['a setext heading with equals signs', 'Title\n=====\n', 'Title'],
  ['a setext heading with dashes', 'Title\r\n-----\r\n', 'Title'],
  ['a setext heading on two lines', 'One\ntwo\n---\n', 'One two'],
  ['a heading after fenced code', '```sh\n# comment\n```\n# Title\n', 'Title'],
  ['a heading after a longer fence', '~~~~\n~~~\n# comment\n~~~~\n# Title\n', 'Title'],
  ['a heading after a comment', '<!--\n# licence\n-->\n# Title\n', 'Title'],
  ['a heading after a list and a rule', '- item\n---\n# Title\n', 'Title'],
  ['a heading after a rule', '---\n\n***\n---\n# Title\n', 'Title'],
  ['a heading after indented code', '    code\n---\n# Title\n', 'Title'],
])('finds %s', (_, text, title) => {
  expect(findHeading(text)).toBe(title);
});

it.each([
  ['a hashtag', '#tag\n'],
  ['seven hashes', '####### seven\n'],
  ['a fence that never closes', '```\n# comment\n'],
  ['a table', 'a | b\n--|--\n1 | 2\n'],
  ['a quote above a rule', '> quote\n---\n'],
  ['a blank line above a rule', 'Text.\n\n---\n'],
])('finds no heading in %s', (_, text) => {
  expect(findHeading(text)).toBeUndefined();
});

it.each([
  ['dashes', '-'.repeat(4_000_000)],
  ['hashes', `# ${'#'.repeat(4_000_000)}x`],
  ['spaces', `# a${' '.repeat(4_000_000)}b #`],
  ['line feeds', '\n'.repeat(4_000_000)],
  ['lines of text', 'text\n'.repeat(1_000_000)],
])('reads millions of %s quickly', (_, text) => {
  const start = processorMs();
  findHeading(text);
  expect(processorMs() - start).toBeLessThan(5000);
});

it('finds a heading in any text that ends with one', () => {
  const prose = fc.array(fc.stringMatching(/^[a-z .,]*$/)).map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(prose, (text) => {
      expect(findHeading(`${text}# The end\n`)).toBe('The end');
    }),
  );
});
