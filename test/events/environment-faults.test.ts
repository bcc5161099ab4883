import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type Denial, denialInText, environmentFault, isDenied } from '../../src/events/environment-faults.js';
import { Fault } from '../../src/events/faults.js';
import { GitError } from '../../src/events/git/git-process.js';

const home = '/home/pat/.anamnesis';
const sqlite = (code: string): Error => new Database.SqliteError('disk I/O error', code);
const file = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: not today`), { code, ...(path === undefined ? {} : { path }) });
const git = (stderr: string): Error => new GitError(['fast-import'], 128, stderr);
const explain = (error: unknown, seen?: Denial) => environmentFault(error, home, () => seen);

describe('an error of the machine is recognised by', () => {
  it.each([
    [file('ENOSPC'), 'disk-full', /no room left on the disk of \/home\/pat\/\.anamnesis$/],
    [file('EDQUOT', `${home}/index/000001.db`), 'disk-full', /\.anamnesis$/],
    [file('ENOSPC', '/media/stick/backup.tar'), 'disk-full', /\/media\/stick\/backup\.tar$/],
    [file('EROFS', `${home}/state.db`), 'read-only', /can only be read/],
    [file('EACCES', `${home}/memory/.git/HEAD`), 'not-permitted', /memory\/\.git\/HEAD$/],
    [file('EPERM'), 'not-permitted', /\.anamnesis$/],
    [file('ENOTDIR', `${home}/memory/.git/HEAD`), 'not-permitted', /is a file, not a folder/],
    [file('EMFILE'), 'limit-reached', /no more files/],
    [file('EFBIG'), 'limit-reached', /may not grow/],
    [sqlite('SQLITE_FULL'), 'disk-full', /no room/],
    [git("fatal: sha1 file '<stdout>' write error: No space left on device"), 'disk-full', /no room/],
    [git("fatal: sha1 file '/s/.git/objects/pack/tmp_pack_a' write error. Out of diskspace"), 'disk-full', /no room/],
    [git("fatal: Unable to create '/s/memory/.git/index.lock': Read-only file system"), 'read-only', /index\.lock/],
    [git("error: could not open '/s/.git/HEAD': Permission denied"), 'not-permitted', /\/s\/\.git\/HEAD$/],
    [git('git: killed by SIGXFSZ'), 'limit-reached', /may not grow/],
    [new Error('replay failed', { cause: file('ENOSPC') }), 'disk-full', /no room/],
  ] as const)('%s', (error, code, message) => {
    expect(explain(error)).toMatchObject({ code, message: expect.stringMatching(message), cause: error });
  });
  it('probing the disk, where SQLite has one code for several causes', () => {
    for (const code of ['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_CANTOPEN', 'SQLITE_READONLY']) {
      expect(explain(sqlite(code), { kind: 'read-only', path: home })).toMatchObject({ code: 'read-only' });
      expect(explain(sqlite(code), { kind: 'disk-full' })).toMatchObject({ code: 'disk-full' });
      expect(explain(sqlite(code))).toBeUndefined();
    }
  });
  it('a file that git may not read, where git says only that there is no repository', () => {
    const error = git("fatal: not a git repository: '/home/pat/.anamnesis/memory/.git'");
    const path = `${home}/memory/.git/HEAD`;
    expect(explain(error, { kind: 'not-permitted', path })).toMatchObject({ code: 'not-permitted' });
    expect(explain(error, { kind: 'read-only' })).toBeUndefined();
    expect(explain(error)).toBeUndefined();
  });
});

it('a fault of a disk without free inodes mentions inodes', () => {
  expect(explain(file('ENOSPC'), { kind: 'inodes-gone' })).toMatchObject({
    code: 'disk-full',
    message: expect.stringContaining('inodes'),
  });
});

it('a fault names the folder that blocks access to a file, but not an unrelated folder', () => {
  const error = file('EACCES', `${home}/config.json`);
  expect(explain(error, { kind: 'not-permitted', path: home })?.message).toMatch(/\.anamnesis$/);
  expect(explain(error, { kind: 'not-permitted', path: `${home}/index` })?.message).toMatch(/config\.json$/);
});

it.each([
  ['a git error', git('fatal: bad object 1234')],
  ['a damaged database', sqlite('SQLITE_CORRUPT')],
  ['a database that ends too early', sqlite('SQLITE_IOERR_SHORT_READ')],
  ['a bug', new TypeError('x is not a function')],
  ['an error that is already a Fault', new Fault('disk-full', 'full', 'make room', { cause: file('EROFS') })],
  ['no error at all', 'ENOSPC'],
])('%s is not an error of the machine', (_, error) => {
  expect(explain(error)).toBeUndefined();
  expect(isDenied(error)).toBe(false);
});

it.each([
  ['remote: fatal: could not write: No space left on device'],
  ['pat@example.com: Permission denied (publickey).'],
  ['Permission denied, please try again.'],
  ["error: pathspec 'No space left on device' did not match"],
])('a message from another machine is not taken for one about this machine: %s', (line) => {
  expect(denialInText(line)).toBeUndefined();
});

it('a denial is recognised in errors of SQLite and files, not in those of git', () => {
  expect(isDenied(file('ENOSPC'))).toBe(true);
  expect(isDenied(sqlite('SQLITE_READONLY_DIRECTORY'))).toBe(true);
  expect(isDenied(git('fatal: write error: No space left on device'))).toBe(false);
});
