/** Finds and reads the transcripts of a session's subagents. Skips those that can't be read. */
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseEntry } from '../transcript/entry.js';
import { isObject, parseLine } from '../transcript/json-lines.js';
import { readLines } from '../transcript/lines.js';
import { type RawText, rawOf } from '../transcript/raw-text.js';
import { UuidSet } from '../transcript/uuid-set.js';
import { isInternal, maxSubagents, newTrace, shortText, type Trace, traceEntry } from './subagents.js';
import { ToolLog } from './tool-log.js';

/** `ids` are the session's, by which the files of older versions are found: they lie beside those of other sessions. */
export const readSubagentFiles = async (transcript: string, ids: readonly string[]): Promise<readonly Trace[]> => {
  const stem = transcript.replace(/\.jsonl$/, '');
  const own = await findAgentFiles(join(stem, 'subagents'), maxDepth);
  const isSubagents = basename(transcript).startsWith('agent-');
  const beside = isSubagents ? [] : await findAgentFiles(dirname(transcript), 0);
  const traces: Trace[] = [];
  for (const file of [...own, ...(await belongingTo(beside, ids))].slice(0, maxSubagents)) {
    const trace = await readTrace(file).catch(() => undefined);
    if (trace !== undefined && !isInternal(trace)) traces.push(trace);
  }
  return traces;
};

/** Workflows keep theirs in `workflows/wf_*`. */
const maxDepth = 3;
const maxBeside = 2000;
const headBytes = 16 * 1024;

/** Returns the paths in code-unit order, whatever the order of the folder. Links are not followed. */
const findAgentFiles = async (folder: string, depth: number): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isFile() && isAgentFile(entry.name)) found.push(path);
    else if (entry.isDirectory() && depth > 0) found.push(...(await findAgentFiles(path, depth - 1)));
  }
  return found;
};

/** False for files of the program itself: `agent-acompact-…`, `agent-aprompt_suggestion-…`. */
const isAgentFile = (name: string): boolean =>
  /^agent-.+\.jsonl$/.test(name) && !/^agent-a(?:compact|prompt_suggestion|side_question|session_memory)\b/.test(name);

const belongingTo = async (files: readonly string[], ids: readonly string[]): Promise<readonly string[]> => {
  const belonging: string[] = [];
  for (const file of files.slice(-maxBeside)) {
    const head = await readHead(file).catch(() => '');
    const [, id] = /"sessionId":"([^"\\]{1,200})"/.exec(head) ?? [];
    if (id !== undefined && ids.includes(id)) belonging.push(file);
  }
  return belonging;
};

const readHead = async (file: string): Promise<string> => {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
};

const readTrace = async (file: string): Promise<Trace> => {
  const trace = newTrace(basename(file, '.jsonl').replace(/^agent-/, ''));
  const meta = await readMeta(file.replace(/\.jsonl$/, '.meta.json'));
  trace.type = shortText(meta('agentType'));
  trace.description = shortText(meta('description'));
  trace.toolUseId = shortText(meta('toolUseId'));
  const seen = new UuidSet();
  const log = new ToolLog();
  await readLines(file, 0, ({ bytes, hasLineFeed }) => {
    const { objects, isWhole } = parseLine(bytes);
    if (!hasLineFeed && !isWhole) return;
    for (const { value } of objects) {
      const entry = parseEntry(value);
      if (entry?.kind !== 'user' && entry?.kind !== 'assistant') continue;
      if (entry.uuid === undefined || seen.add(entry.uuid)) traceEntry(trace, entry, log);
    }
  });
  log.finish();
  return trace;
};

const maxMetaBytes = 64 * 1024;

const readMeta = async (file: string): Promise<(field: string) => RawText | undefined> => {
  try {
    const { size } = await stat(file);
    const value: unknown = size > maxMetaBytes ? undefined : JSON.parse(await readFile(file, 'utf8'));
    return (field) => (isObject(value) ? rawOf(value[field]) : undefined);
  } catch {
    return () => undefined;
  }
};
