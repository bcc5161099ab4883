import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Fault } from '../../src/events/faults.js';
import { checkObjects, initRepository } from '../../src/events/git/git-admin.js';
import { openGitJournal } from '../../src/events/git/git-journal.js';
import { blobIdOf } from '../../src/events/note/blob-id.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { idOf, makeEvent } from '../support/arbitraries.js';
import { append, commitOf, newJournal, noteChange, nthCommit } from '../support/journals.js';
import { personsGit } from '../support/store.js';

const pathOf = (n: number): string => pathOfNote('semantic', idOf(n));
const bytesOf = (n: number, body: string): Buffer => noteChange(n, body).bytes ?? Buffer.alloc(0);
const blobOf = (n: number, body: string): string => blobIdOf(bytesOf(n, body));

const write = (folder: string, path: string, content: string | Buffer): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};
/** Commits as a person does: checks out the head, changes a file, adds everything and commits. */
const commitByHand = (folder: string, message: string, path: string, content: string): string => {
  personsGit(folder, 'reset', '--hard', '--quiet');
  write(folder, path, content);
  personsGit(folder, 'add', '-A');
  personsGit(folder, 'commit', '--quiet', '-m', message);
  return personsGit(folder, 'rev-parse', 'HEAD').trim();
};
const faultOf = async (work: Promise<unknown>): Promise<Fault> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Fault)) throw new Error(`no fault: ${String(error)}`);
  return error;
};

describe('a new journal', () => {
  it('is a repository on main without a commit', async () => {
    const { journal, folder } = await newJournal();
    expect(journal.exists()).toBe(true);
    expect(journal.head()).toBeUndefined();
    expect(readFileSync(join(folder, '.git', 'HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
    expect(readFileSync(join(folder, '.git', 'info', 'attributes'), 'utf8')).toBe(
      '* -text -filter -ident -working-tree-encoding\n',
    );
  });

  it('does not exist before it is created', () => {
    expect(openGitJournal('portable', join(tmpdir(), 'anamnesis-nowhere'), () => undefined).exists()).toBe(false);
  });

  it('refuses every push from the local one', async () => {
    const { journal, folder } = await newJournal('local');
    const remote = await newJournal();
    await append(journal, nthCommit(1));
    expect(() => personsGit(folder, 'push', remote.folder, 'main:refs/heads/other')).toThrow(/stay on this machine/);
  });
});

describe('append', () => {
  it('makes one commit per event and returns their ids in order', async () => {
    const { journal, folder } = await newJournal();
    const ids = await append(journal, nthCommit(1), nthCommit(2), nthCommit(3));
    expect(ids).toHaveLength(3);
    expect(journal.head()).toBe(ids[2]);
    expect(
      personsGit(folder, 'log', '--reverse', '--format=%H %an <%ae> %cn <%ce> %at %ct %s').trim().split('\n'),
    ).toEqual(
      [1, 2, 3].map((n, at) => {
        const seconds = Date.UTC(2026, 5, 24, 12, n) / 1000;
        const who = 'anamnesis <anamnesis@laptop>';
        return `${ids[at]} ${who} ${who} ${seconds} ${seconds} note.written: Note ${n}`;
      }),
    );
  });

  it('stores the bytes of a file unchanged, whatever they are', async () => {
    const { journal } = await newJournal();
    const contents = [
      'crlf\r\nand\nlf',
      '',
      'done\n',
      'commit refs/heads/main\nfrom nowhere\n',
      '\0\xff\xfe',
      '$Id$ $Format:%H$',
      '🚀'.repeat(10_000),
    ];
    const changes = contents.map((content, n) => ({
      journal: 'portable' as const,
      path: pathOf(n),
      bytes: Buffer.from(content, n === 4 ? 'latin1' : 'utf8'),
    }));
    const [commit = ''] = await append(journal, nthCommit(1, changes));
    const entries = await journal.notes(commit);
    const blobs = await journal.blobs(entries.map(({ blob }) => blob));
    for (const { path, bytes } of changes) {
      expect(blobs.get(entries.find((entry) => entry.path === path)?.blob ?? '')).toEqual(bytes);
    }
  });

  it('removes a file, and makes an empty commit for an event without changes', async () => {
    const { journal } = await newJournal();
    const ids = await append(journal, nthCommit(1), nthCommit(2, [noteChange(1, undefined)]), nthCommit(3, []));
    expect((await Promise.all(ids.map((id) => journal.notes(id)))).map((notes) => notes.length)).toEqual([1, 0, 0]);
  });

  it.each(['a "b"', "it's", 'back\\slash', '日本語', 'a\nb', '$(touch x)', ' lead', '-rf'])(
    'puts a file into a folder named %j',
    async (name) => {
      const { journal } = await newJournal();
      const path = `semantic/${name}/${idOf(1)}.md`;
      const [commit = ''] = await append(
        journal,
        nthCommit(1, [{ journal: 'portable', path, bytes: Buffer.from('x') }]),
      );
      expect((await journal.tree(commit)).map((entry) => entry.path)).toEqual([path]);
    },
  );

  it('returns no ids for no commits', async () => {
    const { journal } = await newJournal();
    await append(journal, nthCommit(1));
    expect(await append(journal)).toEqual([]);
  });

  it('leaves a repository that git finds intact', async () => {
    const { journal } = await newJournal();
    for (const n of [1, 2, 3]) await append(journal, nthCommit(n));
    expect(await checkObjects(journal.folders)).toEqual({ ok: true, lines: [] });
  });

  it('accepts hundreds of events at once', async () => {
    const { journal } = await newJournal();
    const ids = await append(journal, ...Array.from({ length: 500 }, (_, n) => nthCommit(n)));
    expect(new Set(ids).size).toBe(500);
    expect(await journal.notes(ids[499] ?? '')).toHaveLength(500);
  });

  it('leaves the working tree and the index of git alone', async () => {
    const { journal, folder } = await newJournal();
    await append(journal, nthCommit(1));
    expect(existsSync(join(folder, 'semantic'))).toBe(false);
    expect(existsSync(join(folder, '.git', 'index'))).toBe(false);
  });

  it('works when the refs are packed', async () => {
    const { journal, folder } = await newJournal();
    const [first] = await append(journal, nthCommit(1));
    personsGit(folder, 'pack-refs', '--all', '--prune');
    expect(existsSync(join(folder, '.git', 'refs', 'heads', 'main'))).toBe(false);
    expect(journal.head()).toBe(first);
    const [second = ''] = await append(journal, nthCommit(2));
    expect(await journal.parents(second)).toEqual([first]);
  });
});

describe('append is refused', () => {
  it.each([
    ['on another branch', ['switch', '--quiet', '-c', 'other'], 'refs/heads/other'],
    ['on a detached head', ['checkout', '--quiet', '--detach'], /at [0-9a-f]{40}/],
  ])('%s, which the error names', async (_, command, named) => {
    const { journal, folder } = await newJournal();
    const [first] = await append(journal, nthCommit(1));
    personsGit(folder, ...command);
    const fault = await faultOf(journal.append([nthCommit(2)], first));
    expect(fault.code).toBe('head-elsewhere');
    expect(fault.message).toMatch(named);
    expect(fault.next).toContain('switch main');
    expect(journal.head()).toBe(first);
  });

  it('during a rebase, in which git refuses to switch branches', async () => {
    const { journal, folder } = await newJournal();
    const [first] = await append(journal, nthCommit(1));
    expect(() => personsGit(folder, 'rebase', '--quiet', '--root', '--exec', 'false')).toThrow();
    const fault = await faultOf(journal.append([nthCommit(2)], first));
    expect(fault).toMatchObject({
      code: 'head-elsewhere',
      next: expect.stringMatching(/^a rebase is under way .*--abort$/),
    });
  });

  it.each([
    ['a remote', ['remote', 'add', 'origin', 'https://example.com/x.git']],
    ['a remote by its address alone', ['config', 'remote.backup.url', '/tmp/x.git']],
  ])('in the local journal when it has %s', async (_, command) => {
    const { journal, folder } = await newJournal('local');
    personsGit(folder, ...command);
    const fault = await faultOf(journal.append([nthCommit(1)], undefined));
    expect(fault.code).toBe('local-has-remote');
    expect(journal.head()).toBeUndefined();
  });

  it('only in the local journal, as the portable one may have a remote', async () => {
    const { journal, folder } = await newJournal();
    personsGit(folder, 'remote', 'add', 'origin', 'https://example.com/x.git');
    expect(await append(journal, nthCommit(1))).toHaveLength(1);
  });
});

describe('the head', () => {
  it('is waited for while git creates the branch, whose reflog it writes first', async () => {
    const { journal, folder } = await newJournal();
    const [first = ''] = (await append(journal, nthCommit(1))) ?? [];
    const file = join(folder, '.git', 'refs', 'heads', 'main');
    rmSync(file);
    const script = `setTimeout(() => require('node:fs').writeFileSync(process.argv[1], process.argv[2]), 30)
      && process.stdout.write('ready');`;
    const child = spawn(process.execPath, ['-e', script, file, `${first}\n`]);
    await once(child.stdout, 'data');
    expect(journal.head()).toBe(first);
  });
});

describe('a lock file left by a killed git process', () => {
  const age = (file: string, seconds: number): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    const then = Date.now() / 1000 - seconds;
    utimesSync(file, then, then);
  };

  it.each(['index.lock', 'HEAD.lock', 'packed-refs.lock', 'config.lock', 'refs/heads/main.lock'])(
    'is removed and logged when it is stale: %s',
    async (name) => {
      const { journal, folder, log } = await newJournal();
      await append(journal, nthCommit(1));
      const lock = join(folder, '.git', name);
      age(lock, 11);
      expect(await append(journal, nthCommit(2))).toHaveLength(1);
      expect(existsSync(lock)).toBe(false);
      expect(log).toEqual([expect.stringContaining(lock)]);
    },
  );

  it('is waited for while it is recent', async () => {
    const { journal, folder, log } = await newJournal();
    await append(journal, nthCommit(1));
    const lock = join(folder, '.git', 'refs', 'heads', 'main.lock');
    age(lock, 0);
    setTimeout(() => rmSync(lock), 300);
    expect(await append(journal, nthCommit(2))).toHaveLength(1);
    expect(log).toEqual([]);
  });

  it('is removed as soon as it is stale', async () => {
    const { journal, folder } = await newJournal();
    await append(journal, nthCommit(1));
    age(join(folder, '.git', 'refs', 'heads', 'main.lock'), 9.5);
    expect(await append(journal, nthCommit(2))).toHaveLength(1);
  });

  it('of the index stays while it is recent, as a person may be at work', async () => {
    const { journal, folder } = await newJournal();
    const lock = join(folder, '.git', 'index.lock');
    age(lock, 2);
    expect(await append(journal, nthCommit(1))).toHaveLength(1);
    expect(existsSync(lock)).toBe(true);
  });
});

describe('diff', () => {
  it('compares with the empty tree when no start is given', async () => {
    const { journal } = await newJournal();
    const [first = ''] = await append(journal, nthCommit(1));
    expect(await journal.diff(undefined, first)).toEqual([
      { path: pathOf(1), before: undefined, after: blobOf(1, 'Body 1.\n'), afterMode: '100644' },
    ]);
  });

  it('reports a move as one file removed and one added', async () => {
    const { journal } = await newJournal();
    const to = pathOfNote('procedural', idOf(1));
    const bytes = bytesOf(1, 'a');
    const [first = '', second = ''] = await append(
      journal,
      nthCommit(1, [noteChange(1, 'a')]),
      nthCommit(2, [noteChange(1, undefined), { journal: 'portable', path: to, bytes }]),
    );
    expect((await journal.diff(first, second)).map(({ path, before, after }) => [path, before, after]).sort()).toEqual([
      [to, undefined, blobIdOf(bytes)],
      [pathOf(1), blobIdOf(bytes), undefined],
    ]);
  });

  it('reports a file that became a link as removed', async () => {
    const { journal, folder } = await newJournal();
    const [first = ''] = await append(journal, nthCommit(1));
    personsGit(folder, 'reset', '--hard', '--quiet');
    rmSync(join(folder, pathOf(1)));
    symlinkSync('/etc/passwd', join(folder, pathOf(1)));
    personsGit(folder, 'commit', '--quiet', '-a', '-m', 'link');
    const [change] = await journal.diff(first, journal.head() ?? '');
    expect(change).toMatchObject({ path: pathOf(1), before: blobOf(1, 'Body 1.\n'), after: undefined });
  });

  it('omits files that are not notes', async () => {
    const { journal, folder } = await newJournal();
    const [first = ''] = await append(journal, nthCommit(1));
    const second = commitByHand(folder, 'readme', 'README.md', 'hello');
    expect(await journal.diff(first, second)).toEqual([]);
  });
});

describe('notes and tree', () => {
  it('list the notes in path order by code units, and all files', async () => {
    const { journal, folder } = await newJournal();
    const paths = [
      `semantic/é/${idOf(1)}.md`,
      `semantic/z/${idOf(2)}.md`,
      `semantic/Z/${idOf(3)}.md`,
      `episodic/${idOf(4)}.md`,
      `semantic/🚀/${idOf(5)}.md`,
      `semantic/\uff5e/${idOf(6)}.md`,
    ];
    await append(
      journal,
      nthCommit(
        1,
        paths.map((path, n) => ({ journal: 'portable', path, bytes: Buffer.from(String(n)) })),
      ),
    );
    const head = commitByHand(folder, 'more', 'eval/cases.jsonl', '{}');
    expect((await journal.notes(head)).map(({ path }) => path)).toEqual([...paths].sort());
    expect((await journal.tree(head)).map(({ path }) => path)).toContain('eval/cases.jsonl');
  });

  it('leave out links, submodules and names that are not UTF-8', async () => {
    const { journal, folder } = await newJournal();
    const [commit = ''] = await append(journal, nthCommit(1));
    const blob = blobOf(1, 'Body 1.\n');
    personsGit(folder, 'read-tree', commit);
    personsGit(folder, 'update-index', '--add', '--cacheinfo', `120000,${blob},${pathOf(2)}`);
    personsGit(folder, 'update-index', '--add', '--cacheinfo', `160000,${commit},${pathOf(3)}`);
    personsGit(folder, 'update-index', '--add', '--cacheinfo', `100755,${blob},${pathOf(4)}`);
    const script = join(folder, 'add.sh');
    writeFileSync(
      script,
      `git update-index --add --cacheinfo "100644,${blob},$(printf 'semantic/caf\\351/${idOf(5)}.md')"\n`,
    );
    const { execFileSync } = await import('node:child_process');
    execFileSync('sh', [script], { cwd: folder });
    personsGit(folder, 'commit', '--quiet', '-m', 'odd');
    const head = journal.head() ?? '';
    expect((await journal.notes(head)).map(({ path }) => path)).toEqual([pathOf(1), pathOf(4)].sort());
    expect((await journal.tree(head)).map(({ mode }) => mode).sort()).toEqual([
      '100644',
      '100644',
      '100755',
      '120000',
      '160000',
    ]);
  });
});

describe('blobs', () => {
  it('returns contents by id and leaves out ids that git does not have as files', async () => {
    const { journal } = await newJournal();
    const [commit = ''] = await append(journal, nthCommit(1, [noteChange(1, 'a'), noteChange(2, '')]));
    const ids = [blobOf(1, 'a'), 'f'.repeat(40), commit, blobOf(2, '')];
    const found = await journal.blobs(ids);
    expect([...found.keys()]).toEqual([ids[0], ids[3]]);
    expect(found.get(ids[0] ?? '')).toEqual(bytesOf(1, 'a'));
    expect((await journal.blobs([])).size).toBe(0);
  });
});

describe('events', () => {
  it('include a person’s commit as an adoption of the notes that it touches', async () => {
    const { journal, folder } = await newJournal();
    const [first = ''] = await append(journal, nthCommit(1));
    write(folder, pathOf(2), bytesOf(2, 'by hand'));
    const second = commitByHand(folder, 'Fix typo\n\nand more', pathOf(1), 'edited');
    const [logged] = await journal.events(first, second);
    expect(logged).toMatchObject({ commit: second, foreign: true, malformed: false });
    expect(logged?.event).toMatchObject({ kind: 'hand.adopted', subject: 'Fix typo', machine: 'unknown' });
    expect([...(logged?.event.notes ?? [])].sort()).toEqual([idOf(1), idOf(2)].sort());
  });

  it('include a person’s root commit as an adoption too', async () => {
    const { journal, folder } = await newJournal();
    const root = commitRootByHand(folder, pathOf(1), 'first');
    const second = commitByHand(folder, 'second', pathOf(2), 'x');
    const third = commitByHand(folder, 'third', 'README.md', 'x');
    const logged = await journal.events(undefined, journal.head() ?? '');
    expect(logged.map(({ commit, event }) => [commit, event.notes])).toEqual([
      [root, [idOf(1)]],
      [second, [idOf(2)]],
      [third, []],
    ]);
  });

  it('include every commit of both sides of a person’s merge', async () => {
    const { journal, folder } = await newJournal();
    const [first = ''] = await append(journal, nthCommit(1));
    personsGit(folder, 'switch', '--quiet', '-c', 'side');
    const side = commitByHand(folder, 'on the side', pathOf(2), 'x');
    personsGit(folder, 'switch', '--quiet', 'main');
    const [second] = await append(journal, nthCommit(3));
    personsGit(folder, 'reset', '--hard', '--quiet');
    personsGit(folder, 'merge', '--quiet', '--no-ff', '-m', 'Merge side', 'side');
    const merge = journal.head() ?? '';
    const [last] = await append(journal, nthCommit(4));
    const logged = await journal.events(undefined, journal.head() ?? '');
    const order = logged.map(({ commit }) => commit);
    expect([...order].sort()).toEqual([first, side, second, merge, last].sort());
    expect(order.indexOf(merge)).toBe(3);
    expect(logged[3]).toMatchObject({
      foreign: true,
      parents: [second, side],
      event: { subject: 'Merge side', notes: [] },
    });
    expect(await journal.notes(merge)).toHaveLength(3);
  });

  it('mark a commit with broken trailers as malformed and still include it', async () => {
    const { journal } = await newJournal();
    const broken = { ...nthCommit(1), message: nthCommit(1).message.replace(/^Event: .*$/m, 'Event: nonsense') };
    const [commit = ''] = await append(journal, broken);
    const [logged] = await journal.events(undefined, commit);
    expect(logged).toMatchObject({
      foreign: true,
      malformed: true,
      event: { kind: 'hand.adopted', machine: 'laptop', notes: [idOf(1)] },
    });
  });

  it('read a message in another encoding', async () => {
    const { journal, folder } = await newJournal();
    write(folder, pathOf(1), 'x');
    writeFileSync(join(folder, 'message'), Buffer.from('Caf\xe9\n', 'latin1'));
    personsGit(folder, 'add', '-A');
    personsGit(folder, '-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '--quiet', '-F', 'message');
    expect((await journal.events(undefined, journal.head() ?? ''))[0]?.event.subject).toBe('Café');
  });
});

const commitRootByHand = (folder: string, path: string, message: string): string => {
  write(folder, path, 'x');
  personsGit(folder, 'add', '-A');
  personsGit(folder, 'commit', '--quiet', '-m', message);
  return personsGit(folder, 'rev-parse', 'HEAD').trim();
};

describe('history', () => {
  it('knows the versions of this path alone, even if its folder looks like a pattern', async () => {
    const { journal } = await newJournal();
    const paths = [`semantic/*/${idOf(1)}.md`, `semantic/ab/${idOf(1)}.md`];
    const [commit = ''] = await append(
      journal,
      nthCommit(
        1,
        paths.map((path) => ({ journal: 'portable', path, bytes: Buffer.from(path) })),
      ),
    );
    expect([...(await journal.versions(commit, paths[0] ?? ''))]).toEqual([blobIdOf(Buffer.from(paths[0] ?? ''))]);
  });

  it('knows the versions on both sides of a merge', async () => {
    const { journal, folder } = await newJournal();
    await append(journal, nthCommit(1, [noteChange(1, 'a\nb\nc\n')]));
    personsGit(folder, 'switch', '--quiet', '-c', 'side');
    commitByHand(folder, 'side', pathOf(1), bytesOf(1, 'A\nb\nc\n').toString());
    personsGit(folder, 'switch', '--quiet', 'main');
    await append(journal, nthCommit(2, [noteChange(1, 'a\nb\nC\n')]));
    personsGit(folder, 'reset', '--hard', '--quiet');
    personsGit(folder, 'merge', '--quiet', '-m', 'Merge', 'side');
    const versions = await journal.versions(journal.head() ?? '', pathOf(1));
    expect([...versions].sort()).toEqual(
      ['a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'].map((body) => blobOf(1, body)).sort(),
    );
  });

  it('finds it in the order of the commits, even if a clock went back', async () => {
    const { journal } = await newJournal();
    const ids = await append(journal, nthCommit(5), nthCommit(2), nthCommit(9));
    expect(await journal.commitAt(Date.UTC(2026, 5, 24, 12, 5))).toBe(ids[1]);
  });

  it('resolves names of commits and nothing else', async () => {
    const { journal, folder } = await newJournal();
    const ids = await append(journal, nthCommit(1), nthCommit(2));
    personsGit(folder, 'tag', '-a', 'v1', '-m', 'v1', ids[0] ?? '');
    for (const name of [ids[1], ids[1]?.slice(0, 10), 'main', 'HEAD'])
      expect(await journal.resolve(name ?? '')).toBe(ids[1]);
    for (const name of [ids[0], 'main~1', 'HEAD^', 'v1']) expect(await journal.resolve(name ?? '')).toBe(ids[0]);
    const tree = personsGit(folder, 'rev-parse', 'HEAD^{tree}').trim();
    for (const name of [
      '',
      'nothing',
      'f'.repeat(40),
      'main~9',
      '--all',
      '--help',
      '-x',
      'main..HEAD',
      'a b',
      tree,
      blobOf(1, 'Body 1.\n'),
      'x\ny',
    ]) {
      expect(await journal.resolve(name), name).toBeUndefined();
    }
  });

  it('knows whether a commit contains another', async () => {
    const { journal } = await newJournal();
    const [first = '', second = ''] = await append(journal, nthCommit(1), nthCommit(2));
    expect(await journal.contains(second, first)).toBe(true);
    expect(await journal.contains(second, second)).toBe(true);
    expect(await journal.contains(first, second)).toBe(false);
    expect(await journal.contains(second, 'f'.repeat(40))).toBe(false);
  });
});

describe('the environment of a person', () => {
  const saved = { ...process.env };
  let home = '';
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'anamnesis-person-'));
  });
  afterEach(() => {
    for (const key of Object.keys(process.env)) if (!(key in saved)) delete process.env[key];
    Object.assign(process.env, saved);
    rmSync(home, { recursive: true, force: true });
  });

  /** Creates the person's own repository, which must stay unchanged. */
  const bystander = async (): Promise<{ folder: string; headNow: () => string | undefined }> => {
    const { journal, folder } = await newJournal();
    await append(journal, nthCommit(99));
    const before = journal.head();
    onTestFinished(() => expect(journal.head()).toBe(before));
    return { folder, headNow: () => journal.head() };
  };

  it('does not redirect a command through its GIT_ variables', async () => {
    const { folder: other } = await bystander();
    Object.assign(process.env, {
      GIT_DIR: join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(home, 'index'),
      GIT_OBJECT_DIRECTORY: join(home, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(other, '.git', 'objects'),
      GIT_COMMON_DIR: join(other, '.git'),
      GIT_NAMESPACE: 'elsewhere',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.bare',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_PARAMETERS: "'core.bare=true'",
      GIT_AUTHOR_NAME: 'Mallory',
      GIT_COMMITTER_DATE: '2001-01-01T00:00:00Z',
      GIT_CEILING_DIRECTORIES: '/',
      GIT_DEFAULT_HASH: 'sha256',
      GIT_TRACE: join(home, 'trace'),
      GIT_EXTERNAL_DIFF: '/bin/false',
      GIT_LITERAL_PATHSPECS: '1',
    });
    const { journal, folder } = await newJournal();
    const [commit = ''] = await append(journal, nthCommit(1));
    expect(commit).toHaveLength(40);
    expect((await journal.notes(commit)).map(({ path }) => path)).toEqual([pathOf(1)]);
    expect((await journal.events(undefined, commit)).map(({ event }) => event.subject)).toEqual(['Note 1']);
    expect(existsSync(join(folder, '.git', 'refs', 'heads', 'main'))).toBe(true);
    expect(
      existsSync(join(home, 'index')) || existsSync(join(home, 'objects')) || existsSync(join(home, 'trace')),
    ).toBe(false);
  });

  const trap = (name: string): string => {
    const script = join(home, name);
    mkdirSync(dirname(script), { recursive: true });
    writeFileSync(script, `#!/bin/sh\ntouch '${join(home, 'sprung')}'\nexit 1\n`);
    chmodSync(script, 0o755);
    return script;
  };

  it('does not run or change anything through its git configuration', async () => {
    for (const hook of ['reference-transaction', 'pre-commit', 'post-index-change', 'commit-msg'])
      trap(`hooks/${hook}`);
    for (const hook of ['reference-transaction', 'pre-commit']) trap(`template/hooks/${hook}`);
    mkdirSync(join(home, 'template', 'info'), { recursive: true });
    writeFileSync(join(home, 'template', 'config'), '[core]\n\tbare = true\n');
    writeFileSync(join(home, 'attributes'), '* text=auto eol=crlf filter=evil\n');
    writeFileSync(join(home, 'ignore'), '*.md\n');
    const config = `[commit]
	gpgsign = true
[tag]
	gpgsign = true
[gpg]
	program = ${trap('gpg')}
[core]
	hooksPath = ${join(home, 'hooks')}
	autocrlf = true
	eol = crlf
	fsmonitor = ${trap('fsmonitor')}
	attributesFile = ${join(home, 'attributes')}
	excludesFile = ${join(home, 'ignore')}
	quotePath = true
	pager = ${trap('pager')}
	editor = ${trap('editor')}
	abbrev = 5
[filter "evil"]
	clean = ${trap('clean')}
	smudge = ${trap('smudge')}
[diff]
	external = ${trap('diff')}
	noprefix = true
	renames = copies
[log]
	showSignature = true
	showRoot = false
	date = relative
[init]
	templateDir = ${join(home, 'template')}
	defaultBranch = trunk
	defaultObjectFormat = sha256
[fastimport]
	unpackLimit = 1000
[i18n]
	logOutputEncoding = ISO-8859-1
[user]
	useConfigOnly = true
[safe]
	bareRepository = explicit
`;
    writeFileSync(join(home, '.gitconfig'), config);
    Object.assign(process.env, {
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      EMAIL: '',
      PAGER: trap('pager'),
      EDITOR: trap('editor'),
    });
    const { journal, folder } = await newJournal();
    const crlf = noteChange(1, 'line\r\nline\n');
    const [first = ''] = await append(journal, nthCommit(1, [crlf]));
    const [second = ''] = await append(
      journal,
      commitOf(makeEvent({ subject: 'Grüße 日本語', notes: [idOf(1)] }), [noteChange(1, 'é\n')]),
    );
    const blob = (await journal.notes(first))[0]?.blob ?? '';
    expect((await journal.blobs([blob])).get(blob)).toEqual(crlf.bytes);
    expect((await journal.events(undefined, second)).map(({ event, foreign }) => [event.subject, foreign])).toEqual([
      ['Note 1', false],
      ['Grüße 日本語', false],
    ]);
    expect((await journal.versions(second, pathOf(1))).size).toBe(2);
    expect(await journal.diff(first, second)).toHaveLength(1);
    expect((await checkObjects(journal.folders)).ok).toBe(true);
    expect(existsSync(join(folder, '.git', 'hooks', 'pre-commit'))).toBe(false);
    expect(existsSync(join(home, 'sprung'))).toBe(false);
  });

  it('does not run anything through the configuration and hooks of the journal itself', async () => {
    const { journal, folder } = await newJournal();
    const hooks = join(folder, '.git', 'hooks');
    for (const hook of ['reference-transaction', 'post-index-change', 'pre-auto-gc']) {
      mkdirSync(hooks, { recursive: true });
      writeFileSync(join(hooks, hook), readFileSync(trap(hook)));
      chmodSync(join(hooks, hook), 0o755);
    }
    for (const [key, value] of [
      ['core.fsmonitor', trap('fsmonitor')],
      ['commit.gpgsign', 'true'],
      ['gpg.program', trap('gpg')],
      ['core.autocrlf', 'true'],
      ['log.showRoot', 'false'],
      ['diff.external', trap('diff')],
    ] as const) {
      personsGit(folder, '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', 'config', key, value);
    }
    const [first = '', second = ''] = await append(
      journal,
      nthCommit(1, [noteChange(1, 'a\r\n')]),
      nthCommit(2, [noteChange(1, 'b')]),
    );
    expect([...(await journal.versions(second, pathOf(1)))].sort()).toEqual(
      [blobOf(1, 'a\r\n'), blobOf(1, 'b')].sort(),
    );
    expect(await journal.diff(first, second)).toHaveLength(1);
    expect(existsSync(join(home, 'sprung'))).toBe(false);
  });

  it('does not confuse a journal with the repository that contains it', async () => {
    const { folder: other } = await bystander();
    const folder = join(other, '.anamnesis', 'memory');
    const journal = openGitJournal('portable', folder, () => undefined);
    expect(journal.exists()).toBe(false);
    expect(journal.head()).toBeUndefined();
    await initRepository(journal.folders, 'portable');
    const [commit = ''] = await append(journal, nthCommit(1));
    expect((await journal.notes(commit)).map(({ path }) => path)).toEqual([pathOf(1)]);
  });

  it('may be empty except for PATH', async () => {
    for (const key of Object.keys(process.env)) if (key !== 'PATH') delete process.env[key];
    const { journal } = await newJournal();
    expect(await append(journal, nthCommit(1))).toHaveLength(1);
  });
});
