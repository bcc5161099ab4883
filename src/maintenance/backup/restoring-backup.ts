/** `restore-backup`: proves a backup outside the store, then restores it into a store without notes. */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { backupFormat, Manifest, type RestoreDone } from '../../answers/backup-schema.js';
import type { Refusal } from '../../commands/refusals.js';
import { reconcile } from '../../commands/worktree/reconcile.js';
import type { Store } from '../../commands/worktree/write-store.js';
import { fetchBundle, listRefs, type Ref } from '../../events/git/git-bundle.js';
import { branch } from '../../events/git/git-process.js';
import { type JournalName, journalFolder, journalNames } from '../../events/note/note.js';
import { noteFolders } from '../../events/note/paths.js';
import { makeWorkFolder } from '../../files/folders.js';
import { statGiven } from '../../files/given-file.js';
import { comparableDigestsOf, digestVersion } from '../../projections/digest.js';
import type { Memory } from '../../store/memory.js';
import { replayStore } from '../replaying.js';
import {
  bundleName,
  extractMember,
  formatSums,
  listMembers,
  type Member,
  readMember,
  sumOfMember,
} from './backup-file.js';
import { areSameRefs, type Bundles, tryBundles } from './backup-trial.js';
import { parseSettings, putSettings } from './restoring-settings.js';

export type RestoreAsked = {
  readonly file: string;
  /** Also restores the settings that say where notes go and what an agent may do unasked. */
  readonly withSettings?: boolean | undefined;
};

export type RestoreAnswer = RestoreDone | { readonly status: 'refused'; readonly refusal: Refusal };

/** Touches nothing before the whole backup is proved. Killed, each journal is whole or not there; run it again. */
export const restoreBackup = async (memory: Memory, asked: RestoreAsked): Promise<RestoreAnswer> => {
  const file = resolve(asked.file);
  const { home } = memory.settings;
  const stat = statGiven(file);
  if (stat?.isFile() !== true) {
    const is = stat?.isDirectory() === true ? 'folder' : 'device or a pipe';
    const what = stat === undefined ? `there is no file ${file}` : `${file} is no file, but a ${is}`;
    return refuse('file-missing', what, 'name the file that anamnesis backup wrote');
  }
  const handle = openSync(file, 'r');
  try {
    const opened = tryOpen(handle);
    if ('problem' in opened) return refuseBackup(file, opened);
    const occupied = await findOccupied(memory, opened.manifest);
    if (occupied !== undefined) return refuseOccupied(memory, occupied);
    const made = mkdirSync(home, { recursive: true, mode: 0o700 });
    const folder = makeWorkFolder(home, 'restoring-', memory.settings.machine);
    try {
      const bundles = extractBundles(handle, opened, folder);
      const trial = await tryBundles(join(folder, 'trial'), bundles, memory.log);
      if (!trial.ok) return refuseBackup(file, { code: 'damaged', problem: `${trial.journal}: ${trial.problem}` });
      if (!isAsSaid(opened.manifest, trial)) {
        return refuseBackup(file, { code: 'damaged', problem: 'its notes are not those that its manifest describes' });
      }
      const settings = opened.members.find(({ name }) => name === 'config.json');
      const config = settings && readMember(handle, settings);
      return await restoreProved(memory, file, { ...opened, config }, bundles, folder, asked.withSettings === true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
      if (made !== undefined && readdirSync(home).length === 0) rmdirSync(home);
    }
  } finally {
    closeSync(handle);
  }
};

type BackupContents = { readonly manifest: Manifest; readonly members: readonly Member[] };

type Unusable = { readonly code: 'newer' | 'damaged'; readonly problem: string };

/** Checks every byte of the file, but not what only git can check: whether the bundles' histories are complete. */
const openBackup = (handle: number): BackupContents | Unusable => {
  const { members, isWhole } = listMembers(handle);
  const [first] = members;
  const json = first?.name === 'manifest.json' ? parseSettings(readMember(handle, first)) : undefined;
  // Before anything else: a newer format may contain what counts as damage in this one.
  if (Number(json?.['format']) > backupFormat)
    return { code: 'newer', problem: `it has format ${json?.['format']}, and this program knows ${backupFormat}` };
  const parsed = Manifest.safeParse(json);
  const sums = members.slice(0, -1).map((member) => ({ name: member.name, ...sumOfMember(handle, member) }));
  const last = members.at(-1);
  if (!isWhole || !parsed.success || last?.name !== 'SHA256SUMS')
    return { code: 'damaged', problem: 'it is not a whole Anamnesis backup' };
  if (
    readMember(handle, last)?.equals(formatSums(sums)) !== true ||
    !isDeepStrictEqual(sums.slice(1), parsed.data.members)
  )
    return { code: 'damaged', problem: 'a hash differs' };
  return { manifest: parsed.data, members };
};

const extractBundles = (handle: number, { manifest, members }: BackupContents, folder: string): Bundles => {
  const bundleOf = (name: JournalName): Bundles[JournalName] => {
    const member = members.find((one) => one.name === bundleName(name));
    const file = join(folder, bundleName(name));
    if (member !== undefined) extractMember(handle, member, file);
    return { file, refs: manifest.refs[journalFolder[name]] };
  };
  return { portable: bundleOf('portable'), local: bundleOf('local') };
};

const restoreProved = async (
  memory: Memory,
  file: string,
  { manifest, config }: BackupContents & { readonly config: Buffer | undefined },
  bundles: Bundles,
  folder: string,
  withSettings: boolean,
): Promise<RestoreAnswer> => {
  const store = await memory.store();
  return memory.exclusively(async (): Promise<RestoreAnswer> => {
    // Again: another process may have written since.
    const occupied = await findOccupied(memory, manifest);
    if (occupied !== undefined) return refuseOccupied(memory, occupied);
    const settings = putSettings(memory.settings.home, config, folder, withSettings);
    let changed = false;
    for (const name of journalNames) {
      const { folders } = memory.journals[name];
      if (areSameRefs(await listRefs(folders), bundles[name].refs)) continue;
      forgetLostCheckout(store, name, bundles[name].refs);
      await fetchBundle(folders, bundles[name].file);
      changed = true;
      store.step(`restored-${name}`);
    }
    const { notes, events } = await replayStore(memory, {});
    const digests = await memory.liveIndex.ask(comparableDigestsOf);
    for (const name of journalNames) await reconcile(store, name, { look: 'all', deletions: 'put-back' });
    return {
      status: changed ? 'restored' : 'unchanged',
      file,
      home: memory.settings.home,
      manifest,
      notes,
      events,
      digests,
      compared: manifest.index_version === digestVersion ? 'equal' : 'incomparable',
      ...settings,
    };
  });
};

/** With the restored head as checked out, files that state.db names count as removed: reconciling puts them back. */
const forgetLostCheckout = (store: Store, name: JournalName, refs: readonly Ref[]): void => {
  if (store.state.checkout(name) === undefined) return;
  const head = refs.find((ref) => ref.name === branch)?.id;
  store.state.advance(name, head, [], store.state.allCheckedOut(name).paths);
};

/** If the backup's version projects differently, its counts and digests say nothing about ours. */
const isAsSaid = (manifest: Manifest, found: Pick<Manifest, 'notes' | 'events' | 'digests'>): boolean =>
  manifest.index_version !== digestVersion ||
  (found.notes === manifest.notes &&
    found.events === manifest.events &&
    isDeepStrictEqual(found.digests, manifest.digests));

/** Finds a journal with other content than the backup; one that an earlier attempt restored completely is fine. */
const findOccupied = async ({ journals }: Memory, manifest: Manifest): Promise<JournalName | undefined> => {
  for (const name of journalNames) {
    const journal = journals[name];
    const refs = journal.exists() ? await listRefs(journal.folders) : [];
    if (refs.length > 0 && !areSameRefs(refs, manifest.refs[journalFolder[name]])) return name;
    if (refs.length === 0 && noteFolders.some((folder) => existsSync(join(journal.folder, folder)))) return name;
  }
  return undefined;
};

const refuse = (code: string, message: string, next: string): RestoreAnswer => ({
  status: 'refused',
  refusal: { code, message, next },
});

/** A read error of the disk makes the backup unusable. */
const tryOpen = (handle: number): ReturnType<typeof openBackup> => {
  try {
    return openBackup(handle);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && error.syscall === 'read')) throw error;
    return { code: 'damaged', problem: `it can't be read (${error.message.replace(/, [^,]*$/, '')})` };
  }
};

const refuseBackup = (file: string, { code, problem }: Unusable): RestoreAnswer =>
  code === 'newer'
    ? refuse('backup-newer', `${file} was written by a newer version: ${problem}`, 'update anamnesis and repeat')
    : refuse(
        'backup-damaged',
        `${file} can't be restored: ${problem}`,
        'use another copy of the backup; nothing was changed',
      );

const refuseOccupied = ({ journals }: Memory, name: JournalName): RestoreAnswer =>
  refuse(
    'store-not-empty',
    `${journals[name].folder} already contains notes, and a backup can only be restored into an empty store`,
    'use an empty one: ANAMNESIS_HOME=FOLDER anamnesis restore-backup FILE; anamnesis import can copy its notes from there',
  );
