/** A note that is machine-local here, whatever other machines and commands do to it: only a move publishes it. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConflicts, resolveConflict } from '../../src/app/conflicts.js';
import { forgetNotes } from '../../src/app/forgetting.js';
import { readStatus } from '../../src/app/status.js';
import { undoEvent } from '../../src/app/undoing.js';
import type { Command } from '../../src/commands/handlers.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { type Machines, newMachines } from '../support/machines.js';
import { gitIndexCaughtUp, openStore, personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';

const secret = 'PRIVATE-OF-A';

/** Every object of a repository, even unreachable ones. */
const allOf = (folder: string): string =>
  execFileSync('git', ['cat-file', '--batch-all-objects', '--batch', '--buffer'], { cwd: folder, encoding: 'latin1' });
const leaked = ({ folder }: Machines, name = 'a'): boolean =>
  [join(folder, 'remote.git'), join(folder, name, 'memory')].some((one) => allOf(one).includes(secret));

const record = async (memory: Memory, command: Command): Promise<void> => {
  expect(await memory.perform(command)).toMatchObject({ status: 'recorded' });
};

/** A note that both machines had when `a` made it machine-local. */
const moved = startOnce(['a', 'b'], async ({ a, b }, machines) => move(a, b, machines));
const move = async (a: Memory, b: Memory, machines: Machines): Promise<{ id: string }> => {
  const { id } = await writeNote(a, { title: 'Shared', body: 'one\n' });
  await machines.sync(a, b);
  await record(a, { kind: 'move', id, scope: 'machine-local' });
  return { id };
};

/** The same, and `b` kept editing it. */
const parted = startOnce(['a', 'b'], async ({ a, b }, machines) => {
  const { id } = await move(a, b, machines);
  await record(b, { kind: 'edit', id, set: { title: 'Better' } });
  await machines.sync(b, a);
  return { id };
});

describe('a note that is machine-local here and edited elsewhere', () => {
  it.each<[string, (a: Memory, id: string) => Promise<void>]>([
    ['an edit', (a, id) => record(a, { kind: 'edit', id, set: { body: `${secret}\n` } })],
    ['tagging', (a, id) => record(a, { kind: 'tag', id, add: [secret], remove: [] })],
    [
      'a supersession',
      async (a, id) => {
        const { id: older } = await writeNote(a, { title: 'Older', scope: 'machine-local' });
        await record(a, { kind: 'edit', id, set: { title: secret } });
        await record(a, { kind: 'supersede', by: id, ids: [older] });
      },
    ],
    [
      'forgetting with a reason',
      async (a, id) => {
        await record(a, { kind: 'edit', id, set: { title: secret, project: secret } });
        await record(a, { kind: 'forget', id, reason: secret });
      },
    ],
    [
      'forgetting that is undone',
      async (a, id) => {
        await record(a, { kind: 'edit', id, set: { title: secret, project: secret } });
        await record(a, { kind: 'forget', id, reason: secret });
        expect((await undoEvent(a, undefined)).ok).toBe(true);
      },
    ],
  ])('leaks nothing through %s', async (_, change) => {
    const { machines, a, b, id } = await parted();
    await change(a, id);
    await machines.sync(a, b, a);
    expect(leaked(machines)).toBe(false);
    expect(await replayStore(a, { verify: true })).toMatchObject({ verified: true });
  });

  it('becomes portable by a move, which keeps the other text', async () => {
    const { machines, a, b, id } = await parted();
    await record(a, { kind: 'edit', id, set: { body: `${secret}\n` } });
    await record(a, { kind: 'move', id, scope: 'portable' });
    await machines.sync(a, b);
    expect(await b.show(id)).toMatchObject({ answer: { title: 'Shared', body: `${secret}\n` } });
    expect((await readConflicts(b, {}, { conflicts: 9, diffLines: 9 })).total).toBe(1);
    expect((await readStatus(a)).in_both).toEqual([]);
  });

  it('stays only here after a move to where it already is, with the other text kept as a note of its own', async () => {
    const { machines, a, b, id } = await parted();
    await record(a, { kind: 'edit', id, set: { title: secret, body: `${secret}\n` } });
    await record(a, { kind: 'move', id, scope: 'machine-local', project: secret });
    await machines.sync(a, b);
    expect((await b.show(id)).ok).toBe(false);
    expect((await b.list({}, 9)).notes.map(({ title }) => title)).toEqual([expect.stringContaining('Better')]);
    expect((await readStatus(a)).in_both).toEqual([]);
    expect(leaked(machines)).toBe(false);
  });
});

describe('a note that is machine-local here and restored elsewhere', () => {
  it('stays on the others: a move that was finished long ago is not finished again', async () => {
    const { machines, a, b, id } = await moved();
    await machines.sync(a, b);
    await record(b, { kind: 'restore', id, scope: 'portable' });
    await machines.sync(b, a, a, b);
    expect(await b.show(id)).toMatchObject({ answer: { scope: 'portable', body: 'one\n' } });
    expect(await a.show(id)).toMatchObject({ answer: { scope: 'machine-local' } });
  });
});

describe('undoing a move to the machine-local notes', () => {
  it('is refused when the note was since given text that was never portable', async () => {
    const { memory, home, close } = openStore();
    const { id } = await writeNote(memory);
    const moved = await memory.perform({ kind: 'move', id, scope: 'machine-local' });
    await record(memory, { kind: 'edit', id, set: { body: `${secret}\n` } });
    const event = moved.status === 'refused' ? '' : (moved.event?.id ?? '');
    expect(await undoEvent(memory, event)).toMatchObject({
      ok: false,
      refusal: { code: 'stays-local', next: expect.stringContaining(`move ${id} --scope portable`) },
    });
    expect(await memory.show(id)).toMatchObject({ answer: { scope: 'machine-local' } });
    expect(allOf(join(home, 'memory'))).not.toContain(secret);
    await close();
  });
});

describe('undoing a command that removed one file of a note in both journals', () => {
  it.each<[string, Command['kind']]>([
    ['forgetting', 'forget'],
    ['a move to the portable notes', 'move'],
  ])('leaves the note in both after %s, and the machine-local one counts', async (_, kind) => {
    const { machines, a, id } = await parted();
    await record(a, { kind: 'edit', id, set: { body: 'PRIV1\n' } });
    await record(a, kind === 'forget' ? { kind, id } : { kind: 'move', id, scope: 'portable' });
    expect((await undoEvent(a, undefined)).ok).toBe(true);
    expect(await a.show(id)).toMatchObject({ answer: { scope: 'machine-local', title: 'Shared', body: 'PRIV1\n' } });
    const portable = personsGit(join(machines.folder, 'a', 'memory'), 'show', `HEAD:semantic/${id.slice(-2)}/${id}.md`);
    expect(portable).toContain('title: Better');
    expect(portable).toContain('scope: portable');
    expect((await readStatus(a)).in_both).toEqual([id]);
    await record(a, { kind: 'edit', id, set: { title: secret } });
    await syncStore(a);
    expect(leaked(machines)).toBe(false);
    expect(await replayStore(a, { verify: true })).toMatchObject({ verified: true });
  });

  it('can itself be undone', async () => {
    const { a, id } = await parted();
    await record(a, { kind: 'forget', id });
    const undone = await undoEvent(a, undefined);
    const event = undone.ok && undone.answer.answer.event?.id;
    expect((await undoEvent(a, event || '')).ok).toBe(true);
    expect(await a.show(id)).toMatchObject({ answer: { scope: 'portable', title: 'Better' } });
  });
});

describe('a machine-local file that a person committed half written', () => {
  it.each<[string, (id: string) => Command]>([
    ['an edit', (id) => ({ kind: 'edit', id, set: { body: `${secret}\n` } })],
    ['tagging', (id) => ({ kind: 'tag', id, add: [secret], remove: [] })],
    ['forgetting', (id) => ({ kind: 'forget', id })],
    ['a supersession', (id) => ({ kind: 'supersede', by: id, ids: [] })],
  ])('still keeps its note here: %s is refused, and the refusal names the file', async (_, command) => {
    const { machines, a, id } = await parted();
    const other = await writeNote(a, { title: 'Other' });
    const shown = await a.show(id);
    const path = (shown.ok && shown.answer.path) || '';
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.replace(/^title:.*$/m, 'title: [half'));
    const { folder } = a.journals.local;
    await gitIndexCaughtUp(folder);
    personsGit(folder, 'commit', '-q', '-a', '-m', 'half');
    const asked = command(id);
    const refused = await a.perform(asked.kind === 'supersede' ? { ...asked, ids: [other.id] } : asked);
    expect(refused).toMatchObject({ status: 'refused', refusal: { code: 'file-blocked' } });
    expect(JSON.stringify(refused)).toContain(`local/semantic/${id.slice(-2)}/${id}.md`);
    writeFileSync(path, whole);
    await record(a, asked.kind === 'supersede' ? { ...asked, ids: [other.id] } : asked);
    await machines.sync(a);
    expect(leaked(machines)).toBe(false);
  });
});

describe('an event in both journals', () => {
  it('says nothing about a machine-local note in the portable one', async () => {
    const { memory, home, close } = openStore();
    const portable = await writeNote(memory, { title: 'Portable' });
    const { id } = await writeNote(memory, { title: 'Was portable' });
    await record(memory, { kind: 'move', id, scope: 'machine-local', project: secret });
    await record(memory, { kind: 'edit', id, set: { title: secret } });
    await record(memory, {
      kind: 'import',
      from: 'a file',
      files: [],
      notes: (['portable', 'machine-local'] as const).map((scope) => ({
        sourceKey: `key:${scope}`,
        title: scope === 'portable' ? 'Imported' : secret,
        body: scope === 'portable' ? 'one\n' : `${secret}\n`,
        tags: [],
        keywords: [],
        project: undefined,
        type: undefined,
        createdAtMs: undefined,
        updatedAtMs: undefined,
        scope,
      })),
    });
    expect((await undoEvent(memory, undefined)).ok).toBe(true);
    const messages = personsGit(join(home, 'memory'), 'log', '--format=%B');
    expect(messages).toContain('note.moved: Was portable');
    expect(messages).toContain('event.undone: notes.imported: Imported');
    expect(messages).not.toContain(secret);
    expect(messages).toContain(portable.id);
    await close();
  });

  it.each([false, true])(
    'keeps a reason given for both out of the portable one (portable first: %s)',
    async (first) => {
      const a = await newMachines().open('a');
      const local = await writeNote(a, { title: 'PRIVATE', scope: 'machine-local' });
      const portable = await writeNote(a, { title: 'Portable' });
      const ids = first ? [portable.id, local.id] : [local.id, portable.id];
      const answers = await forgetNotes(a, ids, 'as PRIVATE says');
      expect(answers.map((one) => one.status)).toEqual(['recorded', 'recorded']);
      expect(personsGit(a.journals.portable.folder, 'log', 'main')).not.toContain('PRIVATE');
      expect(personsGit(a.journals.local.folder, 'log', 'main')).toContain('Reason: as PRIVATE says');
      const warned = answers.flatMap((one) => (one.status === 'refused' ? [] : one.warnings));
      expect(warned.join()).toContain(`the reason is not recorded with ${portable.id}`);
      const other = await writeNote(a, { title: 'Portable too' });
      await forgetNotes(a, [other.id], 'the registry moved');
      expect(personsGit(a.journals.portable.folder, 'log', 'main')).toContain('Reason: the registry moved');
    },
  );

  it('resolves a conflict without the words of the machine-local note', async () => {
    const { machines, a, id } = await parted();
    await record(a, { kind: 'edit', id, set: { title: secret } });
    const copy = await writeNote(a, { title: 'A conflicting edit', body: 'other\n', source: 'merge' });
    execFileSync('sed', ['-i', `s/^tags:/links:\\n- conflicts-with ${id}\\ntags:/`, copy.path ?? '']);
    await a.adopt('hold');
    const [note, other] = [await a.show(id), await a.show(copy.id)];
    if (!note.ok || !other.ok) throw new Error('not there');
    const pair = { copy: other.answer, note: note.answer, original: id };
    expect(await resolveConflict(a, pair, { verdict: 'theirs', asSeen: false })).toMatchObject({ status: 'recorded' });
    await machines.sync(a);
    expect(leaked(machines)).toBe(false);
  });

  it('never puts the text of a machine-local conflict copy into a portable note', async () => {
    const { memory, home, close } = openStore();
    const { id } = await writeNote(memory, { title: 'Portable' });
    const copy = await writeNote(memory, {
      title: 'Copy',
      body: `${secret}\n`,
      scope: 'machine-local',
      source: 'merge',
    });
    execFileSync('sed', ['-i', `s/^tags:/links:\\n- conflicts-with ${id}\\ntags:/`, copy.path ?? '']);
    await memory.adopt('hold');
    for (const verdict of ['ours', 'both'] as const)
      expect(await memory.perform({ kind: 'resolve-conflict', copy: copy.id, original: id, verdict })).toMatchObject({
        status: 'refused',
        refusal: { code: 'copy-is-local' },
      });
    expect(allOf(join(home, 'memory'))).not.toContain(secret);
    await close();
  });
});

describe('a move that another machine’s commit falsely claims', () => {
  it('removes no machine-local note', async () => {
    const { machines, a, b, id } = await parted();
    await record(a, { kind: 'edit', id, set: { body: `${secret}\n` } });
    const shown = await a.show(id);
    const { version = '', path = '' } = shown.ok ? shown.answer : {};
    const inLocal = path.slice(path.indexOf('/local/') + '/local/'.length);
    const message = `note.moved: Better\n\nFormat: 1\nEvent: 01J0000000000000000000000E\nKind: note.moved\nAt: 2026-06-24T18:33:07+00:00\nNote: ${id}\nMachine: a\nMove: local ${version} ${inLocal}\n`;
    const { folder } = b.journals.portable;
    personsGit(folder, 'read-tree', 'HEAD');
    personsGit(folder, 'commit', '-q', '--allow-empty', '-m', message);
    await machines.sync(b, a);
    await writeNote(a, { title: 'Next' });
    await a.adopt('hold');
    expect(await a.show(id)).toMatchObject({ answer: { scope: 'machine-local', body: `${secret}\n` } });
  });
});
