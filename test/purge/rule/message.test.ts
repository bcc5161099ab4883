import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../../src/events/event.js';
import { formatMessage, parseMessage } from '../../../src/events/trailers.js';
import { literalMatcher, type TextMatcher } from '../../../src/purge/rule/matcher.js';
import { purgeIdentity, purgeMessage } from '../../../src/purge/rule/message.js';
import type { PurgeRule } from '../../../src/purge/rule/rule.js';
import { idOf, makeEvent } from '../../support/arbitraries.js';

const ruleFor = (rule: Partial<PurgeRule>): PurgeRule => ({ notes: new Set(), text: undefined, ...rule });
const purge = (event: JournalEvent, rule: PurgeRule, titles?: TextMatcher): JournalEvent | undefined =>
  parseMessage(purgeMessage(formatMessage(event), rule, titles).message);

describe('the message of an event', () => {
  const id = makeEvent().notes[0]!;
  it('keeps its ids and its command but loses its words when it is about the purged note alone', () => {
    const event = makeEvent({ reason: 'it was wrong', commandId: 'c1', project: 'p' });
    expect(purge(event, ruleFor({ notes: new Set([id]) }))).toEqual({
      ...event,
      subject: '(purged)',
      reason: '(purged)',
    });
  });
  it('loses only the title, even a cut one, when it is about other notes too, and so does a commit by hand', () => {
    const notes = [id, idOf(7)];
    const rule = ruleFor({ notes: new Set([id]) });
    const titles = literalMatcher('The title of a note that is gone for good');
    const subjectOf = (subject: string) => purge(makeEvent({ notes, subject }), rule, titles)?.subject;
    expect(subjectOf('5 notes from a folder')).toBe('5 notes from a folder');
    expect(subjectOf('The title of a note that is…')).toBe('[PURGED]…');
    const byHand = purgeMessage('fixed: The title of a note that is gone for good\n', rule, titles);
    expect(byHand).toMatchObject({ message: 'fixed: [PURGED]\n', places: 1 });
    expect(purge(makeEvent({ notes: [idOf(7)], subject: 'The title of a note that is…' }), rule, titles)?.subject).toBe(
      'The title of a note that is…',
    );
  });
  it('loses the values that a purged note lost in a merge', () => {
    const lost = [`${id} title "Salaries"`, `${idOf(7)} title "Other"`];
    expect(purge(makeEvent({ notes: [idOf(7)], lost }), ruleFor({ notes: new Set([id]) }))?.lost).toEqual([lost[1]]);
  });
  it('loses a text in its subject and in the value of any trailer, quoted or not', () => {
    const event = makeEvent({
      subject: 'a sesame-open b',
      reason: 'line\nsesame-open',
      session: 'sesame-open',
      agent: 'x',
    });
    const purged = purge(event, ruleFor({ text: literalMatcher('sesame-open') }));
    expect(purged).toMatchObject({
      id: event.id,
      subject: 'a [PURGED] b',
      reason: 'line [PURGED]',
      session: '[PURGED]',
    });
  });
  it('names the trailer that cannot lose the text', () => {
    const event = makeEvent();
    const { structural } = purgeMessage(formatMessage(event), ruleFor({ text: literalMatcher('written') }), undefined);
    expect(structural).toBe('Kind');
  });
  it('loses the text in the author line, where its case matches', () => {
    const line = 'Pat Doe-Roe <pat@doe-roe.org> 1 +0100';
    expect(purgeIdentity(line, literalMatcher('doe-roe')).text).toBe('Pat Doe-Roe <pat@[PURGED].org> 1 +0100');
  });
});
