/** Builds the stream for `git fast-import`: commits in the given order, each on top of the one before. Pure. */

import type { ImportedChange, NewCommit } from '../journal.js';
import { checkCommit, checkObject, checkRef, formatIdentity, quotePath, usualMode } from './stream-form.js';

/**
 * `parent` is the commit to build on, undefined for a root commit. The stream ends in `done`, so a writer killed
 * half-way leaves no commit. git prints each commit's id on its own line. Everything is checked before git receives any
 * of it: throws Fault 'unsafe-stream'.
 */
export const formatFastImport = (
  commits: readonly NewCommit[],
  branch: string,
  parent: string | undefined,
): Generator<Buffer | string> => {
  const from = parent === undefined ? '' : `from ${checkCommit(parent)}\n`;
  const parts = commits.map((commit) => ({
    message: Buffer.from(commit.message),
    identity: formatIdentity(commit.machine, commit.epochMs),
    joins: commit.joins === undefined ? '' : `merge ${checkCommit(commit.joins)}\n`,
    changes: commit.changes.map(formatChange),
  }));
  return formatParts(parts, checkRef(branch), from);
};

type Part = {
  readonly message: Buffer;
  readonly identity: string;
  readonly joins: string;
  readonly changes: readonly { readonly line: string; readonly bytes: Buffer | undefined }[];
};

const formatChange = (change: ImportedChange): Part['changes'][number] => {
  const path = quotePath(change.path);
  if ('blob' in change)
    return { line: `M ${usualMode(change.mode)} ${checkObject(change.blob)} ${path}\n`, bytes: undefined };
  const { bytes } = change;
  if (bytes === undefined) return { line: `D ${path}\n`, bytes };
  return { line: `M 100644 inline ${path}\ndata ${bytes.length}\n`, bytes };
};

function* formatParts(parts: readonly Part[], branch: string, from: string): Generator<Buffer | string> {
  yield 'feature done\n';
  for (const [at, { message, identity, joins, changes }] of parts.entries()) {
    const mark = `:${at + 1}`;
    yield `commit ${branch}\nmark ${mark}\nauthor ${identity}\ncommitter ${identity}\ndata ${message.length}\n`;
    yield message;
    yield `\n${at === 0 ? from : ''}${joins}`;
    for (const { line, bytes } of changes) {
      yield line;
      if (bytes === undefined) continue;
      yield bytes;
      yield '\n';
    }
    yield `get-mark ${mark}\n`;
  }
  yield 'done\n';
}
