/** What an agent's tools did: files that it wrote, commands that failed. Filled entry by entry, in the file's order. */
import { cleanText } from './clip.js';
import type { ToolResult, ToolUse } from './entry.js';
import { commandWords, gistOfError, isSameCommand, shownCommand, wasLeftRunning, wasNotRun } from './failures.js';
import type { Failure } from './session.js';

/** Of one turn or one subagent. */
export type Deeds = { readonly files: string[]; failures: readonly Failure[] };

export type ToolLog = {
  readonly use: (use: ToolUse, by: Deeds) => void;
  readonly result: (result: ToolResult) => void;
  /** Takes writing tools whose result is not known for done: the transcript may lag behind. */
  readonly finish: () => void;
};

type Waiting =
  | { readonly kind: 'file'; readonly path: string; readonly by: Deeds }
  | { readonly kind: 'command'; readonly command: string; readonly by: Deeds };

/** A failure that a later run of the same command may settle. */
type OpenFailure = { readonly words: readonly string[]; readonly command: string; readonly by: Deeds };

const mostWaiting = 512;
const mostFiles = 5000;
const mostFilesEach = 200;
const mostFailures = 100;
const mostFailuresEach = 10;

export const startToolLog = (): ToolLog => {
  const waiting = new Map<string, Waiting>();
  const open: OpenFailure[] = [];
  /** One string for a file that is written a hundred times. */
  const knownPaths = new Map<string, string>();
  let fileCount = 0;

  const addFile = (path: string, { files }: Deeds): void => {
    if (files.length >= mostFilesEach || fileCount >= mostFiles || files.includes(path)) return;
    files.push(path);
    fileCount += 1;
  };

  const knownPath = (path: string): string => {
    const known = knownPaths.get(path);
    if (known === undefined && knownPaths.size < mostFiles) knownPaths.set(path, path);
    return known ?? path;
  };

  const wait = (id: string, one: Waiting): void => {
    waiting.set(id, one);
    if (waiting.size <= mostWaiting) return;
    for (const [oldest, first] of waiting) {
      waiting.delete(oldest);
      if (first.kind === 'file') addFile(first.path, first.by);
      return;
    }
  };

  const fail = (command: string, error: string, by: Deeds): void => {
    const shown = shownCommand(command);
    const before = by.failures.find((failure) => failure.command === shown);
    const times = (before?.times ?? 0) + 1;
    const others = by.failures.filter((failure) => failure !== before);
    by.failures = [...others, { command: shown, error, ending: 'failed' as const, times }].slice(-mostFailuresEach);
    open.push({ words: commandWords(command), command: shown, by });
    const oldest = open.length > mostFailures ? open.shift() : undefined;
    if (oldest !== undefined && !open.some((one) => one.by === oldest.by && one.command === oldest.command))
      oldest.by.failures = oldest.by.failures.filter((failure) => failure.command !== oldest.command);
  };

  /** The last run decides, so that what worked once and broke again counts as broken. */
  const settle = (command: string, ending: Failure['ending']): void => {
    const words = commandWords(command);
    for (const { command: failed, by, words: failedWords } of open) {
      if (!isSameCommand(words, failedWords)) continue;
      by.failures = by.failures.map((failure) => (failure.command === failed ? { ...failure, ending } : failure));
    }
  };

  return {
    use: ({ id, name, input }, by) => {
      const path = writtenFile(name, input);
      if (path !== undefined) wait(id, { kind: 'file', path: knownPath(path), by });
      else if (name === 'Bash' && typeof input['command'] === 'string')
        wait(id, { kind: 'command', command: cleanText(input['command'], mostCommandUnits), by });
    },
    result: ({ toolUseId, isError, text }) => {
      const one = waiting.get(toolUseId);
      if (one === undefined) return;
      waiting.delete(toolUseId);
      if (one.kind === 'file') {
        if (!isError) addFile(one.path, one.by);
      } else if (isError) {
        if (wasNotRun(text)) return;
        settle(one.command, 'failed');
        fail(one.command, gistOfError(text), one.by);
      } else if (!wasLeftRunning(text)) {
        settle(one.command, 'succeeded-later');
      }
    },
    finish: () => {
      for (const one of waiting.values()) if (one.kind === 'file') addFile(one.path, one.by);
      waiting.clear();
    },
  };
};

const mostCommandUnits = 4096;
const mostPathUnits = 1024;

/** The file that a tool would write; undefined for tools that write none. */
const writtenFile = (name: string, input: ToolUse['input']): string | undefined => {
  const path = writingTools.has(name)
    ? (input['file_path'] ?? input['notebook_path'])
    : writingMcpTool.test(name)
      ? (input['path'] ?? input['file_path'])
      : undefined;
  if (typeof path !== 'string' || path.length > mostPathUnits) return undefined;
  const cleaned = cleanText(path, mostPathUnits).replace(/\s*\n\s*/g, ' ');
  return cleaned === '' ? undefined : cleaned;
};

const writingTools: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Update']);
/** Of file servers: `mcp__filesystem__write_file`. */
const writingMcpTool = /^mcp__.+__(?:write|edit|create)_(?:text_)?file$/;
