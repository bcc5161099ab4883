/** The stream that `git fast-import` reads: commits in the order given, each on top of the one before. Pure. */
import type { BlobId } from './note.js';

/** A path with new bytes, with an object that git has already, or (without bytes) removed. */
export type ImportedChange =
  | { readonly path: string; readonly bytes: Buffer | undefined }
  | { readonly path: string; readonly blob: BlobId; readonly mode: string };

export type NewCommit = {
  readonly message: string;
  readonly machine: string;
  readonly epochMs: number;
  readonly changes: readonly ImportedChange[];
};

/**
 * `parent` is the commit to stand on, undefined for the first. The stream ends in `done`: a writer that is killed
 * half-way leaves no commit. Each commit's id comes back on a line of its own.
 */
export function* formatFastImport(
  commits: readonly NewCommit[],
  branch: string,
  parent: string | undefined,
): Generator<Buffer | string> {
  yield 'feature done\n';
  let mark = 0;
  for (const commit of commits) {
    mark += 1;
    const message = Buffer.from(commit.message);
    const seconds = Math.floor(commit.epochMs / 1000);
    const identity = `anamnesis <anamnesis@${commit.machine}> ${seconds} +0000`;
    yield `commit ${branch}\nmark :${mark}\nauthor ${identity}\ncommitter ${identity}\ndata ${message.length}\n`;
    yield message;
    yield '\n';
    if (mark === 1 && parent !== undefined) yield `from ${parent}\n`;
    for (const change of commit.changes) {
      if ('blob' in change) yield `M ${change.mode} ${change.blob} ${quotePath(change.path)}\n`;
      else if (change.bytes === undefined) yield `D ${quotePath(change.path)}\n`;
      else {
        yield `M 100644 inline ${quotePath(change.path)}\ndata ${change.bytes.length}\n`;
        yield change.bytes;
        yield '\n';
      }
    }
    yield `get-mark :${mark}\n`;
  }
  yield 'done\n';
}

const quotePath = (path: string): string => `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
