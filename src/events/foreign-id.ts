/** The id of a commit without trailers of ours: every machine derives the same one. Pure. */
import { createHash } from './hash.js';
import { derivedUlid } from './ulid-form.js';

export const idOfForeign = (hash: string, epochMs: number): string => derivedUlid(epochMs, digestOf(hash));

/** True of the id that a commit without trailers has; an event that we recorded, a hand edit too, has one of its own. */
export const isIdOfForeign = (id: string, hash: string): boolean => id.slice(-16) === idOfForeign(hash, 0).slice(-16);

const digestOf = (hash: string): string => createHash('sha256').update(hash).digest('hex');
