/** Values beside a sensitive name, where the text around them could be mistaken for a part of them. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../../src/events/note/redact.js';

const key = 'Kq7vR2pLx9ZtW4mB8nYc3sDfGh1';
const password = 'Tr0ub4dor3x';

/** Expects the one secret, between the two marks, to be masked and the rest to stay. */
const expectMasked = (marked: string): void => {
  expect(redact(marked.replace(/[«»]/g, ''))).toEqual({
    text: marked.replace(/«.*»/s, '[REDACTED:secret-value]'),
    masked: [{ kind: 'secret-value', count: 1 }],
  });
};

describe('a secret is not mistaken for the type of a quoted value after it:', () => {
  it.each([
    `curl -H "X-Api-Key: «${key}=»" https://x.test`,
    `curl -H 'X-Api-Key: «${key}=»' -H 'Accept: a/b'`,
    `{ 'X-Vault-Token: «${key}=»' }`,
    `"password: «${key}=»"`,
    `password: «${password}» user="bob"`,
    `password: «${password}», user="bob"`,
    `level=info token: «${key}» host="h"`,
    `api_key: «${key}» status="ok"`,
    `token: «${key}» level='x'`,
    `token: «${key}» and level="debug"`,
    `token: «${key}» = "x"`,
    `api_key: «${key}» <b class="x">`,
    `api_key%3A«${key}=»&quot;`,
    `token：«${key}»&amp;token='`,
  ])('%s', expectMasked);

  it.each([`password%3A%20${key}=&quot;>`, `href=&quot;https://x.test/?k=1&amp;api_key%3A${key}=&quot;`])(
    'even when signs are escaped: %s',
    (text) => expect(redact(text).text).not.toContain(key),
  );

  it('both are masked when the type could be a secret too', () => {
    expect(redact(`password: ${password} key="${key}"`).text).toBe(
      'password: [REDACTED:secret-value] key="[REDACTED:secret-value]"',
    );
  });
});

describe('a type stays, and the quoted value after it is masked:', () => {
  it.each([
    `password: str = "«${password}»"`,
    `const token: string | undefined = '«${key}»';`,
    `api_key: Option<&'static str> = "«${key}»"`,
    `apiKey?: Uint8Array = "«${key}»"`,
  ])('%s', expectMasked);

  it.each([
    'password: str = "" # level="debug2"',
    "const token: Token2 = 'none'; let user='bob2'",
    'secret: Sha256Digest = "x"',
    'password: see the vault, user="bob2"',
  ])('nothing is masked in %s', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});

describe('a secret is masked even if the quote before it is never closed:', () => {
  it.each([
    `{"api_key":"«${key}»`,
    `{"user":"app","password":"«${password}»`,
    `{\\"api_key\\":\\"«${key}»`,
    `{\\"password\\":\\"«${password}»\\nnext`,
    `client_secret = "«${key}»\n[output truncated]`,
    `client_secret = "«${key}» [output truncated]`,
    `client_secret = "«${key}»[output truncated]`,
    `client_secret = "«${key}»... 200 more lines`,
    `client_secret = "«${key}»… 200 more lines`,
    `client_secret = "«${key}»[...]`,
    `export DB_PASSWORD="«${key}»\nmake`,
    `export DB_PASSWORD='«hunter2abc»\r\nmake`,
    `X-Vault-Token: '«${key}»\nnext`,
    `the password: \`«${password}»`,
    `config['token'] = '«${key}»`,
    `'token' => '«${key}»`,
    `os.Setenv("TOKEN", "«${key}»`,
    `<add key="token" value="«${key}»`,
    `{"name":"token","value":"«${key}»`,
    `env.TOKEN || '«${key}»`,
    `curl -H 'X-Api-Key: "«${key}»' https://x.test`,
    `client_secret = "«${key}» was cut, see "log"`,
    `client_secret = "«${key}», user = "app"`,
  ])('%j', expectMasked);

  it('wherever the text is cut off', () => {
    const text = `{"user":"app","api_key":"${key}","n":1}`;
    const from = text.indexOf(key);
    for (let length = from + 12; length <= text.length; length += 1)
      expect(redact(text.slice(0, length)).text).not.toContain(key.slice(0, 12));
  });
});

describe('a secret is masked in doubled and in tripled quotes:', () => {
  it.each([
    `password = """«${password}»"""`,
    `password = '''«${password}»'''`,
    `token = \\"\\"\\"«${key}»\\"\\"\\"`,
    `"api_key: ""«${key}»"", the rest"`,
    `password=""«${password}»""`,
  ])('%s', expectMasked);
});

describe('text after an unclosed quote that is not a secret stays:', () => {
  it.each([
    'password: "hunter\n',
    'password: "the one of db2',
    'token: "$API_TOKEN_2\n',
    `password = "\${DB_PASSWORD_2}\n`,
    'password = "changeme123\n',
    'token: "...\n',
    `password: "" + user2name + '`,
    "password: '' || process.env.PASS2WORD",
    'password = """\nThe one of user2name\n"""',
    'the password: "admin2\'s first one, then "none"',
    'secret: "src/auth/token2.ts\n',
    "token: 'utf8sha256\n",
  ])('%j', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});

describe('HTML tags may separate the name and the secret:', () => {
  it.each([
    `<td>password</td><td>«${key}»</td>`,
    `<tr><td>password</td>\n  <td>«${password}»</td>\n</tr>`,
    `<tr><th scope="row">API key</th><td class="v">«${key}»</td></tr>`,
    `<td><b>Password:</b></td><td><code>«${password}»</code></td>`,
    `<dt>Token</dt><dd>«${key}»</dd>`,
    `<b>Password:</b> «${password}»<br>`,
    `<strong>API key</strong>: <code>«${key}»</code>`,
    `<p>Password: <b>«${password}»</b></p>`,
    `&lt;td&gt;password&lt;/td&gt;&lt;td&gt;«${password}»&lt;/td&gt;`,
  ])('%j', expectMasked);

  it.each([
    '<tr><th>Token</th><th>Sha256Hash</th></tr><tr><td>password</td><td>string</td></tr>',
    '<td>token</td><td><code>config.token2</code></td>',
    '<td>password</td><td><a href="/reset2">reset</a></td><td>v2beta1</td>',
    '<b>Password:</b> see <code>vault1</code>',
    '<h2>API key</h2><p>v2beta1 of 2024</p>',
  ])('nothing is masked in %s', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});
