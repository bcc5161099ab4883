/** Keys that name a note for ever, whichever machine makes it. Pure. */

export const sourceKeyOfSession = (session: string): string => `session:${session}`;
