import { describe, expect, it } from 'vitest';
import { eventKinds } from '../../src/events/event.js';
import { mentionOf, textEffectOf } from '../../src/events/mention.js';
import { derivedUlid } from '../../src/events/ulid-form.js';

const atMs = Date.parse('2026-11-25T08:00:00.400Z');
const at = '2026-11-25T08:00:00+00:00';
const ulid = (name: string, ms = atMs): string => derivedUlid(ms, name);
const [id, older, newer] = [ulid('event'), ulid('older', atMs - 5000), ulid('newer', atMs - 4000)];

describe('the mention of a note in an event', () => {
  it('is a change of the newer note when one superseded another', () => {
    const event = { id, at, kind: 'note.superseded', by: newer };
    expect(mentionOf(event, newer)).toBe('changes');
    expect(mentionOf(event, older)).toBe('names');
  });

  it('is a change of the note that proposes to supersede another', () => {
    const event = { id, at, kind: 'proposal.made' };
    expect(mentionOf(event, ulid('proposing'))).toBe('changes');
    expect(mentionOf(event, older)).toBe('names');
  });

  it('is a change of a note created by the event, even if the clock went back', () => {
    const late = { id: ulid('event', atMs + 60_000), at, kind: 'note.superseded', by: newer };
    expect(mentionOf(late, ulid('copy'))).toBe('changes');
    expect(mentionOf(late, older)).toBe('names');
  });

  it('is undecided when the event names two notes and changed one of them', () => {
    expect(mentionOf({ id, at, kind: 'conflict.resolved' }, older)).toBe('either');
    expect(mentionOf({ id, at, kind: 'proposal.settled' }, older)).toBe('either');
    expect(mentionOf({ id, at, kind: 'proposal.settled', by: newer }, older)).toBe('names');
  });

  it.each(['note.edited', 'note.moved', 'hand.adopted', 'a.newer-kind'])('is a change in %s', (kind) => {
    expect(mentionOf({ id, at, kind }, older)).toBe('changes');
  });
});

const kindsWith = (effect: string): readonly string[] => eventKinds.filter((kind) => textEffectOf({ kind }) === effect);

it('events that touch a note but not its text keep the text', () => {
  expect(kindsWith('keeps')).toEqual([
    'note.superseded',
    'note.forgotten',
    'note.restored',
    'note.tagged',
    'note.moved',
    'note.confirmed',
    'notes.migrated',
    'proposal.made',
    'proposal.settled',
  ]);
});

it('an import and a capture bring a text that a newer one may follow', () => {
  expect(kindsWith('brings')).toEqual(['session.captured', 'notes.imported']);
});

it('a restored note keeps its text when it comes back as it was, and edits it as of an earlier point', () => {
  expect(textEffectOf({ kind: 'note.restored' })).toBe('keeps');
  expect(textEffectOf({ kind: 'note.restored', reason: 'as of yesterday' })).toBe('edits');
});

it('an event of an unknown kind is an edit, except for a kind that was once reserved', () => {
  expect(['note.dreamt', 'notes.merged', 'toString', 'note.linked'].map((kind) => textEffectOf({ kind }))).toEqual([
    'edits',
    'edits',
    'edits',
    'keeps',
  ]);
});
