/** Secrets are masked beside blanks as word processors, web pages and other languages write them. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';
import { seeded } from '../../support/secrets/random.js';
import { makeSecrets } from '../../support/secrets/secrets.js';

const password = 'Kf8mQ2vzLp7x';
const token = 'a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8Z9x7Q4w2';

/** `~` marks a blank; `«` and `»` enclose the value. */
const writings = [
  `password:~«${password}»`,
  `password~:~«${password}»`,
  `Mot de passe~: «${password}»`,
  `Mot~de~passe~:~«${password}»`,
  `密码:~«${password}»`,
  `API token:~«${token}»`,
  `API~token~=~«${token}»`,
  `Authorization:~Bearer~«${token}»`,
  `aws_secret_access_key~=~«${token}»`,
  `DB_PASSWORD=~«${password}»`,
  `export~DB_PASSWORD=«${password}»`,
  `the password is~«${password}»`,
  `the~password~for~the~database~is~«${password}»`,
  `mysql~-u~root~-p«${password}»~shop`,
  `requirepass~«${password}»`,
  `| user | password |\n| --- | --- |\n| anna |~«${password}»~|`,
];

const characters = ['\u00a0', '\u1680', '\u2002', '\u2003', '\u2007', '\u2009', '\u200a', '\u202f', '\u205f', '\u3000'];
const spelled = ['&nbsp;', '&ensp;', '&thinsp;', '&#160;', '&#xA0;', '&amp;nbsp;', '\\u00a0', '\\u3000', '\\xa0'];

describe.each(characters)('with %j as a blank', (blank) => {
  it.each(writings)('the value is masked in %j, and nothing else', (writing) => {
    const text = writing.replaceAll('~', blank);
    const { text: masked } = redact(text.replace(/[«»]/g, ''));
    expect(masked.replace(/\[REDACTED:[a-z-]+\]/, '*')).toBe(text.replace(/«.*»/, '*'));
  });
});

describe.each(spelled)('with the escape %j as a blank', (blank) => {
  it.each(writings)('the value is masked in %j', (writing) => {
    const text = writing.replaceAll('~', blank).replace(/[«»]/g, '');
    expect(redact(text).text).not.toContain(/«(.*)»/.exec(writing)?.[1]);
  });
});

it.each(['\u2028', '\u2029'])('a value below its name is masked when %j ends the line', (end) => {
  expect(redact(`password:${end}${password}`).text).toBe(`password:${end}[REDACTED:secret-value]`);
});

describe('a full-width sign', () => {
  it.each([
    `password：«${password}»`,
    `password＝«${password}»`,
    `DB_PASSWORD＝«${password}»`,
    `密码：\u3000«${password}»`,
    `密码\u3000＝\u3000«${password}»`,
    `API token：«${token}»`,
    `Authorization：Bearer\u3000«${token}»`,
    `aws_secret_access_key＝«${token}»`,
  ])('separates name and value in %j', (writing) => {
    const { text: masked } = redact(writing.replace(/[«»]/g, ''));
    expect(masked.replace(/\[REDACTED:[a-z-]+\]/, '*')).toBe(writing.replace(/«.*»/, '*'));
  });
});

it.each(['\u00a0', '\u202f', ' '])('the value in French quotes with %j inside them is masked', (blank) => {
  expect(redact(`Mot de passe${blank}: «${blank}${password}${blank}»`).text).toBe(
    `Mot de passe${blank}: «${blank}[REDACTED:secret-value]${blank}»`,
  );
});

it('a blank beside hidden marks and codes hides no secret', () => {
  expect(redact(`pass\u200bword:\u00a0\u001b[1m${password}\u001b[0m\u00a0end`).text).not.toContain(password);
});

it('every generated secret stays masked when other blanks replace the spaces of its text', () => {
  const random = seeded(41);
  const made = makeSecrets(20264, 1000).filter(({ text, hidden }) => {
    const { text: masked } = redact(text);
    return hidden.every((part) => !/\s/.test(part) && !masked.includes(part));
  });
  const exposed = made.flatMap(({ kind, text, hidden }) => {
    const blank = random.pick(characters);
    const masked = redact(text.replaceAll(' ', blank)).text;
    return hidden.some((part) => masked.includes(part)) ? [`${kind}: ${text}`] : [];
  });
  expect(exposed).toEqual([]);
});

it.each([
  'Le mot de passe\u00a0: voir «\u00a0coffre\u00a0» de l’équipe\u00a0; 12\u202f000 clés en 2026.',
  '配置：密码　请见文档，令牌：见金库。ＡＢＣ＝１２３',
  'password&nbsp;=&nbsp;&lt;your&nbsp;password&gt; and &nbsp;token:&nbsp;config.token',
  'repr: "password\\xa0hash\\u00a0v2" and \\u3000 in tests/password_2.py',
  'The token\u00a0limit is\u00a0200\u202f000, the password\u00a0field\u00a02.',
])('ordinary text with such blanks is unchanged: %j', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
