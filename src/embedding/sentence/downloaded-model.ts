/** Finds a model by its published name if another program has downloaded it already; fetches nothing. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns its folder in Hugging Face's cache, or undefined if the name is invalid or not there. Never throws. */
export const findDownloaded = (name: string, environment: NodeJS.ProcessEnv = process.env): string | undefined => {
  const [, owner, model] = publishedName.exec(name) ?? [];
  if (owner === undefined || model === undefined || existsSync(name)) return undefined;
  const folder = join(cacheOf(environment), `models--${owner}--${model}`);
  try {
    const wanted = readFileSync(join(folder, 'refs', 'main'), 'utf8').trim();
    const snapshots = join(folder, 'snapshots');
    return readdirSync(snapshots).includes(wanted) ? join(snapshots, wanted) : undefined;
  } catch {
    return undefined;
  }
};

const publishedName = /^([A-Za-z0-9][\w.-]{0,95})\/([A-Za-z0-9][\w.-]{0,95})$/;

const cacheOf = (environment: NodeJS.ProcessEnv): string =>
  environment['HF_HUB_CACHE'] || join(environment['HF_HOME'] || join(homedir(), '.cache', 'huggingface'), 'hub');
