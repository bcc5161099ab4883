/** Schemas of the answers about backups and restored backups, shared by every surface. */
import * as z from 'zod';
import { journalFolder, list, shape, text, whole } from './shape-schema.js';

const digests = () => shape({ digest: text(), localDigest: text(), sharedDigest: text() });
const refs = () => list(shape({ name: text(), id: text() }));

const Manifest = shape({
  format: whole(),
  created_at: text(),
  machine: text(),
  portable_only: z.boolean(),
  left_out: list(text()),
  refs: shape({ memory: refs(), local: refs() }),
  notes: whole(),
  events: whole(),
  index_version: whole(),
  digests: digests(),
  members: list(shape({ name: text(), size: whole(), sha256: text() })),
});

export const BackedUp = shape({
  status: z.literal('written'),
  file: text(),
  bytes: whole(),
  manifest: Manifest,
  config: z.enum(['whole', 'without-secrets', 'none']),
  not_recorded: list(text()),
  left: list(shape({ journal: journalFolder(), path: text(), reason: text() })),
});

export const Restored = shape({
  status: z.enum(['restored', 'unchanged']),
  file: text(),
  home: text(),
  manifest: Manifest,
  notes: whole(),
  events: whole(),
  digests: digests(),
  compared: z.enum(['equal', 'incomparable']),
  config: z.enum(['restored', 'same', 'kept', 'none']),
  not_taken: list(shape({ key: text(), value: text() })),
});
