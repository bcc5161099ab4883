/** Secrets beside names in other languages, below their name, and at git's prompts. */
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
  ...[`AWS secret access key:\n  «${awsSecret}»`],
  ...["Password for 'https://ana@git.test': «Xk42-mQ9p»", "fatal\nPassword for 'https://git.test': «Xk42-mQ9p»\n"],
  ...[
    'wandb login «3f9c1b7e5d2a8046b1c9e7f35d2a80463f9c1b7e»',
    'wandb login --relogin «3f9c1b7e5d2a8046b1c9e7f35d2a80463f9c1b7e»',
  ],
])('masks the value in %j', (marked) => {
  const { text, masked } = redact(marked.replace(/[«»]/g, ''));
  expect(text).toBe(marked.replace(/«.*»/, `[REDACTED:${masked[0]?.kind}]`));
});

it.each([
  'wandb login',
  'wandb login failed at 3f9c1b7e5d2a8046b1c9e7f35d2a80463f9c1b7e',
  '{"username":"jo","key":"order-4711"}',
  '3f9c1b7e5d2a8046b1c9e7f35d2a8046-1b5736a5.js',
  '1b5736a5-4f8c-9e2d-8f3a-3f9c1b7e5d2a',
  'sl.innerHTML = sl.u.toString()',
  'const sk.eyJust = polar_oat_count + ddp_stream_of_the_encoder',
  'access_token$production$branch, amzn.mws.client, AQ.Ab8 and ATTACHMENT',
])('leaves %j alone', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
