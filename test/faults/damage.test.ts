import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { replayStore } from '../../src/maintenance/replaying.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import { journalsCheck, objectsCheck } from '../../src/setup/doctor/journals.js';
import { faultOf } from '../../src/state/environment-probe.js';
import type { Memory } from '../../src/store/memory.js';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { openPatient, type Patient } from '../setup/doctor/support.js';
import { noteOf, personsGit, writeCommand, writeNote } from '../support/store.js';
import { cutShort, flipBits, type Harm, makeLoose, objectFile, packs } from './support/damage-journal.js';

let patient: Patient;
let gitDir = '';
let id = '';
const oldText = 'The first text.\n';
const newText = 'The second text.\n';
/** An undamaged store, made once and copied for each test. */
let sound: string | undefined;
beforeEach(async () => {
  patient = await openPatient();
  gitDir = patient.path('memory', '.git');
  if (sound !== undefined) {
    cpSync(sound, patient.store, { recursive: true, preserveTimestamps: true });
    return;
  }
  await patient.with(async (memory) => {
    id = (await writeNote(memory, { title: 'Damaged', body: oldText })).id;
    noteOf(await memory.perform({ kind: 'edit', id, set: { body: newText } }));
    await writeNote(memory, { title: 'Other' });
  });
  sound = mkdtempSync(join(inject('templateFolder'), 'damage-'));
  cpSync(patient.store, sound, { recursive: true, preserveTimestamps: true });
});
afterEach(() => patient.remove());

const notePath = (): string => `semantic/${id.slice(-2)}/${id}.md`;
const git = (...args: string[]): string => personsGit(patient.path('memory'), ...args);
const commits = (): number => Number(git('rev-list', '--count', 'main'));
const mainFile = (): string => join(gitDir, 'refs', 'heads', 'main');

/** Returns the error code that the program would report for this command, or `done`. */
const codeOf = (run: (memory: Memory) => Promise<unknown>): Promise<string> =>
  patient.with((memory) =>
    run(memory).then(
      () => 'done',
      (error: unknown) => faultOf(error, patient.store)?.code ?? `not reported: ${String(error)}`,
    ),
  );
const isWhole = async (): Promise<void> => {
  await patient.with(async (memory) => {
    expect((await verifyStore(memory)).problems).toEqual([]);
    expect(await memory.show(id)).toMatchObject({ answer: { body: newText } });
    expect((await memory.list({}, 10)).total).toBe(2);
    expect((await memory.perform(writeCommand({ title: 'After' }))).status).toBe('recorded');
    expect((await replayStore(memory, { verify: true })).verified).toBe(true);
  });
  expect(commits()).toBe(4);
  expect(git('log', '-p', 'main')).toContain(oldText.trim());
};

describe('a branch that', () => {
  const harms: readonly (readonly [string, Harm])[] = [
    ['is empty, as after a power cut', () => writeFileSync(mainFile(), '')],
    ['is gone', () => rmSync(mainFile())],
    ['holds garbage', () => writeFileSync(mainFile(), 'garbage\n')],
  ];
  it.each(harms)(
    '%s is reported, never mistaken for a new journal, and brought back by the command that is named',
    async (_, harm) => {
      harm(gitDir);
      expect(await codeOf((memory) => memory.search('text', {}))).toBe('journal-damaged');
      expect(await codeOf((memory) => memory.list({}, 5))).toBe('journal-damaged');
      expect(await codeOf((memory) => memory.perform(writeCommand()))).toBe('journal-damaged');
      expect(await codeOf((memory) => memory.adopt('hold'))).toBe('journal-damaged');
      const [found] = await patient.find(journalsCheck);
      expect(found).toMatchObject({ state: 'problem', damage: true, message: expect.stringContaining('memory') });
      const [, command = ''] = /^bring it back: (echo [^;]+);/.exec(found?.next ?? '') ?? [];
      execFileSync('sh', ['-c', command]);
      await isWhole();
    },
  );

  it('is in a packed-refs file full of garbage is reported, never mistaken for a new journal', async () => {
    git('pack-refs', '--all');
    writeFileSync(join(gitDir, 'packed-refs'), 'gar\0bage\n');
    expect(await codeOf((memory) => memory.perform(writeCommand()))).toBe('journal-damaged');
    expect(await patient.find(journalsCheck)).toMatchObject([{ state: 'problem', damage: true }]);
  });

  it('names a missing commit is reported as damage', async () => {
    writeFileSync(mainFile(), `${'1'.repeat(40)}\n`);
    expect(await codeOf((memory) => memory.search('text', {}))).toBe('journal-damaged');
    expect(await codeOf((memory) => memory.perform(writeCommand()))).toBe('journal-damaged');
    expect(await patient.diagnose()).toMatchObject({ ok: false, damaged: true });
  });
});

describe('damaged objects', () => {
  const harms: readonly (readonly [string, Harm])[] = [
    [
      'the text of a note is gone',
      (folder) => {
        makeLoose(folder);
        rmSync(objectFile(folder, `main:${notePath()}`));
      },
    ],
    [
      'an older text is cut short',
      (folder) => {
        makeLoose(folder);
        cutShort(objectFile(folder, `main~2:${notePath()}`), 20);
      },
    ],
    [
      'the newest commit is gone',
      (folder) => {
        makeLoose(folder);
        rmSync(objectFile(folder, 'main'));
      },
    ],
    [
      'packs are cut short',
      (folder) => {
        for (const path of packs(folder)) cutShort(path, 60);
      },
    ],
    ['bits of the packs are flipped', flipBits],
  ];
  it.each(harms)('are reported with the way to restore them, and the note files stay: %s', async (_, harm) => {
    const before = readFileSync(patient.path('memory', ...notePath().split('/')), 'utf8');
    harm(gitDir);
    const verified = await patient.with((memory) => verifyStore(memory));
    expect(verified).toMatchObject({ ok: false });
    expect(verified.problems[0]!.detail).not.toBe('');
    expect(await patient.find(objectsCheck)).toMatchObject([
      {
        state: 'problem',
        damage: true,
        message: expect.stringMatching(/damaged: \S/),
        next: expect.stringContaining('restore-backup'),
      },
    ]);
    expect(readFileSync(patient.path('memory', ...notePath().split('/')), 'utf8')).toBe(before);
  });

  it('are all there again after the journal was moved away and cloned from its remote', async () => {
    const remote = patient.path('..', 'remote.git');
    personsGit(patient.path('memory'), 'init', '--quiet', '--bare', '--initial-branch=main', remote);
    await patient.with(async (memory) => {
      await setRemote(memory, remote);
      expect(await syncStore(memory)).toMatchObject({ outcome: 'synced', pushed: 3 });
    });
    flipBits(gitDir);
    renameSync(patient.path('memory'), patient.path('..', 'damaged'));
    await patient.with((memory) => syncStore(memory));
    expect(await patient.find(objectsCheck)).toMatchObject([{ state: 'ok' }]);
    await isWhole();
  });
});
