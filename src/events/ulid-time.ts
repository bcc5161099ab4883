/** The time in a ULID. A file of its own: the library loads node:crypto, 5 ms that hooks, which only check ids, do without. Pure. */
import { decodeTime } from 'ulid';

/** Epoch milliseconds that the ULID was made at. Throws on a text that `isUlid` would refuse. */
export const timeOfUlid = (id: string): number => decodeTime(id);
