import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../../src/events/event.js';
import { foreignEvent, formatMessage, parseMessage } from '../../../src/events/trailers.js';
import { fingerprintOf } from '../../../src/purge/rule/fingerprint.js';
import { literalMatcher } from '../../../src/purge/rule/matcher.js';
import { type MessageContext, purgeIdentity, purgeMessage, withEvent } from '../../../src/purge/rule/message.js';
import {
  formatPublished,
  formatPurge,
  isSamePurge,
  parsePublished,
  parsePurge,
} from '../../../src/purge/rule/record.js';
import { idOf, makeEvent } from '../../support/arbitraries.js';

const context = (rule: Partial<MessageContext['rule']>, more: Partial<MessageContext> = {}): MessageContext => ({
  rule: { notes: new Set(), text: undefined, ...rule },
  titles: [],
  blobAfter: () => undefined,
  ...more,
});
const purge = (event: JournalEvent, given: MessageContext): JournalEvent | undefined =>
  parseMessage(purgeMessage(formatMessage(event), event, given).message);

describe('the message of an event', () => {
  const id = makeEvent().notes[0]!;
  it('keeps its ids and its command but loses its words when it is about the purged note alone', () => {
    const event = makeEvent({ reason: 'it was wrong', commandId: 'c1', project: 'p' });
    expect(purge(event, context({ notes: new Set([id]) }))).toEqual({
      ...event,
      subject: '(purged)',
      reason: '(purged)',
    });
  });
  it('loses its subject only if that is the title, even a cut one, when it is about other notes too', () => {
    const notes = [id, idOf(7)];
    const given = context({ notes: new Set([id]) }, { titles: ['The title of a note that is gone for good'] });
    expect(purge(makeEvent({ notes, subject: '5 notes from a folder' }), given)?.subject).toBe('5 notes from a folder');
    expect(purge(makeEvent({ notes, subject: 'The title of a note that is…' }), given)?.subject).toBe('(purged)');
  });
  it('does not say which version the note had', () => {
    const blob = 'a'.repeat(40);
    const event = makeEvent({ move: `memory ${blob} semantic/${id}.md`, adopted: [`${blob} semantic/${id}.md`] });
    const gone = purge(event, context({ notes: new Set([id]) }, { blobAfter: () => '0'.repeat(40) }));
    expect(gone?.move).toBe(`memory ${'0'.repeat(40)} semantic/${id}.md`);
    expect(gone?.adopted).toEqual([`${'0'.repeat(40)} semantic/${id}.md`]);
  });
  it('loses a text in its subject and in the value of any trailer, quoted or not', () => {
    const event = makeEvent({
      subject: 'a sesame-open b',
      reason: 'line\nsesame-open',
      session: 'sesame-open',
      agent: 'x',
    });
    const purged = purge(event, context({ text: literalMatcher('sesame-open') }));
    expect(purged).toMatchObject({
      id: event.id,
      subject: 'a [PURGED] b',
      reason: 'line [PURGED]',
      session: '[PURGED]',
    });
  });
  it('names the trailer that cannot lose the text', () => {
    const event = makeEvent();
    const { structural } = purgeMessage(formatMessage(event), event, context({ text: literalMatcher('written') }));
    expect(structural).toBe('Kind');
  });
  it('gets the event id that its commit hash stood for when a person wrote it, and keeps its own words', () => {
    const message = 'by hand\n\nsome body\n';
    const event = foreignEvent({ hash: 'f'.repeat(40), epochMs: 0, author: 'pat@example.com', message, notes: [id] });
    const written = withEvent(message, event);
    expect(written).toContain('by hand\n\nsome body\n\nFormat: 1\n');
    expect(parseMessage(written)).toMatchObject({
      id: event.id,
      kind: 'hand.adopted',
      subject: 'by hand',
      notes: [id],
    });
  });
  it('loses the text in the author line, where its case matches', () => {
    const line = 'Pat Doe-Roe <pat@doe-roe.org> 1 +0100';
    expect(purgeIdentity(line, literalMatcher('doe-roe')).line).toBe('Pat Doe-Roe <pat@[PURGED].org> 1 +0100');
  });
});

describe('the record of a purge', () => {
  const event = makeEvent({ id: idOf(1), kind: 'notes.purged', user: 'self' });
  const record = {
    purge: idOf(1),
    oldHead: 'b'.repeat(40),
    notes: [idOf(2)],
    texts: [fingerprintOf(idOf(1), 'a secret text')],
    pattern: 'c'.repeat(64),
    places: 3,
  };
  it('is parsed back from the message of its event, and from what is published', () => {
    const message = formatPurge(event, record);
    expect(parsePurge(message)?.record).toEqual(record);
    const heads = { newHead: 'd'.repeat(40), remoteHead: 'e'.repeat(40) };
    expect(parsePublished(formatPublished(message, heads))).toEqual({ record, ...heads });
    expect(message).not.toContain('secret');
  });
  it('is another record when it was changed, and none when it is broken', () => {
    expect(isSamePurge(record, { ...record, notes: [] })).toBe(false);
    expect(
      parsePurge(formatPurge(event, record).replace(/sha256:[0-9a-f]{64} bytes/, 'sha256:x bytes')),
    ).toBeUndefined();
    expect(parsePurge(formatMessage(event))).toBeUndefined();
  });
});
