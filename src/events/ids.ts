/** New ids from the clock. */
import { monotonicFactory } from 'ulid';

/**
 * Makes ids for one store. Each is greater than the one before, also inside one millisecond and when the clock goes back: then
 * it differs from the one before in its last characters only.
 */
export const ulidGenerator = (): ((epochMs: number) => string) => {
  const nextUlid = monotonicFactory();
  return (epochMs) => nextUlid(epochMs);
};
