/** Terminal codes, as control characters or spelled as text, do not let a secret escape masking. */
import { describe, expect, it } from 'vitest';
import { maskText, withoutCodes } from '../../../src/events/note/mask-text.js';
import { redact } from '../../../src/events/note/redact.js';
import { shapedKinds } from '../../support/secrets/kinds.js';
import { seeded } from '../../support/secrets/random.js';

const controlCodes = [
  ...['\u001b[0m', '\u001b[m', '\u001b[01;31m\u001b[K', '\u001b[38:5:1m', '\u001b[38;2;10;20;30m', '\u001b[>4m'],
  ...[
    '\u001b[?25l',
    '\u001b[2 q',
    '\u001b(B',
    '\u001b)0',
    '\u001b(B\u001b[m',
    '\u001b7',
    '\u001b8',
    '\u001b=',
    '\u001b>',
  ],
  ...['\u001bM', '\u001bc', '\u001b#8', '\u001b%G', '\u009bm', '\u009bK', '\u009b31m', '\u009b0;1m', '\u009b>4m'],
  ...['\u001b]0;a title\u0007', '\u001b]8;;https://x.test\u001b\\', '\u009d2;a\u009c', '\u001bP1$r0m\u001b\\'],
  ...['\u001b_a\u001b\\', '\u001b^a\u0007', '\u001bXa\u001b\\', '\u0090a\u009c'],
];
const writtenCodes = [
  ...['\\u001b[32m', '\\u001B[0m', '\\\\u001b[32m', '\\x1b[31m', '\\x1B[m', '\\033[1m', '\\033[38:5:1m', '\\e[1m'],
  ...[
    '\\e[01;31m\\e[K',
    '^[[31m',
    '^[[?25l',
    '^[(B',
    '\\u001b(B',
    '\\x1b(B',
    '\\033(B',
    '\\e(B',
    '\\u001b7',
    '\\u{1b}[0m',
  ],
  ...['\\u009bm', '\\u009b31m', '\\x9b31m', '\\e]0;a title\\a', '\\033]0;a\\007', '\\u001b]8;;https://x.test\\u0007'],
  ...['\\x1b]0;a\\x07', '^[]0;a^G', '\\u001b]0;a\\u001b\\\\', '%1b[31m', '%1B%5B31m', '&#27;[1m', '\u241b[0m'],
  ...['\\ec', '\\e7', '^[c', '^[8'],
];

/** A token of each issuer whose tokens are masked without a code. */
const tokens = shapedKinds.flatMap(({ name, make }, at) => {
  const token = make(seeded(70 + at));
  return redact(`foo ${token} bar`).text.replace(/\[REDACTED:[a-z-]+\]/, '*') === 'foo * bar' ? [{ name, token }] : [];
});

/** Whether four consecutive characters of the secret are left. */
const shows = (masked: string, secret: string): boolean => {
  const left = masked.replace(/\[REDACTED:[a-z-]+\]/g, '*');
  return Array.from({ length: secret.length - 3 }, (_, at) => secret.slice(at, at + 4)).some((part) =>
    left.includes(part),
  );
};

/** Texts with the code before, after or inside the token, or both before and inside it, between words. */
const writings: Readonly<Record<string, (token: string, code: string, cut: number) => string>> = {
  'in front of': (token, code) => `see foo${code}${token} end`,
  behind: (token, code) => `see ${token}${code}bar end`,
  'inside of': (token, code, cut) => `see ${token.slice(0, cut)}${code}${token.slice(cut)} end`,
  'in front of and inside of': (token, code, cut) =>
    `see foo${code}${token.slice(0, cut)}${code}${token.slice(cut)} end`,
};

/** The number of codes tried per token, so that each code is tried some dozens of times; `CODES=1000` tries all. */
const codesEach = Number(process.env['CODES'] ?? 8);

describe.each(Object.keys(writings))(`a code %s a token of any of ${tokens.length} issuers`, (place) => {
  it.each([
    ['as control characters', controlCodes],
    ['spelled as text', writtenCodes],
  ])('leaves nothing of it visible, %s', (_, all) => {
    const random = seeded(all.length + place.length);
    const shown = tokens.flatMap(({ name, token }) => {
      const codes = codesEach < all.length ? Array.from({ length: codesEach }, () => random.pick(all)) : all;
      return codes.flatMap((code) => {
        const text = writings[place]?.(token, code, random.int(1, token.length - 1)) ?? '';
        const masked = redact(text).text;
        return masked.startsWith('see ') && masked.endsWith(' end') && !shows(masked, token)
          ? []
          : [`${name}: ${JSON.stringify(text)} → ${JSON.stringify(masked)}`];
      });
    });
    expect(shown).toEqual([]);
  });
});

it('the tokens of most issuers are tried', () => expect(tokens.length).toBeGreaterThan(80));

describe('a code beside a value', () => {
  const value = 'Xk9mQ2vR7wLpZt4';
  it.each([...controlCodes, ...writtenCodes])('%j near or within it leaves none of it visible', (code) => {
    for (const text of [
      `password=${code}${value} end`,
      `password${code}=${value} end`,
      `pass${code}word: ${value} end`,
      `PASSWORD=${value.slice(0, 7)}${code}${value.slice(7)} end`,
      `postgres://app:${code}${value}@db/x end`,
      `fooo${code}password=${value} end`,
    ]) {
      const masked = redact(text).text;
      expect(shows(masked, value), masked).toBe(false);
      expect(masked.endsWith(' end') || masked.endsWith('@db/x end')).toBe(true);
    }
  });
});

const github = `gh${'p_'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8Z9x7`;
const openai = `sk-${'proj-'}a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8Z9x7a1B2c3D4`;
const azure = `Rio8${'Q~'}C_WazMKcS5qrYxb5JUNs3YfsjYFNdWzb03`;

describe('a character that begins a code', () => {
  it.each(['\u009b', '\u001b', '\u0090', '\u009d', '\\x9b', '\\u001b', '\\033', '^['])(
    '%j swallows no letter of the token after it when it begins no code',
    (begin) => {
      for (const token of [github, openai, `AK${'IA'}IOSFODNN7QRSTUVW`]) {
        const masked = redact(`foo${begin}${token.slice(0, 9)}\u200b${token.slice(9)} end`).text;
        expect(shows(masked, token), masked).toBe(false);
      }
    },
  );
  it('hides no secret in the string that it begins', () => {
    for (const text of [`\u001b]0;foo ${github}\u0007`, `\u001bP${github}\u001b\\`, `\\e]0;${github}\\a`])
      expect(shows(redact(text).text, github)).toBe(false);
  });
});

describe('the address of a terminal link', () => {
  const value = 'Kq7mZx2vT9pLw4Rn';
  it.each([
    ['\u001b]8;;', '\u0007'],
    ['\u001b]8;;', '\u001b\\'],
    ['\u009d8;;', '\u009c'],
  ])('is masked between %j and %j, and the text of the link stays', (begin, end) => {
    const lines = (shown: string) => `see ${begin}${shown}${end}the guide${begin}${end} and more\nnext${end} line`;
    const text = lines(`https://x.test/?token=${value}`);
    expect(redact(text).text).toBe(lines('https://x.test/?token=[REDACTED:secret-value]'));
    expect(maskText(text)).toBe('see the guide and more\nnext line');
  });
  it('does not expose a secret that continues after the code', () => {
    for (const text of [`password=${value.slice(0, 8)}\u001b]8;;x\u0007${value.slice(8)}`, `\u001b]0;a\u0007${github}`])
      expect(shows(redact(text).text, value) || shows(redact(text).text, github)).toBe(false);
  });
  it('is masked in each of many links', () => {
    const link = `\u001b]8;;https://x.test/?token=${value}\u0007PR 7\u001b]8;;\u0007 `;
    expect(maskText(link.repeat(50))).toBe('PR 7 '.repeat(50));
  });
});

describe('an escaped sign', () => {
  it.each(['%3D', '%3d', '%253D', '\\u003D', '\\u003d', '\\x3d', '\\x3D', '\\\\u003d'])(
    '%s delimits a token and separates a name and its value',
    (sign) => {
      for (const token of [github, azure]) expect(shows(redact(`a${sign}${token} end`).text, token)).toBe(false);
      const masked = redact(`password${sign}Xk9mQ2vR7wLpZt4 end`).text;
      expect(masked).toBe(`password${sign}[REDACTED:secret-value] end`);
    },
  );
  it.each([
    ['github-token', github.replace('_', '\\_')],
    ['github-token', github.replace('_', '\\\\_')],
    ['openai-key', openai.replaceAll('-', '\\-')],
    ['azure-key', azure.replace('~', '\\~').replace('_', '\\_')],
    ['github-token', `github\\_${'pat\\_'}a1B2c3D4e5F6g7H8a1B2c3\\_a1B2c3D4e5F6g7H8Z9x7`],
    ['slack-token', `xox${'b%2D'}123456789012%2D1234567890123%2Da1B2c3D4e5F6g7H8a1B2c3D4`],
  ])('is part of the %s %s', (kind, token) => {
    expect(redact(`with ${token} we deploy`).text).toBe(`with [REDACTED:${kind}] we deploy`);
  });
  it.each([
    'password\\_hash\\_v2, C:\\new\\table\\x20 and a%20b%3Fc=d',
    'match /config\\.token\\.v2a1/ or \\bghp_[A-Za-z0-9]{36}\\b',
    'Plain \\e[1mbold\\e[0m, \\u001b[32mgreen\\u001b[0m, ^[[31mred^[[0m and 100%25',
    'echo -e "\\033[1;31mError:\\033[0m password required"',
  ])('changes no text without a secret: %s', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});

describe('the text of an agent', () => {
  it.each(controlCodes)('loses the code %j and the token that it separated from a word', (code) => {
    for (const token of [github, azure]) {
      // The letter of `\u009bm` stays, as it may belong to a word.
      expect(maskText(`foo${code}${token} end`)).toMatch(/^foo[mK]?\[REDACTED:[a-z-]+\] end$/);
      expect(shows(maskText(`foo ${token.slice(0, 9)}${code}${token.slice(9)} end`), token)).toBe(false);
    }
  });
  it.each([
    ['\u009b, which begins no code', 'a\u009bpple pie', 'apple pie'],
    ['an escape before a letter', 'a\u001bpple pie', 'apple pie'],
    ['a string without an end', 'a \u001b]0;b\nc', 'a 0;b\nc'],
    ['a code spelled as text', 'echo "\\e[1m" ^[[31m', 'echo "\\e[1m" ^[[31m'],
  ])('keeps the words after %s', (_, text, kept) => expect(withoutCodes(text)).toBe(kept));
});
