/** New ids from the clock. */
import { monotonicFactory } from 'ulid';

const nextUlid = monotonicFactory();

/** Later calls give greater ids within this process, also inside one millisecond. */
export const newUlid = (epochMs: number): string => nextUlid(epochMs);
