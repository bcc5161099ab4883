/** Schemas of a backup's manifest, and of the answers about backups and restored backups. */
import * as z from 'zod';
import { parseTime } from '../events/time.js';
import { list, shape, text, whole } from './shape-schema.js';

/** To be raised when an older program could not restore what is written. */
export const backupFormat = 1;

export const memberNames = ['manifest.json', 'config.json', 'memory.bundle', 'local.bundle', 'SHA256SUMS'] as const;

const digests = () => shape({ digest: text(), localDigest: text(), sharedDigest: text() });
const refs = () => list(shape({ name: text(), id: text().regex(/^[0-9a-f]{40,64}$/) }));
const count = () => whole().nonnegative();

export const Manifest = shape({
  format: z.literal(backupFormat),
  created_at: text().refine((at) => parseTime(at) !== undefined),
  machine: text().regex(/^[A-Za-z0-9._-]{1,64}$/),
  /** True when machine-local notes were left out. */
  portable_only: z.boolean(),
  /** Keys of config.json that are not in the backup, because they are secrets. */
  left_out: list(text()),
  /** By journal, the refs in its bundle; [] for a journal without events, or one that was left out. */
  refs: shape({ memory: refs(), local: refs() }),
  notes: count(),
  events: count(),
  /** Digests are compared only if both programs have the same index version. */
  index_version: count(),
  digests: digests(),
  /** In file order, without the manifest itself and the list of hashes. */
  members: list(shape({ name: z.enum(memberNames), size: count(), sha256: text() })),
});
export type Manifest = z.infer<typeof Manifest>;

export const BackedUp = shape({
  status: z.literal('written'),
  file: text(),
  bytes: whole(),
  manifest: Manifest,
  /** Files of the store, below it, whose text is in no event and so not in the backup. */
  not_recorded: list(text()),
});
export type BackupDone = z.infer<typeof BackedUp>;

export const Restored = shape({
  /** 'unchanged': the journals already were what the backup contains. */
  status: z.enum(['restored', 'unchanged']),
  file: text(),
  home: text(),
  manifest: Manifest,
  notes: whole(),
  events: whole(),
  digests: digests(),
  /** 'incomparable': the backup's version projects differently; hashes and heads are equal nevertheless. */
  compared: z.enum(['equal', 'incomparable']),
  /** 'kept': a config.json with other settings existed and was left alone. 'none': there were none to restore. */
  config: z.enum(['restored', 'same', 'kept', 'none']),
  /** Settings of the backup that were not restored; their values are for a person to read, without secrets. */
  not_taken: list(shape({ key: text(), value: text() })),
});
export type RestoreDone = z.infer<typeof Restored>;
