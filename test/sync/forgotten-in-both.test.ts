/** Forgetting and restoring a note that is machine-local here and that another machine published under the same id. */
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreAt, undoEvent } from '../../src/app/undoing.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { type Machines, newMachines } from '../support/machines.js';
import { appOver, noteOf, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';
import { commitAll, published } from './support/private-notes.js';

/** `a` made it machine-local and edited it, `b` edited what was published, and `a` synced that. */
const tell = async ({ a, b }: Record<'a' | 'b', Memory>, machines: Machines) => {
  const { id } = await writeNote(a, { title: 'Loc', body: 'one\n' });
  await machines.sync(a, b);
  await a.perform({ kind: 'move', id, scope: 'machine-local' });
  const edited = await a.perform({ kind: 'edit', id, set: { body: 'PRIVATE\n' } });
  await b.perform({ kind: 'edit', id, set: { body: 'TEXT OF B\n' } });
  await machines.sync(b, a);
  return { id, edit: edited.status === 'refused' ? '' : (edited.event?.id ?? '') };
};
let atMs = Date.parse('2026-03-01T10:00:00Z');
const nowMs = (): number => {
  atMs += 1000;
  return atMs;
};
const inBoth = startOnce(['a', 'b'], tell, { nowMs });

const portableFile = ({ journals: { portable } }: Memory, id: string): string => {
  const name = readdirSync(portable.folder, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith(`${id}.md`),
  );
  return join(portable.folder, name ?? '');
};

const textOf = async (memory: Memory, id: string): Promise<string> => {
  const shown = await memory.show(id);
  return shown.ok ? `${shown.answer.scope}: ${shown.answer.body?.trim()}` : shown.refusal.code;
};

describe('forgetting a note in both journals where it is machine-local', () => {
  it('leaves the other machines the published note, and says so', async () => {
    const { machines, a, b, id } = await inBoth();
    expect(await a.perform({ kind: 'forget', id })).toMatchObject({
      status: 'recorded',
      warnings: [expect.stringMatching(`memory/.* stays.*anamnesis forget ${id}`)],
    });
    await machines.sync(a, b);
    expect(await textOf(a, id)).toBe('portable: TEXT OF B');
    expect(await textOf(b, id)).toBe('portable: TEXT OF B');
  });

  it.each(['adopt', 'git commit'])(
    'publishes none of its lines that a person copied into the published file (%s)',
    async (how) => {
      const { machines, a, id } = await inBoth();
      await a.finish();
      const path = portableFile(a, id);
      appendFileSync(path, 'PRIVATE\n');
      await a.adopt('record');
      await a.perform({ kind: 'forget', id });
      await a.finish();
      if (how === 'git commit') commitAll(a);
      const synced = await syncStore(a);
      expect(published(machines)).not.toContain('PRIVATE');
      const said = how === 'adopt' ? (await a.adopt('record')).portable.left[0]?.reason : synced.trouble?.message;
      expect(said).toContain(how === 'adopt' ? 'the text of its machine-local note' : 'is machine-local');
      expect(readFileSync(path, 'utf8')).toContain('PRIVATE');
    },
  );

  it('forgets the published note when it is repeated', async () => {
    const { machines, a, b, id } = await inBoth();
    await a.perform({ kind: 'forget', id });
    expect(await a.perform({ kind: 'forget', id })).toMatchObject({ status: 'recorded', warnings: [] });
    await machines.sync(a, b);
    expect([await textOf(a, id), await textOf(b, id)]).toEqual(['note-forgotten', 'note-forgotten']);
  });

  it('lets this machine edit the published note from then on', async () => {
    const { machines, a, b, id } = await inBoth();
    await a.perform({ kind: 'forget', id });
    await a.perform({ kind: 'edit', id, set: { body: 'TEXT OF A\n' } });
    await machines.sync(a, b);
    expect(await textOf(b, id)).toBe('portable: TEXT OF A');
  });
});

describe('the machine-local text of a note in both journals', () => {
  const gone: readonly (readonly [string, (memory: Memory, id: string) => Promise<unknown>])[] = [
    ['forgotten', (memory, id) => memory.perform({ kind: 'forget', id })],
    [
      'removed by hand',
      async (memory, id) => {
        const shown = await memory.show(id);
        rmSync(shown.ok ? (shown.answer.path ?? '') : '');
        await memory.adopt('record');
      },
    ],
  ];
  const back: readonly (readonly [string, (memory: Memory, id: string, edit: string) => Promise<unknown>])[] = [
    ['undo', (memory) => undoEvent(memory, undefined)],
    ['restore', (memory, id) => appOver(memory).notes.restore(id, {})],
    ['restore --at', (memory, id, edit) => restoreAt(memory, id, edit)],
  ];
  const ways = gone.flatMap(([how, go]) => back.map(([word, bring]) => [how, word, go, bring] as const));
  it.each(ways)('%s, comes back with %s beside what the others have', async (_, __, go, bring) => {
    const { machines, a, b, id, edit } = await inBoth();
    await go(a, id);
    expect(await textOf(a, id)).toBe('portable: TEXT OF B');
    await bring(a, id, edit);
    expect(await textOf(a, id)).toBe('machine-local: PRIVATE');
    await machines.sync(a, b);
    expect(await textOf(b, id)).toBe('portable: TEXT OF B');
  });

  it('is not restored a second time', async () => {
    const { a, id } = await inBoth();
    await a.perform({ kind: 'forget', id });
    await a.perform({ kind: 'restore', id });
    expect(await a.perform({ kind: 'restore', id })).toMatchObject({ status: 'unchanged' });
  });

  it('is not restored once this machine made the note portable', async () => {
    const { a, id } = await inBoth();
    await a.perform({ kind: 'move', id, scope: 'portable' });
    expect(await a.perform({ kind: 'restore', id })).toMatchObject({ status: 'unchanged' });
    expect(noteOf(await a.perform({ kind: 'edit', id, set: { title: 'T' } }))).toMatchObject({ scope: 'portable' });
  });
});

describe('a text that a portable note had while it was machine-local', () => {
  const published = async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const written = await a.perform({
      kind: 'write',
      type: 'semantic',
      title: 'Loc',
      body: 'PRIVATE first thoughts\n',
      project: 'p',
      scope: 'machine-local',
      tags: [],
      keywords: [],
      supersedes: [],
    });
    const { id } = noteOf(written);
    await a.perform({ kind: 'edit', id, set: { body: 'for all\n' } });
    await a.perform({ kind: 'move', id, scope: 'portable' });
    return { a, id, event: written.status === 'refused' ? '' : (written.event?.id ?? '') };
  };
  const refusal = { code: 'text-was-local', next: expect.stringContaining('--scope portable') };

  it('is restored as portable only when that is asked for', async () => {
    const { a, id, event } = await published();
    expect(await restoreAt(a, id, event)).toMatchObject({ status: 'refused', refusal });
    expect(await textOf(a, id)).toBe('portable: for all');
    expect(await restoreAt(a, id, event, 'portable')).toMatchObject({ status: 'recorded' });
    expect(await textOf(a, id)).toBe('portable: PRIVATE first thoughts');
  });

  it('is not restored either once the note is forgotten', async () => {
    const { a, id, event } = await published();
    await a.perform({ kind: 'forget', id });
    expect(await restoreAt(a, id, event)).toMatchObject({ status: 'refused', refusal });
  });

  it('counts as unchanged when the note still has it', async () => {
    const { a, id } = await published();
    const [edited] = await a.events({ note: id, kind: 'note.edited' }, 1);
    expect(await restoreAt(a, id, edited?.id ?? '')).toMatchObject({ status: 'unchanged' });
  });
});

it('a machine-local text that a person copied into the published file stays private once its edit is undone', async () => {
  const { machines, a, id } = await inBoth();
  await a.finish();
  const path = portableFile(a, id);
  appendFileSync(path, 'PRIVATE\n');
  await a.adopt('record');
  await undoEvent(a, undefined);
  await machines.sync(a);
  expect(published(machines)).not.toContain('PRIVATE');
  expect((await a.adopt('record')).portable.left).toMatchObject([{ reason: expect.stringContaining('machine-local') }]);
});
