/** Provides a store with three notes and a person's git, for tests of what follows a killed command. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, inject, vi } from 'vitest';
import { listNoteFiles } from '../../../../src/events/worktree/walk-notes.js';
import type { Memory } from '../../../../src/store/memory.js';
import { folderOfJournal, openStore, personsGit, temporaryFolder, writeNote } from '../../../support/store.js';

export const text = 'one\ntwo\nthree\n';
export const more = `${text}four\n`;

export const replace = (path: string, from: string, to: string): void =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(`\n${from}`, `\n${to}`));

export const bodyOf = async (memory: Memory, id: string): Promise<string> => {
  const found = await memory.show(id);
  return found.ok ? (found.answer.body ?? '') : found.refusal.code;
};

/** Runs a process that is killed at its first step of that name. */
export const killedAt = async (
  { home, machine = 'testbox' }: { readonly home: string; readonly machine?: string },
  at: string,
  run: (memory: Memory) => Promise<unknown>,
): Promise<void> => {
  const step = (name: string): void => {
    if (name === at) throw new Error('killed');
  };
  await expect(run(openStore({ home, machine, step }).memory)).rejects.toThrow('killed');
  // Its timers keep running here. A person's git that blocks this process for a lock that one holds would never get it.
  const lock = join(folderOfJournal(home, 'portable'), '.git', 'index.lock');
  await vi.waitUntil(() => !existsSync(lock), { timeout: 30_000 });
};

type NoteFile = { readonly id: string; readonly path: string };

type Template = { readonly home: string; readonly x: NoteFile; readonly y: NoteFile; readonly z: NoteFile };

const aMinuteAgo = (): number => Date.now() - 60_000;

/** Makes the store that every test copies: it takes nine git processes. */
const makeTemplate = async (): Promise<Template> => {
  const home = mkdtempSync(join(inject('templateFolder'), 'site-'));
  const { memory } = openStore({ home, nowMs: aMinuteAgo });
  const write = async (title: string): Promise<NoteFile> => {
    const { id, path = '' } = await writeNote(memory, { title, body: text });
    return { id, path };
  };
  const [x, y, z] = [await write('X'), await write('Y'), await write('Z')];
  await memory.finish();
  return { home, x, y, z };
};
let templateMade: Promise<Template> | undefined;

const makeSite = async () => {
  templateMade ??= makeTemplate();
  const template = await templateMade;
  const home = temporaryFolder();
  cpSync(template.home, home, { recursive: true, preserveTimestamps: true });
  const here = ({ id, path }: NoteFile): NoteFile => ({ id, path: path.replace(template.home, home) });
  const [x, y, z] = [here(template.x), here(template.y), here(template.z)];
  const { memory } = openStore({ home, nowMs: aMinuteAgo });
  const { folder } = memory.journals.portable;
  const git = (...args: string[]): string => personsGit(folder, ...args);
  const elsewhere = (): string => {
    const target = join(folder, 'semantic', 'd1', basename(x.path));
    mkdirSync(dirname(target), { recursive: true });
    return target;
  };
  return {
    home,
    memory,
    folder,
    x,
    y,
    z,
    git,
    /** Returns another path for the file of X, in a new folder. */
    elsewhere,
    renameX: (): string => {
      const target = elsewhere();
      renameSync(x.path, target);
      return target;
    },
    /** The command that is killed in most tests: it adds a line to X. */
    edit: (one: Memory): Promise<unknown> => one.perform({ kind: 'edit', id: x.id, set: { body: more } }),
    commitY: (): void => {
      replace(y.path, 'two', 'MINE');
      git('commit', '-aqm', 'mine');
    },
    /** Returns the body of the note, or the code of its refusal, after a new process has written another note. */
    bodyAfter: async (id: string): Promise<string> => {
      const next = openStore({ home }).memory;
      await writeNote(next, { title: 'next' });
      const body = await bodyOf(next, id);
      await next.finish();
      return body;
    },
    notePaths: async (id: string): Promise<readonly string[]> => {
      const { paths } = await listNoteFiles(folder);
      return paths.filter((path) => path.endsWith(`${id}.md`)).map((path) => join(folder, path));
    },
  };
};
export type Site = Awaited<ReturnType<typeof makeSite>>;

/** A new store for each test; the notes were written a minute before. */
export const useSite = (): (() => Site) => {
  let site: Site;
  beforeEach(async () => {
    site = await makeSite();
  });
  afterEach(() => {
    rmSync(site.home, { recursive: true, force: true });
  });
  return () => site;
};
