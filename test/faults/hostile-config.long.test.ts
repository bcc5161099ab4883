/** Commands planted wherever git looks for commands: none of them runs, whatever the store is asked to do. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readStatus } from '../../src/app/status.js';
import { runGit } from '../../src/events/git/git-process.js';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { commitForeign, fileOf } from '../support/hostile-trees.js';
import { openStore, personsGit, type TestStore, temporaryFolder, writeNote } from '../support/store.js';
import { useStore } from '../support/use-store.js';

const hooks = [
  ...['applypatch-msg', 'commit-msg', 'fsmonitor-watchman', 'post-applypatch', 'post-checkout', 'post-commit'],
  ...[
    'post-index-change',
    'post-merge',
    'post-receive',
    'post-rewrite',
    'post-update',
    'pre-applypatch',
    'pre-auto-gc',
  ],
  ...['pre-commit', 'pre-merge-commit', 'pre-push', 'pre-rebase', 'pre-receive', 'prepare-commit-msg', 'proc-receive'],
  ...['push-to-checkout', 'reference-transaction', 'sendemail-validate', 'update'],
];

/** Settings whose values are commands; `NAME` stands for the canary, which logs every run of itself. */
const commands: readonly (readonly [string, string])[] = [
  ...['core.fsmonitor', 'core.editor', 'core.pager', 'core.askPass', 'core.sshCommand', 'core.gitProxy'],
  ...['core.alternateRefsCommand', 'sequence.editor', 'diff.external', 'interactive.diffFilter', 'gpg.program'],
  ...['gpg.ssh.program', 'gc.recentObjectsHook', 'uploadpack.packObjectsHook', 'credential.helper'],
  ...['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'diff.evil.command', 'diff.evil.textconv'],
  ...['merge.evil.driver', 'trailer.evil.command', 'pager.log', 'pager.diff', 'browser.evil.cmd', 'man.evil.cmd'],
  ...['remote.origin.uploadpack', 'remote.origin.receivepack', 'remote.origin.vcs', 'mergetool.evil.cmd'],
].map((key) => [key, 'NAME'] as const);
const switches: readonly (readonly [string, string])[] = [
  ['core.attributesFile', 'ATTRIBUTES'],
  ['core.hooksPath', 'HOOKS'],
  ['core.worktree', '/'],
  ['commit.gpgSign', 'true'],
  ['log.showSignature', 'true'],
  ['filter.evil.required', 'true'],
  ['protocol.allow', 'always'],
  ['protocol.ext.allow', 'always'],
  ['extensions.partialClone', 'origin'],
  ['remote.origin.promisor', 'true'],
  ['remote.origin.url', 'ext::NAME'],
  ['alias.log', '!NAME'],
  ['alias.fast-import', '!NAME'],
  ['init.templateDir', 'TEMPLATE'],
];
const attributes = '* filter=evil diff=evil merge=evil ident text eol=crlf working-tree-encoding=UTF-16\n';

describe('commands in the configuration of git', () => {
  let store: TestStore;
  let ran = '';
  let canary = '';
  let environment: NodeJS.ProcessEnv;
  beforeEach(() => {
    environment = { ...process.env };
    store = openStore();
    ran = join(store.home, 'ran');
    canary = join(store.home, 'canary');
    writeFileSync(canary, `#!/bin/sh\necho "$0 $*" >> '${ran}'\nexit 0\n`);
    chmodSync(canary, 0o755);
  });
  afterEach(async () => {
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
    await store.close();
  });

  const whatRan = (): string => (existsSync(ran) ? readFileSync(ran, 'utf8') : '');

  const putHooks = (folder: string): void => {
    mkdirSync(folder, { recursive: true });
    for (const name of hooks) {
      writeFileSync(join(folder, name), `#!/bin/sh\nexec '${canary}' hook ${name}\n`);
      chmodSync(join(folder, name), 0o755);
    }
  };

  /** Writes a configuration file with a command in every setting that takes one, except for the `omitted`. */
  const putConfig = (file: string, folder: string, omitted: readonly string[] = []): void => {
    mkdirSync(join(folder, 'template', 'hooks'), { recursive: true });
    putHooks(join(folder, 'hooks'));
    putHooks(join(folder, 'template', 'hooks'));
    writeFileSync(join(folder, 'attributes'), attributes);
    for (const [key, value] of [...commands, ...switches]) {
      if (omitted.includes(key)) continue;
      const text = value
        .replace('NAME', `${canary} ${key}`)
        .replace('HOOKS', join(folder, 'hooks'))
        .replace('TEMPLATE', join(folder, 'template'))
        .replace('ATTRIBUTES', join(folder, 'attributes'));
      personsGit(store.home, 'config', '--file', file, key, text);
    }
  };

  const putEnvironment = (home: string): void => {
    mkdirSync(home, { recursive: true });
    putConfig(join(home, '.gitconfig'), join(home, 'git'));
    Object.assign(process.env, {
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'git'),
      PAGER: `${canary} PAGER`,
      EDITOR: `${canary} EDITOR`,
      VISUAL: `${canary} VISUAL`,
      SSH_ASKPASS: canary,
      GIT_SSH_COMMAND: `${canary} GIT_SSH_COMMAND`,
      GIT_EXTERNAL_DIFF: `${canary} GIT_EXTERNAL_DIFF`,
      GIT_EDITOR: `${canary} GIT_EDITOR`,
      GIT_PAGER: `${canary} GIT_PAGER`,
      GIT_ASKPASS: canary,
      GIT_PROXY_COMMAND: canary,
      GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: canary,
      GIT_TEMPLATE_DIR: join(home, 'git', 'template'),
      GIT_EXEC_PATH: join(home, 'git', 'hooks'),
    });
  };

  it('never run when they are in the journal', async () => {
    await writeNote(store.memory);
    await store.memory.finish();
    const { folders } = store.memory.journals.portable;
    putHooks(join(folders.gitDir, 'hooks'));
    putConfig(join(folders.gitDir, 'config'), join(store.home, 'evil'));
    writeFileSync(join(folders.workTree, '.gitattributes'), attributes);
    await useStore(store.memory, join(store.home, 'backup.anamnesis'));
    expect(whatRan()).toBe('');
  });

  it('never run when attributes in the tree name them', async () => {
    await writeNote(store.memory);
    await store.memory.finish();
    const { folders } = store.memory.journals.portable;
    putConfig(join(folders.gitDir, 'config'), join(store.home, 'evil'), ['core.attributesFile', 'core.hooksPath']);
    await commitForeign(folders, [
      ['.gitattributes', await fileOf(folders, attributes)],
      ['semantic/.gitattributes', await fileOf(folders, attributes)],
    ]);
    await useStore(store.memory, join(store.home, 'backup.anamnesis'));
    expect(whatRan()).toBe('');
    const { notes } = await store.memory.list({}, 10);
    const shown = await store.memory.show(notes[0]?.id ?? '');
    expect(shown).toMatchObject({ answer: { body: 'Readers go on while one process writes.\n' } });
  });

  it("never run when they are in the user's configuration or environment", async () => {
    putEnvironment(join(store.home, 'person'));
    await store.memory.initialise();
    await useStore(store.memory, join(store.home, 'backup.anamnesis'));
    expect(whatRan()).toBe('');
    expect(existsSync(join(store.memory.journals.portable.folders.gitDir, 'hooks'))).toBe(false);
  });

  it('never run when an object is missing that git could fetch', async () => {
    await writeNote(store.memory);
    await store.memory.finish();
    const { folders } = store.memory.journals.portable;
    const id = '01J0000000000000000000000A';
    await commitForeign(folders, [[`semantic/0A/${id}.md`, { mode: '100644', id: 'd'.repeat(40) }]]);
    for (const url of [`ext::${canary} ext`, 'ssh://evil/x', join(store.home, 'person')]) {
      putConfig(join(folders.gitDir, 'config'), join(store.home, 'evil'));
      await runGit(folders, ['config', 'remote.origin.url', url]);
      expect((await readStatus(store.memory)).skipped).toMatchObject([
        { code: 'not-there', message: expect.stringContaining('anamnesis verify') },
      ]);
      await expect(store.memory.adopt('hold')).rejects.toMatchObject({ code: 'journal-damaged' });
    }
    expect(whatRan()).toBe('');
  });

  it('never run during a sync', async () => {
    const elsewhere = temporaryFolder();
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    const bare = join(elsewhere, 'remote.git');
    personsGit(elsewhere, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
    await writeNote(store.memory);
    await setRemote(store.memory, bare);
    const { folders } = store.memory.journals.portable;
    putHooks(join(folders.gitDir, 'hooks'));
    putConfig(join(folders.gitDir, 'config'), join(store.home, 'evil'), ['remote.origin.url']);
    expect(await syncStore(store.memory)).toMatchObject({ outcome: 'synced', pushed: 1 });
    const other = openStore({ machine: 'other' });
    await setRemote(other.memory, bare);
    await writeNote(other.memory, { title: 'Theirs' });
    expect(await syncStore(other.memory)).toMatchObject({ outcome: 'synced', pushed: 1, pulled: 1 });
    await other.close();
    expect(await syncStore(store.memory)).toMatchObject({ outcome: 'synced', pulled: 1 });
    await useStore(store.memory, join(store.home, 'backup.anamnesis'));
    expect(whatRan()).toBe('');
  });
});
