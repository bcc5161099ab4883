#!/usr/bin/env node
/** The program `anamnesis`. Runs `main.ts`; for commands that somebody waits for, from code that V8 compiled before. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitedFor } from '../quick-names.js';
import { runWithCodeCache } from './code-cache.js';

/** The bundle's file for `main.ts`, whose name changes with the code it loads. */
const main = process.env['ANAMNESIS_MAIN'] ?? '';

/** The command, if agents or people wait for it. Undefined if code must be compiled anew or V8 has flags. */
const nameOfCommand = (): string | undefined => {
  const [command = '', event = ''] = process.argv.slice(2);
  const { env, execArgv } = process;
  const isPlain =
    execArgv.length === 0 &&
    [env['NODE_OPTIONS'], env['NODE_V8_COVERAGE'], env['NODE_DISABLE_COMPILE_CACHE']].every((one) => !one);
  if (!isPlain) return undefined;
  const name = command === 'hook' ? `hook ${event}` : command;
  return waitedFor.has(name) ? name.replace(' ', '-') : undefined;
};

const requireOther = createRequire(import.meta.url);
const name = nameOfCommand();
if (name === undefined) requireOther(`./${main}`);
else runWithCodeCache(dirname(fileURLToPath(import.meta.url)), main, name, requireOther);
