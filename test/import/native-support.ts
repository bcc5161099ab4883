/** Files of a Claude home, written by tests. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type NativeFile = {
  readonly name?: string;
  readonly description?: string;
  readonly kind?: string;
  readonly modified?: string;
  readonly body?: string;
};

/** A memory file as newer versions of Claude Code write it, including the blank after `metadata:`. */
export const newerFile = ({ name = 'a-fact', description = 'A fact', kind, modified, body = 'Body.' }: NativeFile) =>
  [
    '---',
    `name: ${name}`,
    `description: ${description}`,
    'metadata: ',
    '  node_type: memory',
    ...(kind === undefined ? [] : [`  type: ${kind}`]),
    '  originSessionId: 6f1c',
    ...(modified === undefined ? [] : [`  modified: ${modified}`]),
    '---',
    '',
    `${body}\n`,
  ].join('\n');

/** A memory file as older versions of Claude Code wrote it. */
export const olderFile = ({ name = 'a-fact', description = 'A fact', kind = 'project', body = 'Body.' }: NativeFile) =>
  `---\nname: ${name}\ndescription: ${description}\ntype: ${kind}\noriginSessionId: 6f1c\n---\n\n${body}\n`;

export const transcriptLine = (cwd: string): string =>
  `${JSON.stringify({ type: 'user', cwd, sessionId: 's', message: { role: 'user', content: 'hello' } })}\n`;

/** Writes a file below a folder and returns its path; `seconds` sets its time of change. */
export const putFile = (folder: string, path: string, content: string | Buffer, seconds?: number): string => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  if (seconds !== undefined) utimesSync(file, seconds, seconds);
  return file;
};
