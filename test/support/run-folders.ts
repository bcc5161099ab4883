/** Folders of one run of all tests: what files of tests make for each other stays there until the last of them is done. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { copyWordLists } from '../../scripts/word-lists.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** For stores that are made once and copied. */
    readonly templateFolder: string;
    /** For built programs: below node_modules, where native modules are found. */
    readonly bundleFolder: string;
  }
}

export default (project: TestProject): (() => void) => {
  const templateFolder = mkdtempSync(join(tmpdir(), 'anamnesis-test-templates-'));
  const caches = join(process.cwd(), 'node_modules', '.cache', 'anamnesis-test');
  mkdirSync(caches, { recursive: true });
  const bundleFolder = mkdtempSync(join(caches, 'run-'));
  for (const folder of [caches, bundleFolder]) copyWordLists(folder);
  project.provide('templateFolder', templateFolder);
  project.provide('bundleFolder', bundleFolder);
  return () => {
    for (const folder of [templateFolder, bundleFolder]) rmSync(folder, { recursive: true, force: true });
  };
};
