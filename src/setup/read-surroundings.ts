/** Reads the facts about this machine that setup needs. */
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { userHome } from '../config/settings.js';
import type { Surroundings } from './surroundings.js';

/** `script` is the path that Node was started with; clients get its real path, with links resolved. */
export const readSurroundings = (script: string): Surroundings => ({
  home: userHome(),
  platform: process.platform,
  environment: process.env,
  execPath: process.execPath,
  scriptPath: realpathSync(script),
});

/** Arguments for the commands that clients start; none for the default store, which may move with the home folder. */
export const homeArgsOf = (storeHome: string, { home }: Surroundings): readonly string[] =>
  resolve(storeHome) === join(home, '.anamnesis') ? [] : ['--home', resolve(storeHome)];
