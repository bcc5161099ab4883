/** The id of a commit without trailers of ours: every machine derives the same one. Pure. */
import { createHash } from './hash.js';
import { derivedUlid } from './ulid-form.js';

export const idOfForeign = (hash: string, epochMs: number): string => derivedUlid(epochMs, digestOf(hash));

/** True for an id derived from the commit's hash; an event that we recorded, even for a hand edit, has its own. */
export const isIdOfForeign = (id: string, hash: string): boolean => id.slice(-16) === idOfForeign(hash, 0).slice(-16);

const digestOf = (hash: string): string => createHash('sha256').update(hash).digest('hex');
