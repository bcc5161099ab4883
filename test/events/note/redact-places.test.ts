/** Passwords recognised by the program that reads them, not by a name beside them. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';

describe('the password at such a place is masked, and nothing else:', () => {
  it.each([
    ...[
      'net use Z: \\\\fs01\\share /user:corp\\bob «Kf8mQ2vzLp7x»',
      'net use \\\\fs01\\share /user:corp\\bob «Kf8mQ2vzLp7x»',
      'net use X: \\\\fs01\\share «Kf8mQ2vzLp7x» /user:corp\\bob',
      'net use \\\\fs01\\IPC$ "«Kf8mQ2vzLp7x»" /u:bob /persistent:yes',
      'net use X: \\\\fs01\\share «Kf8mQ2vzLp7x»',
      'Mounted by: net use h: \\\\fs01\\home /user:bob «Kf8mQ2vzLp7x»',
    ],
    ...[
      'machine api.test login bob password «Kf8mQ2vzLp7x»',
      'machine a.test\n  login bob\n  password «Kf8mQ2vzLp7x»\n',
    ],
    ...["CREATE USER app WITH PASSWORD '«Kf8mQ2vzLp7x»';", "ALTER USER 'app'@'%' IDENTIFIED BY '«Kf8mQ2vzLp7x»';"],
    ...['db.test:5432:shop:app:«Kf8mQ2vzLp7x»', '{"auths": {"a.test": {"auth": "«Ym9iOktmOG1RMnZ6THA3eA==»"}}}'],
  ])('%j', (marked) => {
    const masked = redact(marked.replace(/[«»]/g, '')).text;
    expect(masked).toMatch(/\[REDACTED:[a-z-]+\]/);
    expect(masked.replace(/\[REDACTED:[a-z-]+\]/, '*')).toBe(marked.replace(/«.*»/, '*'));
  });
});

describe('a text at such a place that is not a secret stays:', () => {
  it.each([
    ...['net use Z: \\\\fs01\\share /user:bob /persistent:yes', 'net use Z: \\\\fs01\\share which is mapped then'],
    ...['net use Z: \\\\fs01\\share', 'net use: maps a drive for the user bob afterwards'],
    ...[
      'machine login works, password reset3 is broken',
      'IDENTIFIED BY the server',
      'machine a login bob password $PW',
    ],
  ])('%j', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});
