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
const told = { subject: 'Use WAL mode', notes: [id] };
const head = { ...told, id: '01J0000000000000000000000E', at: '2026-06-24T18:33:07+00:00', machine: 'laptop' };

describe('the types', () => {
  it('let a decider return a known kind with exactly the fields of that kind', () => {
    const decided: readonly DecidedEvent[] = [
      { ...told, kind: 'note.edited' },
      { ...told, kind: 'note.superseded', by: id },
      { ...told, kind: 'note.forgotten', reason: 'wrong' },
      { ...told, kind: 'note.forgotten' },
      // @ts-expect-error no such kind
      { ...told, kind: 'note.edted' },
      // @ts-expect-error the note that took over is missing
      { ...told, kind: 'note.superseded' },
      // @ts-expect-error an edit gives no reason
      { ...told, kind: 'note.edited', reason: 'why not' },
      // @ts-expect-error the event that was taken back is missing
      { ...told, kind: 'event.undone' },
      // @ts-expect-error no command decides what a person did
      { ...told, kind: 'hand.adopted' },
    ];
    expect(decided).toHaveLength(9);
  });

  it('let nobody record an event of a kind that is not listed', () => {
    const events: readonly JournalEvent[] = [
      { ...head, kind: 'note.dreamt', unknown: true },
      // @ts-expect-error not marked as unknown
      { ...head, kind: 'note.dreamt' },
    ];
    expect(events).toHaveLength(2);
  });

  it('tell the kinds apart', () => {
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
  it.each(eventKinds)('of the kind %s is known with the fields of that kind', (kind) => {
    const fields = {
      ...(kind === 'note.superseded' ? { by: id } : {}),
      ...(kind === 'event.undone' ? { undoes: id } : {}),
      ...(kind.startsWith('conflict.') ? { reason: 'ours' } : {}),
    };
    expect(toJournalEvent({ ...head, kind, ...fields })).toEqual({ ...head, kind, ...fields });
    expect(toJournalEvent({ ...head, kind, ...fields, by: id, undoes: id, adopted: ['x'] }).unknown).toBe(true);
  });

  it.each([
    ['of a newer kind', { kind: 'note.dreamt' }],
    ['of a kind that was dropped', { kind: 'notes.merged' }],
    ['without a field of its kind', { kind: 'note.superseded' }],
    ['with a field of another kind', { kind: 'note.edited', undoes: id }],
    ['of a kind that every object has', { kind: 'constructor' }],
  ])('%s is kept whole, as unknown', (_, fields) => {
    expect(toJournalEvent({ ...head, ...fields })).toEqual({ ...head, ...fields, unknown: true });
  });

  it('is read from a message whatever it lacks', () => {
    const message = `note.superseded: x\n\nFormat: 1\nEvent: ${head.id}\nKind: note.superseded\nAt: ${head.at}\n`;
    expect(parseMessage(message)).toMatchObject({ kind: 'note.superseded', by: undefined, unknown: true });
    expect(makeEvent({ kind: 'note.superseded', by: id }).unknown).toBeUndefined();
  });
});

it('knows its kinds from all that an object has', () => {
  expect(['note.edited', 'note.linked', 'toString', '__proto__'].map(isEventKind)).toEqual([true, false, false, false]);
});
