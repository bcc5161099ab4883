/** New ids from the clock. */
import { monotonicFactory } from 'ulid';

/**
 * Makes ids for one store. Each is greater than the one before, also inside one millisecond and when the clock goes back: then
 * it differs from the one before in its last characters only.
 */
export const ulidGenerator = (): ((epochMs: number) => string) => {
  // With the first id: the library looks for its source of chance then, which a command that makes none does without.
  let nextUlid: ReturnType<typeof monotonicFactory> | undefined;
  return (epochMs) => {
    nextUlid ??= monotonicFactory();
    return nextUlid(epochMs);
  };
};
