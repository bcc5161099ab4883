/**
 * Builds the stream for `git fast-import`, and checks its parts: a value with a line break could inject a command.
 * Foreign input was checked before (`claims.ts`), so a fault here is a bug of ours. Pure.
 */

import { isMachineName } from '../claims.js';
import { Fault } from '../faults.js';
import type { ImportedChange, NewCommit } from '../journal.js';
import { isObjectId } from '../note/blob-id.js';
import { escapePath } from './git-log.js';

/**
 * `parent` is undefined for a root commit. The stream ends in `done`: a writer killed half-way leaves no commit. git
 * prints each id on a line. Everything is checked before: throws Fault 'unsafe-stream'.
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

/** `anamnesis <anamnesis@machine> seconds +0000`. Throws Fault 'unsafe-stream'. */
export const formatIdentity = (machine: string, epochMs: number): string => {
  // git has no times before 1970; a file can be older.
  const seconds = Math.max(0, Math.floor(epochMs / 1000));
  if (!isMachineName(machine)) throw unsafe('the name of a machine', machine);
  if (!Number.isSafeInteger(seconds)) throw unsafe('a time', String(epochMs));
  return `anamnesis <anamnesis@${machine}> ${seconds} +0000`;
};

/** Checks the `Name <address> seconds zone` of a commit made elsewhere. Throws Fault 'unsafe-stream'. */
export const checkIdentity = (line: string): string => check('an author', identityLine, line);

/** True for an identity line that git can write again. */
export const isIdentity = (line: string): boolean => identityLine.test(line);

export const checkRef = (name: string): string => {
  if (name.includes('..') || name.includes('//')) throw unsafe('a ref', name);
  return check('a ref', refName, name);
};

/** Checks an existing commit's id, or the mark of a commit from the same stream. */
export const checkCommit = (name: string): string => {
  if (!isObjectId(name) && !mark.test(name)) throw unsafe('a commit', name);
  return name;
};

/** Checks an existing object's id, or the mark of an object from the same stream. */
export const checkObject = (name: string): string => {
  if (!isObjectId(name) && !mark.test(name)) throw unsafe('an object', name);
  return name;
};

/** True for an encoding that git can write again. */
export const isEncoding = (name: string): boolean => encodingName.test(name);

export const checkEncoding = (name: string): string => check('an encoding', encodingName, name);

/** Normalizes the permission bits that old versions of git wrote and git no longer accepts. */
export const usualMode = (mode: string): string => {
  const usual = /^100[67]\d\d$/.test(mode) ? (mode.startsWith('1007') ? '100755' : '100644') : mode;
  return check('the mode of a file', fileMode, usual);
};

/** Quotes a path so that no character has a special meaning. Rejects an empty one, which would mean the whole tree. */
export const quotePath = (path: string): string => {
  if (path === '' || path.includes('\0') || leadsElsewhere.test(path)) throw unsafe('a path', path);
  return escapePath(path);
};

const mark = /^:\d+$/;
const refName = /^refs\/[A-Za-z0-9_-][A-Za-z0-9._/-]*[A-Za-z0-9_-]$/;
const encodingName = /^[A-Za-z0-9._:+-]{1,64}$/;
const fileMode = /^(?:100644|100755|120000|160000)$/;
/** Path parts that git allows in no tree. */
const leadsElsewhere = /(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)/i;
const identityLine = /^[^<>\n\0]*<[^<>\n\0]*> \d{1,20} [+-]\d{4}$/;

const check = (what: string, form: RegExp, text: string): string => {
  if (!form.test(text)) throw unsafe(what, text);
  return text;
};

const unsafe = (what: string, text: string): Fault =>
  new Fault(
    'unsafe-stream',
    `${what} can't be written to the journal: ${JSON.stringify(text.slice(0, 100))}`,
    'nothing was written; please report this as a bug in anamnesis',
  );
