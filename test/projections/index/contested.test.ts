import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatNote } from '../../../src/cli/note-view.js';
import type { Memory } from '../../../src/store/memory.js';
import { newMachines } from '../../support/machines.js';
import { openStore, personsGit, type TestStore, writeNote } from '../../support/store.js';

const asked = {
  project: 'shop',
  k: 5,
  exclude: new Set<string>(),
  maxBytes: 5000,
  budget: 5000,
  measure: (text: string) => text.length,
};

describe('a note in conflict', () => {
  it('appears once in the block of a session and says that it is in conflict', async () => {
    const machines = newMachines();
    const one = await machines.open('one');
    const two = await machines.open('two');
    const { id } = await writeNote(one, { title: 'Ports', body: 'The API is on 8080.\n', project: 'shop' });
    await machines.sync(one, two);
    for (const [memory, port] of [
      [one, 9090],
      [two, 7070],
    ] as const)
      await memory.perform({ kind: 'edit', id, set: { body: `The API is on ${port}.\n` } });
    await machines.sync(one, two, one);
    const { text, ids } = await one.inject('shop');
    expect(ids).toEqual([id]);
    expect(text).toContain('in conflict: there is another version of it (anamnesis conflicts)');
    expect(text).not.toContain('conflicting edit');
  });
});

describe('a contested note', () => {
  let store: TestStore;
  let memory: Memory;
  beforeEach(() => {
    store = openStore();
    ({ memory } = store);
  });
  afterEach(() => store.close());

  it('and its proposed replacement both say so', async () => {
    const older = await writeNote(memory, { title: 'Port', body: 'The port is 1.\n', project: 'shop' });
    const newer = await writeNote(memory, {
      title: 'Port now',
      body: 'The port is 2.\n',
      project: 'shop',
      proposes: [older.id],
    });
    const { text } = await memory.inject('shop');
    expect(text).toContain(`${newer.short_id} is proposed to replace it (anamnesis review)`);
    expect(text).toContain(`proposed to replace ${older.short_id} (anamnesis review)`);
  });

  it('says so in search results', async () => {
    const older = await writeNote(memory, { title: 'Port', body: 'The port is 1.\n', project: 'shop' });
    await writeNote(memory, { title: 'Port now', body: 'The port is 2.\n', project: 'shop', proposes: [older.id] });
    const apart = await writeNote(memory, { title: 'Port of Kiel', body: 'Ships.\n', project: 'shop' });
    const { hits } = await memory.search('port', {});
    const contestedOf = (id: string) => hits.find((hit) => hit.id === id)?.contested;
    expect(contestedOf(older.id)).toEqual([expect.stringContaining('is proposed to replace it')]);
    expect(contestedOf(apart.id)).toBeUndefined();
  });

  it('says so when it is read in full', async () => {
    const older = await writeNote(memory, { title: 'Port', body: 'The port is 1.\n', project: 'shop' });
    const newer = await writeNote(memory, { title: 'Now', body: 'It is 2.\n', project: 'shop', proposes: [older.id] });
    const shown = await memory.show(older.id);
    if (!shown.ok) throw new Error('not there');
    const reason = `${newer.short_id} is proposed to replace it (anamnesis review)`;
    expect(shown.answer.contested).toEqual([reason]);
    expect(formatNote(shown.answer)).toMatch(new RegExp(`undecided +${newer.short_id} is proposed to replace it`));
    await memory.perform({ kind: 'forget', id: newer.id, reason: undefined });
    expect(await memory.show(older.id)).not.toMatchObject({ answer: { contested: expect.anything() } });
  });

  const arrive = (project: string, original: string): void => {
    const folder = join(store.home, 'memory', 'semantic', '0B');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, '01J2000000000000000000000B.md'),
      `---\nid: 01J2000000000000000000000B\ntype: semantic\ntitle: Ingress timeout settings\nproject: ${project}\nprov_source: merge\nlinks:\n- conflicts-with ${original}\n---\nThe ingress timeout is 60 s.\n`,
    );
    personsGit(join(store.home, 'memory'), 'add', '-A');
    personsGit(join(store.home, 'memory'), 'commit', '-q', '-m', 'arrived');
  };

  it.each([
    ['of another project', 'client-secret', false],
    ['that is superseded', 'shop', true],
  ])('is not added to a prompt in place of a copy that names it: one %s', async (_, project, isSuperseded) => {
    const { id } = await writeNote(memory, { title: 'Keys', body: 'Only for that client.\n', project });
    if (isSuperseded) await writeNote(memory, { title: 'Keys now', project, supersedes: [id] });
    arrive('shop', id);
    const { text, ids } = await memory.recall('what are the ingress timeout settings', asked);
    expect(ids).toEqual(['01J2000000000000000000000B']);
    expect(text).not.toContain('Only for that client');
  });
});

describe('the block of the global project', () => {
  it('has a line for each note whose body is left out', async () => {
    const store = openStore();
    const commands = Array.from({ length: 100 }, (_, n) => ({
      kind: 'write' as const,
      type: 'semantic' as const,
      title: `Preference ${n}`,
      body: `${'Prefers it so. '.repeat(8)}\n`,
      project: 'global',
      scope: 'portable' as const,
      tags: [],
      keywords: [],
      supersedes: [],
    }));
    for (const command of commands) await store.memory.perform(command);
    const { text } = await store.memory.inject('global');
    for (const { title } of commands) expect(text).toContain(title);
    expect(text.length).toBeLessThanOrEqual(9500);
    await store.close();
    rmSync(store.home, { recursive: true, force: true });
  });
});
