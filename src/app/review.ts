/** Use cases for proposals to replace a note, on which a person decides. */
import type { ProposalFilter } from '../projections/index/proposals.js';
import type { Found } from '../store/reading.js';
import type { Proposal, Proposals, ReviewAsked, Reviewed } from './reviewing.js';
import type { Stores } from './stores.js';

export type { Proposal, Proposals, Reviewed };
export type ReviewVerdict = ReviewAsked['verdict'];

export type Review = {
  /** Sorted by project, proposing id and older id. */
  proposals(filter: ProposalFilter, limit: number): Promise<Proposals>;
  /** Keys of the projects that have something to review, in code unit order. */
  projects(): Promise<readonly string[]>;
  /** Ids may be the beginnings or the ends of ids, as a person types them. */
  settle(asked: ReviewAsked): Promise<Found<readonly Reviewed[]>>;
};

export const openReview = (stores: Stores): Review => ({
  async proposals(filter, limit) {
    const { readProposals } = await import('./reviewing.js');
    return readProposals(await stores.toRead(), filter, limit);
  },
  async projects() {
    const { projectsToReview } = await import('./reviewing.js');
    return projectsToReview(await stores.toRead());
  },
  async settle({ ids: given, verdict, older: about }) {
    const { settleProposals } = await import('./reviewing.js');
    const memory = await stores.toWrite();
    const ids: string[] = [];
    for (const one of given) {
      const id = await memory.resolveId(one);
      if (!id.ok) return id;
      ids.push(id.answer);
    }
    const older = about === undefined ? undefined : await memory.resolveId(about);
    return older?.ok === false ? older : settleProposals(memory, { ids, verdict, older: older?.answer });
  },
});
