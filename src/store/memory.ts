/** A store that is read and written: what commands, sync, purge and maintenance work on. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportCounts } from '../commands/command.js';
import type { Command } from '../commands/handlers.js';
import type { Refusal } from '../commands/refusals.js';
import type { ReconcileOptions, ReconcileResult } from '../commands/worktree/reconcile.js';
import type { Store } from '../commands/worktree/write-store.js';
import { refuseCommandId } from '../commands/write-path/command-id.js';
import type { Outcome } from '../commands/write-path/perform.js';
import type { Writer } from '../commands/write-path/writer.js';
import type { Settings } from '../config/settings.js';
import { isDenied } from '../events/environment-faults.js';
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

/** The answer of a command that had nothing to do. */
export const unchanged: Exclude<Answer, { readonly status: 'refused' }> = {
  status: 'unchanged',
  event: undefined,
  note: undefined,
  masked: [],
  warnings: [],
  counts: undefined,
};

export type MemoryOptions = {
  /** Reuses a reader that is already open; its hand edits are noted from then on. */
  readonly openReading?: ((onHandEdit: OnHandEdit) => Reading) | undefined;
  readonly nowMs?: (() => number) | undefined;
  readonly step?: ((name: string) => void) | undefined;
};

export type Memory = ReturnType<typeof openMemory>;

export const openMemory = (settings: Settings, { openReading: open, nowMs = Date.now, step }: MemoryOptions = {}) => {
  const noteHandEdit: OnHandEdit = (journal, path) => writing.noteHandEdit(journal, path);
  const reading = open?.(noteHandEdit) ?? openReading(settings, noteHandEdit);
  /** Masks lines, which may contain a path, a session or a model server's answer. */
  const log = (line: string): void => reading.log(maskText(line));
  const writing = new OpenedStore(reading, { settings, log, nowMs, step: step ?? (() => undefined) });
  const submit = (command: Command, asker?: Asker): Promise<Outcome> => writing.submit(command, asker);
  return {
    ...reading,
    log,
    /** Creates the store if there is none. Returns true if it was created now. */
    initialise: async (): Promise<boolean> => {
      const isWhole = journalNames.every((name) => reading.journals[name].exists());
      await writing.ready();
      return !isWhole;
    },
    /** Turns an existing folder of notes into a repository, as the first command would; never creates an empty store. */
    takeInFolders: async (): Promise<void> => {
      const { journals } = reading;
      if (journalNames.some((name) => !journals[name].exists() && hasNoteFolder(journals[name].folder)))
        await writing.ready();
    },
    /** Returns the outcome without reading the note back: for many commands in a row. */
    submit,
    perform: async (command: Command, asker?: Asker): Promise<Answer> => {
      const outcome = await submit(command, asker);
      if (outcome.status === 'refused') return outcome;
      const { noteId, ...rest } = outcome;
      const shown = noteId === undefined ? undefined : await reading.show(noteId);
      return { ...rest, note: shown?.ok === true ? shown.answer : undefined };
    },
    adopt: async (deletions: ReconcileOptions['deletions']): Promise<Readonly<Record<JournalName, ReconcileResult>>> =>
      (await writing.writer()).adopt(deletions),
    /** Records that a person accepts the loss of a missing `local/`. Returns false when none is missing. */
    acceptLostLocal: async (): Promise<boolean> => forgetLostLocal((await writing.ready()).state),
    /** The write path's parts, for verifying and inspecting. Creates the store if there is none. */
    store: (): Promise<Store> => writing.ready(),
    exclusively: async <Result>(run: () => Promise<Result>): Promise<Result> =>
      (await writing.writer()).exclusively(run),
    /** Waits for running writes, then closes the store. */
    finish: async (): Promise<void> => {
      await writing.finish();
      reading.close();
    },
  };
};

type Surroundings = {
  readonly settings: Settings;
  readonly log: (line: string) => void;
  readonly nowMs: () => number;
  readonly step: (name: string) => void;
};

/** Opens the write path for the first command that needs it, and keeps it for the next. */
class OpenedStore {
  private readonly newId = ulidGenerator();
  private opened: Store | undefined;
  private opening: Promise<Store> | undefined;
  private writing: Promise<Writer> | undefined;

  constructor(
    private readonly reading: Reading,
    private readonly around: Surroundings,
  ) {}

  /** A reader only leaves a message for the next command; it never writes to the journal itself. */
  noteHandEdit(journal: JournalName, path: string): void {
    try {
      const state = this.opened?.state ?? openState(this.file('state.db'));
      state.touch(journal, path);
      if (this.opened === undefined) state.close();
    } catch (error) {
      // Reading works even if nothing can be written; the next full scan of the files finds the edit.
      if (!isDenied(error)) throw error;
    }
  }

  ready(): Promise<Store> {
    this.opening ??= this.open().catch((error: unknown) => {
      this.forget();
      throw error;
    });
    return this.opening;
  }

  /** Loaded when something needs the lock; a status doesn't. */
  async writer(store?: Store): Promise<Writer> {
    const opened = store ?? (await this.ready());
    this.writing ??= import('../commands/write-path/writer.js').then(({ Writer }) => new Writer(opened));
    return this.writing;
  }

  async submit(command: Command, asker: Asker = {}): Promise<Outcome> {
    const refusal = refuseCommandId(asker.commandId);
    if (refusal !== undefined) return { status: 'refused', refusal };
    // All commands are loaded before the lock is taken, because others wait for the lock.
    const [writer] = await Promise.all([this.writer(), import('../commands/write-path/perform.js')]);
    const { settings, nowMs } = this.around;
    const atMs = nowMs();
    const eventId = this.newId(atMs);
    return writer.perform(command, {
      eventId,
      commandId: asker.commandId ?? eventId,
      atMs,
      machine: settings.machine,
      user: asker.user ?? settings.user,
      agent: maskName(asker.agent),
      session: maskName(asker.session),
    });
  }

  async finish(): Promise<void> {
    await this.opening?.catch(() => undefined);
    await (await this.writing)?.close();
    this.opened?.state.close();
    this.opened?.lock.close();
    this.forget();
  }

  private forget(): void {
    this.opened = undefined;
    this.opening = undefined;
    this.writing = undefined;
  }

  private file(name: string): string {
    return join(this.around.settings.home, name);
  }

  private async open(): Promise<Store> {
    const { journals, liveIndex } = this.reading;
    const { settings, log, nowMs, step } = this.around;
    for (const folder of ['', 'index', 'spool', 'logs']) makeFolder(this.file(folder));
    const store: Store = {
      journals,
      state: openState(this.file('state.db')),
      lock: lockWithIndex(openLock(this.file('lock.db')), liveIndex),
      lookup: openNoteLookup(liveIndex),
      isAsCheckedOut: (journal, row) => isStillCheckedOut(journals[journal].folder, row),
      machine: settings.machine,
      nowMs,
      newId: this.newId,
      log,
      step,
    };
    if (journalNames.some((name) => !journals[name].exists())) await createJournals(store, await this.writer(store));
    await forgetIfBack(store);
    this.opened = store;
    return store;
  }
}

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
