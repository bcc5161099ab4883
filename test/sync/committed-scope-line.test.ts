/** A text that says scope: machine-local and that a person committed in memory/: a move settles where it belongs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { newMachines } from '../support/machines.js';
import { writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';
import { commitAll, expectRefused, git, leftCopy, published } from './support/private-notes.js';

const bodyOf = async (memory: Memory, id: string): Promise<string> => {
  const shown = await memory.show(id);
  return shown.ok ? (shown.answer.body ?? '') : shown.refusal.code;
};

/** A portable note's file into which a person wrote the line and another text, and committed it. */
const saidLocal = startOnce(['a', 'b'], async ({ a, b }, machines, line: string = 'scope: machine-local') => {
  const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
  await machines.sync(a, b);
  await a.finish();
  writeFileSync(path, readFileSync(path, 'utf8').replace('scope: portable', line).replace('one', 'PRIVATE'));
  commitAll(a);
  return { id, path };
});

describe('a committed file of a portable note that says scope: machine-local', () => {
  it.each(['scope: machine-local', 'Scope: [machine-local]', 'scope: portable\nSCOPE: "machine-local"'])(
    'is published by a move to the portable notes, which removes the line: %s',
    async (line) => {
      const { machines, a, b, id, path } = await saidLocal(line);
      await expectRefused(machines, a);
      expect(await a.perform({ kind: 'move', id, scope: 'portable' })).toMatchObject({
        status: 'recorded',
        event: { kind: 'note.moved' },
      });
      expect(readFileSync(path, 'utf8')).toMatch(/^scope: portable$/m);
      expect(readFileSync(path, 'utf8')).not.toContain('machine-local');
      await machines.sync(a, b);
      expect(await bodyOf(b, id)).toBe('PRIVATE\n');
    },
  );

  it('is not published by any other command', async () => {
    const { machines, a, id } = await saidLocal();
    await a.perform({ kind: 'tag', id, add: ['kept'], remove: [] });
    await a.perform({ kind: 'move', id, project: 'other' });
    await expectRefused(machines, a);
  });

  it('is private again when that move is undone before a sync', async () => {
    const { machines, a, id, path } = await saidLocal();
    await a.perform({ kind: 'move', id, scope: 'portable' });
    expect(await undoEvent(a, undefined)).toMatchObject({ answer: { answer: { status: 'recorded' } } });
    expect(readFileSync(path, 'utf8')).toContain('scope: machine-local');
    await expectRefused(machines, a);
  });

  it('does not block a sync when that move is undone after the text was published', async () => {
    const { machines, a, b, id } = await saidLocal();
    await a.perform({ kind: 'move', id, scope: 'portable' });
    await machines.sync(a);
    await undoEvent(a, undefined);
    await machines.sync(a, b);
    expect(await bodyOf(b, id)).toBe('PRIVATE\n');
  });

  it('makes the refused sync name that move', async () => {
    const { a, id } = await saidLocal();
    const { trouble } = await syncStore(a);
    expect(trouble?.next).toContain(`to publish it: anamnesis move ${id} --scope portable`);
  });
});

describe('the warning of a move to the machine-local notes', () => {
  const warningsOf = async (memory: Memory, id: string): Promise<string> => {
    const answer = await memory.perform({ kind: 'move', id, scope: 'machine-local' });
    return answer.status === 'recorded' ? answer.warnings.join('; ') : answer.status;
  };
  const leavesOut = 'the next sync leaves out what was committed of it as machine-local';

  const forgottenCopy = async () => {
    const one = await leftCopy();
    await one.a.perform({ kind: 'forget', id: one.id });
    commitAll(one.a);
    return one;
  };

  it.each([
    ['a committed text that said machine-local', saidLocal],
    ['the committed file of a note that was machine-local and is gone', forgottenCopy],
  ])('says that the next sync leaves out %s, which it does', async (_, make) => {
    const { machines, a, id } = await make();
    await expectRefused(machines, a);
    const warnings = await warningsOf(a, id);
    expect(warnings).toContain(leavesOut);
    expect(warnings).not.toContain('publishes that history');
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
  });

  it('says that a sync publishes the history of any other note, which it does', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id } = await writeNote(a, { title: 'X', body: 'PRIVATE\n' });
    expect(await warningsOf(a, id)).toContain('a sync publishes that history');
    await machines.sync(a);
    expect(published(machines)).toContain('PRIVATE');
  });
});

describe('the other machines’ copy of a note that is made machine-local', () => {
  it('says portable even when the published file says scope: machine-local', async () => {
    const { machines, a, id } = await leftCopy();
    const b = await machines.open('b');
    commitAll(a);
    await a.perform({ kind: 'move', id, scope: 'portable' });
    await machines.sync(a);
    await undoEvent(a, undefined);
    await machines.sync(a);
    const answer = await a.perform({ kind: 'move', id, scope: 'machine-local' });
    expect(answer).toMatchObject({ warnings: [expect.stringContaining('a separate note')] });
    expect(git(a, 'grep', '-l', '^scope: portable', 'HEAD').trim().split('\n')).toHaveLength(1);
    await machines.sync(a, b);
    expect((await b.list({}, 9)).notes).toHaveLength(1);
  });
});
