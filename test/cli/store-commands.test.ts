import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openHome, type TestHome, ulid } from './support.js';

let home: TestHome;
beforeAll(() => {
  home = openHome();
});
afterAll(() => home.remove());

it('init-store creates the store once, for this user alone', async () => {
  expect(await home.json(['init-store'])).toEqual({ root: home.store, created: true });
  expect(await home.json(['init-store'])).toEqual({ root: home.store, created: false });
  expect(statSync(home.store).mode & 0o077).toBe(0);
  expect(statSync(join(home.store, 'memory', '.git')).mode & 0o077).toBe(0);
});

describe('import', () => {
  it('imports notes once and names what it could not read', async () => {
    const file = join(home.work, 'notes.jsonl');
    const lines = [
      '{"id":"a","title":"Alpha","body":"first","project":"greek"}',
      'no json',
      '{"id":"b","title":"Beta","body":"second"}',
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const first = await home.json(['import', file, '--project', 'letters']);
    expect(Object.keys(first)).toEqual([
      'format',
      'imported',
      'updated',
      'skipped',
      'event',
      'masked',
      'warnings',
      'problems',
      'passed',
      'moved',
      'missing',
    ]);
    expect(first).toMatchObject({
      format: 'jsonl',
      imported: 2,
      event: { kind: 'notes.imported', id: expect.stringMatching(ulid) },
    });
    expect(first.problems).toEqual([{ where: 'notes.jsonl:2', message: expect.any(String) }]);
    const again = await home.run(['import', file, '--project', 'letters']);
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^unchanged 0 imported, 0 updated, 2 unchanged/),
    });
    expect(again.stderr).toMatch(/^notes\.jsonl:2: /);
    expect((await home.json(['list', '--project', 'letters'])).total).toBe(1);
  });
  it('names the first twenty problems, counts the rest, and ends with 1 when nothing was imported', async () => {
    writeFileSync(join(home.work, 'bad.jsonl'), 'x\n'.repeat(25));
    const { code, stderr } = await home.run(['import', 'bad.jsonl']);
    expect(code).toBe(1);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('bad.jsonl:'))).toHaveLength(20);
    expect(lines).toContain('and 5 more');
  });
  it('refuses a path that does not exist', async () => {
    expect(await home.json(['import', 'nowhere'], { code: 1 })).toMatchObject({ error: { code: 'value-invalid' } });
  });
});

describe('replay, verify and status', () => {
  it('replay prints the same digests with one worker and with two', async () => {
    const one = await home.json(['replay', '--workers', '1']);
    expect(one).toMatchObject({ notes: 2, skipped: 0, workers: 1, ms: expect.any(Number) });
    expect(one.digest).toMatch(/^[0-9a-f]{64}$/);
    const two = await home.json(['reindex', '--workers', '2', '--verify']);
    expect(two).toMatchObject({ digest: one.digest, localDigest: one.localDigest, verified: true });
    const { digest, localDigest } = one;
    expect(await home.json(['replay'])).toMatchObject({ digest, localDigest, workers: expect.any(Number) });
    expect((await home.run(['replay'])).stdout).toMatch(
      /^replayed 2 notes and \d+ events? in \d+ ms with \d workers?\n/,
    );
  });
  it('verify finds a whole store whole and a damaged one damaged', async () => {
    expect(await home.json(['verify'])).toMatchObject({ ok: true, notes: 2, problems: [] });
    const broken = openHome();
    try {
      await broken.json(['write', 'Whole', '--body', 'x']);
      const pack = join(broken.store, 'memory', '.git', 'objects', 'pack');
      for (const name of readdirSync(pack)) rmSync(join(pack, name), { force: true });
      const ran = await broken.run(['verify', '--json']);
      expect(ran.code).toBe(3);
      expect(JSON.parse(ran.stdout)).toMatchObject({ ok: false });
      expect(ran.stderr).toMatch(/^anamnesis: .*; .*\n$/);
    } finally {
      broken.remove();
    }
  });
  it('status counts the notes and describes the store', async () => {
    const status = await home.json(['status']);
    expect(status).toMatchObject({
      root: home.store,
      total: 2,
      by_type: { semantic: 2 },
      by_project: { greek: 1, letters: 1 },
      by_scope: { portable: 2 },
      by_workspace: { personal: 2 },
      sync: {
        initialized: true,
        remote: null,
        head: expect.stringMatching(/^[0-9a-f]{40}$/),
        dirty: false,
        detail: expect.any(String),
      },
    });
    expect(status.db_path).toMatch(/\.db$/);
    expect((await home.run(['status'])).stdout).toMatch(/^store +\/.*\nmachine +testbox\n/);
  });
});

describe('adopt', () => {
  const notePath = async (title: string): Promise<string> =>
    (await home.json(['show', (await home.json(['search', title])).hits[0].id])).path;

  it('records an edit made by hand', async () => {
    const path = await notePath('Alpha');
    writeFileSync(path, readFileSync(path, 'utf8').replace('first', 'rewritten'));
    const answer = await home.json(['adopt']);
    expect(Object.keys(answer)).toEqual([
      'event_ids',
      'changes',
      'merged',
      'masked',
      'left',
      'held_deletions',
      'put_back',
      'warnings',
    ]);
    expect(answer.event_ids).toEqual([expect.stringMatching(ulid)]);
    expect(answer.changes).toMatchObject([{ title: 'Alpha', change: 'edited' }]);
    expect((await home.json(['search', 'rewritten'])).total).toBe(1);
    expect(await home.run(['adopt'])).toMatchObject({ code: 0, stdout: '', stderr: 'nothing was changed by hand\n' });
  });
  it('names what was forgotten, renamed, edited and added', async () => {
    const [lost, renamed, edited] = await home.write('Lost one', 'Renamed one', 'Edited one');
    const outside = join(home.store, 'memory', 'archive');
    mkdirSync(outside, { recursive: true });
    renameSync(lost.path, join(outside, 'lost.md'));
    const folder = join(dirname(dirname(renamed.path)), 'elsewhere');
    mkdirSync(folder);
    renameSync(renamed.path, join(folder, basename(renamed.path)));
    writeFileSync(edited.path, readFileSync(edited.path, 'utf8').replace('\nEdited', '\nagain'));
    const { stdout } = await home.run(['adopt']);
    expect(
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .toSorted(),
    ).toEqual(
      [
        'recorded hand.adopted',
        `  forgotten ${lost.short_id} Lost one`,
        `  renamed   ${renamed.short_id} Renamed one`,
        `  edited    ${edited.short_id} Edited one`,
      ].toSorted(),
    );
    expect(stdout.split('\n')[1]).toContain('forgotten');
    await home.json(['undo']);
  });
  it('names a file that it leaves alone', async () => {
    const path = await notePath('Alpha');
    const bytes = readFileSync(path);
    writeFileSync(path, 'no front matter');
    expect((await home.run(['adopt'])).stdout).toMatch(/^left alone memory\/.*: .*\n/);
    writeFileSync(path, bytes);
  });
  it('holds many deletions until a person decides', async () => {
    for (const at of [1, 2, 3, 4, 5, 6, 7])
      await home.json(['write', `Doomed ${at}`, '--body', 'x', '--tag', 'doomed']);
    const paths: string[] = [];
    for (const { id } of (await home.json(['list', '--tag', 'doomed'])).notes)
      paths.push((await home.json(['show', id])).path);
    for (const path of paths) unlinkSync(path);
    expect(await home.json(['adopt'])).toMatchObject({
      event_ids: [],
      held_deletions: expect.arrayContaining([{ journal: 'memory', path: expect.any(String) }]),
    });
    expect((await home.run(['adopt', '--deletions', '--put-back'])).code).toBe(2);
    await home.json(['adopt', '--put-back']);
    expect(readFileSync(paths[0] ?? '', 'utf8')).toContain('Doomed');
    for (const path of paths) unlinkSync(path);
    expect(await home.json(['adopt', '--deletions'])).toMatchObject({
      event_ids: [expect.any(String)],
      held_deletions: [],
    });
    expect((await home.json(['list', '--tag', 'doomed'])).total).toBe(0);
  });
  it('adopts a folder of notes that is not a repository yet', async () => {
    const other = openHome();
    try {
      const file = await home.json(['show', (await home.json(['search', 'rewritten'])).hits[0].id]);
      const folder = join(other.store, 'memory', 'semantic');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${file.id}.md`), readFileSync(file.path));
      expect((await other.json(['adopt'])).event_ids).toHaveLength(1);
      expect((await other.json(['list'])).notes.map((note: Json) => note.id)).toEqual([file.id]);
    } finally {
      other.remove();
    }
  });
});

describe('eval', () => {
  it('run measures only the approved cases, unless told otherwise', async () => {
    const { id } = (await home.json(['search', 'Beta'])).hits[0];
    const set = join(home.work, 'cases.jsonl');
    const approved = {
      query: 'beta second',
      relevant_ids: [id],
      approved: true,
      source: 'hand',
      note_titles: ['Beta'],
    };
    writeFileSync(
      set,
      `${JSON.stringify(approved)}\n${JSON.stringify({ ...approved, query: 'second', approved: false })}\n`,
    );
    const answer = await home.json(['eval', 'run', '--eval-set', set]);
    expect(answer).toMatchObject({
      metrics: { cases: 1, hit: { 1: 1 }, mrr10: 1 },
      timings: { p50Ms: expect.any(Number), p95Ms: expect.any(Number) },
    });
    expect(answer.injection.perProject.length).toBeGreaterThan(0);
    const all = await home.run(['eval', 'run', '--eval-set', set, '--include-unreviewed']);
    expect(all).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Eval: 2 queries/) });
  });
  it('bench measures folders', async () => {
    const folder = join(home.work, 'sets', 'tiny');
    mkdirSync(folder, { recursive: true });
    const notes = [1, 2, 3].map((at) =>
      JSON.stringify({ id: `n${at}`, title: `Note ${at}`, body: `word${at} text`, project: 'p' }),
    );
    writeFileSync(join(folder, 'notes.jsonl'), `${notes.join('\n')}\n`);
    writeFileSync(
      join(folder, 'cases.jsonl'),
      `${JSON.stringify({ id: 'c1', query: 'word2', relevant: ['n2'], category: 'x', project: 'p' })}\n`,
    );
    expect(await home.json(['eval', 'bench', folder])).toMatchObject({
      sets: { tiny: { notes: 3, cases: 1, modes: { bm25: { hit: { 1: 1 }, recall8: 1 } } } },
    });
    const told = (await home.run(['eval', 'bench', folder])).stdout;
    expect(told).toMatch(/^tiny: 3 notes, 1 case\nMODE +nDCG@10 +hit@8 .* nDCG@10 AGAINST KEYWORD\n/);
    expect(
      told
        .split('\n')
        .slice(2, 5)
        .map((line) => line.split(' ')[0]),
    ).toEqual(['keyword', 'bm25', 'grep']);
  });
  it('bench warns of cases that ask for notes missing from the set', async () => {
    const folder = join(home.work, 'sets', 'holes');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'notes.jsonl'), `${JSON.stringify({ id: 'n', title: 'N', body: 'word' })}\n`);
    const cases = ['n', 'gone'].map((id) => JSON.stringify({ id: `c-${id}`, query: 'word', relevant: [id] }));
    writeFileSync(join(folder, 'cases.jsonl'), `${cases.join('\n')}\n`);
    expect((await home.json(['eval', 'bench', folder, '--mode', 'bm25'])).sets.holes).toMatchObject({
      casesWithUnknownNote: 1,
    });
    expect((await home.run(['eval', 'bench', folder, '--mode', 'bm25'])).stderr).toContain(
      "warning: 1 case of holes asks for a note that isn't in notes.jsonl; it counts as not found",
    );
  });
  it('bench measures the modes asked for and says what is missing', async () => {
    const folder = join(home.work, 'sets', 'tiny');
    const { modes } = (await home.json(['eval', 'bench', folder, '--mode', 'grep', 'bm25'])).sets.tiny;
    expect(Object.keys(modes).sort()).toEqual(['bm25', 'grep']);
    const failed = (...args: readonly string[]) => home.run(['eval', 'bench', folder, ...args]);
    expect(await failed('--mode', 'hybrid')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no model is in use'),
    });
  });
});
