/** Task: computes the digests that a replay leaves to a thread, which is idle once all notes are read. */
import { type Digests, otherDigestsOf } from '../projections/digest.js';
import { openGeneration } from '../projections/generation.js';

export type DigestTask = { readonly task: 'digest'; readonly indexFile: string };

export const digestFile = ({ indexFile }: DigestTask): Digests['projections'] => {
  const database = openGeneration(indexFile);
  try {
    return otherDigestsOf(database);
  } finally {
    database.close();
  }
};
