/** A home with a store in it, a doctor that examines it, and snapshots of its files. */
import { createHash } from 'node:crypto';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'vitest';
import { isRefusal } from '../../../src/files/settings-file.js';
import type { Check, DoctorSurroundings, Finding } from '../../../src/setup/doctor/check.js';
import { carryOut, type Diagnosis, diagnose, type FixOutcome, planFixes } from '../../../src/setup/doctor/examine.js';
import { type InitRequest, runInit } from '../../../src/setup/init.js';
import type { Memory } from '../../../src/store/memory.js';
import { openStore, writeNote } from '../../support/store.js';

// As the program itself does: files that a test makes are private too.
process.umask(0o077);

export type Patient = {
  /** Holds everything else. */
  readonly folder: string;
  readonly store: string;
  readonly claudeHome: string;
  readonly around: DoctorSurroundings;
  readonly environment: NodeJS.ProcessEnv;
  /** Opens the store for `run`, and closes it. */
  with<Answer>(run: (memory: Memory) => Promise<Answer>): Promise<Answer>;
  diagnose(check?: Check, changes?: Partial<DoctorSurroundings>): Promise<Diagnosis>;
  /** Returns the findings of one check. */
  find(check: Check, changes?: Partial<DoctorSurroundings>): Promise<readonly Finding[]>;
  /** Carries out the fixes of one check. */
  mend(check: Check, changes?: Partial<DoctorSurroundings>): Promise<readonly FixOutcome[]>;
  path(...parts: readonly string[]): string;
  remove(): void;
};

/** Stores by their number of notes: copying one takes a tenth of the time that making it does. */
const templates = new Map<number, string>();

export const openPatient = async (options: { readonly notes?: number } = {}): Promise<Patient> => {
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-doctor-test-'));
  const store = join(folder, '.anamnesis');
  const claudeHome = join(folder, '.claude');
  mkdirSync(claudeHome);
  const environment = {
    PATH: process.env['PATH'],
    HOME: folder,
    ANAMNESIS_HOME: store,
    ANAMNESIS_MACHINE_ID: 'testbox',
  };
  const around: DoctorSurroundings = {
    environment,
    userHome: folder,
    platform: process.platform,
    uid: process.getuid?.(),
    execPath: process.execPath,
    scriptPath: join(folder, 'cli.js'),
    nowMs: Date.now,
  };
  const withStore: Patient['with'] = async (run) => {
    const opened = openStore({ home: store });
    try {
      return await run(opened.memory);
    } finally {
      await opened.close();
    }
  };
  const { notes = 0 } = options;
  if (notes > 0) {
    const template = templates.get(notes);
    if (template !== undefined) cpSync(template, store, { recursive: true, preserveTimestamps: true });
    else {
      await withStore((memory) =>
        Promise.all(
          Array.from({ length: notes }, (_, at) => writeNote(memory, { title: `Note ${at}`, body: `Text ${at}.\n` })),
        ),
      );
      const copy = mkdtempSync(join(inject('templateFolder'), 'doctor-'));
      cpSync(store, copy, { recursive: true, preserveTimestamps: true });
      templates.set(notes, copy);
    }
  }
  const look: Patient['diagnose'] = (check, changes = {}) =>
    diagnose({ ...around, ...changes }, check === undefined ? undefined : [check]);
  return {
    folder,
    store,
    claudeHome,
    around,
    environment,
    with: withStore,
    diagnose: look,
    find: async (check, changes) => (await look(check, changes)).findings,
    mend: async (check, changes) => carryOut(planFixes((await look(check, changes)).findings)),
    path: (...parts) => join(store, ...parts),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** Bundles the program for clients to start into one file, from the sources, so that no build is needed. */
export const bundleProgram = async (entry = 'src/cli/main.ts'): Promise<string> => {
  const outfile = join(inject('bundleFolder'), `doctor-${basename(entry, '.ts')}-${process.pid}.cjs`);
  await build({
    entryPoints: [join(process.cwd(), entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['better-sqlite3', 'piscina'],
    define: { 'import.meta.url': 'undefined', 'process.env.ANAMNESIS_VERSION': '"0.0.0-test"' },
    logLevel: 'error',
  });
  return outfile;
};

/** Writes a program that answers like ours but starts four times as fast, for tests of everything around it. */
export const writeStandIn = (patient: Patient): string => {
  const file = join(patient.folder, 'stand-in.cjs');
  const answer = { jsonrpc: '2.0', id: 1, result: { serverInfo: { name: 'anamnesis', version: 'stand-in' } } };
  const line = JSON.stringify(JSON.stringify(answer));
  writeFileSync(file, `process.stdin.once('data', () => process.argv[2] === 'serve' && console.log(${line}));\n`);
  return file;
};

/** Registers as `anamnesis init` does, with the program at that path. */
export const register = async (
  patient: Patient,
  scriptPath: string,
  request: Partial<InitRequest> = {},
  changes: Partial<DoctorSurroundings> = {},
): Promise<void> => {
  const surroundings = { ...patient.around, ...changes, home: patient.folder, scriptPath };
  const answer = await runInit(
    {
      storeHome: patient.store,
      clients: ['claude-code'],
      parts: ['server', 'hooks'],
      name: 'anamnesis',
      changes: [],
      sync: false,
      ...request,
    },
    surroundings,
  );
  if (isRefusal(answer)) throw new Error(answer.message);
};

/** Returns the mode and content of everything below a folder. */
export const pictureOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].sort().map((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      const content = stat.isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : stat.isSymbolicLink()
          ? readlinkSync(path)
          : 'folder';
      return [name, `${(stat.mode & 0o7777).toString(8)} ${content}`];
    }),
  );

/** Returns the path of some note's file in a journal of the store. */
export const aNote = (patient: Patient, journal: 'memory' | 'local' = 'memory'): string => {
  const folder = patient.path(journal);
  const [path] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^[a-z]+\/.*\.md$/.test(name),
  );
  if (path === undefined) throw new Error('there is no note');
  return join(folder, path);
};
