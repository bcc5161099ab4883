/** Signs of an address, of HTML and of a string of a program: what they stand for is what a reader sees. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';

const password = 'Kq7mZx2vT9pLw4Rn';

describe('a plus sign of an address with spelled signs', () => {
  it.each([
    'https://www.google.com/search?q=password%3A+min+8+chars',
    'https://x.test/?q=password%3A+how+to+reset+v2',
    'https://github.com/a/b/issues?q=is%3Aissue+token%3Av2beta1+label%3Aauth',
    'https://stackoverflow.com/search?q=api+key%3A+rate+limit+429&tab=new',
  ])('is a blank: the words of a search stay in %s', (text) => expect(redact(text)).toEqual({ text, masked: [] }));

  it.each([
    [`https://x.test/?q=password%3A+${password}+min+8`, `https://x.test/?q=password%3A+[REDACTED:secret-value]+min+8`],
    [`password%3AKq7mZx2vT9+pLw4Rn+Xz81Qw`, 'password%3A[REDACTED:secret-value]'],
    [`password%3DKq7mZx2vT9+abc+pLw4Rn`, 'password%3D[REDACTED:secret-value]'],
  ])('leaves nothing of a password in %s', (text, masked) => expect(redact(text).text).toBe(masked));
});
