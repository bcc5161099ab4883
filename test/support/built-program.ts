/** The built command line, as tests start it. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inject } from 'vitest';

/** The program as people start it. */
export const program = resolve('dist/cli.js');
if (!existsSync(program)) throw new Error('dist/cli.js is missing: run npm run build');

/**
 * The same program, which starts in half the time: a copy that keeps the code compiled by V8 for every command. The
 * program itself does so only for commands that someone waits for.
 */
export const keptProgram = join(inject('bundleFolder'), 'dist', 'cli.js');
