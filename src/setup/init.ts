/** Sets up this machine: settings, store, hooks and MCP server of each client, then the first import and sync. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Refusal } from '../commands/refusals.js';
import { type ConfigChange, type ConfigPlan, planConfig, writeConfig } from '../config/config-file.js';
import { readConfig, readSettings } from '../config/settings.js';
import { installCommand } from '../events/environment-faults.js';
import { journalFolder, journalNames } from '../events/note/note.js';
import { isObject, openObject, readKey } from '../files/edited.js';
import { isRefusal } from '../files/settings-file.js';
import { Memory } from '../store/memory.js';
import { withSetupLock } from './lock.js';
import type { Part } from './record.js';
import { applyRegistrations, type PlannedRegistration, planRegistrations, type Registration } from './register.js';
import type { ClientName, Surroundings } from './surroundings.js';

export type InitRequest = {
  readonly storeHome: string;
  readonly clients: readonly ClientName[];
  readonly parts: readonly Part[];
  readonly name: string;
  readonly changes: readonly ConfigChange[];
  readonly sync: boolean;
};

export type FirstImport = { readonly imported: number; readonly updated: number; readonly skipped: number };
export type FirstSync = { readonly detail: string };

/** Steps that follow setup; one that is absent is skipped. */
export type FirstSteps = {
  readonly firstImport?: ((memory: Memory) => Promise<FirstImport>) | undefined;
  readonly firstSync?: ((memory: Memory) => Promise<FirstSync>) | undefined;
};

export type InitPlan = {
  readonly root: string;
  readonly isNew: boolean;
  readonly config: ConfigPlan;
  readonly registrations: readonly PlannedRegistration[];
  readonly imports: boolean;
  readonly syncs: boolean;
  readonly notes: readonly string[];
};

/** Outcome of a first step; a failed one does not undo the setup. */
export type StepOutcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly why: string };

export type InitAnswer = {
  readonly root: string;
  readonly isNew: boolean;
  readonly config: ConfigPlan;
  readonly registrations: readonly Registration[];
  readonly firstImport: StepOutcome<FirstImport> | undefined;
  readonly firstSync: StepOutcome<FirstSync> | undefined;
  readonly notes: readonly string[];
};

export const planInit = (
  request: InitRequest,
  surroundings: Surroundings,
  firstSteps: FirstSteps,
): InitPlan | Refusal => {
  const { storeHome, clients, changes } = request;
  const config = planConfig(storeHome, changes);
  if (isRefusal(config)) return config;
  const registrations = planRegistrations(request, surroundings);
  if (isRefusal(registrations)) return registrations;
  const before = readConfig(storeHome, surroundings.environment);
  const remote = changes.find(({ key }) => key === 'remote');
  const imports = firstSteps.firstImport !== undefined && clients.includes('claude-code') && before.importNative;
  const hasRemote = (remote === undefined ? before.remote : remote.value) !== undefined;
  return {
    root: storeHome,
    isNew: !journalNames.every((name) => existsSync(join(storeHome, journalFolder[name], '.git'))),
    config,
    registrations,
    imports,
    syncs: firstSteps.firstSync !== undefined && request.sync && hasRemote,
    notes: notesOf(registrations, surroundings),
  };
};

export type InitOptions = {
  readonly firstSteps?: FirstSteps;
  readonly nowMs?: () => number;
  /** Called after each step that leaves a trace; tests stop the process there. */
  readonly step?: (name: string) => void;
};

/** A refusal says what was changed, if anything. Throws Fault 'not-writable', and the faults of opening the store. */
export const runInit = async (
  request: InitRequest,
  surroundings: Surroundings,
  { firstSteps = {}, nowMs = Date.now, step = () => undefined }: InitOptions = {},
): Promise<InitAnswer | Refusal> => {
  const early = planInit(request, surroundings, firstSteps);
  if (isRefusal(early)) return early;
  const { storeHome } = request;
  return withSetupLock(storeHome, async () => {
    const plan = planInit(request, surroundings, firstSteps);
    if (isRefusal(plan)) return plan;
    const config = writeConfig(storeHome, request.changes);
    if (isRefusal(config)) return config;
    const memory = new Memory(readSettings({ ...surroundings.environment, ANAMNESIS_HOME: storeHome }), { nowMs });
    try {
      const isNew = await memory.initialise();
      const registrations = applyRegistrations(plan.registrations, { request, surroundings, nowMs, step });
      if (isRefusal(registrations)) return registrations;
      const firstImport = plan.imports ? await attempt(firstSteps.firstImport, memory) : undefined;
      const firstSync = plan.syncs ? await attempt(firstSteps.firstSync, memory) : undefined;
      return { root: storeHome, isNew, config, registrations, firstImport, firstSync, notes: plan.notes };
    } finally {
      await memory.finish();
    }
  });
};

const attempt = async <Result>(
  firstStep: ((memory: Memory) => Promise<Result>) | undefined,
  memory: Memory,
): Promise<StepOutcome<Result> | undefined> => {
  if (firstStep === undefined) return undefined;
  try {
    return { ok: true, result: await firstStep(memory) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
};

/** Hints that init prints besides what it wrote. */
export const notesOf = (
  planned: readonly PlannedRegistration[],
  { scriptPath }: Pick<Surroundings, 'scriptPath'>,
): readonly string[] => {
  const has = (client: string, part: string): PlannedRegistration | undefined =>
    planned.find(({ registration }) => registration.client === client && registration.part === part);
  const notes: string[] = [];
  const settings = has('claude-code', 'hooks');
  const opened = settings === undefined ? undefined : openObject(settings.edit.text, 'json');
  const value = opened?.ok === true ? opened.document.value : undefined;
  if (readKey(value, 'disableAllHooks') === true) {
    notes.push(`"disableAllHooks" is set in ${settings?.registration.file}: no hook runs until it is removed`);
  }
  const plugins = readKey(value, 'enabledPlugins');
  const isPluginOn =
    isObject(plugins) && Object.entries(plugins).some(([name, on]) => name.startsWith('anamnesis@') && on === true);
  if (isPluginOn)
    notes.push('the plugin is on too: its hooks do nothing, but its tools appear twice; disable one of the two');
  if (planned.some(({ registration }) => registration.part === 'server' && registration.change !== 'none')) {
    notes.push('sessions that are already open get the memory tools after a restart');
  }
  const codex = has('codex', 'hooks');
  if (codex !== undefined && codex.registration.change !== 'none') {
    notes.push('Codex runs new hooks only once you have trusted them: start it and type /hooks');
  }
  if (/[\\/]_npx[\\/]/.test(scriptPath)) {
    notes.push(`this copy is in npx's cache, which npm may empty: run ${installCommand}, then init again`);
  }
  return notes;
};
