import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkObjects } from '../../src/events/git/git-admin.js';
import { readTrouble } from '../../src/state/sync-state.js';
import { syncStore } from '../../src/sync/syncing.js';
import { newMachines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';

const gitWithInput = (repository: string, input: string, ...args: string[]): string =>
  execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', input }).trim();

const tagOf = (repository: string, type: string, id: string): string =>
  gitWithInput(repository, `object ${id}\ntype ${type}\ntag v1\ntagger Pat <pat@example.com> 1 +0000\n\nx\n`, 'mktag');

const makeHead: Readonly<Record<string, (repository: string) => string>> = {
  blob: (repository) => gitWithInput(repository, 'hello\n', 'hash-object', '-w', '--stdin'),
  // Git knows the empty tree without storing it, so a repository whose ref names it counts as lacking it.
  tree: (repository) => gitWithInput(repository, '', 'mktree'),
  tag: (repository) => tagOf(repository, 'blob', gitWithInput(repository, 'hello\n', 'hash-object', '-w', '--stdin')),
};

/** Writes the file of the ref, because git itself refuses to create such a branch. */
const plant = (repository: string, kind: string): void => {
  writeFileSync(join(repository, 'refs', 'heads', 'main'), `${makeHead[kind]?.(repository)}\n`);
};

describe.each(Object.keys(makeHead))('a remote whose main is a %s', (kind) => {
  it('is refused and named as the side at fault, and the journal here stays unchanged', async () => {
    const machines = newMachines();
    const one = await machines.open('one');
    await writeNote(one, { title: 'Mine' });
    plant(join(machines.folder, 'remote.git'), kind);
    const before = one.journals.portable.head();
    for (const options of [{}, { seed: true }, { acceptRewrite: true }, { background: true }]) {
      const { outcome, trouble } = await syncStore(one, options);
      if (options.background === true) expect(outcome).toBe('waiting');
      else {
        expect({ outcome, code: trouble?.code }).toEqual({ outcome: 'refused', code: 'remote-hostile' });
        expect(trouble?.message).toMatch(/main there is a .*, not a commit/);
        expect(trouble?.next).toContain('remove the branch main there');
      }
    }
    const { portable } = one.journals;
    expect(portable.head()).toBe(before);
    expect(await checkObjects(portable.folders, '--full')).toMatchObject({ ok: true });
    expect(readTrouble((await one.store()).state)?.message).toContain('not a commit');
  });

  it('can be synced with again once that branch is removed, as the refusal advises', async () => {
    const machines = newMachines();
    const one = await machines.open('one');
    await writeNote(one, { title: 'Mine' });
    await machines.sync(one);
    const remote = join(machines.folder, 'remote.git');
    plant(remote, kind);
    expect(await syncStore(one)).toMatchObject({ outcome: 'refused', trouble: { code: 'remote-hostile' } });
    rmSync(join(remote, 'refs', 'heads', 'main'));
    expect(await syncStore(one, { seed: true })).toMatchObject({ outcome: 'synced', pushed: 1 });
    expect(personsGit(remote, 'log', '--format=%s', 'main')).toContain('Mine');
  });
});
