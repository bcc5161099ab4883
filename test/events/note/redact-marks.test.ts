/** Text that already contains a mask: writing one does not switch masking off. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';
import { isShown, makeSecrets } from '../../support/secrets/secrets.js';

describe('a mask beside a secret does not prevent masking:', () => {
  it.each([
    ['password=[REDACTED:x]«Xk9mQ2vR7wLp»'],
    ['password: «Xk9mQ2vR7wLp»[REDACTED:x]'],
    ['password: "[REDACTED:jwt]«Xk9mQ2vR7wLp»"'],
    ['password: «Xk9mQ2»[REDACTED:secret-value]«vR7wLp4T»'],
    ['https://u:«Xk9mQ2vR7wLp»[REDACTED:x]@h/'],
    ['mysql -u me -p[REDACTED:x]«Xk9mQ2vR7wLp» shop'],
    [`password="[REDACTED:${'k'.repeat(41)}]«Xk9mQ2vR7wLpZt4»"`],
  ])('%s', (marked) => {
    const { text, masked } = redact(marked.replace(/[«»]/g, ''));
    expect(masked.length).toBeGreaterThan(0);
    expect(text.replace(/\[REDACTED:[a-z-]+\]/g, '*')).toBe(marked.replace(/\[REDACTED:[a-z-]+\]|«[^»]*»/g, '*'));
    expect(redact(text)).toEqual({ text, masked: [] });
  });
});

describe('a partial mask, or text that only looks like one, does not prevent masking:', () => {
  it.each([
    'DB_PASSWORD="Xk9mQ2vR7wLpZt4hB6[REDACTED:"',
    'DB_PASSWORD="[REDACTED:Xk9mQ2vR7wLpZt4hB6"',
    'DB_PASSWORD=[REDACTED:1]Xk9mQ2vR7wLpZt4hB6',
    'DB_PASSWORD=Xk9mQ2vR7wLpZt4hB6[REDACTED:Ab]',
    'password="[REDACTED:A]Xk9mQ2vR7wLpZt4hB6"',
    'mysql -u root -p"Xk9mQ2vR7wLpZt4hB6[REDACTED:1" shop',
    'https://u:Xk9mQ2vR7wLpZt4hB6[REDACTED:@h/',
    'https://u:[REDACTED:1]Xk9mQ2vR7wLpZt4hB6@h/',
    'kind: Secret\napiVersion: v1\nstringData:\n  pass: "Xk9mQ2vR7wLpZt4hB6[REDACTED:"\n',
    "CREATE USER me IDENTIFIED BY 'Xk9mQ2vR7wLpZt4hB6[REDACTED:1';",
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqXk9mQ2vR7wLpZt4hB6hkiG9w0BAQEFAASC[REDACTED:\n-----END PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\n[REDACTED:1]\nMIIEvQIBADANBgkqXk9mQ2vR7wLpZt4hB6hkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----',
  ])('%s', (text) => {
    const once = redact(text);
    expect(once.text).not.toContain('Xk9mQ2vR7wLpZt4hB6');
    expect(redact(once.text)).toEqual({ text: once.text, masked: [] });
  });
});

it.each([1, 2, 50, 20_000])('masks nested %i deep, each whole without its inner ones, do not stop masking', (depth) => {
  const marks = `${'[REDAC'.repeat(depth)}[REDACTED:x]${'TED:x]'.repeat(depth)}`;
  const once = redact(`password: Xk9mQ2${marks}vR7wLp4T`);
  expect(once.text === `password: [REDACTED:secret-value]${marks}[REDACTED:secret-value]`).toBe(true);
  expect(redact(once.text)).toEqual({ text: once.text, masked: [] });
});

it('a mask before, after or inside a generated secret exposes fewer than 3 in 100', () => {
  const made = makeSecrets(5, 1500);
  const exposed = made.flatMap((secret, i) => {
    const [hidden = ''] = secret.hidden;
    const cut = [0, hidden.length, Math.floor(hidden.length / 2)][i % 3] ?? 0;
    const text = secret.text.replace(hidden, () => `${hidden.slice(0, cut)}[REDACTED:x]${hidden.slice(cut)}`);
    const once = redact(text).text;
    expect(redact(once)).toEqual({ text: once, masked: [] });
    return isShown(secret, once) ? [`${secret.kind}: ${text}\n→ ${once}`] : [];
  });
  expect(exposed.length, exposed.join('\n')).toBeLessThan(made.length * 0.03);
});

it.each([
  'sshpass -p[REDACTED:command-password] rsync -a x host:',
  'password: [REDACTED:secret-value]\nuser4711\n',
  'https://u:[REDACTED:url-credentials]@host2.test/a1b2c3',
  'the token is [REDACTED:github-token], see a1B2c3D4.',
  '| user | password |\n| --- | --- |\n| me | [REDACTED:secret-value] |\n| app42 | none |\n',
  'DB_PASSWORD=[REDACTED]',
  'DB_PASSWORD="[REDACTED: see the vault]"',
  'DB_PASSWORD=[REDACTED:API_KEY]',
  '?sig=[REDACTED:signed-url]&se=1700000000&x=a1B2c3D4e5F6g7H8',
])('leaves text near a mask alone: %s', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
