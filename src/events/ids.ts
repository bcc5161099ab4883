/** New ids from the clock. */
import { monotonicFactory } from 'ulid';

/** Each id is greater than the last, even within one millisecond or when the clock goes back. */
export const ulidGenerator = (): ((epochMs: number) => string) => {
  // Created with the first id: the library looks for randomness then, which a command that makes no id does without.
  let nextUlid: ReturnType<typeof monotonicFactory> | undefined;
  return (epochMs) => {
    nextUlid ??= monotonicFactory();
    return nextUlid(epochMs);
  };
};
