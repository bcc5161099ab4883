/** Reads what setting up needs to know of this machine. */
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { userHome } from '../config/settings.js';
import type { Surroundings } from './surroundings.js';

/** `script` is the program as Node was started with it; clients get the file that a link to it leads to. */
export const readSurroundings = (script: string): Surroundings => ({
  home: userHome(),
  platform: process.platform,
  environment: process.env,
  execPath: process.execPath,
  scriptPath: realpathSync(script),
});

/** Arguments for what clients start; none for the default store, so that it may be moved with the home folder. */
export const homeArgsOf = (storeHome: string, { home }: Surroundings): readonly string[] =>
  resolve(storeHome) === join(home, '.anamnesis') ? [] : ['--home', resolve(storeHome)];
