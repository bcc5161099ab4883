/** Secrets beside names in other languages, below their name, and as git asks for them. */
import { expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';

const awsSecret = `wJalrXUtnFEMI/K7MDENG${'/'}bPxRfiCYzzABC9KEYS`;
it.each([
  ...[
    'пароль: «Xk42-mQ9p»',
    'Пароль: «Xk42-mQ9p»',
    '密码：«Xk42-mQ9p»',
    '密码: «Xk42-mQ9p»',
    'パスワード：«Xk42-mQ9p»',
  ],
  ...[`aws_secret_access_key\n«${awsSecret}»\n`, `AWS secret access key:\n  «${awsSecret}»`],
  ...["Password for 'https://ana@git.test': «Xk42-mQ9p»", "fatal\nPassword for 'https://git.test': «Xk42-mQ9p»\n"],
])('masks the value in %j', (marked) => {
  const { text, masked } = redact(marked.replace(/[«»]/g, ''));
  expect(text).toBe(marked.replace(/«.*»/, `[REDACTED:${masked[0]?.kind}]`));
});
