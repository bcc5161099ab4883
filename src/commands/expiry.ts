/** A note that is over before it is there: recorded, since it may be meant, and said. Pure. */

export const expiryWarnings = (expiresMs: number | undefined, nowMs: number): readonly string[] =>
  expiresMs !== undefined && expiresMs <= nowMs
    ? ['its time to expire is past: search and recall leave it out, and only list and show have it']
    : [];
