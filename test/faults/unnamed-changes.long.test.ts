/** Pushed commits whose forged trailers leave out some of what the commits do. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journalNames } from '../../src/events/note/note.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import { allDigestsOf } from '../../src/projections/digest.js';
import { openGeneration } from '../../src/projections/generation.js';
import type { Memory } from '../../src/store/memory.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { replay } from '../../src/workers/replay.js';
import { newMachines } from '../support/machines.js';
import { appOver, personsGit, writeNote } from '../support/store.js';

/** Two notes that `a` and `b` share, and another person's clone, in which the file of the first note is at `path`. */
const twoNotes = async () => {
  const machines = newMachines();
  const [a, b] = [await machines.open('a'), await machines.open('b')];
  const base = await writeNote(a, { title: 'Base', body: 'Deploy only from CI.\n', project: 'shop' });
  const other = await writeNote(a, { title: 'Other', body: 'o\n', project: 'shop' });
  await machines.sync(a, b);
  const clone = join(machines.folder, 'clone');
  personsGit(machines.folder, 'clone', '-q', join(machines.folder, 'remote.git'), clone);
  const path = join(clone, personsGit(clone, 'ls-files', `*${base.id}.md`).trim());
  const edit = (): void => writeFileSync(path, readFileSync(path, 'utf8').replace('only from CI', 'from anywhere'));
  const push = (message: string): string => {
    personsGit(clone, 'add', '-A');
    personsGit(clone, '-c', 'user.email=anamnesis@a', 'commit', '-q', '-m', message);
    personsGit(clone, 'push', '-q');
    return personsGit(clone, 'rev-parse', 'HEAD').trim();
  };
  return { machines, a, b, base, other, clone, path, edit, push };
};

const messageOf = (kind: string, notes: readonly string[], ...further: readonly string[]): string =>
  [
    `${kind}: Other`,
    '',
    'Format: 1',
    'Event: 01DXF6DT00PC7KD05771RYCAAA',
    `Kind: ${kind}`,
    'At: 2020-01-01T00:00:00+00:00',
    ...notes.map((id) => `Note: ${id}`),
    ...further,
    'User: self',
    'Machine: a',
  ].join('\n');

const shown = async (memory: Memory, id: string): Promise<NoteJson> => {
  const found = await memory.show(id);
  if (!found.ok) throw new Error(`the note is missing: ${found.refusal.message}`);
  return found.answer;
};

const historyOf = async (memory: Memory, id: string) =>
  (await memory.events({ note: id }, 10)).map(({ kind, commit }) => ({ kind, commit }));

const expectReplayed = async (memory: Memory): Promise<void> => {
  const caughtUp = await memory.liveIndex.ask(allDigestsOf);
  const journals = journalNames.map((name) => memory.journals[name]);
  const indexFolder = join(memory.settings.home, 'beside');
  const { file } = await replay({ journals, indexFolder, publish: 'beside' });
  const replayed = openGeneration(file);
  expect(allDigestsOf(replayed)).toEqual(caughtUp);
  replayed.close();
};

describe('a pushed commit that changes a note which its trailers do not name', () => {
  it.each([
    ['names another note', 'note.tagged', (other: string) => [other]],
    ['names none', 'note.edited', () => []],
    ['has an unknown kind', 'x.y', (other: string) => [other]],
    ['claims to be an adoption', 'hand.adopted', (other: string) => [other]],
    ['claims to be an import', 'notes.imported', (other: string) => [other]],
  ] as const)('appears in the history of that note if it %s', async (_, kind, notes) => {
    const { machines, a, b, base, other, edit, push } = await twoNotes();
    edit();
    const commit = push(messageOf(kind, notes(other.id)));
    await machines.sync(a, b);
    for (const memory of [a, b]) {
      expect(await shown(memory, base.id)).toMatchObject({ body: 'Deploy from anywhere.\n', claimed: true });
      expect(await shown(memory, other.id)).not.toHaveProperty('claimed');
      expect(await historyOf(memory, base.id)).toContainEqual({ kind: 'hand.adopted', commit });
      expect(await historyOf(memory, other.id)).toHaveLength(1);
      expect((await memory.events({}, 10)).map(({ id }) => id)).not.toContain('01DXF6DT00PC7KD05771RYCAAA');
      expect((await memory.inject('shop')).text).toContain('committed with git, not by anamnesis');
      await expectReplayed(memory);
    }
  });

  it('is shown with its changes', async () => {
    const { machines, a, base, other, edit, push } = await twoNotes();
    edit();
    push(messageOf('note.tagged', [other.id]));
    await machines.sync(a);
    const { history } = appOver(a);
    const found = await history.ofNote(base.id, 10);
    if (!found.ok) throw new Error(found.refusal.message);
    const [patch] = await history.patches(
      base.id,
      found.answer.events.filter(({ kind }) => kind === 'hand.adopted'),
    );
    expect(patch?.lines).toEqual(expect.arrayContaining(['-Deploy only from CI.', '+Deploy from anywhere.']));
  });

  it('is reported by verify', async () => {
    const { machines, a, base, other, edit, push } = await twoNotes();
    edit();
    const commit = push(messageOf('note.tagged', [other.id]));
    await machines.sync(a);
    const { ok, problems } = await verifyStore(a);
    expect(problems).toEqual([
      {
        journal: 'memory',
        kind: 'unnamed-notes',
        detail: `${commit}: it changes ${base.id}, which its trailers don't name; history shows it as made with git`,
      },
    ]);
    expect(ok).toBe(true);
  });

  it('appears in the history of a note that it removes', async () => {
    const { machines, a, b, base, other, path, push } = await twoNotes();
    rmSync(path);
    const commit = push(messageOf('note.tagged', [other.id]));
    await machines.sync(a, b);
    expect(await a.show(base.id)).toMatchObject({ refusal: { code: 'note-forgotten' } });
    for (const memory of [a, b])
      expect(await historyOf(memory, base.id)).toContainEqual({ kind: 'hand.adopted', commit });
  });

  it('can be undone by the id it is shown with', async () => {
    const { machines, a, base, other, edit, push } = await twoNotes();
    edit();
    push(messageOf('note.tagged', [other.id]));
    await machines.sync(a);
    const event = (await a.events({ note: base.id }, 10)).find(({ kind }) => kind === 'hand.adopted');
    expect(await appOver(a).history.undo(event?.id)).toMatchObject({ ok: true });
    expect(await shown(a, base.id)).toMatchObject({ body: 'Deploy only from CI.\n' });
  });

  it('appears in the history of each note that it changes, even if it names one of them', async () => {
    const { machines, a, base, other, clone, edit, push } = await twoNotes();
    edit();
    const path = join(clone, personsGit(clone, 'ls-files', `*${other.id}.md`).trim());
    writeFileSync(path, readFileSync(path, 'utf8').replace(/o\n$/, 'p\n'));
    const commit = push(messageOf('note.edited', [other.id]));
    await machines.sync(a);
    for (const { id } of [base, other]) {
      expect(await historyOf(a, id)).toContainEqual({ kind: 'hand.adopted', commit });
      expect(await shown(a, id)).toMatchObject({ claimed: true });
    }
  });

  it('is detected among other commits and on a machine with unpublished notes', async () => {
    const { machines, a, b, base, other, clone, edit, push } = await twoNotes();
    await writeNote(a, { title: 'Mine' });
    edit();
    push(messageOf('note.tagged', [other.id]));
    writeFileSync(join(clone, 'README'), 'x');
    push('hello');
    await machines.sync(a, b, a);
    for (const memory of [a, b]) {
      expect(await shown(memory, base.id)).toMatchObject({ claimed: true });
      await expectReplayed(memory);
    }
  });
});

describe('a pushed merge that reverts what one of its sides changed', () => {
  /** A clone of a journal in which the base note was edited, and the ids of the commits before and after. */
  const edited = async () => {
    const site = await twoNotes();
    const { machines, a, b, base, clone } = site;
    await a.perform({ kind: 'edit', id: base.id, set: { body: 'Deploy with the new script.\n' } });
    await machines.sync(a, b);
    personsGit(clone, 'pull', '-q');
    const [after, before] = personsGit(clone, 'rev-list', '-2', 'HEAD').split('\n');
    const merge = (tree: string, parents: readonly string[], message: string): string => {
      const sides = parents.flatMap((parent) => ['-p', parent]);
      const commit = personsGit(clone, 'commit-tree', `${tree}^{tree}`, ...sides, '-m', message).trim();
      personsGit(clone, 'push', '-q', 'origin', `${commit}:main`);
      return commit;
    };
    return { ...site, after: after ?? '', before: before ?? '', merge };
  };

  it.each([
    ['plain', false, false],
    ['plain, the older side first', true, false],
    ['with trailers of ours', false, true],
  ])('appears in the history of the note: %s', async (_, isReversed, hasTrailers) => {
    const { machines, a, b, base, other, before, after, merge } = await edited();
    const sides = isReversed ? [before, after] : [after, before];
    const commit = merge(before, sides, hasTrailers ? messageOf('note.tagged', [other.id]) : 'merge');
    await machines.sync(a, b);
    for (const memory of [a, b]) {
      expect(await shown(memory, base.id)).toMatchObject({ body: 'Deploy only from CI.\n', claimed: true });
      expect(await historyOf(memory, base.id)).toContainEqual({ kind: 'hand.adopted', commit });
      await expectReplayed(memory);
    }
  });

  it('appears there too if its content is on neither side', async () => {
    const { machines, a, b, base, after, clone, path, merge } = await edited();
    personsGit(clone, 'commit', '-q', '--allow-empty', '-m', 'nothing');
    writeFileSync(path, readFileSync(path, 'utf8').replace('new script', 'old script'));
    personsGit(clone, 'add', '-A');
    const tree = personsGit(clone, 'write-tree').trim();
    const commit = merge(tree, [after, personsGit(clone, 'rev-parse', 'HEAD').trim()], 'merge');
    await machines.sync(a, b);
    for (const memory of [a, b]) {
      expect(await shown(memory, base.id)).toMatchObject({ body: 'Deploy with the old script.\n', claimed: true });
      expect(await historyOf(memory, base.id)).toContainEqual({ kind: 'hand.adopted', commit });
      await expectReplayed(memory);
    }
  });

  it('does not appear there if it keeps both sides whole', async () => {
    const { machines, a, b, base, after, clone, merge } = await edited();
    personsGit(clone, 'commit', '-q', '--allow-empty', '-m', 'nothing');
    const commit = merge(after, [personsGit(clone, 'rev-parse', 'HEAD').trim(), after], 'merge');
    await machines.sync(a, b);
    for (const memory of [a, b]) {
      expect(await shown(memory, base.id)).not.toHaveProperty('claimed');
      expect(JSON.stringify(await historyOf(memory, base.id))).not.toContain(commit);
      await expectReplayed(memory);
    }
  });
});

describe('a pushed commit claiming that a machine made a note machine-local', () => {
  it.each(['memory', 'local'])('is a removal like any other, whichever journal it names: %s', async (journal) => {
    const { machines, a, b, base, clone, path, push } = await twoNotes();
    const place = personsGit(clone, 'ls-files', path).trim();
    const blob = personsGit(clone, 'rev-parse', `HEAD:${place}`).trim();
    rmSync(path);
    push(messageOf('note.moved', [base.id], `Move: ${journal} ${blob} ${place}`));
    await machines.sync(a, b);
    for (const memory of [a, b]) expect((await memory.show(base.id)).ok).toBe(false);
    expect(await a.perform({ kind: 'restore', id: base.id })).toMatchObject({ status: 'recorded' });
    await machines.sync(a, b);
    for (const memory of [a, b]) expect(await shown(memory, base.id)).toMatchObject({ body: 'Deploy only from CI.\n' });
  });
});

it('a foreign commit that adds a file named like a commit hides none of its other changes', async () => {
  const { machines, a, base, clone, edit, push } = await twoNotes();
  edit();
  writeFileSync(join(clone, '0123456789'.repeat(4)), 'x');
  const commit = push('hello');
  await machines.sync(a);
  expect(await historyOf(a, base.id)).toContainEqual({ kind: 'hand.adopted', commit });
  await expectReplayed(a);
});
