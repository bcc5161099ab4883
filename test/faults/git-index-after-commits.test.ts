import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Command } from '../../src/commands/handlers.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { openStore, personsGit, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

describe("git's own index after a person's commit", () => {
  let store: TestStore;
  let note: NoteJson;
  beforeEach(async () => {
    store = openStore();
    note = await writeNote(store.memory);
    await store.memory.finish();
  });
  afterEach(() => store.close());

  const git = (...args: string[]): string => personsGit(store.memory.journals.portable.folder, ...args);
  const editAndCommit = (): void => {
    const path = note.path ?? '';
    writeFileSync(path, `${readFileSync(path, 'utf8')}by hand\n`);
    git('add', '-A');
    git('commit', '-qm', 'mine');
  };

  it.each<readonly [string, (id: string) => Command]>([
    ['changes', (id) => ({ kind: 'edit', id, set: { confidence: 0.5 } })],
    ['removes', (id) => ({ kind: 'forget', id })],
  ])('matches the head again once a command %s the note', async (_, command) => {
    editAndCommit();
    expect((await store.memory.perform(command(note.id))).status).toBe('recorded');
    await store.memory.finish();
    expect(git('status', '--porcelain')).toBe('');
  });

  it('matches the head again when commands changed the note before and after that commit', async () => {
    await store.memory.perform({ kind: 'edit', id: note.id, set: { confidence: 0.5 } });
    editAndCommit();
    await store.memory.perform({ kind: 'edit', id: note.id, set: { confidence: 0.6 } });
    await store.memory.finish();
    expect(git('status', '--porcelain')).toBe('');
  });

  it('matches the head again when the note was written before that commit and forgotten after it', async () => {
    const { id, path = '' } = await writeNote(store.memory, { title: 'short-lived' });
    writeFileSync(path, `${readFileSync(path, 'utf8')}by hand\n`);
    git('add', '-A');
    git('commit', '-qm', 'mine');
    await store.memory.perform({ kind: 'forget', id });
    await store.memory.finish();
    expect(git('status', '--porcelain')).toBe('');
  });

  it('keeps what the person has staged but not committed', async () => {
    const path = note.path ?? '';
    writeFileSync(path, `${readFileSync(path, 'utf8')}staged\n`);
    git('add', '-A');
    const staged = git('ls-files', '--stage');
    writeFileSync(path, readFileSync(path, 'utf8').replace('staged\n', ''));
    await store.memory.perform({ kind: 'edit', id: note.id, set: { confidence: 0.5 } });
    await store.memory.finish();
    expect(git('ls-files', '--stage')).toBe(staged);
  });

  it('excludes the temporary files of a killed writer and keeps existing exclude patterns', async () => {
    const { id } = await writeNote(store.memory);
    const { folder, folders } = store.memory.journals.portable;
    writeFileSync(join(folders.gitDir, 'info', 'exclude'), '*.swp');
    await writeNote(store.memory);
    await store.memory.finish();
    writeFileSync(join(folder, 'semantic', id.slice(-2), '.anamnesis-4711.tmp'), 'half a note');
    git('add', '-A');
    expect(git('status', '--porcelain')).toBe('');
    expect(readFileSync(join(folders.gitDir, 'info', 'exclude'), 'utf8')).toContain('*.swp\n');
  });

  it('may lag behind the head: adopting brings the note and its file up to date', async () => {
    const { folder } = store.memory.journals.portable;
    const clone = temporaryFolder();
    onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
    personsGit(clone, 'clone', '-q', folder, '.');
    const path = (note.path ?? '').slice(folder.length + 1);
    writeFileSync(join(clone, path), `${readFileSync(join(clone, path), 'utf8')}Added elsewhere.\n`);
    personsGit(clone, 'commit', '-qam', 'mine');
    git('fetch', '-q', clone, 'main');
    git('update-ref', 'refs/heads/main', 'FETCH_HEAD');
    await store.memory.adopt('hold');
    const shown = await store.memory.show(note.id);
    expect(shown.ok && shown.answer.body).toContain('Added elsewhere.');
    expect(readFileSync(join(folder, path), 'utf8')).toContain('Added elsewhere.');
  });
});
