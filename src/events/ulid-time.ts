/** The time in a ULID. A separate file, because the library loads node:crypto, 5 ms that hooks don't need. Pure. */
import { decodeTime } from 'ulid';

/** Returns the ULID's time in epoch milliseconds. Throws on a text that `isUlid` rejects. */
export const timeOfUlid = (id: string): number => decodeTime(id);
