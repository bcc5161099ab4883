/** Import from a path: recognise, read, and record everything as one event. */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ForeignFile, ForeignNote, ImportFormat, ImportProblem } from '../commands/import/foreign.js';
import { readImport } from '../commands/import/read.js';
import { countImport, recogniseFormat } from '../commands/import/recognise.js';
import { type Refusal, valueInvalid } from '../commands/refusals.js';
import type { Answer, Asker, Memory } from './memory.js';

export type ImportAnswer = {
  readonly format: ImportFormat;
  readonly answer: Answer;
  readonly problems: readonly ImportProblem[];
};

export type Progress = {
  readonly done: number;
  readonly total: number | undefined;
  readonly stage: 'reading' | 'recording';
};

/** A refusal when the path is not there or its format is not recognised. */
export const importPath = async (
  memory: Memory,
  path: string,
  options: {
    readonly format?: ImportFormat | undefined;
    readonly project?: string | undefined;
    readonly onProgress?: ((progress: Progress) => void) | undefined;
    readonly asker?: Asker | undefined;
  } = {},
): Promise<ImportAnswer | Refusal> => {
  const full = resolve(path);
  if (!existsSync(full)) return valueInvalid('path', 'a file or folder that exists', path);
  const format = options.format ?? recogniseFormat(full);
  if (format === undefined) {
    return valueInvalid(
      'path',
      'a folder of markdown, an Anamnesis store or a .jsonl file (or say which with --from)',
      path,
    );
  }
  const notes: ForeignNote[] = [];
  const files: ForeignFile[] = [];
  const problems: ImportProblem[] = [];
  const total = countImport(full, format);
  let done = 0;
  const items = readImport(full, format);
  const first = await items
    .next()
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  if (first instanceof Error)
    return valueInvalid('path', `something to read as ${format}`, `${path} (${first.message})`);
  for await (const item of chain(first, items)) {
    if (item.kind === 'note') {
      notes.push(
        options.project === undefined ? item.note : { ...item.note, project: item.note.project ?? options.project },
      );
    } else if (item.kind === 'file') files.push(item.file);
    else problems.push(item.problem);
    done += 1;
    if (done % 500 === 0) {
      options.onProgress?.({ done, total, stage: 'reading' });
      await nextTurn();
    }
  }
  options.onProgress?.({ done, total: done, stage: 'recording' });
  const answer = await memory.perform({ kind: 'import', from: basename(full), notes, files }, options.asker);
  return { format, answer, problems };
};

async function* chain<Item>(first: IteratorResult<Item>, rest: AsyncGenerator<Item>): AsyncGenerator<Item> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
