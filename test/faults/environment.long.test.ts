import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { isLong } from '../support/run-length.js';
import { openStore, writeCommand, writeNote } from '../support/store.js';
import { putTranscript, typicalTranscript } from '../support/transcripts.js';
import {
  bodyOf,
  type Disk,
  expectDenied,
  expectWhole,
  mountDisk,
  newFolder,
  openSite,
  type Site,
  whyNoDisk,
} from './support/environment.js';

const noDisk = whyNoDisk();

vi.setConfig({ testTimeout: 300_000 });

/** Set by `npm run test:long`: every amount of free space is tried, not only those known to differ. */
const steps = (from: number, to: number, by: number): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, n) => from + n * by);

const examples = join(process.cwd(), 'examples', 'notes.jsonl');
const noRoom = /^anamnesis: there is no room left on the disk of \S+store; make room there/;

/** Expects the commands that only read to work and to find the note. */
const expectReadable = (site: Site, id: string, title: string): void => {
  expect(site.json('search', 'say')).toMatchObject({ hits: [{ id }] });
  expect(site.json('show', id).body).toContain(bodyOf(title));
  expect(site.json('list')).toMatchObject({ notes: [{ id }] });
  expect(site.json('history', id)).toMatchObject({ events: [{ kind: 'note.written' }] });
  expect(site.json('status')).toMatchObject({ total: 1, hand_edits: [], left: [] });
  expect(site.run(['inject', '--project', 'shop']).stdout).toContain(bodyOf(title));
};

/** Runs a hook for a session in the project of the note. */
const hook = (site: Site, event: string, folder: string, fields: object = {}) => {
  const payload = { session_id: 's1', transcript_path: '', cwd: folder, hook_event_name: event, ...fields };
  return site.run(['hook', event], { input: JSON.stringify(payload) });
};

const shopFolder = (): string => {
  const folder = join(newFolder(), 'shop');
  mkdirSync(folder);
  return folder;
};

const logOf = (site: Site): string => {
  const file = join(site.store, 'logs', 'anamnesis.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

const onDisk = (size: Parameters<typeof mountDisk>[0]): { readonly disk: Disk; readonly site: Site } => {
  const disk = mountDisk(size);
  return { disk, site: openSite(disk.folder) };
};

describe('a full disk', () => {
  it('stops every write and no read', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    const id = site.begin('First');
    disk.fill();
    for (const args of [
      ['write', 'Second', '--body', 'x'],
      ['edit', id, '--title', 'Second'],
      ['tag', id, 'second'],
      ['forget', id],
      ['import', examples],
      ['adopt'],
      ['undo'],
      ['replay'],
      ['replay', '--verify'],
      ['work'],
    ]) {
      expectDenied(site.run([...args, '--json']), 'disk-full', noRoom);
    }
    expectReadable(site, id, 'First');
    expectDenied(site.run(['write', 'Second', '--body', 'x']), 'disk-full', noRoom);
    disk.free();
    site.write('Second');
    expectWhole(site, ['First', 'Second']);
  });

  it('leaves no write half done, however little space is left', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    site.begin('First');
    const titles = ['First'];
    const refused: string[] = [];
    for (const leftKiB of isLong ? steps(0, 160, 8) : [0, 32, 64, 160]) {
      disk.fill(leftKiB);
      const title = `With ${leftKiB}`;
      const ran = site.run(['write', title, '--body', bodyOf(title), '--json']);
      if (ran.code === 0) titles.push(title);
      else {
        refused.push(title);
        expectDenied(ran, 'disk-full', noRoom);
      }
      disk.free();
    }
    expect(refused).toContain('With 0');
    site.write('Last');
    expectWhole(site, [...titles, 'Last']);
  });

  it('lets each of several simultaneous writers know whether its note is recorded, refused or queued', async ({
    skip,
  }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    site.begin('First');
    const titles = ['First'];
    for (const leftKiB of isLong ? steps(0, 200, 20) : [60, 150]) {
      disk.fill(leftKiB);
      const asked = Array.from({ length: 5 }, (_, n) => `With ${leftKiB} ${n}`);
      const ran = await Promise.all(asked.map((title) => site.start(['write', title, '--body', bodyOf(title)])));
      ran.forEach((one, at) => {
        if (one.code !== 0) expectDenied(one, 'disk-full', /^anamnesis: there is no room left/);
        if (one.code === 0 || one.stderr.includes('do not repeat the command: it is queued'))
          titles.push(asked[at] ?? '');
      });
      disk.free();
    }
    site.write('Last');
    expectWhole(site, [...titles, 'Last']);
  });

  it('makes an import succeed whole or not at all', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    site.begin('First');
    let expected = 1;
    for (const leftKiB of isLong ? steps(0, 400, 40) : [80, 200]) {
      disk.fill(leftKiB);
      const ran = site.run(['import', examples, '--json']);
      if (ran.code === 0) expected += JSON.parse(ran.stdout).imported;
      else expectDenied(ran, 'disk-full', noRoom);
      expect(site.json('list').total).toBe(expected);
      disk.free();
    }
    const { imported, skipped } = site.json('import', examples);
    expect(imported + skipped).toBeGreaterThan(20);
    const titles = site.json('list', '-n', '1000').notes.map(({ title }: { title: string }) => title);
    expectWhole(site, titles);
  });

  it('makes a replay fail without leaving a new index behind', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    site.begin('First');
    const before = readdirSync(join(site.store, 'index'));
    for (const leftKiB of isLong ? steps(0, 100, 20) : [100]) {
      disk.fill(leftKiB);
      expectDenied(site.run(['replay']), 'disk-full', noRoom);
      expect(readdirSync(join(site.store, 'index')).filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual(before);
      disk.free();
    }
    expectWhole(site, ['First']);
  });

  it('leaves no half-made store', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 4 });
    for (const leftKiB of isLong ? steps(0, 200, 10) : [40, 100]) {
      disk.fill(leftKiB);
      const ran = site.run(['write', 'First', '--body', bodyOf('First'), '--json']);
      disk.free();
      if (ran.code === 0) break;
      expectDenied(ran, 'disk-full', /no room left/);
    }
    const before = site.json('list', '-n', '1000').notes.length;
    site.write('Last');
    expectWhole(site, before === 1 ? ['First', 'Last'] : ['Last']);
  });

  it('stops no agent: hooks exit with 0, return what can be read, and report failures only in the log', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    site.begin('First');
    const cwd = shopFolder();
    const transcript = putTranscript(typicalTranscript());
    disk.fill();
    const given = hook(site, 'UserPromptSubmit', cwd, { prompt: 'what is there to say about the first' });
    expect(given).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(given.stdout).hookSpecificOutput.additionalContext).toContain(bodyOf('First'));
    for (const event of ['Stop', 'SubagentStop', 'PreCompact']) {
      const fields = { transcript_path: transcript, agent_type: 'Explore', last_assistant_message: 'done' };
      expect(hook(site, event, cwd, fields)).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    expect(logOf(site)).toMatch(/hook PreCompact failed: there is no room left/);
    disk.free();
    expect(hook(site, 'PreCompact', cwd, { transcript_path: transcript })).toMatchObject({ code: 0, stderr: '' });
    expect(site.json('log', '--kind', 'session.captured').events).toHaveLength(1);
    expect(readdirSync(join(site.store, 'spool'))).toEqual([]);
    const titles = site.json('list').notes.map(({ title }: { title: string }) => title);
    expect(titles).toHaveLength(2);
    expectWhole(site, titles);
  });

  it('leaves no session half captured', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    site.begin('First');
    const transcript = putTranscript(typicalTranscript());
    disk.fill();
    expectDenied(site.run(['capture', '--transcript', transcript, '--no-sync', '--json']), 'disk-full', noRoom);
    disk.free();
    const captured = site.json('capture', '--transcript', transcript, '--no-sync');
    expect(captured).toMatchObject({ status: 'recorded' });
    expectWhole(site, ['First', captured.note.title]);
  });

  it.for(['put', 'index', 'checkpoint'])(
    'that fills up before the %s step does not lose what is committed',
    async (at, { skip }) => {
      skip(noDisk !== undefined, noDisk);
      const { disk, site } = onDisk({ mebibytes: 8 });
      site.begin('First');
      const { memory } = openStore({
        home: site.store,
        step: (name) => {
          if (name === at) disk.fill();
        },
      });
      const answer = await memory.perform(writeCommand({ title: 'Second', body: bodyOf('Second'), project: 'shop' }));
      await memory.finish();
      expect(answer.status).toBe('recorded');
      if (answer.status === 'recorded') {
        expect(answer.note).toMatchObject({ title: 'Second' });
        if (at === 'put') expect(answer.warnings).toEqual([expect.stringMatching(/recorded, but .* no room left/)]);
      }
      expect(site.json('list', '-n', '10').total).toBe(2);
      disk.free();
      site.write('Third');
      expectWhole(site, ['First', 'Second', 'Third']);
    },
  );

  it('that fills up before the commit fails the write, and the same process can write again', async ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    site.begin('First');
    let isFirst = true;
    const { memory } = openStore({
      home: site.store,
      step: (name) => {
        if (name === 'commit' && isFirst) disk.fill();
        isFirst = false;
      },
    });
    await expect(memory.perform(writeCommand({ title: 'Second' }))).rejects.toThrow();
    disk.free();
    expect(await writeNote(memory, { title: 'Third', project: 'shop' })).toMatchObject({ title: 'Third' });
    await memory.finish();
    expectWhole(site, ['First', 'Third']);
  });

  it('that is out of inodes is reported as such', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8, inodes: 400 });
    const id = site.begin('First');
    disk.fillInodes();
    const message = /can hold no more files: its inodes are used up; remove files there/;
    expectDenied(site.run(['write', 'Second', '--body', 'x', '--json']), 'disk-full', message);
    expectDenied(site.run(['replay', '--json']), 'disk-full', message);
    expectReadable(site, id, 'First');
    disk.free();
    const titles = ['First'];
    for (const left of isLong ? steps(1, 16, 1) : [2, 5, 12]) {
      disk.fillInodes(left);
      const title = `With ${left}`;
      const ran = site.run(['write', title, '--body', bodyOf(title), '--json']);
      if (ran.code === 0) titles.push(title);
      else expectDenied(ran, 'disk-full', /inodes|no room/);
      disk.free();
    }
    site.write('Last');
    expectWhole(site, [...titles, 'Last']);
  });

  it('is reported by doctor, and not as damage', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8, inodes: 400 });
    site.begin('First');
    disk.fill();
    expect(problemsOf(site)).toEqual({ code: 1, checks: expect.arrayContaining(['disk']) });
    disk.free();
    disk.fillInodes();
    expect(problemsOf(site)).toEqual({ code: 1, checks: expect.arrayContaining(['disk']) });
    disk.free();
    disk.setReadOnly(true);
    expect(problemsOf(site)).toEqual({ code: 1, checks: expect.arrayContaining(['disk']) });
  });
});

const problemsOf = (site: Site): { readonly code: number | null; readonly checks: readonly string[] } => {
  const ran = site.run(['doctor', '--json']);
  const { checks } = JSON.parse(ran.stdout);
  return {
    code: ran.code,
    checks: checks.flatMap(({ check, state }: { check: string; state: string }) =>
      state === 'problem' ? [check] : [],
    ),
  };
};

describe('a read-only store', () => {
  const onlyRead = /is on a disk that can only be read; mount it for writing/;

  it('can be searched and shown, but refuses every change', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    const id = site.begin('First');
    disk.setReadOnly(true);
    expectReadable(site, id, 'First');
    for (const args of [
      ['write', 'Second', '--body', 'x'],
      ['tag', id, 'second'],
      ['forget', id],
      ['import', examples],
      ['adopt'],
      ['replay'],
      ['work'],
    ]) {
      expectDenied(site.run([...args, '--json']), 'read-only', onlyRead);
    }
    const cwd = shopFolder();
    const given = hook(site, 'UserPromptSubmit', cwd, { prompt: 'what is there to say about the first' });
    expect(given).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(bodyOf('First')) });
    disk.setReadOnly(false);
    site.write('Second');
    expectWhole(site, ['First', 'Second']);
  });

  it('finds notes in the journal that its index lacks', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    site.begin('First');
    const index = join(site.store, 'index');
    const before = join(newFolder(), 'index');
    cpSync(index, before, { recursive: true });
    site.write('Second');
    rmSync(index, { recursive: true });
    cpSync(before, index, { recursive: true });
    disk.setReadOnly(true);
    expect(site.json('list').total).toBe(2);
    expect(site.json('search', 'second').hits).toMatchObject([{ title: 'Second' }]);
  });

  it('shows a file that was changed by hand', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    const id = site.begin('First');
    appendFileSync(site.json('show', id).path, 'Changed by hand.\n');
    disk.setReadOnly(true);
    expect(site.json('show', id).body).toContain('Changed by hand.');
    expect(site.run(['search', 'say'])).toMatchObject({ code: 0, stderr: '' });
    disk.setReadOnly(false);
    expect(site.json('status').hand_edits).toHaveLength(1);
  });

  it('reports in its status a file that was copied out of the machine-local folder', ({ skip }) => {
    skip(noDisk !== undefined, noDisk);
    const { disk, site } = onDisk({ mebibytes: 8 });
    const { id } = site.json('write', 'First', '--body', 'x', '--scope', 'machine-local');
    const { path } = site.json('show', id);
    cpSync(path, join(site.store, 'memory', 'semantic', 'copy', basename(path)), { recursive: true });
    disk.setReadOnly(true);
    expect(site.json('status')).toMatchObject({
      hand_edits: [],
      left: [{ path: expect.stringContaining(id) }],
    });
  });
});
