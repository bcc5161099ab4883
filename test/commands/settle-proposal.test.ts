import { describe, expect, it } from 'vitest';
import type { SettleProposal } from '../../src/commands/settle-proposal.js';
import { formatNoteFile, newNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { given, now } from '../support/decider.js';
import { type Known, known } from '../support/known-notes.js';

const [idNew, idOld, idOther, idThird] = [idOf(1), idOf(2), idOf(3), idOf(4)];
const older = makeNote({ id: idOld, title: 'Deploys need the VPN' });
const other = makeNote({ id: idOther, title: 'The VPN is in Oslo' });
const newer = makeNote({ id: idNew, title: 'Deploys run from CI', proposes: [idOld, idOther], confidence: 0.6 });
const all: Known = { notes: [newer, older, other] };
const verdicts = ['accept', 'keep-both', 'forget'] as const;

const settle = (verdict: SettleProposal['verdict'], older = idOld, id = idNew): SettleProposal => ({
  kind: 'settle-proposal',
  id,
  older,
  verdict,
});
const copies = [{ journal: 'portable' as const, path: `semantic/${idNew}.md`, blob: 'c'.repeat(40) }];

describe('accept', () => {
  it('records that the note supersedes the older one and no longer proposes it', () => {
    const outcome = given(all).when(settle('accept'));
    outcome.thenRecords({
      kind: 'proposal.settled',
      subject: 'accept: Deploys run from CI',
      notes: [idNew, idOld],
      by: idNew,
      reason: 'accept',
      project: 'shop',
    });
    expect(outcome.recorded).toMatchObject({ noteId: idNew, masked: [], warnings: [] });
    expect(outcome.recorded.changes.map(({ path }) => path)).toEqual([pathOfNote('semantic', idNew)]);
    expect(outcome.note).toEqual({ ...newer, proposes: [idOther], supersedes: [idOld], updatedAt: now });
  });

  it('removes the key from the file with the last proposal', () => {
    const note = makeNote({ ...newer, proposes: [idOld] });
    const { changes } = given({ notes: [note, older] }).when(settle('accept')).recorded;
    expect(changes[0]?.bytes?.toString()).not.toContain('proposes');
    expect(changes[0]?.bytes?.toString()).toContain(`supersedes:`);
  });

  it('names the older note once when the file already supersedes it', () => {
    const note = makeNote({ ...newer, supersedes: [idOld] });
    expect(given({ notes: [note, older] }).when(settle('accept')).note.supersedes).toEqual([idOld]);
  });

  it('stays quiet the second time, and says so if nothing was proposed', () => {
    const accepted = given(all).when(settle('accept')).note;
    given({ notes: [accepted, older, other] })
      .when(settle('accept'))
      .thenStaysQuiet(idNew);
    given(all)
      .when(settle('accept', idThird))
      .thenStaysQuiet(idNew, [`note ${idNew} does not propose to supersede ${idThird}`]);
  });

  it('refuses a cycle of one, two or three notes', () => {
    const itself = makeNote({ ...newer, proposes: [idNew] });
    given({ notes: [itself] })
      .when(settle('accept', idNew))
      .thenRefuses('supersede-cycle');
    const back = makeNote({ ...older, supersedes: [idNew] });
    given({ notes: [newer, back] })
      .when(settle('accept'))
      .thenRefuses('supersede-cycle');
    const between = [makeNote({ ...older, supersedes: [idThird] }), makeNote({ id: idThird, supersedes: [idNew] })];
    given({ notes: [newer, ...between] })
      .when(settle('accept'))
      .thenRefuses('supersede-cycle');
  });

  it('refuses a forgotten or unknown older note', () => {
    given({ notes: [newer], forgotten: [older] })
      .when(settle('accept'))
      .thenRefuses({
        code: 'note-forgotten',
        next: expect.stringContaining(`restore ${idOld}`),
      });
    given({ notes: [newer] })
      .when(settle('accept'))
      .thenRefuses('note-unknown');
    const byHand = makeNote({ ...newer, proposes: ['__proto__'] });
    given({ notes: [byHand] })
      .when(settle('accept', '__proto__'))
      .thenRefuses('note-unknown');
  });
});

describe('keep-both', () => {
  it('records that the note no longer proposes it, and changes nothing else', () => {
    const outcome = given(all).when(settle('keep-both'));
    expect(outcome.event).toMatchObject({ kind: 'proposal.settled', by: undefined, reason: 'keep-both' });
    expect(outcome.note).toEqual({ ...newer, proposes: [idOther] });
  });

  it('stays quiet the second time', () => {
    const kept = given(all).when(settle('keep-both')).note;
    expect(given({ notes: [kept, older] }).when(settle('keep-both')).decision).toMatchObject({
      kind: 'quiet',
      noteId: idNew,
    });
  });

  it('settles a proposal about a missing note, and names the note in the event only if it existed', () => {
    expect(given({ notes: [newer], forgotten: [older] }).when(settle('keep-both')).event.notes).toEqual([idNew, idOld]);
    expect(given({ notes: [newer] }).when(settle('keep-both')).event.notes).toEqual([idNew]);
  });
});

describe('forget', () => {
  it('records the removal of all files of the proposing note, and leaves the older one', () => {
    const outcome = given({ notes: [known(newer, { copies }), older] }).when(settle('forget'));
    expect(outcome.event).toMatchObject({ kind: 'proposal.settled', notes: [idNew, idOld], reason: 'forget' });
    expect(outcome.noteId).toBeUndefined();
    expect(outcome.recorded.changes).toEqual([
      { journal: 'portable', path: pathOfNote('semantic', idNew), bytes: undefined },
      { journal: 'portable', path: copies[0]?.path, bytes: undefined },
    ]);
  });

  it('stays quiet when the note is already forgotten', () => {
    given({ notes: [older], forgotten: [newer] })
      .when(settle('forget'))
      .thenStaysQuiet(undefined);
  });

  it('stays quiet for a note that does not propose to supersede the other one', () => {
    expect(given(all).when(settle('forget', idThird)).decision).toMatchObject({ kind: 'quiet', noteId: idNew });
  });
});

describe('every verdict', () => {
  it.each(verdicts)('refuses an unknown proposing note: %s', (verdict) => {
    given({ notes: [older] })
      .when(settle(verdict))
      .thenRefuses({
        code: 'note-unknown',
        message: `there is no note ${idNew}`,
      });
  });

  it.each(['accept', 'keep-both'] as const)('refuses a forgotten proposing note: %s', (verdict) => {
    given({ notes: [older], forgotten: [newer] })
      .when(settle(verdict))
      .thenRefuses({
        code: 'note-forgotten',
        next: expect.stringContaining(`restore ${idNew}`),
      });
  });

  it.each(['accept', 'keep-both'] as const)('keeps unknown keys: %s', (verdict) => {
    const text = formatNoteFile(newNoteFile(newer)).toString().replace('tags:', 'mood: fine # really\ntags:');
    const { changes } = given({ notes: [known(newer, { text }), older] }).when(settle(verdict)).recorded;
    expect(changes[0]?.bytes?.toString()).toContain('mood: fine # really\n');
  });

  it('edits no file whose keys are not on separate lines, but can forget its note', () => {
    const text = `---\n{id: ${idNew}, type: semantic, title: A, proposes: [${idOld}]}\n---\nB`;
    const state: Known = { notes: [known(newer, { text }), older] };
    given(state).when(settle('accept')).thenRefuses('not-editable');
    given(state).when(settle('keep-both')).thenRefuses('not-editable');
    expect(given(state).when(settle('forget')).kind).toBe('record');
  });
});
