import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/commands/command.js';
import { decide } from '../../src/commands/handlers.js';
import type { SettleProposal } from '../../src/commands/settle-proposal.js';
import type { Note } from '../../src/events/note/note.js';
import { formatNoteFile, newNoteFile, parseNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { idOf, makeNote, makeStamp } from '../support/arbitraries.js';
import { type Known, knowing, known } from '../support/known-notes.js';

const now = '2026-06-25T18:33:07+00:00';
const [idNew, idOld, idOther, idThird] = [idOf(1), idOf(2), idOf(3), idOf(4)];
const older = makeNote({ id: idOld, title: 'Deploys need the VPN' });
const other = makeNote({ id: idOther, title: 'The VPN is in Oslo' });
const newer = makeNote({ id: idNew, title: 'Deploys run from CI', proposes: [idOld, idOther], confidence: 0.6 });
const all: Known = { notes: [newer, older, other] };
const verdicts = ['accept', 'keep-both', 'forget'] as const;

const given = (state: Known = all) => ({
  when: (verdict: SettleProposal['verdict'], of = idOld, id = idNew): Decision =>
    decide({ kind: 'settle-proposal', id, older: of, verdict }, knowing(state), makeStamp()),
});
const recorded = (decision: Decision) => {
  if (decision.kind !== 'record') throw new Error(`not recorded: ${JSON.stringify(decision)}`);
  return decision;
};
const refusal = (decision: Decision) => {
  if (decision.kind !== 'refuse') throw new Error(`not refused: ${JSON.stringify(decision)}`);
  return decision.refusal;
};
const noteAfter = (decision: Decision): Note => {
  const { journal, path, bytes } = recorded(decision).changes[0]!;
  const parsed = parseNoteFile(bytes!, journal, path);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.file.note;
};
const copies = [{ journal: 'memory' as const, path: `semantic/${idNew}.md`, blob: 'c'.repeat(40) }];

describe('accept', () => {
  it('records that the note supersedes the older one, and that it proposes so no more', () => {
    const decision = recorded(given().when('accept'));
    expect(decision.event).toEqual({
      kind: 'proposal.settled',
      subject: 'accept: Deploys run from CI',
      notes: [idNew, idOld],
      by: idNew,
      reason: 'accept',
      project: 'shop',
    });
    expect(decision).toMatchObject({ noteId: idNew, masked: [], warnings: [] });
    expect(decision.changes.map(({ path }) => path)).toEqual([pathOfNote('semantic', idNew)]);
    expect(noteAfter(decision)).toEqual({ ...newer, proposes: [idOther], supersedes: [idOld], updatedAt: now });
  });

  it('takes the key out of the file with the last proposal', () => {
    const note = makeNote({ ...newer, proposes: [idOld] });
    const { changes } = recorded(given({ notes: [note, older] }).when('accept'));
    expect(changes[0]?.bytes?.toString()).not.toContain('proposes');
    expect(changes[0]?.bytes?.toString()).toContain(`supersedes:`);
  });

  it('names the older note once where the file says both already', () => {
    const note = makeNote({ ...newer, supersedes: [idOld] });
    expect(noteAfter(given({ notes: [note, older] }).when('accept')).supersedes).toEqual([idOld]);
  });

  it('is quiet the second time, and says so where it was never proposed', () => {
    const accepted = noteAfter(given().when('accept'));
    expect(given({ notes: [accepted, older, other] }).when('accept')).toEqual({
      kind: 'quiet',
      noteId: idNew,
      warnings: [],
    });
    expect(given().when('accept', idThird)).toEqual({
      kind: 'quiet',
      noteId: idNew,
      warnings: [`note ${idNew} does not propose to supersede ${idThird}`],
    });
  });

  it('refuses a ring: of one, of two and of three', () => {
    const itself = makeNote({ ...newer, proposes: [idNew] });
    expect(refusal(given({ notes: [itself] }).when('accept', idNew)).code).toBe('supersede-cycle');
    const back = makeNote({ ...older, supersedes: [idNew] });
    expect(refusal(given({ notes: [newer, back] }).when('accept')).code).toBe('supersede-cycle');
    const between = [makeNote({ ...older, supersedes: [idThird] }), makeNote({ id: idThird, supersedes: [idNew] })];
    expect(refusal(given({ notes: [newer, ...between] }).when('accept')).code).toBe('supersede-cycle');
  });

  it('refuses an older note that is not there any more, or never was', () => {
    expect(refusal(given({ notes: [newer], forgotten: [older] }).when('accept'))).toMatchObject({
      code: 'note-forgotten',
      next: expect.stringContaining(`restore ${idOld}`),
    });
    expect(refusal(given({ notes: [newer] }).when('accept')).code).toBe('note-unknown');
    const byHand = makeNote({ ...newer, proposes: ['__proto__'] });
    expect(refusal(given({ notes: [byHand] }).when('accept', '__proto__')).code).toBe('note-unknown');
  });
});

describe('keep-both', () => {
  it('records that the note proposes so no more, and changes nothing else', () => {
    const decision = recorded(given().when('keep-both'));
    expect(decision.event).toMatchObject({ kind: 'proposal.settled', by: undefined, reason: 'keep-both' });
    expect(noteAfter(decision)).toEqual({ ...newer, proposes: [idOther] });
  });

  it('is quiet the second time', () => {
    const kept = noteAfter(given().when('keep-both'));
    expect(given({ notes: [kept, older] }).when('keep-both')).toMatchObject({ kind: 'quiet', noteId: idNew });
  });

  it('settles a proposal about a note that is gone, and does not make one look as if it had been there', () => {
    expect(recorded(given({ notes: [newer], forgotten: [older] }).when('keep-both')).event.notes).toEqual([
      idNew,
      idOld,
    ]);
    expect(recorded(given({ notes: [newer] }).when('keep-both')).event.notes).toEqual([idNew]);
  });
});

describe('forget', () => {
  it('records that all files of the proposing note go, and leaves the older one', () => {
    const decision = recorded(given({ notes: [known(newer, { copies }), older] }).when('forget'));
    expect(decision.event).toMatchObject({ kind: 'proposal.settled', notes: [idNew, idOld], reason: 'forget' });
    expect(decision.noteId).toBeUndefined();
    expect(decision.changes).toEqual([
      { journal: 'memory', path: pathOfNote('semantic', idNew), bytes: undefined },
      { journal: 'memory', path: copies[0]?.path, bytes: undefined },
    ]);
  });

  it('is quiet when the note is forgotten already', () => {
    expect(given({ notes: [older], forgotten: [newer] }).when('forget')).toEqual({
      kind: 'quiet',
      noteId: undefined,
      warnings: [],
    });
  });

  it('leaves a note that proposes nothing about the other one', () => {
    expect(given().when('forget', idThird)).toMatchObject({ kind: 'quiet', noteId: idNew });
  });
});

describe('every verdict', () => {
  it.each(verdicts)('refuses a proposing note that never was: %s', (verdict) => {
    expect(refusal(given({ notes: [older] }).when(verdict))).toMatchObject({
      code: 'note-unknown',
      message: `there is no note ${idNew}`,
    });
  });

  it.each(['accept', 'keep-both'] as const)('refuses a proposing note that was forgotten: %s', (verdict) => {
    expect(refusal(given({ notes: [older], forgotten: [newer] }).when(verdict))).toMatchObject({
      code: 'note-forgotten',
      next: expect.stringContaining(`restore ${idNew}`),
    });
  });

  it.each(['accept', 'keep-both'] as const)('folds further files of the note in: %s', (verdict) => {
    const { changes } = recorded(given({ notes: [known(newer, { copies }), older] }).when(verdict));
    expect(changes.map(({ bytes }) => bytes === undefined)).toEqual([false, true]);
  });

  it.each(['accept', 'keep-both'] as const)('keeps keys that it does not know: %s', (verdict) => {
    const text = formatNoteFile(newNoteFile(newer)).toString().replace('tags:', 'mood: fine # really\ntags:');
    const { changes } = recorded(given({ notes: [known(newer, { text }), older] }).when(verdict));
    expect(changes[0]?.bytes?.toString()).toContain('mood: fine # really\n');
  });

  it('edits no file whose keys do not stand on lines of their own, but can forget it', () => {
    const text = `---\n{id: ${idNew}, type: semantic, title: A, proposes: [${idOld}]}\n---\nB`;
    const state: Known = { notes: [known(newer, { text }), older] };
    expect(refusal(given(state).when('accept')).code).toBe('not-editable');
    expect(refusal(given(state).when('keep-both')).code).toBe('not-editable');
    expect(given(state).when('forget').kind).toBe('record');
  });
});
