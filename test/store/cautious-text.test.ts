import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskText } from '../../src/events/note/mask-text.js';
import { dropPossibleSecrets } from '../../src/store/cautious-text.js';
import { anyKey, anyPlace, leaksOf } from '../support/made-up-keys.js';
import { isShown, makeSecrets } from '../support/secrets/secrets.js';

describe('dropPossibleSecrets', () => {
  it.each([
    ['why does the deploy hang?', 'why does the deploy hang?'],
    ['run src/store/reading.ts twice in 2026', 'run src/store/reading.ts twice in 2026'],
    ['  Größe der 数据库 \n prüfen ', 'Größe der 数据库 prüfen'],
    ['', ''],
    ['how are idempotency keys kept', 'how are idempotency keys kept'],
    ['foreign key constraint fails', 'foreign key …'],
  ])('keeps %j', (text, kept) => {
    expect(dropPossibleSecrets(text)).toBe(kept);
  });

  it.each([
    ['password: hunter2 and more', 'password: …'],
    ['my token is swordfish', 'my token …'],
    ['here is the db password:\nhunter2', 'here is the db password: …'],
    ['otp 482913', 'otp …'],
    ['card 4111 1111 1111 1111 of 2026', 'card … of 2026'],
    ['пароль hunter2', 'пароль …'],
    ['密码 hunter2', '密码 …'],
    ['the api key is swordfish', 'the api key …'],
    ['curl https://me:pw@example.org/x now', 'curl … now'],
    ['use ghp_0123456789abcdef0123456789abcdef0123', 'use …'],
    ['set DB=abc then DB＝abc', 'set … then …'],
    ['two\u001b[8mhidden words', '… words'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc', '…'],
  ])('leaves out anything in %j that could be a secret', (text, kept) => {
    expect(dropPossibleSecrets(text)).toBe(kept);
  });

  it.each([
    'redis-cli -a swordfish99 ping says redis cache eviction is off, why',
    "alter user bob IDENTIFIED BY 'k9x2mq7w' now",
    'ldapsearch -x -D cn=admin -w swordfish99 why',
    'mongo -u bob -p swordfish99 now',
    'mongo -u bob -pswordfish99 now',
    'openssl enc -aes -k swordfish99 now',
    'zip -P swordfish99 a.zip b',
    'unzip -P "sword fish99" a.zip',
    'sqlcmd -P swordfish99 now',
    'etcdctl --user root:swordfish99 get',
    'http -a bob:swordfish99 example.org',
    'net user bob swordfish99 now',
    'rabbitmqctl add_user bob swordfish99',
    'vault login swordfish',
    'sqlplus bob/swordfish99',
    'gh secret set X --body swordfish99',
  ])('leaves out a weak secret that the masker recognises by its place: %s', (text) => {
    expect(maskText(text)).not.toBe(text);
    expect(dropPossibleSecrets(text)).not.toMatch(/swordfish|k9x2|fish99/);
  });

  it('keeps at most 300 characters of a text of any length, quickly', () => {
    const long = 'word '.repeat(40_000);
    const started = performance.now();
    expect(dropPossibleSecrets(long).length).toBeLessThanOrEqual(302);
    expect(dropPossibleSecrets('x'.repeat(100_000))).toMatch(/^…?$/);
    expect(dropPossibleSecrets(`${'a '.repeat(1_999)}secrets${'b'.repeat(99)}`)).not.toContain('secrets');
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('leaves nothing that masking would remove, and no generated secret, of any kind in any place', () => {
    const shown = makeSecrets(11, 2_000).filter((secret) => {
      const kept = dropPossibleSecrets(secret.text);
      return isShown(secret, kept) || maskText(kept) !== kept;
    });
    expect(shown.map(({ kind, text }) => ({ kind, text, kept: dropPossibleSecrets(text) }))).toEqual([]);
  });

  it('leaves no piece of a key, wherever it is in a long text', () => {
    fc.assert(
      fc.property(anyKey, anyPlace(4_800), (key, put) => {
        expect(leaksOf(dropPossibleSecrets(put(key.text)), key)).toEqual([]);
      }),
    );
  });
});
