/** Registers hooks and MCP server with clients: plans all, then backs up, records and replaces file by file. */
import type { Refusal } from '../commands/refusals.js';
import { type Edit, refuseEdit } from '../files/edited.js';
import { ensureWritable, type FileState, isRefusal, replaceFile, sha256 } from '../files/settings-file.js';
import { type FileRecord, makeBackup, type Part, readRecord, recordOf, withoutFile, writeRecord } from './record.js';
import { fileOf, type KnownTarget, knownTargets, readFile, writePlanned } from './registered-parts.js';
import type { ClientName, Surroundings } from './surroundings.js';

export type RegisterRequest = {
  readonly storeHome: string;
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
  readonly target: KnownTarget;
  readonly state: FileState;
  readonly edit: Edit;
};

/** Plans without changing anything. A refusal names the first file that can't be used. */
export const planRegistrations = (
  request: RegisterRequest,
  surroundings: Surroundings,
): readonly PlannedRegistration[] | Refusal => {
  const planned: PlannedRegistration[] = [];
  for (const target of request.clients.flatMap((client) => knownTargets(client, request, surroundings))) {
    if (!request.parts.includes(target.part)) continue;
    const one = planOne(target);
    if (isRefusal(one)) return one;
    planned.push(one);
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
    const applied = writePlanned(
      one,
      () => planOne(one.target),
      (current) => replaceAndRemember(current, context),
    );
    if (isRefusal(applied)) return applied;
    done.push(applied.registration);
  }
  return done;
};

const planOne = (target: KnownTarget): PlannedRegistration | Refusal => {
  const file = fileOf(target);
  const read = readFile(file);
  if (isRefusal(read)) return read;
  const { state, text = '' } = read;
  const edited = target.add(read.text);
  if (!edited.ok) return refuseEdit(file, edited.problem);
  const { edit } = edited;
  const isSame = edit.text === text;
  if (!isSame) ensureWritable(state);
  const change = isSame ? 'none' : state.bytes === undefined ? 'create' : 'change';
  const { client, part } = target;
  const registration = { client, part, file, change, added: edit.added, removed: edit.removed } as const;
  return { registration, target, state, edit };
};

/** Writes the record first: if this is killed in between, uninstall still knows the original. */
const replaceAndRemember = (planned: PlannedRegistration, context: RegisterContext): boolean => {
  const { registration, state, edit } = planned;
  const { storeHome } = context.request;
  const before = readRecord(storeHome);
  if (registration.change === 'none') {
    const known = recordOf(before, registration.client, registration.part);
    if (known?.file !== registration.file) remember(unknownOriginal(planned, context), context);
    return true;
  }
  const bytes = Buffer.from(edit.text);
  remember({ ...originalOf(planned, context), after: sha256(bytes) }, context);
  let isDone = false;
  try {
    isDone = replaceFile(state, bytes, { step: context.step });
  } finally {
    if (!isDone) writeRecord(storeHome, before);
  }
  if (isDone) context.step('file-replaced');
  return isDone;
};

const remember = (file: FileRecord, { request, step }: RegisterContext): void => {
  writeRecord(request.storeHome, [...withoutFile(readRecord(request.storeHome), file.client, file.part), file]);
  step('recorded');
};

/** Records what uninstall restores: the file before our first entry, unless it was edited by hand in between. */
const originalOf = (planned: PlannedRegistration, context: RegisterContext): FileRecord => {
  const { registration, state, edit } = planned;
  const { storeHome } = context.request;
  const unknown = unknownOriginal(planned, context);
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
  { registration: { client, part, file } }: PlannedRegistration,
  { request, surroundings }: RegisterContext,
): FileRecord => ({
  client,
  part,
  file,
  name: request.name,
  script: surroundings.scriptPath,
  created: false,
  before: null,
  after: null,
  backup: null,
});
