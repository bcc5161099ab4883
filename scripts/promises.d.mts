/** Types of promises.mjs, for its test. */
export declare const replaceSection: (text: string, name: string, lines: readonly string[]) => string;
