/** Proposals: lists the open ones, and applies a person's verdicts. */

import type { Proposal, Proposals, SettledProposal } from '../answers/note-schema.js';
import type { Refusal } from '../commands/refusals.js';
import type { SettleProposal } from '../commands/settle-proposal.js';
import type { NoteId } from '../events/note/note.js';
import {
  type PendingProposals,
  type ProposalFilter,
  pendingProposals,
  projectsWithProposals,
} from '../projections/index/conflicts.js';
import { type Memory, unchanged } from '../store/memory.js';
import { resolveAll } from '../store/named-ids.js';
import type { Lookup, Reading } from '../store/reading.js';

/** Sorted by project, proposing id and older id. Doesn't create a store. */
export const readProposals = async (reading: Reading, filter: ProposalFilter, limit: number): Promise<Proposals> => {
  if (reading.isEmpty()) return { proposals: [], total: 0 };
  const pending = await reading.liveIndex.ask((database) => pendingProposals(database, filter, limit));
  const proposals: Proposal[] = [];
  for (const { newer, older } of pending.proposals) {
    const one = await reading.show(newer.id);
    const other = older === undefined ? undefined : await reading.show(older.id);
    // A note that was forgotten a moment ago takes its proposal with it.
    if (!one.ok || other?.ok === false) continue;
    proposals.push(other === undefined ? { newer: one.answer } : { newer: one.answer, older: other.answer });
  }
  return { proposals, total: pending.total };
};

/** Keys of the projects that have something to review, in code unit order. Doesn't create a store. */
export const projectsToReview = async (reading: Reading): Promise<readonly string[]> =>
  (await reading.ask((database) => projectsWithProposals(database, {}))) ?? [];

export type ReviewVerdict = SettleProposal['verdict'];

type Verdict = {
  /** The proposing notes; these ids and the next may be the beginnings or the ends of ids, as a person types them. */
  readonly ids: readonly string[];
  readonly verdict: ReviewVerdict;
  /** Only the proposal about this note; if not given, all open ones. */
  readonly older?: string | undefined;
};

/** One about a note that is gone or superseded is left with a warning. Refusals come first; then an event for each. */
export const settleProposals = async (
  memory: Memory,
  { verdict, ...given }: Verdict,
): Promise<Lookup<readonly SettledProposal[]>> => {
  const ids = await resolveAll(given.ids, (id) => memory.resolveId(id));
  if (!ids.ok) return ids;
  const older = given.older === undefined ? undefined : await memory.resolveId(given.older);
  if (older?.ok === false) return older;
  const asked = { verdict, older: older?.answer };
  const plans: Plan[] = [];
  for (const id of new Set(ids.answer)) {
    const plan = await planReview(memory, id, asked);
    if (!plan.ok) return plan;
    plans.push(...plan.answer);
  }
  const settled: SettledProposal[] = [];
  for (const { id, older, warnings, isOpen } of plans) {
    const answer = isOpen ? await memory.perform(settling(id, older[0], verdict)) : unchanged;
    if (answer.status === 'refused') return { ok: false, refusal: answer.refusal };
    const { status, event } = answer;
    const allWarnings = [...warnings, ...answer.warnings];
    settled.push({ id, older, verdict: verdict, status, event: event ?? null, warnings: allWarnings });
  }
  return { ok: true, answer: settled };
};

/** One event. It has several older notes only if the note is forgotten, along with all that it proposes. */
type Plan = {
  readonly id: NoteId;
  readonly older: readonly NoteId[];
  readonly isOpen: boolean;
  readonly warnings: readonly string[];
};

const stateOfGone: Readonly<Record<string, string>> = {
  'note-forgotten': 'forgotten',
  'note-purged': 'purged',
  'note-kept-elsewhere': 'not here',
  'note-moved': 'moved to the other journal',
};

const planReview = async (
  memory: Memory,
  id: NoteId,
  { verdict, older }: Pick<Verdict, 'verdict' | 'older'>,
): Promise<Lookup<readonly Plan[]>> => {
  const nothing = (warning: string): Lookup<readonly Plan[]> => ({
    ok: true,
    answer: [{ id, older: [], isOpen: false, warnings: [warning] }],
  });
  const shown = await memory.show(id);
  if (!shown.ok) {
    const gone = verdict === 'forget' ? stateOfGone[shown.refusal.code] : undefined;
    return gone === undefined ? shown : nothing(`note ${id} is ${gone} already`);
  }
  const open = await openProposals(memory, id);
  const waiting = open.flatMap((one) => one.older?.id ?? []);
  const isAlone = older === undefined && open.some((one) => one.older === undefined);
  if (isAlone) return { ok: true, answer: [{ id, older: [], isOpen: true, warnings: [] }] };
  const chosen = older === undefined ? waiting : waiting.filter((one) => one === older);
  if (chosen.length === 0) {
    const about = older === undefined ? '' : ` about ${older}`;
    return nothing(`note ${id} has no open proposal${about}`);
  }
  if (verdict !== 'forget')
    return { ok: true, answer: chosen.map((one) => ({ id, older: [one], isOpen: true, warnings: [] })) };
  const others = waiting.filter((one) => !chosen.includes(one));
  if (others.length > 0) return { ok: false, refusal: refuseOthers(id, others) };
  return { ok: true, answer: [{ id, older: chosen, isOpen: true, warnings: [] }] };
};

const openProposals = async (memory: Memory, newer: NoteId): Promise<PendingProposals['proposals']> =>
  (await memory.liveIndex.ask((database) => pendingProposals(database, { newer }, Number.MAX_SAFE_INTEGER))).proposals;

const settling = (id: NoteId, older: NoteId | undefined, verdict: SettleProposal['verdict']): SettleProposal => ({
  kind: 'settle-proposal',
  id,
  older,
  verdict,
});

const refuseOthers = (id: NoteId, others: readonly NoteId[]): Refusal => ({
  code: 'proposals-wait',
  message: `rejecting forgets note ${id}, which also proposes to supersede ${others.join(', ')}`,
  next: 'add --keep to drop this proposal only, or leave --older out',
});
