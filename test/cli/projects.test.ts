/** Projects named by a part of their key, to read from and to write to, and tags named by the tag above them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openHome, type TestHome } from './support.js';

const key = 'gitlab.com/group/payments-api';
let home: TestHome;
beforeAll(async () => {
  home = openHome();
  await home.json(['write', 'Refunds are queued', '--body', 'The refund webhook answers at once.', '--project', key]);
});
afterAll(() => home.remove());

describe('reading from a project', () => {
  it.each([
    ['list', ['list', '--project', 'payments-api']],
    ['search', ['search', 'refund', '--project', 'payments-api']],
    ['search with other options', ['search', 'refund', '--project', 'payments', '--tag', 'none']],
  ])('%s accepts a unique part of its key', async (_, args) => {
    const { code, stderr } = await home.run(args);
    expect([code, stderr.includes('there is no project')]).toEqual([0, false]);
  });

  it('recall, inject and stats print the whole key', async () => {
    expect(await home.json(['recall', 'refund webhook', '--project', 'payments'])).toMatchObject({ project: key });
    expect(await home.json(['inject', '--project', 'payments'])).toMatchObject({ project: key, warnings: [] });
    expect(await home.json(['stats', '--project', 'payments'])).toMatchObject({ project: key, events: 1 });
  });

  it('log lists the events of its notes, including one that was moved there', async () => {
    const moved = await home.json(['write', 'Chargebacks', '--body', 'x', '--project', 'elsewhere']);
    await home.json(['move', moved.id, '--project', key]);
    const { events } = await home.json(['log', '--project', 'payments']);
    expect(events.map(({ kind }: Json) => kind)).toEqual(['note.moved', 'note.written', 'note.written']);
    expect((await home.json(['log', '--project', 'elsewhere'])).events).toHaveLength(1);
    await home.json(['forget', moved.id]);
  });

  it.each([['list'], ['search', 'refund'], ['conflicts'], ['review', 'list']])(
    '%s %s refuses an unknown project and names near keys',
    async (...args) => {
      const { error } = await home.json([...args.filter((arg) => arg !== undefined), '--project', 'payment-apo'], {
        code: 1,
      });
      expect(error).toMatchObject({
        code: 'project-unknown',
        message: `there is no project "payment-apo"; near it: ${key}`,
      });
    },
  );

  it('inject accepts a project without notes, with a warning', async () => {
    const { code, stderr } = await home.run(['inject', '--project', 'brand-new']);
    expect([code, stderr]).toEqual([0, 'warning: there is no project "brand-new"\n']);
  });
});

it('a search of the past accepts a project that has no notes now', async () => {
  const { id, event } = await home.json([
    'write',
    'Old ways',
    '--body',
    'The mainframe prints.',
    '--project',
    'gone/by',
  ]);
  await home.json(['move', id, '--project', key]);
  expect((await home.json(['search', 'mainframe', '--project', 'gone/by', '--at', event.id])).total).toBe(1);
});

describe('writing to a project', () => {
  it('accepts whole parts at the end of a known key, and names the project on stderr', async () => {
    const { code, stdout, stderr } = await home.run(['write', 'Named', '--body', 'x', '--project', 'payments-api']);
    expect([code, stderr]).toEqual([0, `project: ${key}\n`]);
    const named = await home.json(['show', stdout.split(' ')[2] ?? '']);
    expect(named.project).toBe(key);
    const other = await home.json(['write', 'Moved there', '--body', 'x', '--project', 'elsewhere/again']);
    expect((await home.json(['move', other.id, '--project', 'Group/payments-api'])).project).toBe(key);
    expect((await home.json(['edit', other.id, '--project', 'again'])).project).toBe('again');
  });

  it('takes another part of a key as a new project, with a warning', async () => {
    const note = await home.json(['write', 'Stray', '--body', 'x', '--project', 'payments']);
    expect(note.project).toBe('payments');
    expect(note.warnings).toEqual([`"payments" is a new project; if you meant ${key}, give that key in full`]);
    expect(await home.json(['move', note.id, '--project', key])).toMatchObject({ project: key, warnings: [] });
    expect((await home.run(['edit', note.id, '--project', 'payments-ap'])).stderr).toContain(`if you meant ${key}`);
  });

  it('lists several keys that end alike and writes nothing', async () => {
    await home.json(['write', 'Other group', '--body', 'x', '--project', 'gitlab.com/second/payments-api']);
    const { error } = await home.json(['write', 'Which?', '--body', 'x', '--project', 'payments-api'], { code: 1 });
    expect(error).toMatchObject({
      code: 'project-ambiguous',
      message: `"payments-api" fits 2 projects: ${key}, gitlab.com/second/payments-api`,
    });
    expect((await home.json(['search', 'Which'])).total).toBe(0);
  });
});

it('a tag includes those below it, but not those that merely begin like it', async () => {
  const ids: string[] = [];
  for (const tag of ['net/dns', 'network', 'net'])
    ids.push((await home.json(['write', `Tagged ${tag}`, '--body', 'x', '--tag', tag, '--project', 'tagged'])).id);
  const found = async (tag: string): Promise<string[]> =>
    (await home.json(['list', '--project', 'tagged', '--tag', tag])).notes.map(({ id }: Json) => id);
  expect((await found('Net')).toSorted()).toEqual([ids[0], ids[2]]);
  expect(await found('net/dns')).toEqual([ids[0]]);
});
