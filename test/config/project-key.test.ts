import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOfName, keyOfRemote, whyNoKey } from '../../src/config/project-key.js';
import { processorMs } from '../support/processor-time.js';

describe('the key of a remote', () => {
  it.each([
    ['https://github.com/Acme/Shop.git', 'github.com/acme/shop'],
    ['https://github.com/acme/shop/', 'github.com/acme/shop'],
    ['git@github.com:acme/shop.git', 'github.com/acme/shop'],
    ['ssh://git@github.com:22/acme/shop', 'github.com/acme/shop'],
    ['ssh://git@host.example/~me/shop.git', 'host.example/me/shop'],
    ['git://host/acme/shop', 'host/acme/shop'],
    ['https://host:8443/a/b/c.git', 'host/a/b/c'],
    ['https://host.example/acme/shop?x=1#y', 'host.example/acme/shop'],
    ['https://git.example/@scope/repo', 'git.example/@scope/repo'],
    ['https://git.example/acme/shop@v2', 'git.example/acme/shop@v2'],
    ['git@git.example:@scope/repo', 'git.example/@scope/repo'],
    ['/srv/git/shop.git', undefined],
    ['../shop', undefined],
    ['file:///srv/git/shop.git', undefined],
    ['', undefined],
  ])('for %s is %s', (address, key) => {
    expect(keyOfRemote(address)).toBe(key);
  });

  it.each([
    'https://me:hunter2@github.com/acme/shop.git',
    'https://me:hunt@er2@github.com/acme/shop.git',
    'https://me@corp.example:hunt@er2@github.com/acme/shop',
    'https://ghp_abcdef@github.com/acme/shop',
    'https://x%40y:p%2Fq%40r@github.com/acme/shop',
    'ssh://me:hunt@er2@github.com:22/acme/shop',
  ])('leaves out the user of %s', (address) => {
    expect(keyOfRemote(address)).toBe('github.com/acme/shop');
  });

  it.each([
    'https://me:1/hunter2@github.com/acme/shop',
    'https://me:1/hunter2@github.com',
    'https://me:1/hunt?er2@github.com/acme/shop',
    'https://me:p@ss/@gitserver/shop',
    'https://me:hun/ter@2@github.com/acme/shop',
    'https://me:hun?ter#2@github.com/acme/shop',
    'me:hunter2@github.com:acme/shop.git',
    'me@corp.example:hunt@er2@github.com:acme/shop',
    'evil.example:x@github.com:acme/payroll',
    'git@evil.example:x@github.com:acme/payroll',
    'helper::x@github.com:acme/payroll',
    'https://evil.example/@github.com/acme/payroll',
    'https://evil.example/x/@github.com/acme/payroll',
    'https://evil.example#@github.com/acme/payroll',
    'https://evil.example?@github.com/acme/payroll',
    'https://evil.example\\@github.com/acme/payroll',
    'https://evil.example:443/x@github.com/acme/payroll',
    'https://evil.example:443#@github.com/acme/payroll',
    'ssh://evil.example/x@github.com/acme/payroll',
    'ssh://git@evil.example/x@github.com:22/acme/payroll',
  ])('is undefined for %s, where the end of the password is uncertain', (address) => {
    expect(keyOfRemote(address)).toBeUndefined();
  });

  it('begins with the host that is contacted, whatever the server puts after it', () => {
    const behind = fc.string({ unit: fc.constantFrom(...'@@//:?#\\.a%~ '), maxLength: 8 });
    const host = 'evil.example';
    fc.assert(
      fc.property(
        fc.constantFrom(`https://${host}`, `ssh://git@${host}`, `https://me:pw@${host}:443`, `git://${host}:9418`),
        fc.constantFrom('/', '?', '#', '\\'),
        behind,
        fc.constantFrom('@', '/@', ':@', 'x@'),
        (start, end, text, mark) => {
          const key = keyOfRemote(`${start}${end}${text}${mark}github.com/acme/payroll`);
          expect(key ?? `${host}/`).toMatch(/^evil\.example\//);
        },
      ),
    );
    fc.assert(
      fc.property(behind, fc.constantFrom('@', '/@', 'x@'), (text, mark) => {
        const key = keyOfRemote(`git@${host}:${text}${mark}github.com:acme/payroll`);
        expect(key ?? `${host}/`).toMatch(/^evil\.example\//);
      }),
    );
  });

  const secretText = fc
    .string({ unit: fc.constantFrom(...'abcZ019:@%/?#.-_~ \u00fc$!'), minLength: 3, maxLength: 14 })
    .map((text) => `Q7${text}q8`);

  it('never contains any part of a user name or a password', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('https', 'ssh', 'git+ssh', 'http'),
        fc.option(secretText, { nil: undefined }),
        secretText,
        fc.constantFrom('github.com/acme/shop', 'git.corp.example:8443/a/b', 'gitserver/a/b'),
        fc.constantFrom('url', 'short'),
        (scheme, user, password, place, form) => {
          const said = user === undefined ? `u:${password}` : `${user}:${password}`;
          const plain = place.replace(/:\d+/, '');
          const address = form === 'url' ? `${scheme}://${said}@${place}` : `${said}@${plain.replace('/', ':')}`;
          expect([plain, undefined]).toContain(keyOfRemote(address));
        },
      ),
    );
  });

  it('is fast for 64 KB of anything', () => {
    const begin = processorMs();
    for (const mark of ['@', ':', '/', 'a', '.', '@:', '/@', '~/']) {
      for (const before of ['', 'https://', 'git@', 'https://h/']) keyOfRemote(before + mark.repeat(65_536));
    }
    expect(processorMs() - begin).toBeLessThan(500);
  });
});

describe('a key that someone else chose', () => {
  it.each([
    '',
    'global',
    'Global',
    'a\x1b[31m',
    'a\u202eb',
    'a\u{e0041}',
    '../x',
    'a/../b',
    ' ',
    '- x',
    'x'.repeat(201),
    'a\nb',
  ])('is not %j', (text) => {
    expect(whyNoKey(text)).toEqual(expect.any(String));
  });
  it.each(['shop', 'github.com/acme/shop', 'My Shop', '.dotfiles', 'büro/abrechnung', 'git.sr.ht/~me/x'])(
    'may be %j',
    (text) => {
      expect(whyNoKey(text)).toBeUndefined();
    },
  );
});

describe('the name of a folder', () => {
  it('becomes a key of one line, never the one of all projects', () => {
    expect(keyOfName('Shop.git')).toBe('shop');
    expect(keyOfName('a\x1b[2J\nb\u202e')).toBe('a-[2j-b-');
    expect(keyOfName('Global')).toBe('./global');
    for (const blank of [' ', '   ', '\u00a0', '\u3000\u2003', '.git']) expect(keyOfName(blank)).toBe('./-');
  });
});
