/** A person works in the journal with git, and a sync publishes that work: real machines, a real remote. */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyStore } from '../../src/maintenance/verifying.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { type Machines, newMachines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';

const git = (memory: Memory, ...args: string[]): string => personsGit(memory.journals.portable.folder, ...args);

const textOf = async (memory: Memory, id: string): Promise<string> => {
  const found = await memory.show(id);
  if (!found.ok) throw new Error(found.refusal.message);
  return found.answer.body ?? '';
};
const fileOf = async (memory: Memory, id: string): Promise<string> => {
  const found = await memory.show(id);
  return found.ok ? (found.answer.path ?? '') : '';
};

const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
const published = (machines: Machines): string => personsGit(join(machines.folder, 'remote.git'), 'log', '-p', 'main');

const twoWithNote = startOnce(['one', 'two'], async ({ one, two }, machines, body: string = 'one\ntwo\n') => {
  const { id } = await writeNote(one, { title: 'Ports', body });
  await machines.sync(one, two);
  await one.finish();
  return { id };
});

describe('a published commit that was amended', () => {
  it('keeps the addition as an event of its own on every machine', async () => {
    const { machines, one, two, id } = await twoWithNote();
    appendFileSync(await fileOf(one, id), 'X\n');
    git(one, 'commit', '-aq', '--amend', '--no-edit');
    await machines.sync(one, two);
    for (const memory of [one, two]) {
      expect(await textOf(memory, id)).toBe('one\ntwo\nX\n');
      // An amended commit keeps its time, to the second, so that within one second either may come first.
      const kinds = (await memory.events({ note: id }, 10)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(['hand.adopted', 'hand.adopted', 'note.written']);
    }
    expect(git(one, 'rev-parse', 'main')).toBe(git(two, 'rev-parse', 'main'));
  });

  it('keeps the addition beside what another machine published meanwhile', async () => {
    const { machines, one, two, id } = await twoWithNote('one\ntwo\nthree\n');
    const path = await fileOf(one, id);
    writeFileSync(path, readFileSync(path, 'utf8').replace('\none\n', '\nX\n'));
    git(one, 'commit', '-aq', '--amend', '--no-edit');
    await two.perform({ kind: 'edit', id, set: { body: 'one\ntwo\nthree\nY\n' } });
    await machines.sync(two, one, two);
    for (const memory of [one, two]) expect(await textOf(memory, id)).toBe('X\ntwo\nthree\nY\n');
  });

  it('keeps what the commit that it replaces said', async () => {
    const { machines, one, two, id } = await twoWithNote('one\ntwo\nthree\n');
    const path = await fileOf(one, id);
    writeFileSync(path, readFileSync(path, 'utf8').replace('\ntwo\n', '\nX\n'));
    git(one, 'commit', '-aqm', 'mine');
    await machines.sync(one);
    await one.finish();
    const other = await writeNote(two, { title: 'Other', body: 'other\n' });
    await machines.sync(two, one);
    await one.finish();
    appendFileSync(path, 'Y\n');
    git(one, 'commit', '-aqm', 'mine too');
    await machines.sync(one);
    await one.finish();
    appendFileSync(await fileOf(one, other.id), 'Z\n');
    git(one, 'commit', '-aq', '--amend', '--no-edit');
    await one.perform({ kind: 'tag', id: other.id, add: ['x'], remove: [] });
    expect(readFileSync(path, 'utf8')).toContain('\none\nX\nthree\nY\n');
    await machines.sync(one, two);
    for (const memory of [one, two]) {
      expect(await textOf(memory, id)).toBe('one\nX\nthree\nY\n');
      expect(await textOf(memory, other.id)).toBe('other\nZ\n');
    }
  });

  it('removes on every machine what the amendment removes', async () => {
    const { machines, one, two, id } = await twoWithNote();
    git(one, 'rm', '-q', (await fileOf(one, id)).slice(one.journals.portable.folder.length + 1));
    git(one, 'commit', '-aq', '--amend', '--no-edit', '--allow-empty');
    await machines.sync(one, two);
    for (const memory of [one, two]) expect((await memory.list({}, 10)).notes).toEqual([]);
  });

  it('publishes nothing when only its date changed', async () => {
    const { machines, one } = await twoWithNote();
    git(one, 'commit', '-q', '--amend', '--no-edit', '--date=2020-01-01T00:00:00Z');
    expect(await syncStore(one)).toMatchObject({ outcome: 'synced', pushed: 0 });
    await machines.sync(one);
  });
});

describe('a command’s commit that was amended before it was published', () => {
  const typedIntoOther = async () => {
    const { machines, one, two, id } = await twoWithNote();
    const other = await writeNote(one, { title: 'Other', body: 'other\n' });
    await machines.sync(one, two);
    await one.perform({ kind: 'edit', id, set: { body: 'one\ntwo\nthree\n' } });
    await one.finish();
    appendFileSync(await fileOf(one, other.id), 'X\n');
    git(one, 'commit', '-aq', '--amend', '--no-edit');
    return { machines, one, two, id, other };
  };

  it('stays the same event when it is appended again, and text typed into another note becomes a separate event', async () => {
    const { machines, one, two, id, other } = await typedIntoOther();
    await writeNote(two, { title: 'Meanwhile' });
    await machines.sync(two, one, two);
    for (const memory of [one, two]) {
      expect(await textOf(memory, id)).toBe('one\ntwo\nthree\n');
      expect(await textOf(memory, other.id)).toBe('other\nX\n');
      const kindsOf = async (note: string) => (await memory.events({ note }, 10)).map(({ kind }) => kind).toSorted();
      expect(await kindsOf(id)).toEqual(['note.edited', 'note.written']);
      expect(await kindsOf(other.id)).toEqual(['hand.adopted', 'note.written']);
      expect((await verifyStore(memory)).problems).toEqual([]);
    }
  });

  it('is not appended a second time when a person resets to it after the sync', async () => {
    const { machines, one, two, other } = await typedIntoOther();
    const amended = git(one, 'rev-parse', 'HEAD').trim();
    await writeNote(two, { title: 'Meanwhile' });
    await machines.sync(two, one, two);
    await one.finish();
    git(one, 'reset', '-q', '--hard', amended);
    await two.perform({ kind: 'edit', id: other.id, set: { body: 'other\nX\nY\n' } });
    await machines.sync(two, one, two);
    for (const memory of [one, two]) {
      expect(await textOf(memory, other.id)).toBe('other\nX\nY\n');
      const kinds = (await memory.events({ note: other.id }, 10)).map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['hand.adopted', 'note.edited', 'note.written']));
      expect((await memory.list({}, 10)).total).toBe(3);
    }
  });

  it('keeps its place when later commands changed both notes', async () => {
    const { machines, one, two, id, other } = await typedIntoOther();
    await one.perform({ kind: 'edit', id: other.id, set: { body: 'other\nX\nY\n' } });
    await one.perform({ kind: 'edit', id, set: { body: 'two\nthree\n' } });
    await two.perform({ kind: 'edit', id: other.id, set: { body: 'first\nother\n' } });
    await machines.sync(two, one, two);
    for (const memory of [one, two]) {
      expect(await textOf(memory, id)).toBe('two\nthree\n');
      expect(await textOf(memory, other.id)).toBe('first\nother\nX\nY\n');
      expect((await verifyStore(memory)).problems).toEqual([]);
    }
  });
});

it('a store restored to before its last sync does not append again the events that the sync published', async () => {
  const { machines, one, two, id } = await twoWithNote('one\n');
  await two.perform({ kind: 'edit', id, set: { body: 'one\nof two\n' } });
  await two.finish();
  const before = git(two, 'rev-parse', 'main').trim();
  await one.perform({ kind: 'edit', id, set: { title: 'Ports of one' } });
  await machines.sync(one, two);
  // As if two were restored from a backup taken before its sync.
  git(two, 'update-ref', 'refs/heads/main', before);
  git(two, 'update-ref', '-d', 'refs/anamnesis/remote');
  git(two, 'update-ref', '-d', 'refs/anamnesis/head');
  expect(await syncStore(two)).toMatchObject({ outcome: 'synced', pushed: 0, conflicted: 0 });
  expect(await textOf(two, id)).toBe('one\nof two\n');
});

describe('a person’s merge commit', () => {
  const onSideBranch = async (one: Memory, id: string): Promise<void> => {
    git(one, 'switch', '-qc', 'side');
    const path = await fileOf(one, id);
    appendFileSync(path, 'of the side\n');
    git(one, 'commit', '-aqm', 'on the side');
    git(one, 'switch', '-q', 'main');
  };

  it('leaves out what it dropped, even when it is appended again', async () => {
    const { machines, one, two, id } = await twoWithNote();
    await onSideBranch(one, id);
    git(one, 'merge', '-q', '-s', 'ours', '-m', 'not that', 'side');
    await writeNote(two, { title: 'Meanwhile' });
    await machines.sync(two, one, two);
    for (const memory of [one, two]) expect(await textOf(memory, id)).toBe('one\ntwo\n');
    expect(published(machines)).toContain('+of the side');
  });

  it('leaves out what it dropped when another machine changed the same note', async () => {
    const { machines, one, two, id } = await twoWithNote('one\ntwo\nthree\nfour\n');
    await onSideBranch(one, id);
    git(one, 'merge', '-q', '-s', 'ours', '-m', 'not that', 'side');
    await two.perform({ kind: 'edit', id, set: { body: 'ONE\ntwo\nthree\nfour\n' } });
    await machines.sync(two, one, two);
    for (const memory of [one, two]) expect(await textOf(memory, id)).toBe('ONE\ntwo\nthree\nfour\n');
  });

  it('records the clash with what it dropped, and leaves no copy of that text', async () => {
    const { machines, one, two, id } = await twoWithNote();
    await onSideBranch(one, id);
    git(one, 'merge', '-q', '-s', 'ours', '-m', 'not that', 'side');
    await two.perform({ kind: 'edit', id, set: { body: 'one\ntwo\nof two\n' } });
    await machines.sync(two, one, two);
    expect(published(machines)).toContain('conflict.recorded');
    for (const memory of [one, two]) {
      expect(await textOf(memory, id)).toBe('one\ntwo\nof two\n');
      expect(await verifyStore(memory)).toMatchObject({ notes: 1, problems: [] });
    }
  });

  it('leaves out what it dropped from the remote, even when the remote moved on', async () => {
    const { machines, one, two, id } = await twoWithNote('one\ntwo\nthree\nfour\n');
    await two.perform({ kind: 'edit', id, set: { body: 'one\ntwo\nthree\nfour\nNOT THIS\n' } });
    await machines.sync(two);
    appendFileSync(join(one.journals.portable.folder, 'README.md'), 'mine\n');
    git(one, 'add', 'README.md');
    git(one, 'commit', '-qm', 'mine');
    git(one, 'fetch', '-q', join(machines.folder, 'remote.git'), 'main');
    git(one, 'merge', '-q', '-s', 'ours', '-m', 'not that', 'FETCH_HEAD');
    await two.perform({ kind: 'edit', id, set: { body: 'ONE\ntwo\nthree\nfour\nNOT THIS\n' } });
    await machines.sync(two, one, two);
    for (const memory of [one, two]) expect(await textOf(memory, id)).toBe('ONE\ntwo\nthree\nfour\n');
  });
});

describe('a secret in a commit that the program did not make', () => {
  it.each<readonly [string, readonly string[]]>([
    ['an amended event', ['commit', '-aq', '--amend', '--no-edit']],
    ['a commit with the message of an event', ['commit', '-aq', '-C', 'HEAD']],
  ])('does not leave the machine in %s', async (_, commit) => {
    const { machines, one, two, id } = await twoWithNote();
    await writeNote(one, { title: 'Later' });
    await one.finish();
    appendFileSync(await fileOf(one, id), `it is ${token}\n`);
    git(one, ...commit);
    await machines.sync(one, two);
    expect(published(machines)).not.toContain(token);
    expect(await textOf(two, id)).toMatch(/it is \[REDACTED/);
    expect(await textOf(one, id)).toMatch(/it is \[REDACTED/);
  });

  it('does not leave the machine in a file name: nothing is published until it is gone', async () => {
    const { machines, one } = await twoWithNote();
    writeFileSync(join(one.journals.portable.folder, `${token}.txt`), 'a log\n');
    git(one, 'add', '-A');
    git(one, 'commit', '-qm', 'a log');
    const { trouble } = await syncStore(one);
    expect(trouble).toMatchObject({ code: 'secret-unmasked' });
    expect(trouble?.message).toContain('[REDACTED:github-token].txt');
    expect(published(machines)).not.toContain(token);
  });

  it('does not leave the machine in a message with trailers, in a file that is not a note, or under an unknown key', async () => {
    const { machines, one, id } = await twoWithNote();
    const path = await fileOf(one, id);
    writeFileSync(path, readFileSync(path, 'utf8').replace('\n---\n', `\nlogin: ${token}\n---\n`));
    writeFileSync(join(one.journals.portable.folder, 'README.md'), Buffer.from(`caf\xe9 ${token}\n`, 'latin1'));
    const message = git(one, 'log', '-1', '--format=%B')
      .trimEnd()
      .replace(/^Event: .*$/m, 'Event: 01J0000000000000000000000E');
    git(one, 'add', '-A');
    git(one, 'commit', '-qm', `${message}\nReason: ${token}`);
    await machines.sync(one);
    expect(published(machines)).not.toContain(token);
    expect(published(machines)).toContain("login: '[REDACTED");
    expect(published(machines)).toContain('Reason: [REDACTED');
  });

  const keyLines = Array.from({ length: 8 }, (_, i) =>
    createHash('sha512').update(`${i}`).digest('base64').slice(0, 64),
  );
  it.each([
    [
      'after a line that looks like a trailer',
      `keep the key\n\nFormat: PEM\n-----BEGIN ${'PRIVATE'} KEY-----\n${keyLines.join('\n')}\n-----END ${'PRIVATE'} KEY-----`,
    ],
    ['where the event’s subject is cut off', `${'a word '.repeat(9)}${token} is it`],
  ])('does not leave the machine in a message, %s', async (_, message) => {
    const { machines, one, id } = await twoWithNote();
    appendFileSync(await fileOf(one, id), 'more\n');
    git(one, 'commit', '-aqm', message);
    await machines.sync(one);
    for (const part of [...keyLines, token.slice(0, 20)]) expect(published(machines)).not.toContain(part);
    expect(published(machines)).toContain(message.slice(0, 12));
  });

  it.each(['sync:accept', 'sync:push'])(
    'does not leave the machine when the commit is made during the sync, at %s',
    async (moment) => {
      const machines = newMachines();
      let late: (() => void) | undefined;
      const one = await machines.open('one', {
        step: (name) => {
          if (name !== moment) return;
          late?.();
          late = undefined;
        },
      });
      const { id } = await writeNote(one, { title: 'Ports', body: 'one\n' });
      await one.finish();
      await machines.sync(one);
      await writeNote(one, { title: 'Later' });
      await one.finish();
      const path = await fileOf(one, id);
      late = () => {
        appendFileSync(path, `${token}\n`);
        git(one, 'commit', '-aqm', 'late');
      };
      await machines.sync(one);
      expect(late).toBeUndefined();
      expect(published(machines)).not.toContain(token);
      await machines.sync(one);
      expect(published(machines)).not.toContain(token);
      expect(published(machines)).toContain('[REDACTED');
    },
  );
});

describe('a note that arrives in a file that cannot be parsed', () => {
  it('is not called forgotten: commands and show name the file and what is wrong with it', async () => {
    const { machines, one, two, id } = await twoWithNote();
    const path = await fileOf(one, id);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^confidence: .*$/m, 'confidence: 1e309'));
    git(one, 'commit', '-aq', '-m', 'very sure');
    await machines.sync(one, two);
    const refusal = {
      code: 'file-blocked',
      message: expect.stringMatching(new RegExp(`^memory/semantic/.*${id}.md can't be used: line \\d+: confidence: `)),
      next: expect.stringContaining(`anamnesis restore ${id} --at POINT; then repeat the command`),
    };
    expect(await two.perform({ kind: 'tag', id, add: ['x'], remove: [] })).toMatchObject({
      status: 'refused',
      refusal,
    });
    expect(await two.show(id)).toMatchObject({ ok: false, refusal });
  });
});
