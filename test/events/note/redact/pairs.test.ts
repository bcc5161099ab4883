/** The value beside a sensitive name, where what stands around it could be taken for a part of it. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../../src/events/note/redact.js';

const key = 'Kq7vR2pLx9ZtW4mB8nYc3sDfGh1';
const password = 'Tr0ub4dor3x';

/** The text has one secret, between the two marks: it is masked and the rest stays. */
const expectMasked = (marked: string): void => {
  expect(redact(marked.replace(/[«»]/g, ''))).toEqual({
    text: marked.replace(/«.*»/s, '[REDACTED:secret-value]'),
    masked: [{ kind: 'secret-value', count: 1 }],
  });
};

describe('a secret is not taken for the type of what is in quotes behind it:', () => {
  it.each([
    `curl -H "X-Api-Key: «${key}=»" https://x.test`,
    `curl -H 'X-Api-Key: «${key}=»' -H 'Accept: a/b'`,
    `{ 'X-Vault-Token: «${key}=»' }`,
    `"password: «${key}»="`,
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
    'nor where signs are spelled: %s',
    (text) => expect(redact(text).text).not.toContain(key),
  );

  it('masks both where the type could be a secret, too', () => {
    expect(redact(`password: ${password} key="${key}"`).text).toBe(
      'password: [REDACTED:secret-value] key="[REDACTED:secret-value]"',
    );
  });
});

describe('a type stays, and the value in quotes behind it is masked:', () => {
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
  ])('nothing is masked of %s', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});
