/**
 * Machines that deny something: small disks, foreign users, no git. The real program runs on them as a process. If this
 * machine can't be made to deny something, the reason is returned for tests to be skipped with.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished } from 'vitest';
import { keptProgram } from '../../support/built-program.js';
import { programOf } from '../../support/children.js';

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Checks the whole store as the site's user, in one process instead of one for each command. */
const wholeProgram = programOf(
  'whole',
  `import { readStatus } from './src/app/status.js';
  import { replayStore } from './src/maintenance/replaying.js';
  import { verifyStore } from './src/maintenance/verifying.js';
  import { Memory } from './src/store/memory.js';
  process.umask(0o077);
  const home = process.env.ANAMNESIS_HOME;
  const memory = new Memory({ home, machine: 'testbox', user: 'self', searchModel: undefined }, {});
  const { notes } = await memory.list({}, 1000);
  const status = await readStatus(memory);
  const replayed = await replayStore(memory, { verify: true });
  const verified = await verifyStore(memory);
  await memory.finish();
  process.stdout.write(JSON.stringify({ titles: notes.map(({ title }) => title), status, replayed, verified }));`,
);

export type RunOptions = {
  readonly input?: string;
  readonly path?: string;
  /** A shell command to run before the program, such as `ulimit -f 8`. */
  readonly limit?: string;
  /** The script to run instead of the command line program. */
  readonly file?: string;
};

export type Site = {
  /** Path of the store, which does not exist yet. */
  readonly store: string;
  run(args: readonly string[], options?: RunOptions): Ran;
  /** The same for commands that run at the same time. */
  start(args: readonly string[]): Promise<Ran>;
  /** Returns the answer of a command that must exit with 0. */
  json(...args: readonly string[]): ReturnType<typeof JSON.parse>;
  /** Writes a note with that title and returns its id. */
  write(title: string): string;
  /** The same for the first note: the store with it is made once and copied. */
  begin(title: string): string;
};

type Begun = { readonly store: string; readonly id: string };
const begun = new Map<string, Begun>();

/** Prepares a place for a store in this folder and runs the program as `uid`, by default the user of the test. */
export const openSite = (folder: string, uid?: number): Site => {
  const store = join(folder, 'store');
  const home = newFolder();
  if (uid !== undefined) chmodSync(home, 0o777);
  const env = {
    HOME: home,
    TMPDIR: home,
    ANAMNESIS_HOME: store,
    ANAMNESIS_MACHINE_ID: 'testbox',
    NO_COLOR: '1',
  };
  const run = (args: readonly string[], { input = '', path, limit, file = keptProgram }: RunOptions = {}): Ran => {
    const line = [process.execPath, file, ...args];
    const [first = '', ...rest] = limit === undefined ? line : ['/bin/sh', '-c', `${limit}; exec "$@"`, 'sh', ...line];
    const ran = spawnSync(first, rest, {
      cwd: home,
      env: { ...env, PATH: path ?? process.env['PATH'] },
      encoding: 'utf8',
      input,
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
  };
  const start = (args: readonly string[]): Promise<Ran> =>
    new Promise((done, fail) => {
      const child = spawn(process.execPath, [keptProgram, ...args], {
        cwd: home,
        env: { ...env, PATH: process.env['PATH'] },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
      });
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      child.on('error', fail);
      child.on('close', (code) => done({ code, stdout, stderr }));
    });
  const json = (...args: readonly string[]): ReturnType<typeof JSON.parse> => {
    const ran = run([...args, '--json']);
    if (ran.code !== 0) throw new Error(`${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`);
    return JSON.parse(ran.stdout);
  };
  const write = (title: string): string => json('write', title, '--body', bodyOf(title), '--project', 'shop').id;
  return {
    store,
    run,
    start,
    json,
    write,
    begin(title) {
      const name = `${title} ${uid}`;
      const made = begun.get(name);
      if (made === undefined) {
        const id = write(title);
        const template = join(mkdtempSync(join(inject('templateFolder'), 'environment-')), 'store');
        copyStore(store, template);
        begun.set(name, { store: template, id });
        return id;
      }
      copyStore(made.store, store);
      return made.id;
    },
  };
};

/** Keeps owners, modes and times. */
const copyStore = (from: string, to: string): void => must('cp', '-a', from, to);

export const bodyOf = (title: string): string => `What there is to say about ${title.toLowerCase()}.`;

/** Makes a folder that is removed when the test ends. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-environment-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

export type Disk = {
  readonly folder: string;
  /** Uses up all space but `leftKiB`. */
  fill(leftKiB?: number): void;
  /** Uses up all inodes but `left`. */
  fillInodes(left?: number): void;
  /** Frees what was used up. */
  free(): void;
  /** Remounts the disk read-only, or writable again. */
  setReadOnly(readOnly: boolean): void;
};

/** Returns why no disk can be mounted here, or undefined if one can. */
export const whyNoDisk = (): string | undefined => {
  if (process.platform !== 'linux') return 'NOT RUN: mounting a small disk needs Linux';
  if (process.getuid?.() !== 0) return 'NOT RUN: mounting a small disk needs root';
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1M', 'none', folder]).status === 0;
  if (mounted) spawnSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
  return mounted ? undefined : 'NOT RUN: this machine does not allow mounts';
};

/** Mounts a small disk that is unmounted when the test ends. */
export const mountDisk = (options: { readonly mebibytes: number; readonly inodes?: number }): Disk => {
  const folder = newFolder();
  const size = `size=${options.mebibytes}M,nr_inodes=${options.inodes ?? 4000},mode=0777`;
  must('mount', '-t', 'tmpfs', '-o', size, 'none', folder);
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder]);
  });
  const ballast = join(folder, 'ballast');
  const files = join(folder, 'files');
  return {
    folder,
    fill(leftKiB = 0) {
      const { bavail, bsize } = statfsSync(folder);
      const bytes = bavail * bsize - leftKiB * 1024;
      if (bytes > 0) writeFileSync(ballast, Buffer.alloc(bytes, 'x'));
    },
    fillInodes(left = 0) {
      mkdirSync(files);
      const { ffree } = statfsSync(folder);
      for (let n = 0; n < ffree - left; n += 1) writeFileSync(join(files, String(n)), '');
    },
    free() {
      rmSync(ballast, { force: true });
      rmSync(files, { recursive: true, force: true });
    },
    setReadOnly: (readOnly) => must('mount', '-o', readOnly ? 'remount,ro' : 'remount,rw', folder),
  };
};

const must = (file: string, ...args: readonly string[]): void => {
  const ran = spawnSync(file, args, { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`${file} ${args.join(' ')}: ${ran.stderr}`);
};

/** The user id of nobody on Linux. */
export const stranger = 65534;

/** Returns why no command can be run as another user here, or undefined if it can. */
export const whyNoStranger = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'NOT RUN: running a command as another user needs root';
  const ran = spawnSync(process.execPath, [keptProgram, '--version'], { uid: stranger, gid: stranger });
  return ran.status === 0 ? undefined : 'NOT RUN: another user may not read the program of this checkout';
};

/** Returns a PATH with this script as git, or without git. */
export const pathWithGit = (script: string | undefined): string => {
  const bin = newFolder();
  symlinkSync('/bin/sh', join(bin, 'sh'));
  if (script !== undefined) {
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'git'), 0o755);
  }
  return bin;
};

/** Expects one line that says what is wrong and what to do, in no internal terms of ours or of git. */
export const expectDenied = (ran: Ran, code: string, message: RegExp): void => {
  expect(ran).toMatchObject({ code: 70, stderr: expect.stringMatching(/^anamnesis: [^\n]+; [^\n]+\n$/) });
  expect(ran.stderr).toMatch(message);
  expect(ran.stderr).not.toMatch(/internal error|SQLITE|sqlite|fatal:|git [a-z-]+ failed|ENOSPC|EACCES|EROFS|\bat \w+/);
  if (ran.stdout !== '') expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code } });
};

/** Expects everything acknowledged to be there and whole, and nothing half written to be left. */
export const expectWhole = (site: Site, titles: readonly string[]): void => {
  const looked = site.run([], { file: wholeProgram });
  expect(looked).toMatchObject({ code: 0, stderr: '' });
  const whole = JSON.parse(looked.stdout);
  expect(whole.titles.sort()).toEqual([...titles].sort());
  expect(whole.status).toMatchObject({ hand_edits: [], left: [], skipped: [] });
  expect(whole.replayed).toMatchObject({ verified: true, notes: titles.length });
  expect(whole.verified).toMatchObject({ ok: true, problems: [] });
  for (const journal of ['memory', 'local']) {
    const gitDir = join(site.store, journal, '.git');
    const args = [`--git-dir=${gitDir}`, 'fsck', '--full', '--strict', '--no-dangling', '--no-progress'];
    const fsck = spawnSync('git', args, { encoding: 'utf8' });
    const said = `${fsck.stdout}${fsck.stderr}`
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('notice:'));
    expect([journal, fsck.status, ...said]).toEqual([journal, 0]);
  }
  expect(leftovers(site.store)).toEqual([]);
};

/** Lists files that a failed command must not leave behind; upkeep removes git's own half-written packs. */
const leftovers = (store: string): readonly string[] => {
  const indexes = readdirSync(join(store, 'index')).filter((name) => /^v\d+-\d{6}\.db$/.test(name));
  const half = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?:^|\/)\.anamnesis-|\.tmp$|\.lock$|\.keep$|^spool\/\./.test(name),
  );
  return [...(indexes.length === 1 ? [] : indexes), ...half];
};
