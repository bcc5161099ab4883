import { describe, expect, it } from 'vitest';
import { matchProject, nameProject } from '../../src/app/named-project.js';

const keys = ['github.com/acme/shop', 'github.com/acme/shop-web', 'gitlab.com/group/payments-api', 'notes/vault'];
const keyOf = (given: string): string => {
  const found = matchProject(keys, given);
  return found.ok ? found.answer : found.refusal.code;
};
const messageOf = (given: string): string => {
  const found = matchProject(keys, given);
  return found.ok ? '' : found.refusal.message;
};

describe('a project to look in', () => {
  it('is the key itself, or global', () => {
    expect(keyOf(' notes/vault ')).toBe('notes/vault');
    expect(keyOf('global')).toBe('global');
  });

  it('is named by whole parts of its key, whatever the case', () => {
    expect(keyOf('Payments-API')).toBe('gitlab.com/group/payments-api');
    expect(keyOf('acme/shop')).toBe('github.com/acme/shop');
    expect(keyOf('/group//payments-api/')).toBe('gitlab.com/group/payments-api');
  });

  it('is named by any text that only one key contains', () => {
    expect(keyOf('vaul')).toBe('notes/vault');
    expect(keyOf('shop-w')).toBe('github.com/acme/shop-web');
  });

  it('is not guessed when several keys fit', () => {
    expect(keyOf('acme')).toBe('project-ambiguous');
    expect(messageOf('acme')).toBe('"acme" fits 2 projects: github.com/acme/shop, github.com/acme/shop-web');
  });

  it('that is unknown is answered with keys that share a word', () => {
    expect(messageOf('payment service')).toBe(
      'there is no project "payment service"; near it: gitlab.com/group/payments-api',
    );
    expect(messageOf('zzzz')).toBe('there is no project "zzzz"');
    expect(keyOf('///')).toBe('project-unknown');
  });
});

describe('a project to write to', () => {
  const here = 'github.com/acme/cart-service';
  const write = (given: string): readonly [string, number] => {
    const named = nameProject(keys, given, here);
    return named.ok ? [named.answer.key, named.answer.warnings.length] : [named.refusal.code, 0];
  };
  const warningsOf = (given: string): readonly string[] => {
    const named = nameProject(keys, given, here);
    return named.ok ? named.answer.warnings : [];
  };

  it('is that of the folder when its key ends with the text, but not when the text is an owner or a host', () => {
    expect(write('cart-service')).toEqual([here, 0]);
    expect(write('ACME/cart-service')).toEqual([here, 0]);
    expect(write('acme')[0]).toBe('acme');
    expect(write('github.com')[0]).toBe('github.com');
  });

  it('is the only known key that ends with the text in whole parts, whatever the case', () => {
    expect(write('payments-api')).toEqual(['gitlab.com/group/payments-api', 0]);
    expect(write('Group/Payments-API')).toEqual(['gitlab.com/group/payments-api', 0]);
    expect(write('shop')).toEqual(['github.com/acme/shop', 0]);
  });

  it('is refused when several known keys end with the text', () => {
    const both = [...keys, 'gitlab.com/other/shop'];
    const named = nameProject(both, 'shop', here);
    expect(named).toMatchObject({ ok: false, refusal: { code: 'project-ambiguous' } });
    expect(nameProject([...both, 'shop'], 'shop', here)).toEqual({ ok: true, answer: { key: 'shop', warnings: [] } });
  });

  it('is a known key or a new one as typed, never one that merely contains the text', () => {
    expect(write('notes/vault')).toEqual(['notes/vault', 0]);
    expect(write('global')).toEqual(['global', 0]);
    expect(write('billing')).toEqual(['billing', 0]);
    expect(write('payments')).toEqual(['payments', 1]);
    expect(write('gitlab.com/group')).toEqual(['gitlab.com/group', 1]);
    expect(write('cart')).toEqual(['cart', 0]);
  });

  it('comes with a warning when a known key contains the text or is part of it', () => {
    expect(warningsOf('payments')).toEqual([
      '"payments" is a new project; if you meant gitlab.com/group/payments-api, give that key in full',
    ]);
    expect(write('host/notes/vault')[1]).toBe(1);
  });

  it.each(['p', 'sh', 'com', 'hub'])(
    'comes with no warning when a key merely has the letters of %s somewhere',
    (given) => {
      expect(nameProject(['github.com/acme/shop'], given, 'elsewhere')).toEqual({
        ok: true,
        answer: { key: given, warnings: [] },
      });
    },
  );
});
