import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactFile } from '../../src/commands/redact-fields.js';
import { formatNoteFile, type NoteFile, newNoteFile, parseNoteFile } from '../../src/events/note/note-file.js';
import { redact } from '../../src/events/note/redact.js';
import { makeNote } from '../support/arbitraries.js';
import { isShown, makeSecrets } from '../support/secrets/secrets.js';

const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
const masked = '[REDACTED:github-token]';
const plain = formatNoteFile(
  newNoteFile(
    makeNote({
      session: '3bf75f14-4c3f-4b0e-9a51-0f6f2a1c9d7e',
      supersedes: ['01J0000000000000000000000B'],
      tags: ['x'],
    }),
  ),
).toString();

const parse = (text: string): NoteFile => {
  const parsed = parseNoteFile(Buffer.from(text), 'portable', 'n.md');
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.file;
};
const redacted = (text: string): string => formatNoteFile(redactFile(parse(text)).file).toString();
/** Returns `plain` with the line of a key replaced. */
const withLine = (key: string, line: string): string => plain.replace(new RegExp(`^${key}:.*$`, 'm'), line);

describe('the front matter of a file', () => {
  it.each(['id', 'type', 'title', 'project', 'supersedes', 'created_at', 'updated_at', 'tags', 'confidence', 'scope'])(
    'keeps %s and its line, and masks the comment after it',
    (key) => {
      const text = plain.replace(new RegExp(`^${key}:.*$`, 'm'), `$& # ${token}`);
      expect(text).toContain(token);
      expect(redacted(text)).toBe(text.replace(token, masked));
      expect(parse(redacted(text)).note).toEqual(parse(text).note);
    },
  );
  it('masks the comments between its keys', () => {
    const text = plain.replace('\ntitle:', `\n# the password is Xk9mQ2vR7wLp\ntitle:`);
    expect(redacted(text)).toBe(text.replace('Xk9mQ2vR7wLp', '[REDACTED:secret-value]'));
  });
  it.each([
    ['agent', token, masked],
    ['project', `x ${token}`, `x ${masked}`],
    ['prov_session', token, masked],
    ['source_key', `"a\\n${token}"`, `a\n${masked}`],
  ])('keeps the value of %s and masks the secret in it', (key, value, expected) => {
    const text = plain.replace(new RegExp(`^${key}:.*\n`, 'm'), '');
    const front = parse(redacted(text.replace('\n---\n', `\n${key}: ${value}\n---\n`))).front;
    expect(front.values[key]).toBe(expected);
  });
  it.each([
    [`login: ${token}`, masked],
    [`cites: [${token}]`, [masked]],
    [`login: "${token.replace('h', '\\x68')}"`, masked],
    ['login: "the password is\n  Xk9mQ2vR7wLp"', 'the password is [REDACTED:secret-value]'],
    [`a:\n  - b: ${token} # and`, [{ b: masked }]],
  ])('keeps the value of an unknown key and masks the secret in it: %s', (lines, expected) => {
    const { front } = parse(redacted(plain.replace('\n---\n', `\n${lines}\n---\n`)));
    expect(front.values[lines.slice(0, lines.indexOf(':'))]).toEqual(expected);
  });
  it.each([
    [`${token}: x`, { [masked]: 'x' }],
    [`"${token}": [a, b]`, { [masked]: ['a', 'b'] }],
    [`to ${token}:\n  b: c`, { [`to ${masked}`]: { b: 'c' } }],
    [`${token}: ${token}`, { [masked]: masked }],
    [`"${token.replace('h', '\\x68')}": x`, { [masked]: 'x' }],
    [`? ${token}\n: x`, { 'REDACTED:github-token': 'x' }],
    [`a:\n  ${token}: x`, { a: { [masked]: 'x' } }],
    [`a:\n  ${token}: x\n  ${token}2: y`, { a: { [masked]: 'x', [`${masked} 2`]: 'y' } }],
    [`${token}: x\n${token}2: y`, { [masked]: 'x', [`${masked} 2`]: 'y' }],
    [`'${masked}': x\n${token}: y`, { [masked]: 'x', [`${masked} 2`]: 'y' }],
  ])('masks a secret in a key and keeps the value under it: %s', (lines, expected) => {
    const once = redacted(plain.replace('\n---\n', () => `\n${lines}\n---\n`));
    expect(once).not.toContain(token);
    expect(parse(once).front.values).toMatchObject(expected);
    expect(redacted(once)).toBe(once);
  });
  it('is masked even if its keys are not on separate lines', () => {
    const text = `---\n{id: 01J0000000000000000000000A, type: semantic, title: x, agent: ${token}, mine: ${token}} # ${token}\n---\nbody\n`;
    expect(redacted(text)).not.toContain(token);
    expect(parse(redacted(text)).note).toMatchObject({ title: 'x', agent: masked });
  });
  it('keeps a session id, and file hashes below a key about tokens', () => {
    const text = withLine('title', `title: token\ncites:\n- ${'3f9c1b7e5d'.repeat(4)}\nsha: ${'3f9c1b7e5d'.repeat(4)}`);
    expect(redactFile(parse(text))).toEqual({ file: parse(text), masked: [] });
  });
  it('remains a note, shows no known secret, and does not change when it is masked again', () => {
    const keys = ['title', 'agent', 'tags', 'project', 'supersedes', 'created_at', 'login', 'password'];
    const places = fc.constantFrom<(key: string, secret: string) => string>(
      (key, secret) => `${key}: ${JSON.stringify(secret)}`,
      (key, secret) => `${key}: [${JSON.stringify(secret)}]`,
      (key, secret) => `${key}: |\n  ${secret.replaceAll('\n', '\n  ')}`,
      (_, secret) => `${secret.split('\n').at(-1)}: x`,
      (_, secret) => `${JSON.stringify(secret)}: x`,
      (key, secret) => `${key}: x # ${secret.replaceAll('\n', `\n# `)}`,
    );
    const secrets = fc.constantFrom(...makeSecrets(11, 800));
    fc.assert(
      fc.property(fc.constantFrom(...keys), places, secrets, (key, place, secret) => {
        const line = new RegExp(`^${key}:.*\n(?:-.*\n)*`, 'm');
        const text = plain.replace(line, '').replace('\n---\n', () => `\n${place(key, secret.text)}\n---\n`);
        const read = parseNoteFile(Buffer.from(text), 'portable', 'n.md');
        if (!read.ok) return;
        const once = redacted(text);
        expect(redacted(once)).toBe(once);
        const isKnown = !isShown(secret, redact(place('x', secret.text)).text);
        if (isKnown) expect(isShown(secret, once)).toBe(false);
      }),
    );
  });
});
