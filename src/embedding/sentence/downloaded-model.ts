/** A model by the name it is published under, where another program has downloaded it already: nothing is fetched. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Its folder in Hugging Face's cache; undefined for what is no such name, or is not there. Never throws. */
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
