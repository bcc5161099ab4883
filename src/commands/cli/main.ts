#!/usr/bin/env node
/** The program `anamnesis`. Decides only how much of it to load. */
import { quickNames } from './quick-names.js';

// Notes are nobody else's business: what is made from here on is for this user alone.
process.umask(0o077);

const args = process.argv.slice(2);

/** What agents' hooks wait for has a path of its own that does without commander; false when it can't do what is asked. */
const tryQuickly = async (): Promise<boolean> => {
  if (!quickNames.some((name) => name === args[0])) return false;
  const { runQuickly } = await import('./quick.js');
  return runQuickly(args);
};

// The bundle is CommonJS, which starts faster than modules do and has no top-level await.
const main = async (): Promise<void> => {
  if (await tryQuickly()) return;
  const { runFully } = await import('./full.js');
  await runFully(args);
};

void main();
