/** Invisible characters inside a secret do not let it escape masking. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutHidden } from '../../../src/events/note/plain-text.js';
import { redact } from '../../../src/events/note/redact.js';
import { makeSecrets } from '../../support/secrets/secrets.js';

const marks = [
  ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u061c', '\u180e', '\ufe0f', '\u115f'],
  ...['\u200e', '\u200f', '\u202a', '\u202e', '\u202c', '\u2066', '\u2069', '\ufff9', '\u{e0041}', '\u{e0100}'],
  ...['\u0000', '\u0007', '\u0008', '\u007f', '\u009b', '\u001b[31m', '\u001b[0m', '\u001b]8;;x\u0007'],
];
const token = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8Z9x7`;
const spread = (text: string, mark: string): string => [...text].join(mark);

describe('hidden marks', () => {
  it.each(marks)('with %j between all characters of a token leave it masked', (mark) => {
    expect(redact(`with ${spread(token, mark)} we deploy`).text).toBe('with [REDACTED:github-token] we deploy');
  });
  it.each([
    ['the name', `pass\u200bword: Xk42-mQ9p-Zt`],
    ['the address', `postgres://app:s3c\u00adr3t-pw@d\u200bb/x`],
    [
      'the edge of a key',
      `-----BEGIN PRI\u200bVATE KEY-----\n${'a1B2c3D4e5F6g7H8'.repeat(4)}\n-----END PRIVATE KEY-----`,
    ],
  ])('inside %s hide nothing', (_, text) => expect(redact(text).masked).toHaveLength(1));
  it('of many megabytes hide nothing', () => {
    const masked = redact(`with ${token.slice(0, 20)}${'\u200b'.repeat(10_000_000)}${token.slice(20)} we deploy`);
    expect(masked.text).toBe('with [REDACTED:github-token] we deploy');
  });
  it('stay where there is no secret', () => {
    const text =
      'A family 👩\u200d👩\u200d👧, 1\ufe0f\u20e3, می\u200cخواهم, soft\u00adhyphen and \u001b[1mbold\u001b[0m.';
    expect(redact(text)).toEqual({ text, masked: [] });
  });
  it('of any character that Unicode does not show hide nothing', () => {
    const codes = Array.from({ length: 0x110000 }, (_, code) => code);
    const unseen = codes
      .map((code) => String.fromCodePoint(code))
      .filter((char) => /\p{Default_Ignorable_Code_Point}|[^\P{Cc}\n\r\t]/u.test(char));
    const passed = unseen.filter(
      (char) => redact(`with ${token.slice(0, 20)}${char}${token.slice(20)}`).masked.length === 0,
    );
    expect(unseen.length).toBeGreaterThan(4000);
    expect(passed).toEqual([]);
  });
  it('anywhere inside a generated secret leave it masked', () => {
    const made = makeSecrets(20263, 1000).filter(({ text, hidden }) => {
      const { text: masked } = redact(text);
      return hidden.every((part) => text.includes(part) && !masked.includes(part));
    });
    const planted = fc.tuple(
      fc.constantFrom(...made),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...marks)), { minLength: 1, maxLength: 4 }),
    );
    fc.assert(
      fc.property(planted, ([{ text, hidden }, places]) => {
        const [secret = ''] = hidden;
        const markAt = new Map(places.map(([place, mark]) => [1 + (place % (secret.length - 1)), mark]));
        const inside = [...secret].map((char, at) => `${markAt.get(at) ?? ''}${char}`).join('');
        const masked = redact(text.replaceAll(secret, () => inside)).text;
        expect(masked).not.toContain(inside);
        expect(withoutHidden(masked)).not.toContain(secret);
        expect(redact(masked)).toEqual({ text: masked, masked: [] });
      }),
      { numRuns: 2000 },
    );
  });
});
