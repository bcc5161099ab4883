/** Effects of an agent's tools: files written, commands run. Filled entry by entry, in file order. */

import { cleanText } from '../transcript/clip.js';
import type { ToolResult, ToolUse } from '../transcript/entry.js';
import { CommandLog, newRuns, type Runs, remove } from './command-log.js';

export type Deeds = Runs & { readonly files: string[] };

export const newDeeds = (): Deeds => ({ ...newRuns(), files: [] });

type Waiting = { readonly id: string; readonly by: Deeds } & (
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly command: string }
);

const maxWaiting = 512;
const maxFiles = 5000;
const maxFilesEach = 200;

export class ToolLog {
  /** Calls without a result yet; few, because the result is usually the next line. */
  readonly #waiting: Waiting[] = [];
  readonly #commands = new CommandLog();
  /** Shares one string for a file that is written a hundred times. */
  readonly #knownPaths = new Map<string, string>();
  #fileCount = 0;

  use({ id, name, input }: ToolUse, by: Deeds): void {
    const path = writtenFile(name, input);
    const command = name === 'Bash' ? input('command')?.masked() : undefined;
    if (path !== undefined) this.#wait({ id, by, kind: 'file', path: this.#knownPath(path) });
    else if (command !== undefined)
      this.#wait({ id, by, kind: 'command', command: cleanText(command, maxCommandUnits) });
  }

  result({ toolUseId, isError, text }: ToolResult): void {
    const one = this.#waiting.findLast(({ id }) => id === toolUseId);
    if (one === undefined) return;
    remove(this.#waiting, one);
    if (one.kind === 'command') {
      const output = { isError, startsWith: (prefix: string) => text.startsWith(prefix), text: () => text.masked() };
      this.#commands.result(one.command, output, one.by);
    } else if (!isError) this.#addFile(one.path, one.by);
  }

  /** Counts writes without a result as done: the transcript may lag behind. */
  finish(): void {
    for (const one of this.#waiting.splice(0)) if (one.kind === 'file') this.#addFile(one.path, one.by);
  }

  #wait(one: Waiting): void {
    this.#waiting.push(one);
    const oldest = this.#waiting.length > maxWaiting ? this.#waiting.shift() : undefined;
    if (oldest?.kind === 'file') this.#addFile(oldest.path, oldest.by);
  }

  #addFile(path: string, by: Deeds): void {
    this.#commands.wrote(path, by);
    const { files } = by;
    if (files.length >= maxFilesEach || this.#fileCount >= maxFiles || files.includes(path)) return;
    files.push(path);
    this.#fileCount += 1;
  }

  #knownPath(path: string): string {
    const known = this.#knownPaths.get(path);
    if (known === undefined && this.#knownPaths.size < maxFiles) this.#knownPaths.set(path, path);
    return known ?? path;
  }
}

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
