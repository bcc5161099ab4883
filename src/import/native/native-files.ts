/** Reads whole files of a Claude home and of the projects it knows, and names those that cannot be read. */

import { type ImportItem, problemAt } from '../../commands/foreign-note.js';
import type { TrustedProjects } from '../../config/project.js';
import { findBadText, readWhole } from '../files.js';

export type NativeOptions = {
  /** The person's home folder, which is not a project. */
  readonly userHome: string;
  /** Project markers that the person confirmed. */
  readonly trusted?: TrustedProjects | undefined;
  /** This machine's name: the instructions in a Claude home belong to one machine. */
  readonly machine: string;
  /** Imports CLAUDE.md files and rules too. */
  readonly claudeMd: boolean;
};

export type NativeText =
  | { readonly ok: true; readonly text: string; readonly changedMs: number }
  | { readonly ok: false; readonly problem: ImportItem };

/** A larger file is not a memory file: Claude Code itself loads 25 KB of one. */
export const maxNativeBytes = 1024 * 1024;

/** `shown` is the path that a problem names. Blank text is not a problem. */
export const readNativeText = (file: string, shown: string): NativeText => {
  const read = readWhole(file, maxNativeBytes);
  if (!read.ok) return { ok: false, problem: problemAt(shown, read.message) };
  const bad = read.bytes.length === 0 ? undefined : findBadText(read.bytes);
  return bad === undefined
    ? { ok: true, text: read.bytes.toString('utf8'), changedMs: read.changedMs }
    : { ok: false, problem: problemAt(`${shown}:${bad.line}`, bad.message) };
};
