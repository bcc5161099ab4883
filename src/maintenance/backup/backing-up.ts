/** `backup`: writes both journals and the settings to one file, which gets its name once it is proved to restore. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type BackupDone, backupFormat, type Manifest } from '../../answers/backup-schema.js';
import type { Refusal } from '../../commands/refusals.js';
import { inspectTree } from '../../commands/worktree/inspect-tree.js';
import type { Store } from '../../commands/worktree/write-store.js';
import { configKeys, isConfigName } from '../../config/config-keys.js';
import { readConfigFile } from '../../config/settings.js';
import { Fault } from '../../events/faults.js';
import { createBundle, type Ref } from '../../events/git/git-bundle.js';
import { syncFolder } from '../../events/git/git-files.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { branch, GitError } from '../../events/git/git-process.js';
import { type JournalName, journalFolder, journalNames } from '../../events/note/note.js';
import { redact } from '../../events/note/redact.js';
import { formatTime, parseTime } from '../../events/time.js';
import { makeWorkFolder } from '../../files/folders.js';
import { statGiven } from '../../files/given-file.js';
import { digestVersion } from '../../projections/digest.js';
import { lostLocal, readLostLocal } from '../../state/lost-journal.js';
import type { Memory } from '../../store/memory.js';
import { bundleName, formatSums, type MemberName, sumOfFile, writeArchive } from './backup-file.js';
import { type Bundles, firstLine, noRoom, tryBundles } from './backup-trial.js';
import { parseSettings } from './restoring-settings.js';

export type BackupAsked = {
  readonly file: string;
  readonly force?: boolean | undefined;
  readonly portableOnly?: boolean | undefined;
  readonly withSecrets?: boolean | undefined;
};

export type BackupAnswer = BackupDone | { readonly status: 'refused'; readonly refusal: Refusal };

/** Takes no lock. Throws Faults 'journal-damaged' (naming it), 'store-damaged'; the file is absent or as before. */
export const backUp = async (memory: Memory, asked: BackupAsked, nowMs: number): Promise<BackupAnswer> => {
  const file = resolve(asked.file);
  const refusal = refuseTarget(file, asked.force === true) ?? refuseStore(memory);
  if (refusal !== undefined) return { status: 'refused', refusal };
  const store = await memory.store();
  // It would count as complete, and replace the backup that has the lost notes.
  if (asked.portableOnly !== true && readLostLocal(store.state) !== undefined)
    return { status: 'refused', refusal: localLost };
  const config = readConfig(memory.settings.home, asked.withSecrets === true);
  const folder = writing(file, () =>
    makeWorkFolder(dirname(file), `.${basename(file)}.partial-`, memory.settings.machine),
  );
  try {
    const bundles = await bundleBoth(memory, store, folder, asked.portableOnly === true);
    const trial = await tryBundles(join(folder, 'trial'), bundles, memory.log);
    if (!trial.ok) throw damaged(memory.journals[trial.journal], trial.problem);
    const { notes, events, digests } = trial;
    const described = {
      format: backupFormat,
      created_at: formatTime(nowMs),
      machine: memory.settings.machine,
      portable_only: asked.portableOnly === true,
      left_out: config?.leftOut ?? [],
      refs: { memory: bundles.portable.refs, local: bundles.local.refs },
      notes,
      events,
      index_version: digestVersion,
      digests,
    } as const;
    const manifest = writing(file, () => {
      if (config !== undefined) writeFileSync(join(folder, 'config.json'), config.bytes);
      const made = writeMembers(folder, described, [
        ...(config === undefined ? [] : (['config.json'] as const)),
        ...journalNames.filter((name) => bundles[name].refs.length > 0).map(bundleName),
      ]);
      renameSync(join(folder, 'whole'), file);
      syncFolder(dirname(file));
      return made;
    });
    return {
      status: 'written',
      file,
      bytes: statSync(file).size,
      manifest,
      not_recorded: await listUnrecorded(store),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Writes the archive `whole` of these files of the folder, with their manifest and their hashes. */
const writeMembers = (folder: string, described: Omit<Manifest, 'members'>, names: readonly MemberName[]): Manifest => {
  const sumOf = (name: MemberName) => ({ name, ...sumOfFile(join(folder, name)) });
  const manifest: Manifest = { ...described, members: names.map(sumOf) };
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), formatSums([sumOf('manifest.json'), ...manifest.members]));
  const all: readonly MemberName[] = ['manifest.json', ...names, 'SHA256SUMS'];
  writeArchive(join(folder, 'whole'), folder, all, Math.floor((parseTime(manifest.created_at) ?? 0) / 1000));
  return manifest;
};

/** Files whose text is in no event: those to adopt, and those that adopting leaves alone. */
const listUnrecorded = async (store: Store): Promise<readonly string[]> => {
  const paths: string[] = [];
  for (const name of journalNames) {
    const { edited, deleted, left } = await inspectTree(store, name);
    const all = [...edited, ...deleted, ...left.map(({ path }) => path)];
    paths.push(...all.map((path) => `${journalFolder[name]}/${path}`));
  }
  return paths;
};

const bundleBoth = async (
  { journals }: Memory,
  { state }: Store,
  folder: string,
  portableOnly: boolean,
): Promise<Bundles> => {
  const bundleOf = async (name: JournalName): Promise<Bundles[JournalName]> => {
    const file = join(folder, bundleName(name));
    if (name === 'local' && portableOnly) return { file, refs: [] };
    const refs = await bundleJournal(journals[name], file);
    const hasMain = refs.some((ref) => ref.name === branch);
    if (!hasMain && state.checkout(name) !== undefined) throw damaged(journals[name], 'its branch main is gone');
    return { file, refs };
  };
  return { portable: await bundleOf('portable'), local: await bundleOf('local') };
};

/** Other processes may repack while git reads: it finds the new packs when run again. */
const attempts = 3;

const bundleJournal = async (journal: GitJournal, file: string): Promise<readonly Ref[]> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await createBundle(journal.folders, file);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      rmSync(file, { force: true });
      if (attempt < attempts) continue;
      const said = firstLine(error.stderr);
      throw noRoom.test(error.stderr) ? notWritten(file, said, error) : damaged(journal, said, error);
    }
  }
};

/** A file that can't be written is not a bug, but a full disk or another user's folder. */
const writing = <Answer>(file: string, write: () => Answer): Answer => {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw notWritten(file, error.message, error);
  }
};

const notWritten = (file: string, detail: string, cause: unknown): Fault =>
  new Fault('not-writable', `${file} could not be written: ${detail}`, 'make room there, or name another place', {
    cause,
  });

const damaged = (journal: GitJournal, detail: string, cause?: unknown): Fault =>
  new Fault(
    'journal-damaged',
    `the ${journal.name} journal at ${journal.folder} is damaged, so no backup was written: ${detail}`,
    'anamnesis verify says more; keep the backups that you have',
    { cause },
  );

type ConfigCopy = { readonly bytes: Buffer; readonly leftOut: readonly string[] };

/** Returns undefined without a config.json. Secrets are keys meant for one, and values that look like one. */
const readConfig = (home: string, withSecrets: boolean): ConfigCopy | undefined => {
  const path = join(home, 'config.json');
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const bytes = readFileSync(path);
  const values = Object.entries(readConfigFile(home));
  if (parseSettings(bytes) === undefined) {
    throw new Fault('store-damaged', `${path} is not a JSON object`, 'fix or remove that file');
  }
  const leftOut = withSecrets ? [] : values.filter(([key, value]) => isSecret(key, value)).map(([key]) => key);
  if (leftOut.length === 0) return { bytes, leftOut };
  const kept = Object.fromEntries(values.filter(([key]) => !leftOut.includes(key)));
  return { bytes: Buffer.from(`${JSON.stringify(kept, null, 2)}\n`), leftOut };
};

const isSecret = (key: string, value: unknown): boolean => {
  if (isConfigName(key) && configKeys[key].kind === 'secret') return true;
  const text = JSON.stringify({ [key]: value });
  return redact(text).masked.length > 0 || /:\/\/[^/\s"@]*:[^/\s"@]+@/.test(text);
};

const refuseTarget = (file: string, force: boolean): Refusal | undefined => {
  const parent = statGiven(dirname(file));
  if (parent?.isDirectory() !== true) {
    return { code: 'folder-missing', message: `there is no folder ${dirname(file)}`, next: 'make it, or name another' };
  }
  return force || statGiven(file, { followsLink: false }) === undefined ? undefined : fileThere(file);
};

const fileThere = (file: string): Refusal => ({
  code: 'file-there',
  message: `${file} already exists`,
  next: 'name another file, or add --force to replace it',
});

const refuseStore = ({ settings, journals }: Memory): Refusal | undefined =>
  journalNames.some((name) => journals[name].exists())
    ? undefined
    : {
        code: 'store-missing',
        message: `there is no store at ${settings.home}`,
        next: 'set ANAMNESIS_HOME to the intended store',
      };

const localLost: Refusal = {
  code: 'local-lost',
  message: `${lostLocal.message}, so no backup was written`,
  next: `${lostLocal.next}; until then --portable-only backs up the other notes, to a separate file`,
};
