/** Running models: at most one that gives vectors and one that judges, because each takes hundreds of megabytes. */
import { type ModelHost, startHost } from './host-process.js';
import type { RunModel } from './installed-folder.js';
import type { ModelManifest } from './manifest.js';
import type { Runtime } from './runtime-package.js';

const running = new Map<ModelManifest['role'], { readonly key: string; readonly host: ModelHost }>();

/** Returns the process that runs the model, starting it if needed in place of another of its kind. */
export const hostOf = (model: RunModel, runtime: Runtime): ModelHost => {
  const { role } = model.manifest;
  const key = `${model.models} ${model.name} ${model.digest} ${runtime.entry}`;
  const before = running.get(role);
  if (before !== undefined && before.key === key && !before.host.hasEnded()) return before.host;
  before?.host.end();
  const host = startHost(model, runtime);
  running.set(role, { key, host });
  return host;
};

/** Ends all models, for a caller that is done with them before its own process ends. */
export const endModels = (): void => {
  for (const { host } of running.values()) host.end();
  running.clear();
};
