import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  machineOfRef,
  markFolder,
  markRef,
  readMarks,
  writeMark,
} from '../../../../src/events/git/remote/machine-marks.js';
import { append, newJournal, nthCommit } from '../../../support/journals.js';
import { personsGit } from '../../../support/store.js';

const anyMachine = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
const head = 'ab'.repeat(20);
const at = '2026-06-24T18:33:07+00:00';

describe('the ref of a machine', () => {
  it('decodes to the name of the machine', () => {
    fc.assert(
      fc.property(anyMachine, (machine) => {
        expect(machineOfRef(markRef(machine))).toBe(machine);
      }),
    );
  });

  it('is unique for every name, even on a disk that ignores case', () => {
    fc.assert(
      fc.property(anyMachine, anyMachine, (one, other) => {
        fc.pre(one !== other);
        expect(markRef(one).toLowerCase()).not.toBe(markRef(other).toLowerCase());
      }),
    );
  });

  it.each([['con'], ['CON'], ['.'], ['..'], ['a.lock'], ['-x'], ['.hidden'], ['end.'], ['nul'], ['x'.repeat(64)]])(
    'is valid for git and not a Windows device name for %s',
    (machine) => {
      const ref = markRef(machine);
      expect(execFileSync('git', ['check-ref-format', '--print', ref], { encoding: 'utf8' }).trim()).toBe(ref);
      expect(ref.slice(markFolder.length)).toMatch(/^(?!(?:con|nul)$)[a-z0-9_-]{1,200}$/);
      expect(machineOfRef(ref)).toBe(machine);
    },
  );

  it.each([
    ['another folder', 'refs/heads/laptop'],
    ['a name that is encoded in another way than ours', `${markFolder}_6captop`],
    ['a capital letter', `${markFolder}Laptop`],
    ['half an escape', `${markFolder}laptop_4`],
    ['no name at all', markFolder],
    ['an escaped character that no machine name has', `${markFolder}lap_20top`],
    ['a folder below', `${markFolder}lap/top`],
  ])('is not decoded from %s', (_, ref) => {
    expect(machineOfRef(ref)).toBeUndefined();
  });
});

describe('a mark', () => {
  it('is read as it was written for every machine, sorted by name', async () => {
    const { journal } = await newJournal();
    await writeMark(journal.folders, { machine: 'tower.local', head, at });
    await writeMark(journal.folders, { machine: 'Laptop', head, at: '2026-06-25T00:00:00+00:00' });
    expect(await readMarks(journal.folders)).toEqual([
      { machine: 'Laptop', head, at: '2026-06-25T00:00:00+00:00' },
      { machine: 'tower.local', head, at },
    ]);
  });

  it('has the previous mark as its parent, contains no file and leaves the notes alone', async () => {
    const { journal, folder } = await newJournal();
    await append(journal, nthCommit(1));
    const before = journal.head();
    const first = await writeMark(journal.folders, { machine: 'laptop', head, at });
    const second = await writeMark(journal.folders, { machine: 'laptop', head: 'cd'.repeat(20), at });
    const log = personsGit(folder, 'rev-list', '--parents', markRef('laptop')).trim().split('\n');
    expect(log).toEqual([`${second} ${first}`, first]);
    expect(personsGit(folder, 'ls-tree', '-r', second)).toBe('');
    expect(personsGit(folder, 'show', '--no-patch', '--format=%s%n%an <%ae>', second)).toBe(
      'machine.synced: laptop\nanamnesis <anamnesis@laptop>\n',
    );
    expect(journal.head()).toBe(before);
    expect(await readMarks(journal.folders)).toEqual([{ machine: 'laptop', head: 'cd'.repeat(20), at }]);
  });

  it('can be pushed to a remote and fetched from it without force', async () => {
    const one = await newJournal();
    const other = await newJournal();
    const remote = mkdtempSync(join(tmpdir(), 'anamnesis-remote-'));
    onTestFinished(() => rmSync(remote, { recursive: true, force: true }));
    personsGit(remote, 'init', '--quiet', '--bare');
    const refs = `${markFolder}*:${markFolder}*`;
    for (const day of ['24', '25']) {
      const time = `2026-06-${day}T00:00:00+00:00`;
      await writeMark(one.journal.folders, { machine: 'laptop', head, at: time });
      personsGit(one.folder, 'push', '--quiet', remote, refs);
      personsGit(other.folder, 'fetch', '--quiet', remote, refs);
      expect(await readMarks(other.journal.folders)).toEqual([{ machine: 'laptop', head, at: time }]);
    }
    expect(personsGit(remote, 'fsck', '--full')).toBe('');
  });

  it('creates no pack', async () => {
    const { journal, folder } = await newJournal();
    await writeMark(journal.folders, { machine: 'laptop', head, at });
    expect(personsGit(folder, 'count-objects', '-v')).toContain('packs: 0');
  });

  it('does not exist before the first sync', async () => {
    expect(await readMarks((await newJournal()).journal.folders)).toEqual([]);
  });

  it.each([
    ['an unrelated commit', 'hello'],
    ['another machine’s name', `x\n\nFormat: 1\nMachine: tower\nHead: ${head}\nAt: ${at}\n`],
    ['an invalid head', `x\n\nFormat: 1\nMachine: odd\nHead: --upload-pack=x\nAt: ${at}\n`],
    ['an invalid time', `x\n\nFormat: 1\nMachine: odd\nHead: ${head}\nAt: yesterday\n`],
    ['a very long text', `${'x'.repeat(5000)}\n\nFormat: 1\nMachine: odd\nHead: ${head}\nAt: ${at}\n`],
  ])('with %s is skipped, and the others are read', async (_, message) => {
    const { journal, folder } = await newJournal();
    await writeMark(journal.folders, { machine: 'laptop', head, at });
    const tree = personsGit(folder, 'rev-parse', `${markRef('laptop')}^{tree}`).trim();
    const commit = personsGit(folder, 'commit-tree', '-m', message, tree).trim();
    personsGit(folder, 'update-ref', markRef('odd'), commit);
    expect(await readMarks(journal.folders)).toEqual([{ machine: 'laptop', head, at }]);
  });

  it('that is a file is skipped, and the others are read', async () => {
    const { journal, folder } = await newJournal();
    await writeMark(journal.folders, { machine: 'laptop', head, at });
    writeFileSync(join(folder, 'x'), 'not a commit');
    const blob = personsGit(folder, 'hash-object', '-w', 'x').trim();
    personsGit(folder, 'update-ref', markRef('blob'), blob);
    expect(await readMarks(journal.folders)).toEqual([{ machine: 'laptop', head, at }]);
  });
});
