/** Registers hooks and MCP server with clients: plans all, then backs up, records and replaces file by file. */
import { existsSync } from 'node:fs';
import type { Refusal } from '../commands/refusals.js';
import { type Edit, refuseEdit } from '../files/edited.js';
import {
  ensureWritable,
  type FileState,
  isRefusal,
  readFileState,
  replaceFile,
  sha256,
  textOf,
} from '../files/settings-file.js';
import { type Target, type TargetOptions, targetsOf } from './clients.js';
import {
  type FileRecord,
  makeBackup,
  type Part,
  readRecord,
  recordOf,
  scriptsOf,
  withFile,
  writeRecord,
} from './record.js';
import type { ClientName, Surroundings } from './surroundings.js';

export type RegisterRequest = {
  readonly storeHome: string;
  /** `--home DIR`, or nothing for the default store. */
  readonly homeArgs: readonly string[];
  readonly clients: readonly ClientName[];
  readonly name: string;
  readonly parts: readonly Part[];
};

export type Registration = {
  readonly client: ClientName;
  readonly part: Part;
  readonly file: string;
  readonly change: 'create' | 'change' | 'none';
  readonly added: readonly string[];
  readonly removed: readonly string[];
};

export type PlannedRegistration = {
  readonly registration: Registration;
  readonly target: Target;
  readonly state: FileState;
  readonly edit: Edit;
};

/** Plans without changing anything. A refusal names the first file that can't be used. */
export const planRegistrations = (
  request: RegisterRequest,
  surroundings: Surroundings,
): readonly PlannedRegistration[] | Refusal => {
  const planned: PlannedRegistration[] = [];
  for (const client of request.clients) {
    const options = optionsOf(request, client, surroundings);
    for (const target of targetsOf(client, surroundings, options)) {
      if (!request.parts.includes(target.part)) continue;
      const one = planOne(target);
      if (isRefusal(one)) return one;
      planned.push(one);
    }
  }
  return planned;
};

export type RegisterContext = {
  readonly request: RegisterRequest;
  readonly surroundings: Surroundings;
  readonly nowMs: () => number;
  /** Called after each step that leaves a trace; tests stop the process there. */
  readonly step: (name: string) => void;
};

/** Carries out a plan; the caller holds the setup lock. Refuses if a file keeps changing meanwhile. */
export const applyRegistrations = (
  planned: readonly PlannedRegistration[],
  context: RegisterContext,
): readonly Registration[] | Refusal => {
  const done: Registration[] = [];
  for (const one of planned) {
    const applied = applyOne(one, context);
    if (isRefusal(applied)) return applied;
    done.push(applied);
  }
  return done;
};

const optionsOf = (
  { storeHome, name, homeArgs }: RegisterRequest,
  client: ClientName,
  { scriptPath }: Surroundings,
): TargetOptions => ({
  name,
  homeArgs,
  scripts: [scriptPath, ...scriptsOf(readRecord(storeHome), client)],
});

const planOne = (target: Target): PlannedRegistration | Refusal => {
  const file = target.files.find((one) => existsSync(one)) ?? target.files[0] ?? '';
  const state = readFileState(file);
  if (isRefusal(state)) return state;
  const read = textOf(state);
  if (isRefusal(read)) return read;
  const edited = target.add(read.text);
  if (!edited.ok) return refuseEdit(file, edited.problem);
  const { edit } = edited;
  const isSame = edit.text === (read.text ?? '');
  if (!isSame) ensureWritable(state);
  const change = isSame ? 'none' : state.bytes === undefined ? 'create' : 'change';
  const { client, part } = target;
  const registration = { client, part, file, change, added: edit.added, removed: edit.removed } as const;
  return { registration, target, state, edit };
};

const applyOne = (planned: PlannedRegistration, context: RegisterContext): Registration | Refusal => {
  const { registration, state } = planned;
  const { storeHome } = context.request;
  if (registration.change === 'none') {
    const known = recordOf(readRecord(storeHome), registration.client, registration.part);
    if (known?.file !== registration.file) remember(unknownOriginal(planned, context), context, registration.client);
    return registration;
  }
  for (let attempt = 1, current = planned; attempt <= 2; attempt += 1) {
    if (replaceAndRemember(current, context)) return current.registration;
    const again = planOne(planned.target);
    if (isRefusal(again)) return again;
    if (again.registration.change === 'none') return again.registration;
    current = again;
  }
  return {
    code: 'file-changed',
    message: `${state.path} kept changing while we tried to write it; it was left alone`,
    next: 'close the program that writes it, then repeat the command',
  };
};

/** Writes the record first: if this is killed in between, uninstall still knows the original. */
const replaceAndRemember = (planned: PlannedRegistration, context: RegisterContext): boolean => {
  const before = readRecord(context.request.storeHome);
  const bytes = Buffer.from(planned.edit.text);
  remember(originalOf(planned, context, sha256(bytes)), context, planned.registration.client);
  let isDone = false;
  try {
    isDone = replaceFile(planned.state, bytes, { step: context.step });
  } finally {
    if (!isDone) writeRecord(context.request.storeHome, before);
  }
  if (isDone) context.step('file-replaced');
  return isDone;
};

const remember = (file: FileRecord, { request, step }: RegisterContext, client: ClientName): void => {
  writeRecord(request.storeHome, withFile(readRecord(request.storeHome), client, file));
  step('recorded');
};

/** Records what uninstall restores: the file before our first entry, unless it was edited by hand in between. */
const originalOf = (planned: PlannedRegistration, context: RegisterContext, after: string | null): FileRecord => {
  const { registration, state, edit } = planned;
  const { storeHome } = context.request;
  const unknown = { ...unknownOriginal(planned, context), after };
  if (state.bytes === undefined) return { ...unknown, created: true };
  const currentHash = sha256(state.bytes);
  const known = recordOf(readRecord(storeHome), registration.client, registration.part);
  if (known?.file === registration.file && known.after === currentHash) {
    const { created, before, backup } = known;
    return { ...unknown, created, before, backup };
  }
  const backup = makeBackup(storeHome, registration.file, state.bytes, context.nowMs());
  context.step('backup-made');
  return edit.hadOurs ? unknown : { ...unknown, before: currentHash, backup };
};

const unknownOriginal = (
  { registration: { part, file } }: PlannedRegistration,
  { request, surroundings }: RegisterContext,
): FileRecord => ({
  part,
  file,
  name: request.name,
  script: surroundings.scriptPath,
  created: false,
  before: null,
  after: null,
  backup: null,
});
