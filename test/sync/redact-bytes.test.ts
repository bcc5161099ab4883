import { describe, expect, it } from 'vitest';
import { redactBytes } from '../../src/sync/redact-bytes.js';

const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
const text = `Grüße, the token is ${token}.\n`;
const masked = 'Grüße, the token is [REDACTED:github-token].\n';

it('masks a secret used as a key in the front matter of a note', () => {
  const note = '---\nid: 01J0000000000000000000000A\ntype: semantic\ntitle: x\n';
  const path = 'semantic/0A/01J0000000000000000000000A.md';
  const bytes = redactBytes(Buffer.from(`${note}${token}: '[REDACTED:secret-value]'\n---\n`), path);
  expect(`${bytes}`).toBe(`${note}'[REDACTED:github-token]': '[REDACTED:secret-value]'\n---\n`);
});

describe('a file that is not a note', () => {
  it.each(['utf8', 'utf16le', 'latin1'] as const)('has its secrets masked in %s', (encoding) => {
    expect(redactBytes(Buffer.from(text, encoding), 'docs/notes.txt').toString(encoding)).toBe(masked);
  });
  it('has its secrets masked in UTF-16 of either byte order, and its mark is kept', () => {
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(redactBytes(little, 'notes.txt').toString('utf16le')).toBe(`\ufeff${masked}`);
    const big = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    expect(redactBytes(big, 'notes.txt').swap16().toString('utf16le')).toBe(`\ufeff${masked}`);
  });
  it('is returned unchanged, to the byte, when it holds no secret', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00, 0x00]);
    expect(redactBytes(bytes, 'image.bin')).toBe(bytes);
    const odd = Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]);
    expect(redactBytes(odd, 'image.bin')).toBe(odd);
  });
});
