/** The manifest of a backup, `manifest.json`, and the list of hashes beside it. Pure. */

import type { Ref } from '../../events/git/git-bundle.js';
import { isJournalRef } from '../../events/git/journal-ref.js';
import { type JournalFolder, type JournalName, journalFolder } from '../../events/note/note.js';
import { parseTime } from '../../events/time.js';
import { readKey } from '../../files/edited.js';

/** To be raised when an older program could not restore what is written. */
export const backupFormat = 1;

export type BackupDigests = {
  readonly digest: string;
  readonly localDigest: string;
  readonly sharedDigest: string;
};

export type Manifest = {
  readonly format: typeof backupFormat;
  /** Time of the note format. */
  readonly created_at: string;
  readonly machine: string;
  /** True when machine-local notes were left out. */
  readonly portable_only: boolean;
  /** Keys of config.json that are not in the backup, because they are secrets. */
  readonly left_out: readonly string[];
  /** By journal, the refs in its bundle; [] for a journal without events, or one that was left out. */
  readonly refs: Readonly<Record<JournalFolder, readonly Ref[]>>;
  readonly notes: number;
  readonly events: number;
  /** Digests are compared only if both programs have the same index version. */
  readonly index_version: number;
  readonly digests: BackupDigests;
  /** In file order, without the manifest itself and the list of hashes. */
  readonly members: readonly (ContentSum & { readonly name: MemberName })[];
};

export type ParsedManifest =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly code: 'newer' | 'damaged'; readonly problem: string };

export const formatManifest = (manifest: Manifest): Buffer => Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);

export const parseManifest = (bytes: Buffer): ParsedManifest => {
  const value = parseJson(bytes);
  const format = readKey(value, 'format');
  if (typeof format === 'number' && Number.isInteger(format) && format > backupFormat) {
    return { ok: false, code: 'newer', problem: `it has format ${format}, and this program knows ${backupFormat}` };
  }
  const manifest = format === backupFormat ? toManifest(value) : undefined;
  return manifest === undefined
    ? { ok: false, code: 'damaged', problem: 'its manifest.json is not what backup writes' }
    : { ok: true, manifest };
};

/** Formats the hashes as `sha256sum` prints and checks them. */
export const formatSums = (members: readonly { readonly name: MemberName; readonly sha256: string }[]): Buffer =>
  Buffer.from(members.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));

const toManifest = (value: unknown): Manifest | undefined => {
  const read = (key: string): unknown => readKey(value, key);
  const createdAt = textOf(read('created_at'), (text) => parseTime(text) !== undefined);
  const machine = textOf(read('machine'), (text) => /^[A-Za-z0-9._-]{1,64}$/.test(text));
  const portableOnly = read('portable_only');
  const leftOut = listOf(read('left_out'), (one) => textOf(one, () => true));
  const refs = read('refs');
  const memory = listOf(readKey(refs, 'memory'), refOf);
  const local = listOf(readKey(refs, 'local'), refOf);
  const notes = countOf(read('notes'));
  const events = countOf(read('events'));
  const indexVersion = countOf(read('index_version'));
  const digests = read('digests');
  const digest = textOf(readKey(digests, 'digest'), isSha256);
  const localDigest = textOf(readKey(digests, 'localDigest'), isSha256);
  const sharedDigest = textOf(readKey(digests, 'sharedDigest'), isSha256);
  const members = listOf(read('members'), memberOf);
  if (createdAt === undefined || machine === undefined || typeof portableOnly !== 'boolean') return undefined;
  if (leftOut === undefined || memory === undefined || local === undefined || members === undefined) return undefined;
  if (notes === undefined || events === undefined || indexVersion === undefined) return undefined;
  if (digest === undefined || localDigest === undefined || sharedDigest === undefined) return undefined;
  return {
    format: backupFormat,
    created_at: createdAt,
    machine,
    portable_only: portableOnly,
    left_out: leftOut,
    refs: { memory, local },
    notes,
    events,
    index_version: indexVersion,
    digests: { digest, localDigest, sharedDigest },
    members,
  };
};

const refOf = (value: unknown): Ref | undefined => {
  const name = textOf(readKey(value, 'name'), isJournalRef);
  const id = textOf(readKey(value, 'id'), (text) => /^[0-9a-f]{40}$/.test(text));
  return name === undefined || id === undefined ? undefined : { name, id };
};

const memberOf = (value: unknown): Manifest['members'][number] | undefined => {
  const name = memberNames.find((known) => known === readKey(value, 'name'));
  const size = countOf(readKey(value, 'size'));
  const sha256 = textOf(readKey(value, 'sha256'), isSha256);
  return name === undefined || size === undefined || sha256 === undefined ? undefined : { name, size, sha256 };
};

const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

const textOf = (value: unknown, isGood: (text: string) => boolean): string | undefined =>
  typeof value === 'string' && isGood(value) ? value : undefined;

const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** Returns undefined if any element is invalid. */
const listOf = <One>(value: unknown, read: (one: unknown) => One | undefined): readonly One[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const list = value.flatMap((one) => read(one) ?? []);
  return list.length === value.length ? list : undefined;
};

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
};

export const memberNames = ['manifest.json', 'config.json', 'memory.bundle', 'local.bundle', 'SHA256SUMS'] as const;

export type MemberName = (typeof memberNames)[number];

export const bundleName = (journal: JournalName): MemberName => `${journalFolder[journal]}.bundle`;

export type ContentSum = { readonly size: number; readonly sha256: string };
