/** Escaped signs in URLs, HTML and string literals are read as the signs that they stand for. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';

const password = 'Kq7mZx2vT9pLw4Rn';

describe('a plus sign in a URL with escaped signs', () => {
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

const github = `gh${'p_'}aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5`;
const [front, rest] = [github.slice(0, 20), github.slice(20)];

describe('a sign escaped in HTML', () => {
  it.each([
    `{&quot;password&quot;:&quot;${password}&quot;}`,
    `data-props="{&quot;password&quot;:&quot;${password}&quot;,&quot;n&quot;:1}"`,
    `{&#34;password&#34;:&#34;${password}&#34;}`,
    `{&#x22;password&#x22;&#58;&#x22;${password}&#x22;}`,
    `{&amp;quot;password&amp;quot;:&amp;quot;${password}&amp;quot;}`,
    `DB_PASSWORD=&quot;${password}&quot;`,
    `DB_PASSWORD=&apos;${password}&apos;`,
    `password=&#39;${password}&#039;`,
    `password&#61;${password}`,
    `password&#x3D;${password}`,
    `password&equals;${password}`,
    `password&colon; ${password}`,
    `password&#58; ${password}`,
    `password&#x3a;&Tab;${password}`,
    `the password is&NonBreakingSpace;${password}`,
    `&lt;password&gt;${password}&lt;/password&gt;`,
    `https&colon;&sol;&sol;app:${password}&commat;db&period;test/x`,
    `https:&#47;&#x2f;app:${password}&#64;db.test/x`,
    `pass&shy;word=${password}`,
    `&#112;assword=${password}`,
  ])('exposes no value: %s', (text) => expect(redact(text).text).not.toContain(password));

  it.each(['&#95;', '&#095;', '&#x5F;', '&#x5f;', '&lowbar;', '&amp;#95;'])('is part of a token: %s', (sign) => {
    expect(redact(`with ${github.replace('_', sign)} end`).text).toBe('with [REDACTED:github-token] end');
  });

  it.each(['&#8203;', '&#x200B;', '&ZeroWidthSpace;', '&shy;', '&#173;', '&zwnj;', '&NoBreak;', '<wbr>', '<wbr />'])(
    'is ignored inside a token when it is invisible: %s',
    (mark) => expect(redact(`with ${front}${mark}${rest} end`).text).toBe('with [REDACTED:github-token] end'),
  );

  it.each([
    'if (a &lt; b &amp;&amp; c &gt; d2) return &quot;token&quot;; // &copy; 2024 M&uuml;ller &#8212; v2',
    '<a href="/x?token=&quot;{{ token }}&quot;&amp;page=2">the password&#58; see the vault</a>',
    '&lt;input name=&quot;password&quot; type=&quot;password&quot; minlength=&quot;8&quot;&gt;',
    'a long&shy;word, a<wbr>b2, &#0; &#1114112; &#99999999; &nosuch; AT&T and &quot without an end',
    '{&quot;password&quot;:&quot;{{ password }}&quot;,&quot;port&quot;:5432}',
  ])('changes no text without a secret: %s', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});

describe('a hidden mark escaped in a string', () => {
  it.each(['\\u200b', '\\u200B', '\\\\u200b', '\\ufeff', '\\u00ad', '\\xad', '\\u2060', '\\u{200b}', '%E2%80%8B'])(
    'is ignored inside a token: %s',
    (mark) => expect(redact(`with ${front}${mark}${rest} end`).text).toBe('with [REDACTED:github-token] end'),
  );
});

describe('JSON in JSON', () => {
  it.each([1, 2, 3, 4])('hides no value that is escaped %i times', (times) => {
    let text = JSON.stringify({ password, other: 'words' });
    for (let time = 0; time < times; time += 1) text = JSON.stringify(text);
    expect(redact(text).text).not.toContain(password);
    expect(redact(text).text).toContain('words');
  });
  it.each([2, 3, 4])('hides no sign that is escaped %i times', (times) => {
    const equals = `${'\\'.repeat(2 ** (times - 1))}u003d`;
    expect(redact(`PASSWORD${equals}${password} end`).text).toBe(`PASSWORD${equals}[REDACTED:secret-value] end`);
  });
});

describe('letters and signs in other Unicode forms', () => {
  it.each([
    `password\ufe30${password}`,
    `password\u2236 ${password}`,
    `password\ua789${password}`,
    `\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44\uff1d${password}`,
    `\uff30\uff21\uff33\uff33\uff37\uff2f\uff32\uff24: ${password}`,
    `DB\uff3fPASSWORD\uff1d${password}`,
    `password:%C2%A0${password}`,
    `password%3A%C2%A0${password}`,
    `password%3a%e2%80%af${password}`,
  ])('hide no value in %s', (text) => expect(redact(text).text).not.toContain(password));
});
