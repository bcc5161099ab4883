/** `backup`: writes both journals and the settings to one file, which gets its name once it is proved to restore. */
import { closeSync, linkSync, lstatSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Refusal } from '../../commands/refusals.js';
import type { Store } from '../../commands/worktree/write-store.js';
import { configKeys, isConfigName } from '../../config/config-keys.js';
import { readConfigFile } from '../../config/settings.js';
import { Fault } from '../../events/faults.js';
import { checkObjects } from '../../events/git/git-admin.js';
import { createBundle, type Ref } from '../../events/git/git-bundle.js';
import { syncFolder } from '../../events/git/git-files.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { GitError } from '../../events/git/git-process.js';
import { branch } from '../../events/git/journal-ref.js';
import { type JournalName, journalNames } from '../../events/note/note.js';
import { redact } from '../../events/note/redact.js';
import { formatTime } from '../../events/time.js';
import { statGiven } from '../../files/given-file.js';
import { makeWorkFolder } from '../../files/work-folder.js';
import { digestVersion } from '../../projections/digest.js';
import { faultOf } from '../../state/environment-probe.js';
import { lostLocal, readLostLocal } from '../../state/lost-journal.js';
import type { Memory } from '../../store/memory.js';
import { checkContents, type NewMember, writeArchive } from './backup-file.js';
import { backupFormat, bundleName, formatManifest, formatSums, type Manifest } from './backup-manifest.js';
import { type Bundles, firstLine, tryBundles } from './backup-trial.js';
import { openBackup } from './restoring-backup.js';
import { parseSettings } from './restoring-settings.js';
import { listUnrecorded, type UnrecordedFiles } from './unrecorded.js';

export type BackupAsked = {
  readonly file: string;
  readonly force?: boolean | undefined;
  readonly portableOnly?: boolean | undefined;
  readonly withSecrets?: boolean | undefined;
};

/** Includes the files changed by hand that are not in the backup. */
export type BackupDone = UnrecordedFiles & {
  readonly status: 'written';
  readonly file: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  readonly config: 'whole' | 'without-secrets' | 'none';
};

export type BackupAnswer = BackupDone | { readonly status: 'refused'; readonly refusal: Refusal };

/**
 * Acquires no lock: what others write meanwhile is in the next backup. Throws Fault 'journal-damaged' (naming the
 * journal) and 'store-damaged'; the file is then absent or unchanged.
 */
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
    const sha256 = journalNames.find((name) => bundles[name].refs.some(({ id }) => id.length !== 40));
    if (sha256 !== undefined) return { status: 'refused', refusal: refuseHash(memory.journals[sha256]) };
    const trial = await tryBundles(join(folder, 'trial'), bundles, memory.log);
    if (!trial.ok) throw damaged(memory.journals[trial.journal], trial.problem);
    const { notes, events, digests } = trial;
    const members: readonly NewMember[] = [
      ...(config === undefined ? [] : [{ name: 'config.json', contents: { bytes: config.bytes } } as const]),
      ...journalNames
        .filter((name) => bundles[name].refs.length > 0)
        .map((name) => ({ name: bundleName(name), contents: { file: bundles[name].file } }) as const),
    ];
    const manifest: Manifest = {
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
      members: members.map(({ name, contents }) => ({ name, ...checkContents(contents) })),
    };
    const whole = join(folder, 'whole');
    writing(file, () => writeChecked(whole, manifest, members, Math.floor(nowMs / 1000)));
    const bytes = statSync(whole).size;
    const named = writing(file, () => giveName(whole, file, asked.force === true));
    if (!named) return { status: 'refused', refusal: fileThere(file) };
    return {
      status: 'written',
      file,
      bytes,
      manifest,
      config: config === undefined ? 'none' : config.leftOut.length > 0 ? 'without-secrets' : 'whole',
      ...(await listUnrecorded(store)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

/** Writes the archive and reads it back as restoring does, which proves that the disk has what the hashes say. */
const writeChecked = (path: string, manifest: Manifest, members: readonly NewMember[], epochSeconds: number): void => {
  const first: NewMember = { name: 'manifest.json', contents: { bytes: formatManifest(manifest) } };
  const expected = [{ name: first.name, ...checkContents(first.contents) }, ...manifest.members];
  const sums: NewMember = { name: 'SHA256SUMS', contents: { bytes: formatSums(expected) } };
  writeArchive(path, [first, ...members, sums], epochSeconds);
  const handle = openSync(path, 'r');
  try {
    const opened = openBackup(handle);
    if (opened.ok && isDeepStrictEqual(opened.manifest, manifest)) return;
    throw new Error(`the backup does not read back as it was written${opened.ok ? '' : `: ${opened.problem}`}`);
  } finally {
    closeSync(handle);
  }
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
      const fault = faultOf(error, dirname(journal.folder));
      if (fault?.code === 'git-too-old') throw fault;
      const objects = await checkObjects(journal.folders);
      if (!objects.ok) throw damaged(journal, objects.lines[0] ?? 'git fsck fails', error);
      throw notWritten(file, firstLine(error.stderr), error);
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
  if (Buffer.byteLength(basename(file)) > maxNameBytes) {
    const message = `the name of that file is too long: it has ${Buffer.byteLength(basename(file))} bytes`;
    return { code: 'file-invalid', message, next: `name a file with at most ${maxNameBytes}` };
  }
  const there = statGiven(file, { followsLink: false });
  if (there?.isDirectory() === true) {
    return {
      code: 'file-invalid',
      message: `${file} is a folder`,
      next: `name a file: ${join(file, 'anamnesis.tar')}`,
    };
  }
  return there === undefined || force ? undefined : fileThere(file);
};

/** The limit of any file system that git supports, less what the name of the unfinished file adds. */
const maxNameBytes = 200;

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

const refuseHash = ({ name, folder }: GitJournal): Refusal => ({
  code: 'hash-unknown',
  message: `the ${name} journal at ${folder} has SHA-256 object ids, which a backup can't contain yet`,
  next: `copy it: git clone --mirror ${folder} FOLDER`,
});

/** Returns false if a file of that name was created meanwhile and must not be replaced. */
const giveName = (whole: string, file: string, force: boolean): boolean => {
  if (force || !tryLink(whole, file)) {
    // Without hard links (some network and USB file systems) this check is all there is.
    if (!force && lstatSync(file, { throwIfNoEntry: false }) !== undefined) return false;
    renameSync(whole, file);
  }
  syncFolder(dirname(file));
  return true;
};

/** Creates a hard link, which never replaces an existing file. */
const tryLink = (whole: string, file: string): boolean => {
  try {
    linkSync(whole, file);
    return true;
  } catch {
    return false;
  }
};
