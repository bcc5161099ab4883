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
import type { GitJournal } from '../events/git/git-journal.js';
import { runGit } from '../events/git/git-process.js';
import { gitTooOld, isTooOld, parseGitVersion } from '../events/git/git-version.js';
import { ulidGenerator } from '../events/ids.js';
import { maskText } from '../events/note/mask-text.js';
import { type JournalName, journalNames } from '../events/note/note.js';
import { noteFolders } from '../events/note/paths.js';
import { isStillCheckedOut } from '../events/worktree/working-tree.js';
import { makeFolder } from '../files/folders.js';
import { openLock, type WriteLock } from '../state/lock.js';
import { forgetLostLocal, noteLostLocal, readLostLocal, takeBackLocal } from '../state/lost-journal.js';
import { openState } from '../state/state.js';
import type { NoteJson } from './note-json.js';
import { openNoteLookup } from './note-lookup.js';
import { Reading } from './reading.js';

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

export const unchanged: Exclude<Answer, { readonly status: 'refused' }> = {
  status: 'unchanged',
  event: undefined,
  note: undefined,
  masked: [],
  warnings: [],
  counts: undefined,
};

export type MemoryOptions = {
  readonly nowMs?: (() => number) | undefined;
  readonly step?: ((name: string) => void) | undefined;
};

export class Memory extends Reading {
  private readonly writing: Writing;

  /** Shares what `from` has open, and closes it. */
  constructor(settings: Settings, options: MemoryOptions = {}, from?: Reading) {
    super(settings, from?.parts);
    this.writing = from instanceof Memory ? from.writing : new Writing(this, options);
  }

  /** The same store; everything is recorded under this user's name. */
  inNameOf(user: string | undefined): Memory {
    return user === undefined ? this : new Memory({ ...this.settings, user }, {}, this);
  }

  /** Masks lines, which may contain a path, a session or a model server's answer. */
  override readonly log = (line: string): void => this.parts.log(maskText(line));

  /** Creates the store if there is none. Returns true if it was created now. */
  async initialise(): Promise<boolean> {
    const isWhole = journalNames.every((name) => this.journals[name].exists());
    await this.store();
    return !isWhole;
  }

  /** Turns an existing folder of notes into a repository, as the first command would; never creates an empty store. */
  async takeInFolders(): Promise<void> {
    const { journals } = this;
    if (journalNames.some((name) => !journals[name].exists() && hasNoteFolder(journals[name].folder)))
      await this.store();
  }

  /** Returns the outcome without reading the note back: for many commands in a row. */
  submit(command: Command, asker: Asker = {}): Promise<Outcome> {
    return this.writing.submit(command, { ...asker, user: asker.user ?? this.settings.user });
  }

  async perform(command: Command, asker?: Asker): Promise<Answer> {
    const outcome = await this.submit(command, asker);
    if (outcome.status === 'refused') return outcome;
    const { noteId, ...rest } = outcome;
    const shown = noteId === undefined ? undefined : await this.show(noteId);
    return { ...rest, note: shown?.ok === true ? shown.answer : undefined };
  }

  async adopt(deletions: ReconcileOptions['deletions']): Promise<Readonly<Record<JournalName, ReconcileResult>>> {
    return (await this.writing.writer()).adopt(deletions);
  }

  /** Records that a person accepts the loss of a missing `local/`. Returns false when none is missing. */
  async acceptLostLocal(): Promise<boolean> {
    return forgetLostLocal((await this.store()).state);
  }

  /** The write path's parts, for verifying and inspecting. Creates the store if there is none. */
  store(): Promise<Store> {
    return this.writing.ready();
  }

  readonly exclusively = async <Result>(run: () => Promise<Result>): Promise<Result> =>
    (await this.writing.writer()).exclusively(run);

  /** Waits for running writes, then closes the store. */
  async finish(): Promise<void> {
    await this.writing.finish();
    this.close();
  }
}

/** Opens the write path for the first command that needs it, and keeps it for the next. */
class Writing {
  private readonly newId = ulidGenerator();
  private readonly nowMs: () => number;
  private readonly step: (name: string) => void;
  private opened: Store | undefined;
  private opening: Promise<Store> | undefined;
  private writing: Promise<Writer> | undefined;

  constructor(
    private readonly memory: Memory,
    { nowMs = Date.now, step = () => undefined }: MemoryOptions,
  ) {
    this.nowMs = nowMs;
    this.step = step;
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

  async submit(
    command: Command,
    { user, agent, session, commandId }: Asker & { readonly user: string },
  ): Promise<Outcome> {
    const refusal = refuseCommandId(commandId);
    if (refusal !== undefined) return { status: 'refused', refusal };
    // All commands are loaded before the lock is taken, because others wait for the lock.
    const [writer] = await Promise.all([this.writer(), import('../commands/write-path/perform.js')]);
    const atMs = this.nowMs();
    const eventId = this.newId(atMs);
    return writer.perform(command, {
      eventId,
      commandId: commandId ?? eventId,
      atMs,
      machine: this.memory.settings.machine,
      user,
      agent: maskName(agent),
      session: maskName(session),
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

  private async open(): Promise<Store> {
    const { journals, liveIndex, settings, log } = this.memory;
    const { nowMs, step, newId } = this;
    const { home, machine } = settings;
    for (const folder of ['', 'index', 'spool', 'logs']) makeFolder(join(home, folder));
    const store: Store = {
      journals,
      state: openState(join(home, 'state.db')),
      lock: lockWithIndex(openLock(join(home, 'lock.db')), liveIndex),
      lookup: openNoteLookup(liveIndex),
      isAsCheckedOut: (journal, row) => isStillCheckedOut(journals[journal].folder, row),
      machine,
      nowMs,
      newId,
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
