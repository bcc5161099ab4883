import { describe, expect, it } from 'vitest';
import { whyNotSent } from '../../src/store/sent-queries.js';

const here = /^machine-local and sensitive notes are searched only on this machine/;

describe('a query stays on this machine', () => {
  it.each([
    'is:local vpn',
    'is:Local vpn',
    'IS:LOCAL vpn',
    'scope:machine-local vpn',
    'scope:local vpn',
    'Scope:"machine-local" vpn',
    'scope:“machine local” vpn',
    'is:sensitive vpn',
    'is:portable,sensitive vpn',
    'is:live,local vpn',
    'has:secret vpn',
    '(is:local) vpn',
    '(is:local OR is:live) vpn',
    'is:"live, local" vpn',
    'is: local vpn',
    'scope :machine-local vpn',
    'is：local vpn',
    'i\u00ads:local vpn',
    '"is:local" vpn',
    'x,is:local vpn',
    'scopes:local vpn',
    'id:KP56MG vpn',
    'vpn -is:local',
    'vpn -is:sensitive -has:secret',
  ])('if it asks for notes of this machine: %s', (text) => {
    expect(whyNotSent(text, { scope: undefined })).toMatch(here);
  });

  it.each([
    '-is:portable vpn',
    'vpn -is:portable',
    'NOT is:portable vpn',
    'vpn NOT (is:portable OR tag:x)',
    'vpn AND not scope:portable',
    '-scope:portable vpn',
    '-scope:"portable" vpn',
    '-(scope:portable) vpn',
    '!is:portable vpn',
    '\u2212is:portable vpn',
    '-is:portable,sensitive vpn',
    'vpn NOT -is:local',
    '--is:local vpn',
    '-"is:portable" vpn',
  ])('if it excludes all other notes, or may: %s', (text) => {
    expect(whyNotSent(text, { scope: undefined })).toMatch(here);
  });

  it.each(['is:unsynced vpn', 'scope:private vpn', 'scope:not-portable vpn', 'has:password-like vpn'])(
    'if it has a filter on them that is not understood: %s',
    (text) => {
      expect(whyNotSent(text, { scope: undefined })).toMatch(here);
    },
  );

  it('if it comes from a note that stays here, or from a search among such notes', () => {
    expect(whyNotSent('vpn', { scope: undefined, staysHere: true })).toContain('never leaves this machine');
    expect(whyNotSent('vpn', { scope: 'machine-local' })).toMatch(here);
  });
});

describe('a query is sent', () => {
  it.each([
    'vpn',
    'why is the local scope not portable',
    'telescope:local vpn',
    'this:local vpn',
    'the question is: why does the vpn hang',
    'tag:local vpn',
    'is:portable vpn',
    'scope:portable,portable vpn',
    'is:superseded vpn',
    'is:live -is:expired vpn',
    'has:tag -has:expiry vpn',
  ])('if it is about notes that the server has: %s', (text) => {
    expect(whyNotSent(text, { scope: undefined })).toBeUndefined();
  });
});
