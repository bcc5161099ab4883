import { describe, expect, it } from 'vitest';
import { whyNotSent } from '../../src/store/models/sent-queries.js';

const here = /^machine-local and sensitive notes are searched only on this machine/;

describe('a query stays on this machine', () => {
  it.each([
    'is:local vpn',
    'is:Local vpn',
    'IS:LOCAL vpn',
    'scope:machine-local vpn',
    'scope:“machine local” vpn',
    'is:live,local vpn',
    '(is:local OR is:live) vpn',
    'is: local vpn',
    'scope :machine-local vpn',
    'is：local vpn',
    'i\u00ads:local vpn',
    '"is:local" vpn',
    'scopes:local vpn',
    'id:KP56MG vpn',
    'vpn NOT (is:portable OR tag:x)',
    'has:password-like vpn',
  ])('if it asks for notes of this machine, or may: %s', (text) => {
    expect(whyNotSent(text, { scope: undefined })).toMatch(here);
  });

  it('if it comes from a note that stays here, or from a search among such notes', () => {
    expect(whyNotSent('vpn', { scope: undefined, staysHere: true })).toContain('never leaves this machine');
    expect(whyNotSent('vpn', { scope: 'machine-local' })).toMatch(here);
  });
});

describe('a query is sent', () => {
  it.each(['vpn', 'why is the local scope not portable', 'telescope:local vpn', 'this:local vpn', 'tag:local vpn'])(
    'if it is about notes that the server has: %s',
    (text) => {
      expect(whyNotSent(text, { scope: undefined })).toBeUndefined();
    },
  );
});
