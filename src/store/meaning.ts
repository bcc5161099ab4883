/** The model that a search compares meanings with, or why there is none. Never throws. */
import { statSync } from 'node:fs';
import type { Settings } from '../config/settings.js';
import { modelFile, openModel } from '../embedding/models-folder.js';
import type { StaticModel } from '../embedding/static-model.js';

export type OpenedModel = { readonly model: StaticModel } | { readonly degraded: string };

export const openMeaning = ({ home, searchModel }: Settings): OpenedModel => {
  if (searchModel === undefined)
    return { degraded: 'no model is in use, so words alone counted: anamnesis model use NAME' };
  const file = modelFile(home, searchModel);
  const version = versionOf(file);
  const before = opened.get(file);
  if (before !== undefined && before.version === version) return { model: before.model };
  opened.clear();
  const read = openModel(home, searchModel);
  if (!read.ok) return { degraded: `words alone counted: ${read.problem.message}; ${read.problem.next}` };
  if (version !== undefined) opened.set(file, { version, model: read.value });
  return { model: read.value };
};

/** One: a server asks again and again, and a model that was installed anew is another file. */
const opened = new Map<string, { readonly version: string; readonly model: StaticModel }>();

const versionOf = (file: string): string | undefined => {
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return undefined;
  }
};
