import { describe, expect, expectTypeOf, it } from 'vitest';
import type { DecidedEvent } from '../../src/commands/command.js';
import {
  type EventKind,
  type EventOf,
  eventKinds,
  isEventKind,
  type JournalEvent,
  type KnownEvent,
  toJournalEvent,
} from '../../src/events/event.js';
import { parseMessage } from '../../src/events/trailers.js';
import { makeEvent } from '../support/arbitraries.js';

const id = '01J0000000000000000000000A';
const common = { subject: 'Use WAL mode', notes: [id] };
const head = { ...common, id: '01J0000000000000000000000E', at: '2026-06-24T18:33:07+00:00', machine: 'laptop' };

describe('the event types', () => {
  it('let a decider return a known kind with exactly the fields of that kind', () => {
    const decided: readonly DecidedEvent[] = [
      { ...common, kind: 'note.edited' },
      { ...common, kind: 'note.superseded', by: id },
      { ...common, kind: 'note.forgotten', reason: 'wrong' },
      { ...common, kind: 'note.forgotten' },
      // @ts-expect-error no such kind
      { ...common, kind: 'note.edted' },
      // @ts-expect-error the superseding note is missing
      { ...common, kind: 'note.superseded' },
      // @ts-expect-error an edit has no reason
      { ...common, kind: 'note.edited', reason: 'why not' },
      // @ts-expect-error the undone event is missing
      { ...common, kind: 'event.undone' },
      // @ts-expect-error no command decides an edit by hand
      { ...common, kind: 'hand.adopted' },
    ];
    expect(decided).toHaveLength(9);
  });

  it('accept an event of an unlisted kind only when it is marked as unknown', () => {
    const events: readonly JournalEvent[] = [
      { ...head, kind: 'note.dreamt', unknown: true },
      // @ts-expect-error not marked as unknown
      { ...head, kind: 'note.dreamt' },
    ];
    expect(events).toHaveLength(2);
  });

  it('distinguish the kinds', () => {
    expectTypeOf<KnownEvent['kind']>().toEqualTypeOf<EventKind>();
    expectTypeOf<EventOf<'note.superseded'>['by']>().toEqualTypeOf<string>();
    expectTypeOf<EventOf<'proposal.settled'>['by']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<EventOf<'note.edited'>['by']>().toEqualTypeOf<undefined>();
    const name = (event: JournalEvent): string | undefined => {
      if (event.unknown) return event.by;
      return event.kind === 'note.superseded' ? event.by.slice(-1) : undefined;
    };
    expect(name({ ...head, kind: 'note.superseded', by: id })).toBe('A');
  });
});

describe('a claim', () => {
  it.each(eventKinds)('of the kind %s is known only with exactly the fields of that kind', (kind) => {
    const fields = {
      ...(kind === 'note.superseded' ? { by: id } : {}),
      ...(kind === 'event.undone' ? { undoes: id } : {}),
      ...(kind.startsWith('conflict.') ? { reason: 'ours' } : {}),
      ...(kind === 'machines.merged' ? { ours: 'a'.repeat(40), theirs: 'b'.repeat(40) } : {}),
    };
    expect(toJournalEvent({ ...head, kind, ...fields })).toEqual({ ...head, kind, ...fields });
    expect(toJournalEvent({ ...head, kind, ...fields, by: id, undoes: id, adopted: ['x'] }).unknown).toBe(true);
  });

  it.each([
    ['of a newer kind', { kind: 'note.dreamt' }],
    ['of a kind that was dropped', { kind: 'notes.merged' }],
    ['without a field of its kind', { kind: 'note.superseded' }],
    ['with a field of another kind', { kind: 'note.edited', undoes: id }],
    ['of a kind named like a member of every object', { kind: 'constructor' }],
  ])('%s is kept whole, as unknown', (_, fields) => {
    expect(toJournalEvent({ ...head, ...fields })).toEqual({ ...head, ...fields, unknown: true });
  });

  it('is read from a message even when a field is missing', () => {
    const message = `note.superseded: x\n\nFormat: 1\nEvent: ${head.id}\nKind: note.superseded\nAt: ${head.at}\n`;
    expect(parseMessage(message)).toMatchObject({ kind: 'note.superseded', by: undefined, unknown: true });
    expect(makeEvent({ kind: 'note.superseded', by: id }).unknown).toBeUndefined();
  });
});

it('only listed kinds are event kinds, not members of Object.prototype', () => {
  expect(['note.edited', 'note.linked', 'toString', '__proto__'].map(isEventKind)).toEqual([true, false, false, false]);
});
