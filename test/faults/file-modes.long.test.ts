/** A store is private to its owner, whatever the umask and whichever command made it. */
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from '../cli/support.js';
import { keptProgram } from '../support/built-program.js';
import { personsGit } from '../support/store.js';
import { typicalTranscript } from '../support/transcripts.js';

const id = '01J0000000000000000000000A';

/** Lists folders that are not 0700 and files that are not 0600; objects of git may be 0400 and its hooks 0700. */
const wrongModes = (folder: string): readonly string[] => {
  const wrong: string[] = [];
  const pending = [folder];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    // A worker in the background may have removed its file meanwhile.
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    const mode = stat.mode & 0o777;
    const name = relative(folder, path);
    if (stat.isDirectory()) {
      if (mode !== 0o700) wrong.push(`${name}/ ${mode.toString(8)}`);
      pending.push(...readdirSync(path).map((child) => join(path, child)));
      continue;
    }
    const isObject = /\/\.git\/objects\//.test(path);
    const isHook = /\/\.git\/hooks\/[^/]+$/.test(path);
    if (mode !== 0o600 && !(isObject && mode === 0o400) && !(isHook && mode === 0o700))
      wrong.push(`${name} ${mode.toString(8)}`);
  }
  return wrong.toSorted();
};

describe('under umask 000', () => {
  let home: TestHome;
  beforeAll(() => {
    home = openHome();
  });
  afterAll(() => home.remove());

  const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
  const run = (args: readonly string[], input: string | undefined = undefined, store = home.store): string => {
    const line = [process.execPath, keptProgram, ...args].map(quote).join(' ');
    const ran = spawnSync('/bin/sh', ['-c', `umask 000; exec ${line}`], {
      cwd: home.work,
      env: {
        ...home.env,
        ANAMNESIS_HOME: store,
        CLAUDE_CONFIG_DIR: join(home.folder, '.claude'),
        OLLAMA_HOST: 'http://127.0.0.1:9',
      },
      encoding: 'utf8',
      ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] as const } : { input }),
    });
    expect(ran.stderr, args.join(' ')).not.toMatch(/fault/i);
    // doctor exits with 1 for what it cannot fix: here, that no client is registered any more.
    expect(args[0] === 'doctor' ? [0, 1] : [0], `${args.join(' ')}: ${ran.stderr}`).toContain(ran.status);
    return ran.stdout;
  };
  const idOf = (title: string): string => {
    const found: { notes: { id: string; title: string }[] } = JSON.parse(run(['list', '--json']));
    return found.notes.find((note) => note.title === title)?.id ?? '';
  };
  const writeInput = (name: string, content: string): string => {
    writeFileSync(join(home.folder, name), content);
    return join(home.folder, name);
  };
  const payload = (event: string): string =>
    JSON.stringify({
      session_id: '6f1d7a52-6c0b-4a55-9b6c-0d6f2f6a7c11',
      transcript_path: transcript(),
      cwd: home.work,
      hook_event_name: event,
      prompt: 'how do we deploy the shop to production',
      source: 'startup',
      reason: 'exit',
      trigger: 'auto',
    });
  const transcript = (): string => writeInput('session.jsonl', typicalTranscript().text());
  const noteFile = (title: string): string => `---\nid: ${id}\ntype: semantic\ntitle: ${title}\n---\nText.\n`;
  const requests = (): string =>
    [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      { method: 'notifications/initialized' },
      {
        id: 2,
        method: 'tools/call',
        params: { name: 'memory_write', arguments: { title: 'By an agent', body: 'Served.', type: 'semantic' } },
      },
    ]
      .map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`)
      .join('');

  const steps: readonly (readonly [string, () => void])[] = [
    ['init --yes', () => run(['init', '--yes', '--local-only', '--no-sync'])],
    ['write', () => run(['write', 'Deploys need the VPN', '--body', 'The registry is not reachable without it.'])],
    ['write to the local journal', () => run(['write', 'Here only', '--body', 'x', '--scope', 'machine-local'])],
    ['edit', () => run(['edit', idOf('Deploys need the VPN'), '--body', 'Changed.'])],
    ['tag', () => run(['tag', idOf('Deploys need the VPN'), 'deploy'])],
    ['move between the journals', () => run(['move', idOf('Here only'), '--scope', 'portable'])],
    [
      'import',
      () => {
        mkdirSync(join(home.folder, 'notes'), { recursive: true });
        writeFileSync(join(home.folder, 'notes', 'one.md'), '# One\n\nText.\n');
        run(['import', join(home.folder, 'notes'), '--project', 'notes']);
      },
    ],
    ['capture', () => run(['capture', '--transcript', transcript()])],
    ['hook SessionStart', () => run(['hook', 'SessionStart'], payload('SessionStart'))],
    ['hook UserPromptSubmit', () => run(['hook', 'UserPromptSubmit'], payload('UserPromptSubmit'))],
    ['hook Stop', () => run(['hook', 'Stop'], payload('Stop'))],
    ['hook SessionEnd', () => run(['hook', 'SessionEnd'], payload('SessionEnd'))],
    ['work', () => run(['work'])],
    ['search', () => run(['search', 'deploy'])],
    ['inject', () => run(['inject'])],
    ['status', () => run(['status'])],
    ['forget', () => run(['forget', idOf('Here only'), '--reason', 'moved'])],
    ['undo', () => run(['undo'])],
    [
      'adopt',
      () => {
        const folder = join(home.store, 'memory', 'semantic', '0A');
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(join(folder, `${id}.md`), noteFile('By hand'), { mode: 0o600 });
        run(['adopt']);
      },
    ],
    ['replay', () => run(['replay', '--verify', '--workers', '2'])],
    ['replay --at', () => run(['replay', '--at', 'HEAD'])],
    ['search --at', () => run(['search', 'deploy', '--at', 'HEAD'])],
    ['verify', () => run(['verify'])],
    ['compact', () => run(['compact'])],
    ['config set', () => run(['config', 'set', 'learn_judges', ''])],
    ['backup', () => run(['backup', join(home.folder, 'backup.tar')])],
    ['serve', () => run(['serve'], requests())],
    [
      'sync',
      () => {
        const bare = join(home.folder, 'remote.git');
        personsGit(home.folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
        run(['remote', 'set', bare]);
        run(['sync']);
      },
    ],
    ['purge', () => run(['purge', idOf('By hand'), '--yes'])],
    ['doctor --fix', () => run(['doctor', '--fix', '--yes'])],
    ['uninstall', () => run(['uninstall', '--yes'])],
  ];

  it.each(steps)('%s leaves every folder 0700 and every file 0600', (_, step) => {
    step();
    expect(wrongModes(home.store)).toEqual([]);
    expect(lstatSync(join(home.store, 'memory', '.git', 'HEAD')).isFile()).toBe(true);
  });

  it('a backup is private to its owner, wherever it is written', () => {
    run(['backup', join(home.folder, 'other.tar')]);
    expect(statSync(join(home.folder, 'other.tar')).mode & 0o777).toBe(0o600);
  });

  it('restore-backup and the first sync of an empty store leave every folder 0700 and every file 0600', () => {
    run(['backup', join(home.folder, 'third.tar')]);
    const restored = join(home.folder, 'restored');
    run(['restore-backup', join(home.folder, 'third.tar')], undefined, restored);
    expect(wrongModes(restored)).toEqual([]);
    expect(readdirSync(join(restored, 'memory'))).toContain('semantic');
    const cloned = join(home.folder, 'cloned');
    run(['remote', 'set', join(home.folder, 'remote.git')], undefined, cloned);
    run(['sync'], undefined, cloned);
    expect(wrongModes(cloned)).toEqual([]);
    expect(readdirSync(join(cloned, 'memory'))).toContain('semantic');
  });

  it('a journal stays private even if git is configured to share it with everyone', () => {
    for (const name of ['memory', 'local'])
      personsGit(join(home.store, name), 'config', 'core.sharedRepository', '0666');
    run(['write', 'Not shared', '--body', 'x']);
    run(['write', 'Not shared here', '--body', 'x', '--scope', 'machine-local']);
    run(['compact', '--full']);
    run(['sync']);
    expect(wrongModes(home.store)).toEqual([]);
  });
});
