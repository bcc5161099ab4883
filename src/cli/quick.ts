/** Runs a few subcommands with plain options, parsed by hand, because commander costs as much as a search itself. */

import { searchModes } from '../answers/search-mode.js';
import type { NoteFilter } from '../app/notes.js';
import { noteTypes, scopes } from '../events/note/note.js';
import type { JsonOption } from './answer.js';
import { failureOf, printFailure } from './errors.js';
import { printInjection, printRecall, recallDefaults } from './notes/recall.js';

type CommandLine = {
  readonly words: readonly string[];
  readonly values: ReadonlyMap<string, string>;
  readonly json: boolean;
};

/** Returns false, before doing anything, if the arguments call for the whole program. */
export const runQuickly = async (args: readonly string[]): Promise<boolean> => {
  const run = readers[args[0] ?? '']?.(args);
  if (run === undefined) return false;
  try {
    await run();
  } catch (error) {
    const failure = failureOf(error, `anamnesis ${args[0]} --help`);
    if (failure !== undefined) printFailure(failure, args.includes('--json'));
  }
  return true;
};

const readInject = (args: readonly string[]): (() => Promise<void>) | undefined => {
  const given = readArguments(args, ['--project', '-k', '--budget']);
  const k = countOf(given?.values.get('-k'), recallDefaults.k);
  const budget = countOf(given?.values.get('--budget'), recallDefaults.budget);
  if (given === undefined || k === undefined || budget === undefined || given.words.length > 0) return undefined;
  return () => printInjection({ project: given.values.get('--project'), k, budget, json: given.json });
};

const readRecall = (args: readonly string[]): (() => Promise<void>) | undefined => {
  const given = readArguments(args, ['--project', '-k']);
  const k = countOf(given?.values.get('-k'), recallDefaults.promptNotes);
  if (given === undefined || k === undefined || given.words.length === 0) return undefined;
  return () =>
    printRecall({ prompt: given.words.join(' '), project: given.values.get('--project'), k, json: given.json });
};

const readSearch = (args: readonly string[]): (() => Promise<void>) | undefined => {
  const given = readArguments(args, ['--project', '--type', '--scope', '--mode', '-k']);
  const k = countOf(given?.values.get('-k'), recallDefaults.k);
  if (given === undefined || k === undefined || given.words.length === 0) return undefined;
  const typed = { type: given.values.get('--type'), scope: given.values.get('--scope') };
  const type = noteTypes.find((one) => one === typed.type);
  const scope = scopes.find((one) => one === typed.scope);
  const mode = searchModes.find((one) => one === given.values.get('--mode'));
  if (type !== typed.type || scope !== typed.scope || mode !== given.values.get('--mode')) return undefined;
  const filter: NoteFilter = { project: given.values.get('--project'), type, scope };
  return async () => {
    const { printSearch } = await import('./notes/print-search.js');
    await printSearch({ text: given.words.join(' '), filter, how: { k, mode }, json: given.json ? true : undefined });
  };
};

/** Reads a command without options. With options it has enough to do, so those are left to the whole program. */
const readPlain =
  (load: () => Promise<(options: JsonOption) => Promise<void>>) =>
  (args: readonly string[]): (() => Promise<void>) | undefined => {
    const given = readArguments(args, []);
    if (given === undefined || given.words.length > 0) return undefined;
    return async () => (await load())(given.json ? { json: true } : {});
  };

const readers: Readonly<Record<string, typeof readInject>> = {
  inject: readInject,
  recall: readRecall,
  search: readSearch,
  status: readPlain(async () => (await import('./store/status.js')).printStatus),
  adopt: readPlain(async () => (await import('./notes/adopt.js')).printAdoption),
  sync: readPlain(async () => (await import('./machines/sync.js')).printSync),
  replay: readPlain(async () => (await import('./store/replay.js')).printReplay),
};

/** Words, and options each with a value; else undefined. Not by parseArgs of node:util, whose first call takes 1 ms. */
const readArguments = (args: readonly string[], known: readonly string[]): CommandLine | undefined => {
  const words: string[] = [];
  const values = new Map<string, string>();
  let json = false;
  for (let at = 1; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--json') json = true;
    else if (!arg.startsWith('-')) words.push(arg);
    else {
      const value = args[at + 1];
      if (!known.includes(arg) || value === undefined || value.startsWith('-')) return undefined;
      values.set(arg, value);
      at += 1;
    }
  }
  return { words, values, json };
};

const countOf = (text: string | undefined, defaultCount: number): number | undefined => {
  if (text === undefined) return defaultCount;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
};
