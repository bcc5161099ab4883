/** Composes the program: the one object that the command line and the MCP server call. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportCounts } from '../commands/command.js';
import type { Command } from '../commands/handlers.js';
import type { Refusal } from '../commands/refusals.js';
import type { Reconciled, ReconcileOptions } from '../commands/worktree/reconcile.js';
import type { Store } from '../commands/worktree/write-store.js';
import { refuseCommandId } from '../commands/write-path/command-id.js';
import type { Outcome } from '../commands/write-path/perform.js';
import type { Writer } from '../commands/write-path/writer.js';
import type { Settings } from '../config/settings.js';
import { isDenied } from '../events/environment-faults.js';
import type { Stamp } from '../events/event.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { runGit } from '../events/git/git-process.js';
import { gitTooOld, isTooOld, parseGitVersion } from '../events/git/git-version.js';
import { ulidGenerator } from '../events/ids.js';
import { maskText } from '../events/note/mask-text.js';
import { type JournalName, journalNames } from '../events/note/note.js';
import { noteFolders } from '../events/note/paths.js';
import { isStillCheckedOut } from '../events/worktree/working-tree.js';
import { makeFolder } from '../files/make-folder.js';
import { openLock, type WriteLock } from '../state/lock.js';
import { forgetLostLocal, noteLostLocal, readLostLocal, takeBackLocal } from '../state/lost-journal.js';
import { openState } from '../state/state.js';
import { openNoteLookup } from '../workers/note-lookup.js';
import type { NoteJson } from './note-json.js';
import { type OnHandEdit, openReading, type Reading } from './reading.js';

export type Asker = {
  /** The user that the event records; by default that of the settings. */
  readonly user?: string | undefined;
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly commandId?: string | undefined;
};

/** A command's answer on every surface. */
export type Answer =
  | {
      readonly status: 'recorded' | 'unchanged';
      readonly event: { readonly id: string; readonly kind: string; readonly at: string } | undefined;
      readonly note: NoteJson | undefined;
      readonly masked: readonly { readonly kind: string; readonly count: number }[];
      readonly warnings: readonly string[];
      readonly counts: ImportCounts | undefined;
    }
  | { readonly status: 'refused'; readonly refusal: Refusal };

export type Memory = Reading & {
  /** Creates the store if there is none. Returns true if it was created now. */
  initialise(): Promise<boolean>;
  /** Turns an existing folder of notes into a repository, as the first command would; never creates an empty store. */
  takeInFolders(): Promise<void>;
  perform(command: Command, asker?: Asker): Promise<Answer>;
  /** Returns the outcome without reading the note back: for many commands in a row. */
  submit(command: Command, asker?: Asker): Promise<Outcome>;
  adopt(deletions: ReconcileOptions['deletions']): Promise<Readonly<Record<JournalName, Reconciled>>>;
  /** Records that a person accepts the loss of a missing `local/`. Returns false when none is missing. */
  acceptLostLocal(): Promise<boolean>;
  /** The write path's parts, for verifying and inspecting. Creates the store if there is none. */
  store(): Promise<Store>;
  exclusively<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Waits for running writes, then closes the store. */
  finish(): Promise<void>;
};

export type MemoryOptions = {
  /** Reuses a reader that is already open; its hand edits are noted from then on. */
  readonly openReading?: ((onHandEdit: OnHandEdit) => Reading) | undefined;
  readonly nowMs?: (() => number) | undefined;
  readonly step?: ((name: string) => void) | undefined;
};

export const openMemory = (settings: Settings, options: MemoryOptions = {}): Memory => {
  const nowMs = options.nowMs ?? Date.now;
  let opened: Store | undefined;
  let opening: Promise<Store> | undefined;
  let writing: Promise<Writer> | undefined;
  let performing: Promise<Writer> | undefined;

  const noteHandEdit: OnHandEdit = (journal, path) => {
    // A reader only leaves a message for the next command; it never writes to the journal itself.
    try {
      const state = opened?.state ?? openState(join(settings.home, 'state.db'));
      state.touch(journal, path);
      if (opened === undefined) state.close();
    } catch (error) {
      // Reading works even if nothing can be written; the next full scan of the files finds the edit.
      if (!isDenied(error)) throw error;
    }
  };
  const reading = options.openReading?.(noteHandEdit) ?? openReading(settings, noteHandEdit);

  /** Masks lines, which may contain a path, a session or a model server's answer. */
  const log = (line: string): void => reading.log(maskText(line));

  const newId = ulidGenerator();

  const open = async (): Promise<Store> => {
    for (const folder of ['', 'index', 'spool', 'logs']) {
      makeFolder(join(settings.home, folder));
    }
    const store: Store = {
      journals: reading.journals,
      state: openState(join(settings.home, 'state.db')),
      lock: lockWithIndex(openLock(join(settings.home, 'lock.db')), reading.liveIndex),
      lookup: openNoteLookup(reading.liveIndex),
      isAsCheckedOut: (journal, row) => isStillCheckedOut(reading.journals[journal].folder, row),
      machine: settings.machine,
      nowMs,
      newId,
      log,
      step: options.step ?? (() => undefined),
    };
    if (journalNames.some((name) => !reading.journals[name].exists())) await createJournals(store, await write(store));
    await forgetIfBack(store);
    opened = store;
    return store;
  };
  /** Loaded when something needs the lock; a status doesn't. */
  const write = (store: Store): Promise<Writer> => {
    writing ??= import('../commands/write-path/writer.js').then(({ openWriter }) => openWriter(store));
    return writing;
  };
  /** Loads all commands before the lock is taken, because others wait for the lock. */
  const writeCommands = (store: Store): Promise<Writer> => {
    performing ??= Promise.all([write(store), import('../commands/write-path/perform.js')]).then(([writer]) => writer);
    return performing;
  };
  const ready = (): Promise<Store> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      writing = undefined;
      performing = undefined;
      throw error;
    });
    return opening;
  };

  const submit = async (command: Command, asker: Asker = {}): Promise<Outcome> => {
    const refusal = refuseCommandId(asker.commandId);
    if (refusal !== undefined) return { status: 'refused', refusal };
    const writer = await writeCommands(await ready());
    const atMs = nowMs();
    const eventId = newId(atMs);
    const stamp: Stamp = {
      eventId,
      commandId: asker.commandId ?? eventId,
      atMs,
      machine: settings.machine,
      user: asker.user ?? settings.user,
      agent: maskName(asker.agent),
      session: maskName(asker.session),
    };
    return writer.perform(command, stamp);
  };

  return {
    ...reading,
    log,
    async initialise() {
      const before = journalNames.every((name) => reading.journals[name].exists());
      await ready();
      return !before;
    },
    async takeInFolders() {
      const { journals } = reading;
      if (journalNames.some((name) => !journals[name].exists() && hasNoteFolder(journals[name].folder))) await ready();
    },
    submit,
    async perform(command, asker) {
      const outcome = await submit(command, asker);
      if (outcome.status === 'refused') return outcome;
      const { noteId, ...rest } = outcome;
      const shown = noteId === undefined ? undefined : await reading.show(noteId);
      return { ...rest, note: shown?.ok === true ? shown.answer : undefined };
    },
    async adopt(deletions) {
      const store = await ready();
      return (await write(store)).adopt(deletions);
    },
    acceptLostLocal: async () => forgetLostLocal((await ready()).state),
    store: ready,
    exclusively: async (run) => (await write(await ready())).exclusively(run),
    async finish() {
      await opening?.catch(() => undefined);
      await (await writing)?.close();
      opened?.state.close();
      opened?.lock.close();
      reading.close();
      opened = undefined;
      opening = undefined;
      writing = undefined;
      performing = undefined;
    },
  };
};

/** Clients and agents choose their own names, so these are masked. */
const maskName = (name: string | undefined): string | undefined => (name === undefined ? undefined : maskText(name));

/** Keeps `askNow` on the caught-up index until the lock's holder releases the lock. */
const lockWithIndex = (lock: WriteLock, liveIndex: Reading['liveIndex']): WriteLock => ({
  ...lock,
  release: () => {
    liveIndex.letGo();
    lock.release();
  },
});

const forgetIfBack = async ({ state, journals: { local } }: Store): Promise<void> => {
  const lost = readLostLocal(state);
  if (lost === undefined) return;
  const { runGit } = await import('../events/git/git-process.js');
  const isBack = await runGit(local.folders, ['cat-file', '-e', `${lost}^{commit}`]).then(
    () => true,
    () => false,
  );
  if (isBack) takeBackLocal(state);
};

/** Creates the missing journals; an existing folder of notes is adopted in one event. */
const createJournals = async (store: Store, writer: Writer): Promise<void> => {
  const { initRepository } = await import('../events/git/git-admin.js');
  await writer.exclusively(async () => {
    const missing = journalNames.filter((name) => !store.journals[name].exists());
    for (const name of missing) {
      const journal = store.journals[name];
      const holdsNotes = hasNoteFolder(journal.folder);
      if (name === 'local' && !holdsNotes) noteLostLocal(store.state);
      mkdirSync(journal.folder, { recursive: true, mode: 0o700 });
      if (name === missing[0]) await checkGit(journal);
      await initRepository(journal.folders, name);
      if (holdsNotes) {
        const { reconcile } = await import('../commands/worktree/reconcile.js');
        await reconcile(store, name, { look: 'all', deletions: 'hold' });
      }
    }
  });
};

/** Throws a clear fault when git is missing or too old. */
const checkGit = async ({ folders }: GitJournal): Promise<void> => {
  const version = parseGitVersion((await runGit(folders, ['version'])).toString('latin1'));
  if (version !== undefined && isTooOld(version)) throw gitTooOld(version);
};

const hasNoteFolder = (folder: string): boolean => {
  try {
    return readdirSync(folder).some((entry) => noteFolders.some((name) => name === entry));
  } catch {
    return false;
  }
};
