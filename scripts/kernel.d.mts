/** The bytes of a module, from its text. */
export const assemble: (text: string) => Promise<Buffer>;
