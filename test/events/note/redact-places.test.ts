/** Places that hold a password because of the program that reads them, not because of a name beside it. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';

describe('the value at its place is masked, and nothing else:', () => {
  it.each([
    ...[
      'net use Z: \\\\fs01\\share /user:corp\\bob «Kf8mQ2vzLp7x»',
      'net use \\\\fs01\\share /user:corp\\bob «Kf8mQ2vzLp7x»',
      'Mounted by: net use h: \\\\fs01\\home /user:bob «Kf8mQ2vzLp7x»',
    ],
  ])('%j', (marked) => {
    const masked = redact(marked.replace(/[«»]/g, '')).text;
    expect(masked).toMatch(/\[REDACTED:[a-z-]+\]/);
    expect(masked.replace(/\[REDACTED:[a-z-]+\]/, '*')).toBe(marked.replace(/«.*»/, '*'));
  });
});

describe('what stands there and is no secret stays:', () => {
  it.each([...['net use Z: \\\\fs01\\share', 'net use: maps a drive for the user bob afterwards']])('%j', (text) =>
    expect(redact(text)).toEqual({ text, masked: [] }),
  );
});
