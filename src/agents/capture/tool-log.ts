/** Effects of an agent's tools: files written, commands run. Filled entry by entry, in file order. */

import { cleanText } from '../transcript/clip.js';
import type { ToolResult, ToolUse } from '../transcript/entry.js';
import { type Failed, newRuns, type Runs, remove, startCommandLog } from './command-log.js';

/** Effects of one turn or one subagent. */
export type Deeds = Runs & { readonly files: string[] };

export const newDeeds = (): Deeds => ({ ...newRuns(), files: [] });

export type ToolLog = {
  readonly use: (use: ToolUse, by: Deeds) => void;
  readonly result: (result: ToolResult) => void;
  /** Returns the command that has just failed: the agent's next words may say why. */
  readonly justFailed: () => Failed | undefined;
  readonly explain: (diagnosis: string) => void;
  /** Counts writes without a result as done: the transcript may lag behind. */
  readonly finish: () => void;
};

type Waiting = { readonly id: string; readonly by: Deeds } & (
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly command: string }
);

const maxWaiting = 512;
const maxFiles = 5000;
const maxFilesEach = 200;

export const startToolLog = (): ToolLog => {
  /** Calls without a result yet; few, because the result is usually the next line. */
  const waiting: Waiting[] = [];
  const commands = startCommandLog();
  /** Shares one string for a file that is written a hundred times. */
  const knownPaths = new Map<string, string>();
  let fileCount = 0;

  const addFile = (path: string, by: Deeds): void => {
    commands.wrote(path, by);
    const { files } = by;
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

  return {
    use: ({ id, name, input }, by) => {
      commands.goOn();
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
        return;
      }
      const output = { isError, startsWith: (prefix: string) => text.startsWith(prefix), text: () => text.masked() };
      commands.result(one.command, output, one.by);
    },
    justFailed: commands.justFailed,
    explain: commands.explain,
    finish: () => {
      for (const one of waiting.splice(0)) if (one.kind === 'file') addFile(one.path, one.by);
    },
  };
};

const maxCommandUnits = 4096;
const maxPathUnits = 1024;

/** Returns the file that a tool would write; undefined for tools that write none. */
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
/** Tools of file servers: `mcp__filesystem__write_file`. */
const writingMcpTool = /^mcp__.+__(?:write|edit|create)_(?:text_)?file$/;
