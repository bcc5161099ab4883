import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readConflicts } from '../../../src/app/conflicts.js';
import type { NoteId } from '../../../src/events/note/note.js';
import type { Memory } from '../../../src/store/memory.js';
import { type Ran, runHere } from '../../support/command-line.js';
import type { Machines } from '../../support/machines.js';
import { writeNote } from '../../support/store.js';
import { tellOnce } from '../../support/template-machines.js';

const told = tellOnce(async (machines) => {
  const nowMs = Date.now();
  const clocks = { one: () => nowMs + 60_000, two: () => nowMs };
  const one = await machines.open('one', { nowMs: clocks.one });
  const two = await machines.open('two', { nowMs: clocks.two });
  const { id } = await writeNote(one, { title: 'Ports', body: 'first\nThe API is on 8080.\n', project: 'shop' });
  await machines.sync(one, two);
  await one.perform({ kind: 'edit', id, set: { title: 'Ports now', body: 'first\nThe API is on 9090.\n' } });
  await two.perform({ kind: 'edit', id, set: { title: 'Ports soon', body: 'first\nThe API is on 7070.\n' } });
  await machines.sync(one, two, one);
  const { conflicts } = await readConflicts(one, {}, { conflicts: 1, diffLines: 1 });
  return { clocks, id, copy: conflicts[0]?.id ?? '' };
});

let machines: Machines;
let one: Memory;
let two: Memory;
let id: NoteId;
let copy: NoteId;
beforeEach(async () => {
  const copied = await told();
  machines = copied.machines;
  one = await machines.open('one', { nowMs: copied.told.clocks.one });
  two = await machines.open('two', { nowMs: copied.told.clocks.two });
  id = copied.told.id;
  copy = copied.told.copy;
});

const run = (args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ran> => {
  const own = { PATH: process.env['PATH'], HOME: machines.folder, TMPDIR: machines.folder, TZ: 'UTC' };
  const env = { ...own, ANAMNESIS_HOME: one.settings.home, ANAMNESIS_MACHINE_ID: 'one', ...more };
  return runHere(args, { cwd: machines.folder, env });
};
const json = async (...args: readonly string[]) => {
  const { code, stdout } = await run([...args, '--json']);
  return { code, answer: JSON.parse(stdout) };
};
const shortOf = (whole: string): string => whole.slice(-6);
const bodyNow = async (): Promise<string | undefined> => {
  const shown = await one.show(id);
  return shown.ok ? shown.answer.body : undefined;
};

describe('conflicts', () => {
  it('shows both notes and the difference from the note to the copy', async () => {
    const { code, stdout, stderr } = await run(['conflicts']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'TIME')).toBe(`${shortOf(id)}  Ports now
  one (-, what the note says now) and two (+) changed the same lines
  copy ${shortOf(copy)}  shop  since TIME UTC
  -title: Ports now
  +title: Ports soon
  @@ -1,2 +1,2 @@
   first
  -The API is on 9090.
  +The API is on 7070.
  keep the text of one:
    anamnesis resolve ${shortOf(copy)} --keep one
  take the text of two:
    anamnesis resolve ${shortOf(copy)} --keep two
  keep both:
    anamnesis resolve ${shortOf(copy)} --both
  write it yourself:
    anamnesis resolve ${shortOf(copy)} --edit
`);
    expect((await json('conflicts')).answer).toMatchObject({ conflicts: [{ id: copy }], total: 1 });
    expect((await json('conflicts', '--project', 'global')).answer).toEqual({ conflicts: [], total: 0 });
    expect(await run(['conflicts', '--project', 'global'])).toMatchObject({ stdout: '', stderr: 'no conflicts\n' });
  });

  it('shows the text of the copy in the history of the note', async () => {
    const { stdout } = await run(['history', id, '--patch']);
    expect(stdout).toContain('machines.merged');
    const { answer } = await json('history', id, '--patch');
    const clash = answer.events.find(({ kind }: { kind: string }) => kind === 'machines.merged');
    expect(clash.patch.join('\n')).toContain('The API is on 7070.');
    expect(clash.patch.join('\n')).toContain('The API is on 9090.');
  });

  it('cuts a long difference short, but not with --full', async () => {
    const body = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join('');
    await one.perform({ kind: 'edit', id, set: { body } });
    expect((await run(['conflicts'])).stdout).toMatch(
      /\d+ more lines: anamnesis conflicts --full\n {2}keep the text of one:/,
    );
    expect((await run(['conflicts', '--full'])).stdout).toContain('  -line 39\n');
  });

  it('--lost lists the values that lost', async () => {
    const { stdout, stderr } = await run(['conflicts', '--lost']);
    expect(stderr).toBe('');
    expect(stdout.split('\n')[1]).toMatch(new RegExp(`${shortOf(id)}\\s+title\\s+Ports soon\\s+Ports now$`));
    expect((await json('conflicts', '--lost', '-n', '5')).answer).toMatchObject({
      lost: [{ note: id, key: 'title', value: 'Ports soon', machine: 'two' }],
      total: 1,
    });
    expect((await run(['conflicts', '--lost', '--full'])).code).toBe(2);
  });

  it('is counted by status, which names this command', async () => {
    expect((await run(['status'])).stdout).toContain('1 conflict: anamnesis conflicts\n');
    expect((await json('status')).answer).toMatchObject({ conflicts: 1 });
  });

  it('lets no escape sequence of a note through to the terminal', async () => {
    await one.perform({ kind: 'edit', id, set: { body: 'first\n\u001b]0;owned\u0007\n' } });
    const { stdout } = await run(['conflicts']);
    expect(stdout).toContain(']0;owned');
    expect(stdout).not.toMatch(/[\u001b\u0007]/);
  });
});

it('a note in conflict is recalled once and says that there is another version', async () => {
  const asked = {
    project: 'shop',
    k: 5,
    budget: 9500,
    exclude: new Set<string>(),
    maxBytes: 8000,
    measure: (text: string) => text.length,
  };
  const { ids, notes, text } = await one.recall('on which port is the API, 7070 or 9090', asked);
  expect(ids).toEqual([id]);
  expect(notes).toMatchObject([{ id, title: 'Ports now', relevance: expect.any(Number) }]);
  expect(text).toContain('in conflict: there is another version of it');
});

describe('resolve', () => {
  it('takes the text and the title of the copy with --ours, named by either id', async () => {
    const { code, stdout, stderr } = await run(['resolve', id.slice(0, 24), '--ours']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`recorded conflict.resolved ${shortOf(id)} Ports soon\n`);
    expect(await bodyNow()).toBe('first\nThe API is on 7070.\n');
    expect(await run(['resolve', copy, '--theirs'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^unchanged\s*$/),
      stderr: 'warning: its conflict is already resolved\n',
    });
  });

  it('takes the text of the machine that --keep names', async () => {
    const { code, stderr } = await run(['resolve', id, '--keep', 'three']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('neither text is from three; the machines are one and two'),
    ]);
    expect((await run(['resolve', id, '--keep', 'two', '--both'])).code).toBe(2);
    expect((await run(['resolve', id, '--keep', 'two'])).code).toBe(0);
    expect(await bodyNow()).toBe('first\nThe API is on 7070.\n');
  });

  it('says that both texts are from one machine and how to choose between them', async () => {
    await two.perform({ kind: 'edit', id, set: { body: 'first\nThe API is on 4444.\n' } });
    await machines.sync(two, one);
    const { stdout } = await run(['conflicts']);
    expect(stdout).toContain('  both texts are from two: what the note says now (-), and another one (+)\n');
    expect(stdout).toMatch(new RegExp(`keep the text of the note:\n +anamnesis resolve ${shortOf(copy)} --theirs\n`));
    expect(stdout).toMatch(new RegExp(`take the other text:\n +anamnesis resolve ${shortOf(copy)} --ours\n`));
    for (const machine of ['one', 'two']) {
      const { code, stderr } = await run(['resolve', id, '--keep', machine]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('both texts are from two; --theirs keeps')]);
    }
    expect((await run(['resolve', id, '--theirs'])).code).toBe(0);
    expect(await bodyNow()).toBe('first\nThe API is on 4444.\n');
  });

  it('keeps the note when --keep names its machine', async () => {
    expect((await run(['resolve', id, '--keep', 'one'])).code).toBe(0);
    expect(await bodyNow()).toBe('first\nThe API is on 9090.\n');
  });

  it('prints the note as JSON', async () => {
    const { code, answer } = await json('resolve', copy, '--both');
    expect(code).toBe(0);
    expect(answer).toMatchObject({ id, status: 'recorded', event: { kind: 'conflict.resolved' }, warnings: [] });
    expect(answer.body).toBe('first\nThe API is on 9090.\n\n---\n\nfirst\nThe API is on 7070.\n');
  });

  it('opens $EDITOR on both texts with --edit and records what is saved', async () => {
    const script = join(machines.folder, 'editor.sh');
    writeFileSync(
      script,
      `cp "$1" '${machines.folder}/seen'; printf 'first\\nThe API is on 9090 or 7070.\\n' > "$1"\n`,
    );
    chmodSync(script, 0o700);
    expect(await run(['resolve', id, '--edit'], { EDITOR: `sh ${script}` })).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(machines.folder, 'seen'), 'utf8')).toBe(`first
<<<<<<< the note says
The API is on 9090.
======= the conflicting edit says
The API is on 7070.
>>>>>>> end of the conflict
`);
    expect(await bodyNow()).toBe('first\nThe API is on 9090 or 7070.\n');
  });

  it('keeps what was typed when a conflict mark remains', async () => {
    const script = join(machines.folder, 'editor.sh');
    writeFileSync(script, `echo more >> "$1"\n`);
    const { code, stderr } = await run(['resolve', id, '--edit'], { EDITOR: `sh ${script}` });
    expect(code).toBe(1);
    expect(stderr).toContain('still has the marks of the conflict');
    const kept = /your text is kept in (.*)\n/.exec(stderr)?.[1] ?? '';
    expect(existsSync(kept) && readFileSync(kept, 'utf8').endsWith('more\n')).toBe(true);
    expect(await bodyNow()).toBe('first\nThe API is on 9090.\n');
  });

  it('needs exactly one verdict and a note in a conflict', async () => {
    expect((await run(['resolve', id])).code).toBe(2);
    expect((await run(['resolve', id, '--ours', '--theirs'])).code).toBe(2);
    const peace = await writeNote(one, { title: 'Peace' });
    expect(await json('resolve', peace.id, '--ours')).toMatchObject({
      code: 1,
      answer: { error: { code: 'no-conflict' } },
    });
  });
});

describe('machines', () => {
  it('fleet lists them and marks this one', async () => {
    const { code, stdout, stderr } = await run(['fleet']);
    expect([code, stderr]).toEqual([0, '']);
    const [head, ours, other] = stdout.split('\n');
    expect(head).toMatch(/^MACHINE\s+NOTES\s+EVENTS\s+SYNCED \(UTC\)\s+BEHIND\s+WROTE \(UTC\)\s+LAST EVENT$/);
    expect(ours).toMatch(/^one \(this one\)\s+2\s+2\s+\d{4}-\d\d-\d\d \d\d:\d\d\s+0\s+.*note\.edited: Ports now$/);
    expect(other).toMatch(/^two\s+0\s+2\s+\d{4}-\d\d-\d\d \d\d:\d\d\s+0\s+/);
    expect((await json('fleet')).answer).toMatchObject({
      machines: [
        { machine: 'one', this_machine: true, behind: 0 },
        { machine: 'two', this_machine: false },
      ],
      total: 2,
    });
  });

  it('fleet creates no store where there is none', async () => {
    const nowhere = join(machines.folder, 'nowhere');
    expect(await run(['fleet'], { ANAMNESIS_HOME: nowhere })).toMatchObject({ code: 0, stdout: '' });
    expect(existsSync(join(nowhere, 'memory'))).toBe(false);
  });

  it('log --machine prints the events of one machine, and none for an unknown name', async () => {
    const ofTwo = (await json('log', '--machine', 'two')).answer.events;
    expect(ofTwo.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['machines.merged', 'note.edited']);
    expect(ofTwo.every(({ machine }: { machine: string }) => machine === 'two')).toBe(true);
    expect(ofTwo.find(({ kind }: { kind: string }) => kind === 'machines.merged').lost).toEqual([
      `${id} title "Ports soon"`,
    ]);
    expect((await json('log', '--machine', 'one', '--oldest')).answer.events).toMatchObject([
      { kind: 'note.written', machine: 'one' },
      { kind: 'note.edited', machine: 'one' },
    ]);
    expect(await run(['log', '--machine', 'nobody'])).toMatchObject({ code: 0, stdout: '', stderr: 'no events\n' });
  });
});
