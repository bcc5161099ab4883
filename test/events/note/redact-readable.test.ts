/** Secrets are masked as ordinary tools write them: coloured, escaped, with other blanks, JSON in JSON. */
import { describe, expect, it } from 'vitest';
import { maskText, withoutCodes } from '../../../src/events/note/mask-text.js';
import { redact } from '../../../src/events/note/redact.js';

const password = 'Kq7mZx2vT9pLw4Rn';
const github = `gh${'p_'}aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5`;
const hides = (text: string, secret = password): void => expect(redact(text).text).not.toContain(secret.slice(0, 8));
const unchanged = (text: string): void => expect(redact(text)).toEqual({ text, masked: [] });

describe('a terminal code', () => {
  it.each([
    '\u001b[0m',
    '\u001b[01;31m',
    '\u001b[38;5;214m',
    '\u001b[K',
    '\\u001b[32m',
    '\\x1b[0m',
    '\\033[1m',
    '\\e[1m',
    '^[[31m',
  ])('%j beside or inside a secret leaves it masked', (code) => {
    hides(`password=${code}${password}`);
    hides(`password${code}=${code}${password}${code} end`);
    hides(`see ${code}${github}${code} end`, github);
    expect(redact(`with ${github.slice(0, 20)}${code}${github.slice(20)} end`).text).toBe(
      'with [REDACTED:github-token] end',
    );
  });
  it('stays, and so does the text around it', () =>
    expect(redact(`\u001b[32mpassword\u001b[0m=\u001b[1m${password}\u001b[0m ok`).text).toBe(
      '\u001b[32mpassword\u001b[0m=\u001b[1m[REDACTED:secret-value]\u001b[0m ok',
    ));
  it('of a link hides no secret in its address', () =>
    expect(maskText(`\u001b]8;;https://x.test/?token=${password}\u0007PR 7\u001b]8;;\u0007`)).toBe('PR 7'));
});

it.each([
  ...[
    '%3D',
    '%3d',
    '%253D',
    '\\u003D',
    '\\x3d',
    '\\\\u003d',
    '&#61;',
    '&#x3D;',
    '&equals;',
    '＝',
    '：',
    ':\u00a0',
    ': \u202f',
  ],
])('%j separates a name and its value', (sign) =>
  expect(redact(`password${sign}${password} end`).text).toBe(`password${sign}[REDACTED:secret-value] end`),
);

it.each([
  `{&quot;password&quot;:&quot;${password}&quot;}`,
  `{&amp;quot;password&amp;quot;:&amp;quot;${password}&amp;quot;}`,
  `&lt;password&gt;${password}&lt;/password&gt;`,
  `https%3A%2F%2Fapp%3A${password}%40db.test%2Fx`,
  `Mot\u00a0de\u00a0passe\u00a0: «\u00a0${password}\u00a0»`,
  `ｐａｓｓｗｏｒｄ＝${password}`,
  `Authorization：Bearer\u3000${password}`,
  `mysql -u root\u00a0-p${password} shop`,
  `"a\\nDB_PASSWORD=${password}\\nPORT=1"`,
  `with ${github.replace('_', '\\_')} we deploy`,
  `with ${github.slice(0, 20)}\u200b${github.slice(20)} we deploy`,
])('exposes nothing: %s', (text) => {
  hides(text);
  hides(text, github.slice(0, 20));
});

it.each([1, 2, 3, 4])('JSON in JSON hides no value that is escaped %i times', (times) => {
  let text = JSON.stringify({ password, other: 'words' });
  for (let time = 0; time < times; time += 1) text = JSON.stringify(text);
  hides(text);
  expect(redact(text).text).toContain('words');
});

it.each([
  'password\\_hash\\_v2, C:\\new\\table\\x20 and a%20b%3Fc=d',
  'match /config\\.token\\.v2a1/ or \\bghp_[A-Za-z0-9]{36}\\b',
  'Plain \\e[1mbold\\e[0m, \\u001b[32mgreen\\u001b[0m, ^[[31mred^[[0m and 100%25',
  'if (a &lt; b &amp;&amp; c &gt; d2) return &quot;token&quot;; // &copy; 2024 M&uuml;ller &#8212; v2',
  '{&quot;password&quot;:&quot;{{ password }}&quot;,&quot;port&quot;:5432}',
  'Le mot de passe\u00a0: voir «\u00a0coffre\u00a0» de l’équipe\u00a0; 12\u202f000 clés en 2026.',
  '配置：密码　请见文档，令牌：见金库。ＡＢＣ＝１２３',
  'https://www.google.com/search?q=password%3A+min+8+chars',
])('ordinary text stays: %s', unchanged);

it.each([
  'sshpass -p[REDACTED:command-password] rsync -a x host:',
  'password: [REDACTED:secret-value]\nuser4711\n',
  'https://u:[REDACTED:url-credentials]@host2.test/a1b2c3',
  'DB_PASSWORD="[REDACTED: see the vault]"',
  '?sig=[REDACTED:signed-url]&se=1700000000&x=a1B2c3D4e5F6g7H8',
])('text near a mask stays: %s', unchanged);

it.each([
  ['\u009b, which begins no code', 'a\u009bpple pie', 'apple pie'],
  ['an escape before a letter', 'a\u001bpple pie', 'apple pie'],
  ['a code spelled as text', 'echo "\\e[1m" ^[[31m', 'echo "\\e[1m" ^[[31m'],
])('the text of an agent keeps the words after %s', (_, text, kept) => expect(withoutCodes(text)).toBe(kept));
