import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMessage, parseMessage } from '../../src/events/trailers.js';
import { redactMessage } from '../../src/sync/redact-message.js';
import { anyEvent, makeEvent } from '../support/arbitraries.js';
import { anyKey, leaksOf } from '../support/made-up-keys.js';
import { makeSecrets } from '../support/secrets/secrets.js';

const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
const event = makeEvent({
  kind: 'note.moved',
  subject: 'Where the deploy token is kept',
  session: '3bf75f14-4c3f-4b0e-9a51-0f6f2a1c9d7e',
  move: `memory ${'3f9c1b7e5d'.repeat(4)} semantic/0A/01J0000000000000000000000A.md`,
});

describe('a person’s commit message', () => {
  it('is masked as a whole, even after a line that looks like a trailer', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const message = `keep the key\n\nFormat: PEM\n${key.text}\n`;
        expect(leaksOf(redactMessage(message), key)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
  it('has a password masked on the line below its name', () => {
    const message = 'log in\n\nFormat: 1\npassword:\n  Xk9mQ2vR7wLp\n';
    expect(redactMessage(message)).toBe('log in\n\nFormat: 1\npassword:\n  [REDACTED:secret-value]\n');
  });
});

describe('the message of an event', () => {
  it('keeps what the program wrote, even under a subject about tokens', () => {
    const message = formatMessage(event);
    expect(redactMessage(message)).toBe(message);
  });
  it('still parses as an event with the same ids when each of its texts holds a secret', () => {
    const message = formatMessage({
      ...event,
      subject: `Use ${token}`,
      user: `me ${token}`,
      project: `x ${token}`,
      agent: token,
    });
    const masked = redactMessage(message);
    expect(masked).not.toContain(token);
    expect(parseMessage(masked)).toEqual({
      ...event,
      subject: 'Use [REDACTED:github-token]',
      user: 'me [REDACTED:github-token]',
      project: 'x [REDACTED:github-token]',
      agent: '[REDACTED:github-token]',
    });
  });
  it('shows no line of a key that a person spread over its trailers', () => {
    fc.assert(
      fc.property(anyKey, fc.constantFrom('Reason: ', 'X: ', 'Lost: '), (key, front) => {
        const lines = key.text.split('\n').map((line) => `${front}${line === '' ? '-' : line}`);
        const masked = redactMessage(`${formatMessage(event).trimEnd()}\n${lines.join('\n')}\n`);
        expect(leaksOf(masked.replaceAll(front, ''), key)).toEqual([]);
        expect(parseMessage(masked)?.id).toBe(event.id);
      }),
      { numRuns: 50 },
    );
  });
  it('still parses as an event, and masking it again changes nothing, whatever secret it holds', () => {
    const secrets = fc.constantFrom(...makeSecrets(7, 600).map(({ text }) => text));
    const key = fc.constantFrom('Reason', 'Project', 'Session', 'Lost', 'Unknown', 'Token');
    fc.assert(
      fc.property(anyEvent, secrets, key, (any, secret, name) => {
        const message = `${formatMessage(any).trimEnd()}\n${name}: ${JSON.stringify(secret)}\n`;
        const masked = redactMessage(message);
        expect(redactMessage(masked)).toBe(masked);
        expect(parseMessage(masked)?.id).toBe(any.id);
      }),
      { numRuns: 300 },
    );
  });
});
