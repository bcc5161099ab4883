import { expect, it } from 'vitest';
import { eventKinds } from '../../src/events/event.js';
import { textEffectOf } from '../../src/events/text-effect.js';

const kindsWith = (effect: string): readonly string[] => eventKinds.filter((kind) => textEffectOf({ kind }) === effect);

it('events that touch a note but not its text keep the text', () => {
  expect(kindsWith('keeps')).toEqual([
    'note.superseded',
    'note.forgotten',
    'note.restored',
    'note.tagged',
    'note.moved',
    'note.confirmed',
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
