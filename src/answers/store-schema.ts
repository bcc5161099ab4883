/** Schemas of the store's state, maintenance, purges and evaluations, shared by every surface. */
import * as z from 'zod';
import { SyncStatus } from './machines-schema.js';
import { counts, journalFolder, list, shape, text, whole } from './shape-schema.js';

const file = { journal: journalFolder(), path: text() };

export const Status = shape({
  root: text(),
  db_path: text().nullable(),
  machine: text(),
  total: whole(),
  live: whole(),
  superseded: whole(),
  events: whole(),
  by_type: counts(),
  by_project: counts(),
  by_scope: counts(),
  by_workspace: counts(),
  /** Files in a journal that are not readable notes. */
  skipped: list(shape({ ...file, code: text(), line: whole(), key: text().nullable(), message: text() })),
  /** Changes made by hand that no event records yet. */
  hand_edits: list(shape({ ...file, change: z.enum(['edited', 'removed']) })),
  /** Files that were left alone, with the reason. */
  left: list(shape({ ...file, reason: text() })),
  repeated_ids: list(text()),
  /** Set if the folder of the machine-local notes is gone. */
  lost_local: shape({ message: text(), next: text() }).nullable(),
  conflicts: whole(),
  /** Notes that supersede each other, which two machines can cause: `visible` is the one shown. */
  agents: shape({
    last_capture: text().nullable(),
    /** Items that hooks queued and no worker has carried out. */
    spool: whole(),
    /** Sessions that were not captured because their transcripts are nowhere. */
    missing_transcripts: whole(),
    model_calls_today: whole(),
    proposals: whole(),
  }),
  sync: SyncStatus,
});
export type Status = z.infer<typeof Status>;

export const Made = shape({ root: text(), created: z.boolean() });

export const Verified = shape({
  ok: z.boolean(),
  notes: whole(),
  events: whole(),
  problems: list(shape({ journal: journalFolder(), kind: text(), detail: text() })),
});
export type VerifyAnswer = z.infer<typeof Verified>;

export const Replayed = shape({
  notes: whole(),
  digest: text(),
  localDigest: text(),
  /** Digest of each projection over both journals; with --verify also of the vectors of this machine's model. */
  projections: z.record(text(), text()).readonly(),
  skipped: whole(),
  events: whole(),
  workers: whole(),
  ms: z.number(),
  /** With --verify: whether the previous index was the same. */
  verified: z.boolean().optional(),
  differs: list(text()).optional(),
  /** With --at: the commits that were replayed, and the index beside the current one. */
  at: shape({ memory: text().nullable(), local: text().nullable(), db_path: text() }).optional(),
});
export type ReplayAnswer = z.infer<typeof Replayed>;

const packs = () => shape({ packs: whole(), bytes: whole() });

export const Compacted = shape({
  journals: list(shape({ journal: journalFolder(), before: packs(), after: packs() })),
  ms: z.number(),
});
export type CompactedStore = z.infer<typeof Compacted>;

const purgeKeys = {
  notes: list(shape({ id: text(), title: text(), versions: whole() })),
  /** Notes that stay, but lose the text. */
  changed_notes: list(text()),
  /** Occurrences in versions of files and in messages. */
  places: whole(),
  /** `changed`: commits that get a new id, those that contain it and all their descendants. */
  journals: list(shape({ journal: journalFolder(), commits: whole(), changed: whole(), messages: whole() })),
  /** Refs that are removed, because git or a sync recreates them or because they name no commit. */
  dropped_refs: list(text()),
};

export const PurgePlanned = shape({ status: z.literal('planned'), ...purgeKeys, files: list(text()) });
export type PurgePlan = Omit<z.infer<typeof PurgePlanned>, 'status'>;

export const Purged = shape({
  ...purgeKeys,
  status: z.enum(['purged', 'unchanged']),
  /** Id of the purge's event; null when no journal contained it. */
  purge: text().nullable(),
  heads: list(shape({ journal: journalFolder(), before: text().nullable(), after: text().nullable() })),
  /** Files changed meanwhile, which stay; staged entries that were dropped. */
  warnings: list(text()),
  /** `looked` counts objects or files. */
  checked: list(shape({ place: text(), how: text(), looked: whole(), found: list(text()) })),
  clean: z.boolean(),
  transcripts: list(text()),
  remote: shape({ published: z.boolean(), detail: text() }).nullable(),
  not_checked: list(text()),
});
export type PurgeReceipt = z.infer<typeof Purged>;

const metrics = {
  cases: whole(),
  casesWithoutRelevant: whole(),
  hit: z.record(text(), z.number()).readonly(),
  recall8: z.number(),
  mrr10: z.number(),
  ndcg10: z.number(),
};
const timings = { p50Ms: z.number(), p95Ms: z.number() };

export const Evaluated = shape({
  metrics: shape(metrics),
  results: list(
    shape({
      query: text(),
      project: text().nullable(),
      relevant: list(text()),
      ranked: list(text()),
      firstHitRank: whole().nullable(),
    }),
  ),
  unapproved: whole(),
  gone: whole(),
  warnings: list(text()),
  injection: shape({
    perProject: list(shape({ project: text(), tokens: whole() })),
    meanTokens: z.number(),
    medianTokens: z.number(),
    corpusTokens: z.number(),
  }),
  timings: shape(timings),
});

const interval = { low: z.number(), high: z.number() };
/** Of nDCG@10. */
const difference = () =>
  shape({
    before: z.number(),
    after: z.number(),
    difference: z.number(),
    ...interval,
    changed: whole(),
    verdict: z.enum(['better', 'worse', 'no difference']),
  });
const byMode = <Result extends z.ZodType>(result: Result) => z.record(text(), result).readonly();

export const Benched = shape({
  sets: z
    .record(
      text(),
      shape({
        notes: whole(),
        /** Cases whose relevant note isn't in notes.jsonl. */
        casesWithUnknownNote: whole().optional(),
        cases: whole(),
        casesWithoutRelevant: whole(),
        modes: byMode(
          shape({
            ...metrics,
            ...timings,
            interval: shape(interval),
            gain: difference().optional(),
            categories: z.record(text(), shape(metrics)).readonly().optional(),
          }),
        ),
      }),
    )
    .readonly(),
  /** Only for several sets. */
  mean: byMode(
    shape({
      ndcg10: z.number(),
      hit8: z.number(),
      interval: shape(interval),
      p50Ms: z.number(),
      gain: difference().optional(),
    }),
  ).optional(),
});

const OpenCase = shape({
  /** Number among all cases of the files, from 1. */
  number: whole(),
  file: text(),
  line: whole(),
  query: text(),
  relevant_ids: list(text()),
  note_titles: list(text()),
  project: text().nullable(),
  category: text().nullable(),
});
/** `approved`: the cases approved by this run. */
export const ApprovedCases = shape({ approved: list(OpenCase), open: list(OpenCase) });

export const BuiltCases = shape({
  file: text(),
  cases: list(
    shape({
      query: text(),
      relevant_ids: list(text()),
      approved: z.literal(false),
      source: text(),
      category: text(),
      note_titles: list(text()),
      project: text(),
    }),
  ),
  /** Number of cases whose note a keyword search already ranks first. */
  first: whole(),
  /** Question types that produced no case. */
  without: list(shape({ type: text(), reason: text() })),
});

export const Worked = shape({
  busy: z.boolean(),
  captured: whole(),
  trivial: whole(),
  learned: whole(),
  proposed: whole(),
  confirmed: whole(),
  imported: whole(),
  pulled: whole(),
  pushed: whole(),
  problems: list(text()),
});

const share = () => z.number().min(0).max(1);

const shares = {
  /** Share of cases with a right note shown (`right`), or shown or named on a line (`named`). */
  right: share(),
  named: share(),
  /** Mean number of notes shown per case. */
  shown: z.number(),
  /** Share of cases in which a note is still shown when the right ones are excluded. */
  unanswered: share(),
  /** Shares of prompts without a right note for which one is shown, or named on a line. */
  false_alarms: share(),
  false_lines: share(),
};

const PromptSet = shape({ notes: whole(), cases: whole(), ...shares });
export type PromptSet = z.infer<typeof PromptSet>;

/** Results by folder name, their mean with equal weight per set, and the model that judged beside the words. */
export const PromptSets = shape({
  model: z.string().nullable(),
  sets: z.record(z.string(), PromptSet),
  mean: shape(shares),
});
export type PromptSets = z.infer<typeof PromptSets>;
