/** Effects of an agent's tools: files written, commands failed. Filled entry by entry, in the file's order. */

import { cleanText } from '../transcript/clip.js';
import type { ToolResult, ToolUse } from '../transcript/entry.js';
import { commandWords, gistOfError, isSameCommand, leftRunning, shownCommand, wasNotRun } from './failures.js';
import type { Failure } from './session.js';

/** Of one turn or one subagent. */
export type Deeds = { readonly files: string[]; readonly failures: OpenFailure[] };

/** A failure that a later run of the same command may settle. */
export type OpenFailure = {
  readonly command: string;
  readonly words: readonly string[];
  readonly by: Deeds;
  error: string;
  ending: Failure['ending'];
  times: number;
};

export type ToolLog = {
  readonly use: (use: ToolUse, by: Deeds) => void;
  readonly result: (result: ToolResult) => void;
  /** Takes writing tools whose result is not known for done: the transcript may lag behind. */
  readonly finish: () => void;
};

type Waiting = { readonly id: string; readonly by: Deeds } & (
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly command: string }
);

const maxWaiting = 512;
const maxFiles = 5000;
const maxFilesEach = 200;
const maxFailures = 100;
const maxFailuresEach = 10;

export const startToolLog = (): ToolLog => {
  /** Few: mostly the next line is the result. */
  const waiting: Waiting[] = [];
  const open: OpenFailure[] = [];
  /** One string for a file that is written a hundred times. */
  const knownPaths = new Map<string, string>();
  let fileCount = 0;

  const addFile = (path: string, { files }: Deeds): void => {
    if (files.length >= maxFilesEach || fileCount >= maxFiles || files.includes(path)) return;
    files.push(path);
    fileCount += 1;
  };

  const knownPath = (path: string): string => {
    const known = knownPaths.get(path);
    if (known === undefined && knownPaths.size < maxFiles) knownPaths.set(path, path);
    return known ?? path;
  };

  const wait = (one: Waiting): void => {
    waiting.push(one);
    const oldest = waiting.length > maxWaiting ? waiting.shift() : undefined;
    if (oldest?.kind === 'file') addFile(oldest.path, oldest.by);
  };

  const fail = (command: string, words: readonly string[], error: string, by: Deeds): void => {
    const shown = shownCommand(command);
    const before = by.failures.find((failure) => failure.command === shown);
    if (before !== undefined) {
      before.error = error;
      before.times += 1;
      return;
    }
    const failure: OpenFailure = { command: shown, words, by, error, ending: 'failed', times: 1 };
    open.push(failure);
    by.failures.push(failure);
    if (by.failures.length > maxFailuresEach) drop(by.failures[0]);
    if (open.length > maxFailures) drop(open[0]);
  };

  const drop = (failure: OpenFailure | undefined): void => {
    if (failure === undefined) return;
    remove(open, failure);
    remove(failure.by.failures, failure);
  };

  /** The last run decides, so that what worked once and broke again counts as broken. */
  const settle = (words: readonly string[], ending: Failure['ending']): void => {
    for (const failure of open) if (isSameCommand(words, failure.words)) failure.ending = ending;
  };

  return {
    use: ({ id, name, input }, by) => {
      const path = writtenFile(name, input);
      if (path !== undefined) wait({ id, by, kind: 'file', path: knownPath(path) });
      else if (name === 'Bash') {
        const command = input('command')?.masked();
        if (command !== undefined) wait({ id, by, kind: 'command', command: cleanText(command, maxCommandUnits) });
      }
    },
    result: ({ toolUseId, isError, text }) => {
      const one = waiting.findLast(({ id }) => id === toolUseId);
      if (one === undefined) return;
      remove(waiting, one);
      if (one.kind === 'file') {
        if (!isError) addFile(one.path, one.by);
      } else if (isError) {
        const output = text.masked();
        if (wasNotRun(output)) return;
        const words = commandWords(one.command);
        settle(words, 'failed');
        fail(one.command, words, gistOfError(output), one.by);
      } else if (open.length > 0 && !text.startsWith(leftRunning)) {
        settle(commandWords(one.command), 'succeeded-later');
      }
    },
    finish: () => {
      for (const one of waiting.splice(0)) if (one.kind === 'file') addFile(one.path, one.by);
    },
  };
};

const remove = <T>(list: T[], one: T): void => {
  const at = list.indexOf(one);
  if (at !== -1) list.splice(at, 1);
};

const maxCommandUnits = 4096;
const maxPathUnits = 1024;

/** The file that a tool would write; undefined for tools that write none. */
const writtenFile = (name: string, input: ToolUse['input']): string | undefined => {
  const path = writingTools.has(name)
    ? (input('file_path') ?? input('notebook_path'))
    : writingMcpTool.test(name)
      ? (input('path') ?? input('file_path'))
      : undefined;
  if (path === undefined || path.units > maxPathUnits) return undefined;
  const cleaned = cleanText(path.masked(), maxPathUnits).replace(/(?<!\s)\s*\n\s*/g, ' ');
  return cleaned === '' ? undefined : cleaned;
};

const writingTools: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Update']);
/** Of file servers: `mcp__filesystem__write_file`. */
const writingMcpTool = /^mcp__.+__(?:write|edit|create)_(?:text_)?file$/;
