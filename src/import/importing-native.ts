/** Imports Claude Code's own memory, for `anamnesis import` without a path and for the background worker. */

import type { Scope } from '../events/note/note.js';
import { statGiven } from '../files/given-file.js';
import type { Asker, Memory } from '../store/memory.js';
import { type ImportAnswer, importItems, type Progress } from './import-items.js';
import { readNative } from './native/native.js';

export type NativeImportOptions = {
  readonly claudeHome: string;
  /** The person's home folder, which is not a project. */
  readonly userHome: string;
  readonly claudeMd: boolean;
  /** Scope of all notes, whatever their files say. */
  readonly scope?: Scope | undefined;
  readonly dryRun?: boolean | undefined;
  /** True in the background worker. */
  readonly isUnasked?: boolean | undefined;
  readonly asker?: Asker | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
};

/** Records one event, or none when nothing is new. A Claude home that does not exist has nothing to import. */
export const importNative = async (
  memory: Memory,
  { claudeHome, userHome, claudeMd, scope, dryRun, isUnasked, asker, onProgress }: NativeImportOptions,
): Promise<ImportAnswer> => {
  const options = {
    userHome,
    claudeMd,
    machine: memory.settings.machine,
    trusted: memory.settings.trustedProjects,
  };
  return importItems(memory, {
    format: 'claude-code',
    from: 'Claude Code',
    items: isFolder(claudeHome) ? readNative(claudeHome, options) : nothing(),
    scope,
    asker,
    dryRun,
    isUnasked,
    onProgress,
  });
};

const isFolder = (path: string): boolean => statGiven(path)?.isDirectory() === true;

async function* nothing(): AsyncGenerator<never> {}
