#!/usr/bin/env node
/** The program `anamnesis`: runs `main.ts`, out of what V8 compiled at an earlier start where somebody waits for the command. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitedFor } from '../quick-names.js';
import { runKept } from './compiled-code.js';

/** The bundle's file of `main.ts`. Its name changes with whatever it loads. */
const main = process.env['ANAMNESIS_MAIN'] ?? '';

/** Of what agents and people wait for; undefined where code is to be compiled anew, or V8 has been given flags of its own. */
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
else runKept(dirname(fileURLToPath(import.meta.url)), main, name, requireOther);
