/** A realistic home folder, the setup commands on it, and the same program as a process. */
import {
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
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { copyWordLists } from '../../scripts/word-lists.mjs';
import type { Refusal } from '../../src/commands/refusals.js';
import { isRefusal } from '../../src/files/settings-file.js';
import { type FirstSteps, type InitAnswer, type InitRequest, runInit } from '../../src/setup/init.js';
import { applyRegistrations, planRegistrations, type Registration } from '../../src/setup/register.js';
import { type ClientName, clientNames, type Surroundings } from '../../src/setup/surroundings.js';
import { type Removal, runUninstall } from '../../src/setup/unregister.js';

export type Home = {
  readonly folder: string;
  readonly store: string;
  readonly surroundings: Surroundings;
  path(...parts: readonly string[]): string;
  put(path: string, text: string | Buffer): void;
  get(path: string): string;
  has(path: string): boolean;
  /** Runs all of init: makes a real store, which takes half a second. */
  init(request?: Partial<InitRequest>, firstSteps?: FirstSteps): Promise<InitAnswer>;
  tryInit(request?: Partial<InitRequest>): Promise<InitAnswer | Refusal>;
  /** Registers clients as init does. */
  register(request?: Partial<InitRequest>, step?: (name: string) => void): Promise<readonly Registration[]>;
  uninstall(clients?: readonly ClientName[]): Promise<readonly Removal[]>;
  tryUninstall(clients?: readonly ClientName[]): Promise<readonly Removal[] | Refusal>;
  /** Returns every file below the home except the store's own databases and logs, with its bytes and mode. */
  snapshot(): Readonly<Record<string, string>>;
  remove(): void;
};

export const openHome = (
  options: { readonly environment?: NodeJS.ProcessEnv; readonly platform?: NodeJS.Platform } = {},
): Home => {
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-home-'));
  const store = join(folder, '.anamnesis');
  const surroundings: Surroundings = {
    home: folder,
    platform: options.platform ?? 'linux',
    environment: { HOME: folder, PATH: join(folder, 'bin'), ...options.environment },
    execPath: '/opt/node/bin/node',
    scriptPath: '/opt/anamnesis/dist/cli.js',
  };
  const path = (...parts: readonly string[]): string => join(folder, ...parts);
  const tryInit: Home['tryInit'] = (request = {}) =>
    runInit({ ...defaults, storeHome: store, ...request }, surroundings);
  const register: Home['register'] = async (given = {}, step = () => undefined) => {
    const request = { ...defaults, storeHome: store, ...given };
    const planned = orThrow(planRegistrations(request, surroundings));
    const context = { request, surroundings, nowMs: Date.now, step };
    mkdirSync(join(request.storeHome, 'setup'), { recursive: true });
    return orThrow(applyRegistrations(planned, context));
  };
  const tryUninstall: Home['tryUninstall'] = (clients = clientNames) =>
    runUninstall({ storeHome: store, clients }, surroundings);
  return {
    folder,
    store,
    surroundings,
    path,
    put(at, text) {
      mkdirSync(dirname(path(at)), { recursive: true });
      writeFileSync(path(at), text);
    },
    get: (at) => readFileSync(path(at), 'utf8'),
    has: (at) => lstatSync(path(at), { throwIfNoEntry: false }) !== undefined,
    tryInit,
    register,
    init: async (request, firstSteps = {}) =>
      orThrow(await runInit({ ...defaults, storeHome: store, ...request }, surroundings, { firstSteps })),
    tryUninstall,
    uninstall: async (clients) => orThrow(await tryUninstall(clients)),
    snapshot: () => snapshotOf(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const defaults = {
  clients: ['claude-code'],
  parts: ['server', 'hooks'],
  name: 'anamnesis',
  changes: [],
  sync: true,
} as const;

const orThrow = <Value extends object>(value: Value | Refusal): Value => {
  if (isRefusal(value)) throw new Error(`refused: ${value.message}`);
  return value;
};

/** The store's own databases and logs change whenever it is opened. */
const ofTheStore = /^\.anamnesis\/(?:memory|local|index|spool|logs|state\.db|lock\.db|setup\/lock\.db)/;

const snapshotOf = (folder: string): Readonly<Record<string, string>> => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !ofTheStore.test(name));
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const stat = lstatSync(join(folder, name));
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isDirectory()) return [name, `folder ${mode}`];
      if (stat.isSymbolicLink()) return [name, `link ${readlinkSync(join(folder, name))}`];
      return [name, `${mode} ${readFileSync(join(folder, name)).toString('latin1')}`];
    }),
  );
};

/** A settings.json grown over months: foreign hooks, four spaces, unordered keys, no newline at the end. */
export const grownSettings = `{
    "model": "opus",
    "hooks": {
        "Stop": [
            {
                "hooks": [
                    { "type": "command", "command": "~/bin/chime.sh", "timeout": 5 }
                ]
            }
        ],
        "PreToolUse": [
            {
                "matcher": "Bash",
                "hooks": [{ "type": "command", "command": "guard --strict" }]
            }
        ]
    },
    "env": { "API_TOKEN": "not-a-real-token", "10": "first", "2": "second" },
    "permissions": {
        "deny": ["Read(./.env)"],
        "allow": []
    },
    "übrig": "\\u00e9 and é, 1.0 and 1e3",
    "ratio": 1.0
}`;

/** Bundles programs beside this file into a folder below node_modules, so that native modules resolve. */
export const bundlePrograms = async (...names: readonly string[]): Promise<string> => {
  const outdir = join(process.cwd(), 'node_modules', '.cache', 'anamnesis-test', `setup-${process.pid}`);
  await build({
    entryPoints: names.map((name) => join(process.cwd(), 'test', 'setup', `${name}.ts`)),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Modules that a command does not run are not loaded.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['better-sqlite3', 'piscina'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  copyWordLists(outdir);
  return outdir;
};
