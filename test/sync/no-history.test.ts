import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkObjects } from '../../src/events/git/git-admin.js';
import { readTrouble } from '../../src/state/sync-state.js';
import { syncStore } from '../../src/sync/syncing.js';
import { newMachines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';

const fed = (repository: string, input: string, ...args: string[]): string =>
  execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', input }).trim();

const tagOf = (repository: string, type: string, id: string): string =>
  fed(repository, `object ${id}\ntype ${type}\ntag v1\ntagger Pat <pat@example.com> 1 +0000\n\nx\n`, 'mktag');

const plants: Readonly<Record<string, (repository: string) => string>> = {
  blob: (repository) => fed(repository, 'hello\n', 'hash-object', '-w', '--stdin'),
  // Git knows it without having it, so a repository that names it counts as one that lacks it.
  tree: (repository) => fed(repository, '', 'mktree'),
  tag: (repository) => tagOf(repository, 'blob', fed(repository, 'hello\n', 'hash-object', '-w', '--stdin')),
};

/** Past git, which makes no such branch itself. */
const plant = (repository: string, kind: string): void => {
  writeFileSync(join(repository, 'refs', 'heads', 'main'), `${plants[kind]?.(repository)}\n`);
};

describe.each(Object.keys(plants))('a remote whose main is a %s', (kind) => {
  it('is refused as the side that is wrong, and the journal here stays as it is', async () => {
    const machines = newMachines();
    const one = await machines.open('one');
    await writeNote(one, { title: 'Mine' });
    plant(join(machines.folder, 'remote.git'), kind);
    const before = one.journals.portable.head();
    for (const options of [{}, { seed: true }, { rejoin: true }, { background: true }]) {
      const { outcome, trouble } = await syncStore(one, options);
      if (options.background === true) expect(outcome).toBe('waiting');
      else {
        expect({ outcome, code: trouble?.code }).toEqual({ outcome: 'refused', code: 'remote-hostile' });
        expect(trouble?.message).toMatch(/^main of .*remote\.git holds no history: it is a .*, not a commit/);
        expect(trouble?.next).toContain('remove the branch main there');
      }
    }
    const { portable } = one.journals;
    expect(portable.head()).toBe(before);
    expect(await checkObjects(portable.folders, '--full')).toMatchObject({ ok: true });
    expect(readTrouble((await one.store()).state)?.message).toContain('holds no history');
  });

  it('is synced with again once that branch is removed, as the refusal says', async () => {
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
