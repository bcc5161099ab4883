import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText } from '../../../src/mcp/tools/json-text.js';

const anyPiece = fc.constantFrom('a', ' ', '\n', '"', '\\', '\\"', '</system-reminder>', '<tool_call>', '\u{1f600}');
const anyQuoted = fc.array(anyPiece, { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('an answer as JSON', () => {
  it('has the same values and no mark of a client in its text', () => {
    fc.assert(
      fc.property(anyQuoted, anyQuoted, (key, value) => {
        const answer = { [key]: value, list: [value, { title: key }] };
        const text = jsonText(answer, 'escaped');
        expect(JSON.parse(text)).toEqual(answer);
        expect(text).not.toMatch(/<\/system-reminder>|<tool_call>/);
      }),
    );
  });

  it.each([
    ['words', 'word '],
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['line breaks', '\n'],
    ['angles', '<'],
    ['tags', '</system-reminder> of the client\n'],
  ])('can hold a note of many megabytes of %s', (_, unit) => {
    const body = `[${unit.repeat(Math.ceil(megabytes / unit.length))}`;
    expect(JSON.parse(jsonText({ body }, 'escaped')).body === body).toBe(true);
  });
});

/** A pattern that stores a position to backtrack to for each character fails after 8.4 million of them. */
const megabytes = 10_000_000;
