import { expect, it } from 'vitest';
import type { Decision } from '../../../src/commands/command.js';
import { refuseOverwrites } from '../../../src/commands/write-path/unreadable.js';
import { pathOfNote } from '../../../src/events/note/paths.js';
import { idOf } from '../../support/arbitraries.js';
import { knowing } from '../../support/known-notes.js';

it('refuses to overwrite an unreadable file', () => {
  const [path, other] = [pathOfNote('semantic', idOf(1)), pathOfNote('semantic', idOf(2))];
  const unreadable = { path, code: 'empty', line: 1, key: undefined, message: 'it is empty' };
  const decisionOn = (at: string, bytes: Buffer | undefined): string => {
    const decision: Decision = {
      kind: 'record',
      event: { kind: 'note.edited', subject: 's', notes: [], project: 'p' },
      changes: [{ journal: 'portable', path: at, bytes }],
      noteId: undefined,
      masked: [],
      warnings: [],
    };
    const command = { kind: 'edit', id: idOf(1), set: {} } as const;
    const refused = refuseOverwrites({ unreadable: () => [unreadable] }, command, decision, knowing());
    return refused.kind === 'refuse' ? `${refused.refusal.code}: ${refused.refusal.message}` : refused.kind;
  };
  expect(decisionOn(path, Buffer.from('x'))).toBe(`file-blocked: memory/${path} can't be used: line 1: it is empty`);
  expect(decisionOn(path, undefined)).toBe('record');
  expect(decisionOn(other, Buffer.from('x'))).toBe('record');
});
