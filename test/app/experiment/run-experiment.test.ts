import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Experimented } from '../../../src/answers/store-schema.js';
import { copyStore, runExperiment } from '../../../src/app/experiment/run-experiment.js';
import { openStore, type TestStore, temporaryFolder, writeNote } from '../../support/store.js';

const program = resolve('dist/cli.js');
let store: TestStore;
let cases: string;
beforeEach(() => {
  store = openStore();
  cases = join(store.home, 'cases.jsonl');
});
afterEach(() => store.close());

const body = (tool: string) =>
  `Run the deploy of the payments service with ${tool} after the migration has been approved by somebody else.\n`;
/** Every file of the journals except git's index, with its content. */
const bytesOf = (home: string): ReadonlyMap<string, string> =>
  new Map(
    ['memory', 'local'].flatMap((folder) =>
      readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name !== '.git/index' && statSync(join(home, folder, name)).isFile())
        .map((name) => [`${folder}/${name}`, readFileSync(join(home, folder, name)).toString('base64')] as const),
    ),
  );

describe('an experiment', () => {
  it('runs on a copy without remotes', async () => {
    await writeNote(store.memory);
    const git = (home: string, ...args: readonly string[]) =>
      execFileSync('git', ['-C', join(home, 'memory'), ...args], { encoding: 'utf8' });
    git(store.home, 'remote', 'add', 'origin', 'git@example.invalid:x.git');
    git(store.home, 'config', 'branch.main.remote', 'origin');
    appendFileSync(
      join(store.home, 'memory/.git/config'),
      '\t[Remote "other"]\nurl = git@example.invalid:y.git\n  [INCLUDE] path = /etc/invalid\n[user]\n\tname = Ada\n',
    );
    const copy = temporaryFolder();
    try {
      copyStore(store.home, copy);
      expect(git(copy, 'remote')).toBe('');
      expect(git(copy, 'config', '--list', '--local')).not.toMatch(/origin|invalid/);
      expect(git(copy, 'config', 'user.name')).toBe('Ada\n');
      expect(git(copy, 'log', '--format=%H')).toBe(git(store.home, 'log', '--format=%H'));
      expect(git(store.home, 'remote').trim().split('\n').toSorted()).toEqual(['origin', 'other']);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it('merges duplicates on a copy, measures before and after, and leaves the store as it was', async () => {
    const older = await writeNote(store.memory, { title: 'Deploy payments with make', body: body('make') });
    const newer = await writeNote(store.memory, { title: 'Deploy payments with make now', body: body('make') });
    await writeNote(store.memory, { title: 'Coffee', body: 'The machine is descaled monthly.\n' });
    writeFileSync(cases, `${JSON.stringify({ query: 'deploy payments', relevant_ids: [older.id] })}\n`);
    const before = bytesOf(store.home);
    const done = await runExperiment(store.memory, { sets: [cases], change: ['merge'], program });
    expect(Experimented.safeParse(done).error).toBeUndefined();
    expect(done.notes).toEqual({ before: 3, after: 2 });
    expect(done.merged).toEqual([{ title: older.title, into: newer.title }]);
    // The newer note counts as a hit for the one that it replaced.
    expect(done.comparison).toMatchObject({ cases: 1, measures: { 'hit@8': { before: 1, after: 1 } } });
    expect(bytesOf(store.home)).toEqual(before);
  }, 60_000);

  it('counts relevant notes that the change removes as not found', async () => {
    const notes = [];
    for (const name of ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf'])
      notes.push(await writeNote(store.memory, { title: `The ${name} service`, body: `It runs on ${name}.\n` }));
    const lines = notes.map(({ id, title }) => JSON.stringify({ query: title, relevant_ids: [id] }));
    writeFileSync(cases, `${lines.join('\n')}\n`);
    const change = ['forget', ...notes.slice(1).map(({ id }) => id)];
    const done = await runExperiment(store.memory, { sets: [cases], change, program });
    expect(done.gone).toEqual({ before: 0, after: 6 });
    expect(done.comparison).toMatchObject({ cases: 7, worsened: 6, verdict: 'worse', onlyBefore: 0, onlyAfter: 0 });
  }, 60_000);

  it('is refused when no case would be measured', async () => {
    const note = await writeNote(store.memory);
    const run = (text: string) => {
      writeFileSync(cases, text);
      return runExperiment(store.memory, { sets: [cases], change: ['merge'], program });
    };
    const unreviewed = JSON.stringify({ query: 'vpn', relevant_ids: [note.id], approved: false });
    await expect(run(`${unreviewed}\n`)).rejects.toMatchObject({
      code: 'eval-set-missing',
      message: 'none of 1 case is approved, so nothing was measured',
    });
    await expect(run('')).rejects.toMatchObject({ code: 'eval-set-missing', message: 'the eval set has no case' });
  });

  it('runs a command on the copy', async () => {
    const note = await writeNote(store.memory, { title: 'Deploy payments', body: body('make') });
    writeFileSync(cases, `${JSON.stringify({ query: 'deploy payments', relevant_ids: [note.id] })}\n`);
    const asked = { sets: [cases], program };
    const done = await runExperiment(store.memory, { ...asked, change: ['forget', note.id] });
    expect(done.notes).toEqual({ before: 1, after: 0 });
    expect((await store.memory.show(note.id)).ok).toBe(true);
    await expect(
      runExperiment(store.memory, { ...asked, change: ['forget', '01ARZ3NDEKTSV4RRFFQ69G5FAV'] }),
    ).rejects.toMatchObject({
      code: 'experiment-failed',
      message: expect.stringContaining('there is no note'),
    });
  }, 60_000);
});
