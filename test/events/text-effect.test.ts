import { expect, it } from 'vitest';
import { eventKinds } from '../../src/events/event.js';
import { textEffectOf } from '../../src/events/text-effect.js';

const kindsWith = (effect: string): readonly string[] => eventKinds.filter((kind) => textEffectOf({ kind }) === effect);

it('of events that touch a note without a word of its text is to keep it', () => {
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

it('of an import and a capture is to bring a text that a newer one may follow', () => {
  expect(kindsWith('brings')).toEqual(['session.captured', 'notes.imported']);
});

it('of a restored note depends on whether it came back as it was or as of an earlier point', () => {
  expect(textEffectOf({ kind: 'note.restored' })).toBe('keeps');
  expect(textEffectOf({ kind: 'note.restored', reason: 'as of yesterday' })).toBe('edits');
});

it('of a kind that this version does not know is an edit, but for one that once was reserved', () => {
  expect(['note.dreamt', 'notes.merged', 'toString', 'note.linked'].map((kind) => textEffectOf({ kind }))).toEqual([
    'edits',
    'edits',
    'edits',
    'keeps',
  ]);
});
