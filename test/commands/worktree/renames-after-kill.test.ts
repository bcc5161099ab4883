/** A person renames a file again after the command that adopted the first rename was killed. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/store/memory.js';
import { openStore, temporaryFolder, writeNote } from '../../support/store.js';
import { bodyOf, killedAt, replace, text, useSite } from './support/killed-command.js';

const steps = ['put', 'index', 'checkpoint'];
const rename = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
};

describe('a file whose rename was adopted by a killed command', () => {
  const site = useSite();
  const adopt = async (): Promise<void> => {
    const next = openStore({ home: site().home }).memory;
    await next.adopt('hold');
    await next.finish();
  };
  const commands: Readonly<Record<string, (memory: Memory) => Promise<unknown>>> = {
    adopt: (one) => one.adopt('hold'),
    edit: (one) => one.perform({ kind: 'edit', id: site().x.id, set: { title: 'T' } }),
  };

  it.each(steps.flatMap((at) => Object.keys(commands).map((command) => [command, at])))(
    'keeps its note when it is renamed again (%s, killed at %s)',
    async (command = '', at = '') => {
      const target = site().renameX();
      await killedAt(site(), at, (memory) => commands[command]?.(memory) ?? Promise.reject());
      const second = join(site().folder, 'semantic', 'd2', basename(target));
      rename(target, second);
      await adopt();
      expect(await site().bodyAfter(site().x.id)).toBe(text);
      expect(await site().notePaths(site().x.id)).toEqual([second]);
    },
  );

  it.each(steps)('keeps its note when it is renamed back (%s)', async (at) => {
    const target = site().renameX();
    await killedAt(site(), at, (memory) => memory.adopt('hold'));
    rename(target, site().x.path);
    await adopt();
    expect(await site().bodyAfter(site().x.id)).toBe(text);
    expect(await site().notePaths(site().x.id)).toEqual([site().x.path]);
  });

  it.each(steps)('keeps its note when a person commits only tracked files (%s)', async (at) => {
    const target = site().renameX();
    await killedAt(site(), at, (memory) => memory.adopt('hold'));
    replace(site().y.path, 'two', 'MINE');
    site().git('commit', '-aqm', 'mine');
    expect(existsSync(target)).toBe(true);
    await adopt();
    expect(await site().bodyAfter(site().x.id)).toBe(text);
    expect(await site().notePaths(site().x.id)).toEqual([target]);
  });

  it.each(steps)('is a note again when its removal was adopted instead and it is put back (%s)', async (at) => {
    const before = readFileSync(site().x.path);
    rmSync(site().x.path);
    await killedAt(site(), at, (memory) => memory.adopt('record'));
    writeFileSync(site().x.path, before);
    await adopt();
    expect(await site().bodyAfter(site().x.id)).toBe(text);
  });
});

it.each(['p1', 'p3'])('a folder of twelve notes that is renamed again, to %s, keeps them', async (last) => {
  const home = temporaryFolder();
  const { memory } = openStore({ home });
  const notes: { readonly id: string; readonly path: string }[] = [];
  for (let at = 0; at < 12; at += 1) {
    const { id, path = '' } = await writeNote(memory, { title: `n${at}`, body: text });
    notes.push({ id, path });
  }
  const semantic = join(memory.journals.portable.folder, 'semantic');
  for (const { path } of notes) rename(path, join(semantic, 'p1', basename(path)));
  await memory.adopt('record');
  await memory.finish();
  renameSync(join(semantic, 'p1'), join(semantic, 'p2'));
  await killedAt({ home }, 'put', (one) => one.adopt('hold'));
  renameSync(join(semantic, 'p2'), join(semantic, last));
  const next = openStore({ home }).memory;
  expect((await next.adopt('hold')).portable.heldDeletions).toEqual([]);
  for (const { id } of notes) expect(await bodyOf(next, id)).toBe(text);
  await next.finish();
  rmSync(home, { recursive: true });
});
