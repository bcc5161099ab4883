import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BackupDone, Manifest, type RestoreDone } from '../../../src/answers/backup-schema.js';
import { configKeys, configNames } from '../../../src/config/config-keys.js';
import { fetchBundle, listRefs } from '../../../src/events/git/git-bundle.js';
import { journalFolder, journalNames } from '../../../src/events/note/note.js';
import { backUp } from '../../../src/maintenance/backup/backing-up.js';
import { formatSums, type MemberName, sumOfFile, writeArchive } from '../../../src/maintenance/backup/backup-file.js';
import { restoreBackup } from '../../../src/maintenance/backup/restoring-backup.js';
import { replayStore } from '../../../src/maintenance/replaying.js';
import { verifyStore } from '../../../src/maintenance/verifying.js';
import type { Memory } from '../../../src/store/memory.js';
import {
  openStore,
  personsGit,
  type TestStore,
  temporaryFolder,
  writeCommand,
  writeNote,
} from '../../support/store.js';

const nowMs = Date.UTC(2026, 10, 20, 12);
const config = { machine_id: 'testbox', recall_notes: 3, provider_key: 'sk-very-secret-0123456789abcdef' };

let folder = '';
let source: TestStore;
/** A backup of it, which no test changes. */
let sound: BackupDone;
beforeAll(async () => {
  folder = temporaryFolder();
  source = openStore({ home: join(folder, 'source') });
  await fill(source.memory);
  writeFileSync(join(source.home, 'config.json'), JSON.stringify(config));
  sound = await done(source.memory, { file: join(folder, 'sound.tar') });
});
afterAll(async () => {
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Notes in both journals with several events, and a head that was set aside. */
const fill = async (memory: Memory): Promise<void> => {
  const older = await writeNote(memory, { title: 'Älter ↔ 古い', tags: ['a'] });
  await writeNote(memory, { title: 'Newer', supersedes: [older.id], body: 'x'.repeat(3000) });
  const local = await writeNote(memory, { title: 'Here only', scope: 'machine-local' });
  await memory.perform({ kind: 'edit', id: local.id, set: { body: 'Edited.\n' } });
  const gone = await writeNote(memory, { title: 'Forgotten' });
  personsGit(join(memory.settings.home, 'memory'), 'update-ref', 'refs/anamnesis/rescue/1', 'main');
  await memory.perform({ kind: 'forget', id: gone.id });
  personsGit(join(memory.settings.home, 'memory'), 'update-ref', 'refs/anamnesis/same', 'main');
  personsGit(join(memory.settings.home, 'memory'), 'tag', '-a', '-m', 'x', 'v1');
  personsGit(join(memory.settings.home, 'memory'), 'update-ref', 'refs/anamnesis/tag', 'v1');
  personsGit(join(memory.settings.home, 'local'), 'update-ref', 'refs/anamnesis/only/ünïcode+@', 'main~1');
};

const done = async (memory: Memory, asked: Parameters<typeof backUp>[1]): Promise<BackupDone> => {
  const answer = await backUp(memory, asked, nowMs);
  if (answer.status === 'refused') throw new Error(answer.refusal.message);
  return answer;
};
const restored = async (memory: Memory, file: string, withSettings?: true): Promise<RestoreDone> => {
  const answer = await restoreBackup(memory, { file, withSettings });
  if (answer.status === 'refused') throw new Error(answer.refusal.message);
  return answer;
};
const codeOf = (answer: { readonly status: string; readonly refusal?: { readonly code: string } }): string =>
  answer.refusal?.code ?? answer.status;

/** A store in a folder that is not there yet, closed and removed after use. */
const inStore = async <Answer>(use: (store: TestStore) => Promise<Answer>): Promise<Answer> => {
  const home = join(temporaryFolder(), 'store');
  const store = openStore({ home });
  try {
    return await use(store);
  } finally {
    await store.close();
    rmSync(join(home, '..'), { recursive: true, force: true });
  }
};

const digestsOf = async (memory: Memory) => {
  const { digest, localDigest, notes, events } = await replayStore(memory, { workers: 1 });
  return { digest, localDigest, notes, events };
};
const refsOf = (memory: Memory) => Promise.all(journalNames.map((name) => listRefs(memory.journals[name].folders)));

describe('a backup', () => {
  it('gives an empty store the same heads, notes, digests and settings', async () => {
    const { manifest, file } = sound;
    expect(sound).toMatchObject({ status: 'written', not_recorded: [] });
    expect(manifest).toMatchObject({ machine: 'testbox', created_at: '2026-11-20T12:00:00+00:00', notes: 3 });
    await inStore(async ({ home, memory }) => {
      const answer = await restored(memory, file);
      expect(answer).toMatchObject({ status: 'restored', home, compared: 'equal', config: 'restored', notes: 3 });
      expect(await refsOf(memory)).toEqual(await refsOf(source.memory));
      expect(await digestsOf(memory)).toEqual(await digestsOf(source.memory));
      expect(answer.digests).toEqual(manifest.digests);
      const { provider_key: _, ...others } = config;
      expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toEqual(others);
      expect(statSync(join(home, 'config.json')).mode & 0o077).toBe(0);
      expect((await verifyStore(memory)).problems).toEqual([]);
      expect(await memory.adopt('hold')).toMatchObject({ portable: { event: undefined }, local: { event: undefined } });
      expect((await memory.search('Newer', {})).hits[0]?.title).toBe('Newer');
      for (const name of journalNames) {
        expect(personsGit(join(home, journalFolder[name]), 'fsck', '--full')).not.toMatch(/missing|broken/);
        expect(existsSync(join(home, journalFolder[name], 'semantic'))).toBe(true);
      }
      await writeNote(memory, { title: 'And on' });
      expect(readdirSync(home).filter((name) => name.startsWith('restoring-'))).toEqual([]);
    });
  });
  it('is one file, readable by this user alone, that tar opens and sha256sum checks', async () => {
    const { file } = sound;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const listed = execFileSync('tar', ['-tf', file], { encoding: 'utf8' });
    expect(listed).toBe('manifest.json\nconfig.json\nmemory.bundle\nlocal.bundle\nSHA256SUMS\n');
    const out = temporaryFolder();
    execFileSync('tar', ['-xf', file, '-C', out]);
    expect(execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' })).toMatch(/local.bundle: OK/);
    expect(readFileSync(join(out, 'config.json'), 'utf8')).not.toContain('sk-very');
    personsGit(out, 'clone', '--quiet', join(out, 'memory.bundle'), 'clone', '--branch', 'main');
    expect(personsGit(join(out, 'clone'), 'rev-parse', 'HEAD').trim()).toBe(source.memory.journals.portable.head());
    rmSync(out, { recursive: true });
    expect(readdirSync(folder).filter((name) => name.includes('.partial-'))).toEqual([]);
  });
  it('leaves machine-local notes out when only portable ones are asked for', async () => {
    const file = join(folder, 'portable.tar');
    const { manifest } = await done(source.memory, { file, portableOnly: true });
    expect(manifest.refs.local).toEqual([]);
    expect(readFileSync(file).includes('local.bundle')).toBe(false);
    await inStore(async ({ memory }) => {
      expect(await restored(memory, file)).toMatchObject({ notes: 2 });
      expect(memory.journals.local.head()).toBeUndefined();
      expect((await digestsOf(memory)).digest).toBe((await digestsOf(source.memory)).digest);
    });
  });
  it('holds config.json byte for byte when secrets are asked for', async () => {
    const file = join(folder, 'secret.tar');
    expect((await done(source.memory, { file, withSecrets: true })).manifest.left_out).toEqual([]);
    await inStore(async ({ home, memory }) => {
      await restored(memory, file, true);
      expect(readFileSync(join(home, 'config.json'), 'utf8')).toBe(JSON.stringify(config));
    });
  });
  it('restores no setting that says where notes go or what is done unasked, unless settings are asked for', async () => {
    await inStore(async ({ home, memory }) => {
      await writeNote(memory);
      const guarded = {
        provider_url: 'https://pat:hunter22@evil.example/v1',
        provider_key: 'sk-very-secret-0123456789abcdef',
        ollama_url: 'http://evil.example',
        import_claude_md: true,
        approve_write: true,
        remote: 'ssh://evil.example/\u001b[31mm.git',
        of_another_version: ['x'.repeat(1000)],
      };
      const settings = { recall_notes: 3, ...guarded };
      writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
      const file = join(home, '..', 'b.tar');
      await done(memory, { file, withSecrets: true });
      await inStore(async (target) => {
        const read = (): unknown => JSON.parse(readFileSync(join(target.home, 'config.json'), 'utf8'));
        for (const config of ['restored', 'same']) {
          const answer = await restored(target.memory, file);
          expect(answer).toMatchObject({ config });
          expect(answer.not_taken.map(({ key }) => key)).toEqual(Object.keys(guarded));
          const shown = answer.not_taken.map(({ value }) => value).join('\n');
          expect(shown).not.toMatch(/hunter22|sk-very/);
          expect(shown).toMatch(/^[\x20-\x7e\n]{1,1000}$/);
          expect(shown).toContain('evil.example/v1');
          expect(read()).toEqual({ recall_notes: 3 });
        }
        expect(await restored(target.memory, file, true)).toMatchObject({ config: 'restored', not_taken: [] });
        expect(read()).toEqual(settings);
        expect(await restored(target.memory, file)).toMatchObject({ config: 'same', not_taken: [] });
      });
    });
  });
  it('lets only these settings come from a backup unasked', () => {
    const free = configNames.filter((name) => !('guarded' in configKeys[name]));
    expect(free).toEqual([
      'machine_id',
      'user_id',
      'search_model',
      'inject_notes',
      'recall',
      'recall_notes',
      'trace',
      'capture',
      'learn',
      'learn_judges',
      'learn_daily_calls',
      'provider_model',
      'claude_model',
      'ollama_models',
      'import_native',
      'sync',
      'sync_seconds',
    ]);
  });
  it('leaves out what looks like a secret under any key', async () => {
    await inStore(async ({ home, memory }) => {
      await memory.initialise();
      const settings = { remote: 'https://pat:hunter22@example.com/m.git', user_id: 'pat', __proto__x: 1 };
      writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
      const { manifest } = await done(memory, { file: join(home, '..', 'b.tar') });
      expect(manifest.left_out).toEqual(['remote']);
    });
  });
  it('fails on a config.json that is not an object, because it could not be restored', async () => {
    await inStore(async ({ home, memory }) => {
      await memory.initialise();
      for (const text of ['[1]', '"x"', '{', '']) {
        writeFileSync(join(home, 'config.json'), text);
        const backup = backUp(memory, { file: join(home, '..', 'b.tar') }, nowMs);
        await expect(backup).rejects.toMatchObject({ code: 'store-damaged' });
      }
    });
  });
  it('restores a store without events as a store without events', async () => {
    await inStore(async ({ home, memory }) => {
      await memory.initialise();
      const file = join(home, '..', 'empty.tar');
      expect(await done(memory, { file })).toMatchObject({ manifest: { notes: 0, events: 0 } });
      await inStore(async (target) => {
        expect(await restored(target.memory, file)).toMatchObject({ status: 'unchanged', config: 'none', notes: 0 });
      });
    });
  });
  it('replaces a file only when told to', async () => {
    const file = join(folder, 'there.tar');
    writeFileSync(file, 'mine');
    expect(codeOf(await backUp(source.memory, { file }, nowMs))).toBe('file-there');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await done(source.memory, { file, force: true });
    expect(statSync(file).size).toBeGreaterThan(2000);
    expect(codeOf(await backUp(source.memory, { file: join(folder, 'no', 'b.tar') }, nowMs))).toBe('folder-missing');
    symlinkSync('nowhere', join(folder, 'dangling'));
    expect(codeOf(await backUp(source.memory, { file: join(folder, 'dangling') }, nowMs))).toBe('file-there');
  });
  it.skipIf(!existsSync('/proc'))('says so when the folder is not writable', async () => {
    const file = '/proc/anamnesis.tar';
    await expect(backUp(source.memory, { file }, nowMs)).rejects.toMatchObject({ code: 'not-writable' });
  });
  it('removes what a backup killed before yesterday left, and nothing else', async () => {
    const at = join(folder, 'leftovers');
    const left = `.b.tar.partial-testbox-1-${'0'.repeat(12)}`;
    const others = ['.b.tar.partial-notes', `.b.tar.partial-testbox-1-${'1'.repeat(12)}`, '.c.tar.partial-x-1-0'];
    for (const name of [left, ...others]) mkdirSync(join(at, name), { recursive: true });
    for (const name of [left, '.b.tar.partial-notes']) utimesSync(join(at, name), 0, 0);
    await done(source.memory, { file: join(at, 'b.tar') });
    expect(readdirSync(at).sort()).toEqual([...others, 'b.tar'].sort());
  });
  it('is refused when there is no store, and makes none', async () => {
    await inStore(async ({ home, memory }) => {
      expect(codeOf(await backUp(memory, { file: join(home, '..', 'b.tar') }, nowMs))).toBe('store-missing');
      expect(existsSync(home)).toBe(false);
    });
  });
  it('names files whose text no event holds yet', async () => {
    await inStore(async ({ home, memory }) => {
      const { file } = await writeNoteWithFile(memory);
      appendFileSync(file, 'by hand\n');
      const { not_recorded } = await done(memory, { file: join(home, '..', 'b.tar') });
      expect(not_recorded).toEqual([file.slice(home.length + 1)]);
    });
  });
  describe('of a store whose machine-local notes are gone', () => {
    let home = '';
    let lost: Memory;
    const file = () => join(home, '..', 'b.tar');
    beforeEach(async () => {
      home = join(temporaryFolder(), 'store');
      const whole = openStore({ home });
      await fill(whole.memory);
      await done(whole.memory, { file: file() });
      await whole.close();
      rmSync(join(home, 'local'), { recursive: true });
      lost = openStore({ home }).memory;
      return async () => {
        await lost.finish();
        rmSync(join(home, '..'), { recursive: true, force: true });
      };
    });

    it('is refused with the next step, and the backup that has them stays', async () => {
      const before = readFileSync(file());
      for (const force of [true, false]) {
        const answer = await backUp(lost, { file: force ? file() : join(home, '..', 'c.tar'), force }, nowMs);
        expect(answer).toMatchObject({
          status: 'refused',
          refusal: { code: 'local-lost', next: expect.stringMatching(/put the old one back.*--portable-only/) },
        });
      }
      expect(readFileSync(file())).toEqual(before);
      expect(readdirSync(join(home, '..')).sort()).toEqual(['b.tar', 'store']);
    });

    it('holds the portable notes when only they are asked for', async () => {
      expect(await done(lost, { file: join(home, '..', 'c.tar'), portableOnly: true })).toMatchObject({
        status: 'written',
        manifest: { portable_only: true, refs: { local: [] } },
      });
    });
  });
  it('fails with the name of a damaged journal, and an older backup stays as it is', async () => {
    await inStore(async ({ home, memory }) => {
      await fill(memory);
      const file = join(home, '..', 'b.tar');
      writeFileSync(file, 'older');
      const packs = join(home, 'local', '.git', 'objects', 'pack');
      for (const name of readdirSync(packs).filter((one) => one.endsWith('.pack'))) {
        const bytes = readFileSync(join(packs, name));
        chmodSync(join(packs, name), 0o600);
        writeFileSync(join(packs, name), bytes.fill(0x5a, 20, bytes.length - 20));
      }
      await expect(backUp(memory, { file, force: true }, nowMs)).rejects.toMatchObject({
        code: 'journal-damaged',
        message: expect.stringMatching(/^the local journal at /),
      });
      expect(readFileSync(file, 'utf8')).toBe('older');
      expect(readdirSync(join(home, '..')).sort()).toEqual(['b.tar', 'store']);
    });
  });
  it('fails when a journal lost its branch, instead of holding nothing', async () => {
    await inStore(async ({ home, memory }) => {
      await writeNote(memory);
      rmSync(join(home, 'memory', '.git', 'refs', 'heads', 'main'));
      await expect(backUp(memory, { file: join(home, '..', 'b.tar') }, nowMs)).rejects.toMatchObject({
        code: 'journal-damaged',
      });
    });
  });
  it('holds one moment of each journal when others write meanwhile', async () => {
    await inStore(async ({ home, memory }) => {
      await writeNote(memory, { title: 'First' });
      const file = join(home, '..', 'b.tar');
      let writing = true;
      const writes = (async () => {
        for (let n = 0; writing; n += 1) await memory.perform(writeCommand({ title: `Note ${n}` }));
      })();
      const { manifest } = await done(memory, { file });
      writing = false;
      await writes;
      await inStore(async (target) => {
        expect(await restored(target.memory, file)).toMatchObject({ notes: manifest.notes, compared: 'equal' });
        const head = target.memory.journals.portable.head() ?? '';
        expect(await memory.journals.portable.contains(memory.journals.portable.head() ?? '', head)).toBe(true);
      });
    });
  });
});

const writeNoteWithFile = async (memory: Memory): Promise<{ readonly file: string }> => {
  await writeNote(memory, { title: 'To edit' });
  const root = memory.journals.portable.folder;
  const path = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.md'));
  return { file: join(root, path ?? '') };
};

describe('restoring', () => {
  it('refuses a store that holds notes, and leaves it as it is', async () => {
    const { file } = sound;
    await inStore(async ({ memory }) => {
      await writeNote(memory, { title: 'Mine' });
      const before = await refsOf(memory);
      expect(codeOf(await restoreBackup(memory, { file }))).toBe('store-not-empty');
      expect(await refsOf(memory)).toEqual(before);
    });
    await inStore(async ({ home, memory }) => {
      mkdirSync(join(home, 'memory', 'semantic'), { recursive: true });
      expect(codeOf(await restoreBackup(memory, { file }))).toBe('store-not-empty');
      expect(existsSync(join(home, 'memory', '.git'))).toBe(false);
    });
  });
  it('changes nothing the second time, and keeps settings that are there', async () => {
    const { file } = sound;
    await inStore(async ({ home, memory }) => {
      mkdirSync(home);
      writeFileSync(join(home, 'config.json'), '{"machine_id":"other"}');
      expect(await restored(memory, file)).toMatchObject({ status: 'restored', config: 'kept' });
      expect(await restored(memory, file)).toMatchObject({ status: 'unchanged', config: 'kept' });
      expect(readFileSync(join(home, 'config.json'), 'utf8')).toBe('{"machine_id":"other"}');
    });
  });
  it('resumes after one journal was restored and the other was not', async () => {
    const { file } = sound;
    const home = join(temporaryFolder(), 'store');
    const killed = openStore({
      home,
      step: (name) => {
        if (name === 'restored-portable') throw new Error('killed');
      },
    });
    await expect(restoreBackup(killed.memory, { file })).rejects.toThrow('killed');
    await killed.close();
    const store = openStore({ home });
    expect(store.memory.journals.local.head()).toBeUndefined();
    expect(await restored(store.memory, file)).toMatchObject({ status: 'restored', compared: 'equal', config: 'same' });
    expect(await digestsOf(store.memory)).toEqual(await digestsOf(source.memory));
    await store.close();
    rmSync(join(home, '..'), { recursive: true, force: true });
  });
  it.each([false, true])(
    'ignores what state.db remembers in a home that lost its journals (portable only: %s)',
    async (portableOnly) => {
      await inStore(async (lost) => {
        await fill(lost.memory);
        const file = join(lost.home, '..', 'b.tar');
        const { manifest } = await done(lost.memory, { file, portableOnly });
        await writeNote(lost.memory, { title: 'After the backup' });
        await writeNote(lost.memory, { title: 'After the backup here', scope: 'machine-local' });
        await lost.memory.finish();
        for (const name of journalNames) rmSync(join(lost.home, journalFolder[name]), { recursive: true });
        expect(await restored(lost.memory, file)).toMatchObject({ status: 'restored', compared: 'equal' });
        expect((await lost.memory.list({}, 10)).total).toBe(manifest.notes);
        expect(await lost.memory.adopt('hold')).toMatchObject({ portable: { heldDeletions: [], left: [] } });
        await writeNote(lost.memory, { title: 'And on' });
        await writeNote(lost.memory, { title: 'And on here', scope: 'machine-local' });
        expect((await verifyStore(lost.memory)).problems).toEqual([]);
        expect(await digestsOf(lost.memory)).toMatchObject({ notes: manifest.notes + 2 });
      });
    },
  );
  it('refuses a file that is not there, a folder, and anything that is not a backup', async () => {
    await inStore(async ({ home, memory }) => {
      const at = (name: string, bytes: Buffer | string): string => {
        const path = join(folder, name);
        writeFileSync(path, bytes);
        return path;
      };
      expect(codeOf(await restoreBackup(memory, { file: join(folder, 'nowhere') }))).toBe('file-missing');
      expect(codeOf(await restoreBackup(memory, { file: folder }))).toBe('file-missing');
      for (const bytes of ['', 'text', Buffer.alloc(1024), Buffer.alloc(100_000, 0xff), '{"__proto__":{"ok":true}}']) {
        expect(codeOf(await restoreBackup(memory, { file: at('garbage', bytes) }))).toBe('backup-damaged');
      }
      expect(existsSync(home)).toBe(false);
    });
  });
});

describe('a damaged or hostile backup', () => {
  let bytes: Buffer;
  let manifest: Manifest;
  const parts = new Map<string, Buffer>();
  beforeAll(() => {
    manifest = sound.manifest;
    bytes = readFileSync(sound.file);
    const out = temporaryFolder();
    execFileSync('tar', ['-xf', sound.file, '-C', out]);
    for (const name of readdirSync(out)) parts.set(name, readFileSync(join(out, name)));
    rmSync(out, { recursive: true });
  });
  const tryOut = async (changed: Buffer): Promise<string> => {
    const path = join(folder, 'changed.tar');
    writeFileSync(path, changed);
    return inStore(async ({ home, memory }) => {
      const answer = await restoreBackup(memory, { file: path });
      if (answer.status === 'refused') expect(existsSync(home)).toBe(false);
      return codeOf(answer);
    });
  };
  /** A backup whose sums are right: anyone who can write one can also hash it. */
  const forge = (changed: Partial<Manifest>, replaced: Readonly<Record<string, Buffer>> = {}): Buffer => {
    const at = temporaryFolder();
    const put = (name: MemberName, contents: Buffer | string) => {
      writeFileSync(join(at, name), contents);
      return { name, ...sumOfFile(join(at, name)) };
    };
    const members = manifest.members.map(({ name }) => put(name, replaced[name] ?? parts.get(name)!));
    const first = put('manifest.json', JSON.stringify({ ...manifest, members, ...changed }));
    put('SHA256SUMS', formatSums([first, ...members]));
    const names = members.map(({ name }) => name);
    writeArchive(join(at, 'forged'), at, ['manifest.json', ...names, 'SHA256SUMS'], 0);
    const forged = readFileSync(join(at, 'forged'));
    rmSync(at, { recursive: true });
    return forged;
  };
  const bundleOf = (...commands: readonly (readonly string[])[]): Buffer => {
    const at = temporaryFolder();
    personsGit(at, 'init', '--quiet', '-b', 'main');
    for (const command of commands) personsGit(at, ...command);
    const bundle = readFileSync(join(at, 'b'));
    rmSync(at, { recursive: true });
    return bundle;
  };
  const commit = ['commit', '--quiet', '--allow-empty', '-m', 'x'];

  it('is refused wherever one byte differs', async () => {
    const anywhere = fc.oneof(fc.nat({ max: 511 }), fc.nat({ max: bytes.length - 1 }));
    await fc.assert(
      fc.asyncProperty(anywhere, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ mask;
        expect(await tryOut(changed)).toMatch(/^backup-(?:damaged|newer)$/);
      }),
    );
  });
  it('is refused wherever it is cut off, and with bytes added at its end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), async (length) => {
        expect(await tryOut(bytes.subarray(0, length))).toBe('backup-damaged');
      }),
    );
    expect(await tryOut(Buffer.concat([bytes, Buffer.alloc(512)]))).toBe('backup-damaged');
  });
  it('is restored as long as nothing is changed', async () => {
    expect(await tryOut(bytes)).toBe('restored');
    expect(await tryOut(forge({}))).toBe('restored');
  });
  it('is refused as newer when its format is, whatever else it holds', async () => {
    const out = temporaryFolder();
    writeFileSync(join(out, 'manifest.json'), '{"format":2,"else":true}');
    writeArchive(join(out, 'newer'), out, ['manifest.json'], 0);
    const head = readFileSync(join(out, 'newer')).subarray(0, 1024);
    rmSync(out, { recursive: true });
    expect(await tryOut(Buffer.concat([head, Buffer.alloc(512, 0x41)]))).toBe('backup-newer');
  });
  it('is refused when tar made it, also with a path that leads out or with a link', async () => {
    const out = temporaryFolder();
    for (const [name, part] of parts) writeFileSync(join(out, name), part);
    writeFileSync(join(out, 'evil'), 'x');
    symlinkSync('/etc/passwd', join(out, 'link'));
    const tar = (...args: readonly string[]): Buffer => {
      execFileSync('tar', ['--format=ustar', '-cf', join(out, 'made.tar'), '-C', out, ...args], { stdio: 'pipe' });
      return readFileSync(join(out, 'made.tar'));
    };
    for (const args of [
      ['--transform=s,^evil,../../evil,', '-P', 'manifest.json', 'evil'],
      ['--transform=s,^evil,/tmp/evil,', '-P', 'evil'],
      ['--transform=s,^link,memory.bundle,', 'manifest.json', 'link'],
      [...parts.keys()],
    ]) {
      expect(await tryOut(tar(...args))).toBe('backup-damaged');
    }
    rmSync(out, { recursive: true });
  });
  it('is refused when it declares a huge size', async () => {
    const huge = Buffer.from(bytes.subarray(0, 512));
    huge.write('77777777777\0', 124, 'latin1');
    huge.write('        ', 148, 'latin1');
    const sum = huge.reduce((total, byte) => total + byte, 0);
    huge.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    expect(await tryOut(Buffer.concat([huge, bytes.subarray(512)]))).toBe('backup-damaged');
  });
  it('is refused when its bundle holds other refs than it lists, or refs that are not a journal’s', async () => {
    const other = bundleOf(commit, ['branch', 'evil'], ['bundle', 'create', '-q', 'b', 'main', 'evil']);
    expect(await tryOut(forge({}, { 'memory.bundle': other }))).toBe('backup-damaged');
    for (const name of ['refs/heads/evil', 'refs/tags/x', 'HEAD', 'refs/anamnesis/../heads/x', '__proto__', '-x']) {
      const refs = { ...manifest.refs, memory: [{ name, id: '0'.repeat(40) }] };
      expect(await tryOut(forge({ refs }, { 'memory.bundle': other }))).toBe('backup-damaged');
    }
  });
  it('is refused when a bundle leaves out history that it builds on', async () => {
    const thin = bundleOf(commit, ['branch', 'old'], commit, ['bundle', 'create', '-q', 'b', 'old..main']);
    const id = /([0-9a-f]{40}) refs\/heads\/main/.exec(thin.toString('latin1'))?.[1] ?? '';
    const refs = { ...manifest.refs, memory: [{ name: 'refs/heads/main', id }] };
    expect(id).not.toBe('');
    expect(await tryOut(forge({ refs }, { 'memory.bundle': thin }))).toBe('backup-damaged');
  });
  it('is refused when its notes do not match its digests', async () => {
    const digests = { ...manifest.digests, sharedDigest: '0'.repeat(64) };
    expect(await tryOut(forge({ digests }))).toBe('backup-damaged');
    expect(await tryOut(forge({ notes: 99 }))).toBe('backup-damaged');
    expect(await tryOut(forge({ digests, index_version: 9999 }))).toBe('restored');
  });
  it('is refused with any other manifest', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => !Manifest.safeParse(value).success));
    for (const format of [0, -1, 1.5, '1', null, 1e300])
      expect(Manifest.safeParse({ ...manifest, format }).success).toBe(false);
    expect(Manifest.parse(JSON.parse(JSON.stringify(manifest)))).toEqual(manifest);
  });
  it('sets no ref when its pack is damaged', async () => {
    const at = openStore();
    await at.memory.initialise();
    const broken = join(at.home, 'broken');
    const bundle = Buffer.from(parts.get('memory.bundle')!);
    bundle[bundle.length - 40] = (bundle[bundle.length - 40] ?? 0) ^ 0xff;
    writeFileSync(broken, bundle);
    await expect(fetchBundle(at.memory.journals.portable.folders, broken)).rejects.toThrow();
    expect(await listRefs(at.memory.journals.portable.folders)).toEqual([]);
    await at.close();
  });
});
