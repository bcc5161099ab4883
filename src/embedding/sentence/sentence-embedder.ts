/** Runs a sentence model on this machine: the package it needs, and its process. No text leaves the machine. */

import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Embedder, failRead, type ModelProblem, type Read, readAs } from '../embedder.js';
import type { InstalledModel } from '../installed-models.js';
import { parseObject } from '../model-parts.js';
import type { FromHost, ToHost } from './host-messages.js';

/** Texts per batch: more take more memory and save hardly any time on a processor. */
const maxTexts = 8;
/** Time limit of each batch. */
const defaultTimeoutMs = 120_000;
/** Characters of a text; more than the tokens that are read. */
const maxChars = 8_192;

/** Fails if the package that runs the model is missing; the model is loaded on first use. */
export const openSentenceEmbedder = (model: InstalledModel): Read<Embedder> => {
  const { name, digest, manifest } = model;
  if (manifest.role !== 'sentences')
    return failRead(
      'model-unsupported',
      `${name} is a static model, which is read and not run`,
      'see: anamnesis model list',
    );
  const runtime = findRuntime();
  if (!runtime.ok) return runtime;
  return readAs({
    id: `sentences-1 ${name}@${digest.slice(0, 16)}`,
    async embed(texts, { as = 'passage', timeoutMs = defaultTimeoutMs } = {}) {
      const prefix = as === 'query' ? manifest.queryPrefix : manifest.passagePrefix;
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += maxTexts) {
        const batch = texts.slice(at, at + maxTexts).map((text) => prefix + text.slice(0, maxChars));
        const answer = await hostOf(model, runtime.value).run(batch, timeoutMs);
        if (!answer.ok) return answer;
        for (let one = 0; one < batch.length; one += 1)
          vectors.push(answer.value.slice(one * manifest.dimension, (one + 1) * manifest.dimension));
      }
      return readAs(vectors);
    },
  });
};
/** Not a dependency (half a gigabyte). Looked for beside this program and Node, never in the working folder. */
type Runtime = {
  /** The file to load. */
  readonly entry: string;
  readonly version: string;
};

const runtimeName = '@huggingface/transformers';
/** Names a folder whose node_modules holds the package; no other folder is searched then. */
export const runtimeVariable = 'ANAMNESIS_TRANSFORMERS';

/** Never throws, and loads nothing. */
export const findRuntime = (environment: NodeJS.ProcessEnv = process.env): Read<Runtime> => {
  const given = environment[runtimeVariable] ?? '';
  const found = rootsOf(given).flatMap((root) => packageBelow(root) ?? []);
  const fitting = found.find(({ version }) => /^[34]\./.test(version));
  if (fitting !== undefined) return readAs(fitting);
  const [other] = found;
  return failRead(
    'model-runtime',
    other === undefined
      ? `${runtimeName}, which runs models of this kind, is not installed`
      : `${runtimeName} ${other.version} is installed, but models of this kind need version 3 or 4`,
    `install it: npm install -g --ignore-scripts ${runtimeName}@4`,
  );
};

/** Absolute paths of folders whose node_modules may hold the package. */
const rootsOf = (given: string): readonly string[] => {
  if (given !== '') return isAbsolute(given) ? [given] : [];
  const node = dirname(process.execPath);
  return [...upward(dirname(fileURLToPath(import.meta.url))), join(dirname(node), 'lib'), node];
};

/** `npm install -g` puts the package beside this program, if that was installed in the same way. */
const upward = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...upward(dirname(folder))];

/** Node also searches upward and along NODE_PATH, so its result must be in this root; the package may be a link. */
const packageBelow = (root: string): Runtime | undefined => {
  try {
    const folder = realpathSync(join(root, 'node_modules', runtimeName));
    const entry = createRequire(join(root, 'from.js')).resolve(runtimeName);
    if (!realpathSync(entry).startsWith(`${folder}${sep}`)) return undefined;
    const version = parseObject(readFileSync(join(folder, 'package.json')))?.['version'];
    return typeof version === 'string' ? { entry, version } : undefined;
  } catch {
    return undefined;
  }
};
/** At most one, because it takes hundreds of megabytes. */
let running: { readonly key: string; readonly host: ModelHost } | undefined;

/** Returns the process that runs the model, starting it if needed in place of another. */
export const hostOf = (model: InstalledModel, runtime: Runtime): ModelHost => {
  const key = `${model.models} ${model.name} ${model.digest} ${runtime.entry}`;
  if (running?.key === key && !running.host.hasEnded()) return running.host;
  endModels();
  running = { key, host: new ModelHost(model, runtime) };
  return running.host;
};

/** Ends the model, for a caller that is done with it before its own process ends. */
export const endModels = (): void => {
  running?.host.end();
  running = undefined;
};

/** Enough to load a model of a gigabyte from a slow disk. */
const maxLoadMs = 120_000;
/** Ends an idle process, so that a running server frees its memory. */
const idleMs = 10 * 60_000;

class ModelHost {
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Read<Float32Array>) => void>();
  readonly #whenOpened: Promise<Read<undefined>>;
  #opened: ((answer: Read<undefined>) => void) | undefined;
  #ending: ModelProblem | undefined;
  #asks = 0;
  #timer: NodeJS.Timeout;

  constructor({ name, models, manifest }: InstalledModel, { entry }: Runtime) {
    this.#name = name;
    this.#whenOpened = new Promise((resolve) => {
      this.#opened = resolve;
    });
    this.#child = startChild(hostFile(), models);
    this.#child.on('error', (error) => this.#stop(`its process could not be started: ${error.message}`));
    this.#child.on('exit', (code, signal) => this.#stop(`its process ended (${signal ?? code})`));
    this.#child.on('message', (message: FromHost) => this.#receive(message));
    this.#timer = this.#stopAfter(maxLoadMs, `it was not loaded within ${maxLoadMs} ms`);
    const threads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
    this.#send({ kind: 'open', entry, models, name, manifest, threads });
  }

  /** Resolves in time with the texts' vectors, one after the other. Never throws. */
  async run(texts: readonly string[], timeoutMs: number): Promise<Read<Float32Array>> {
    const until = performance.now() + timeoutMs;
    const isOpen = await within(this.#whenOpened, timeoutMs);
    // Loading continues, so the next call may find it ready.
    if (isOpen === undefined) return this.#unusable(`it was not loaded within ${Math.round(timeoutMs)} ms`);
    if (!isOpen.ok) return isOpen;
    if (this.#ending !== undefined) return { ok: false, problem: this.#ending };
    this.#restartIdleTimer();
    this.#asks += 1;
    const ask = this.#asks;
    const answered = new Promise<Read<Float32Array>>((resolve) => {
      this.#waiting.set(ask, resolve);
    });
    this.#send({ kind: 'run', ask, texts });
    const numbers = await within(answered, Math.max(1, until - performance.now()));
    this.#waiting.delete(ask);
    // A run can't be interrupted, and the next call would wait behind it.
    return numbers ?? this.#stop(`it gave no answer within ${Math.round(timeoutMs)} ms`);
  }

  hasEnded(): boolean {
    return this.#ending !== undefined;
  }

  end(): void {
    this.#stop('it was stopped');
  }

  #receive(message: FromHost): void {
    // Ignores messages that were still on their way when the process was ended.
    if (this.#ending !== undefined) return;
    this.#restartIdleTimer();
    if (message.kind === 'opened') this.#opened?.(readAs(undefined));
    else if (message.kind === 'refused') this.#stop(message.why);
    else
      this.#waiting.get(message.ask)?.(message.kind === 'ran' ? readAs(message.numbers) : this.#unusable(message.why));
  }

  /** The first reason is the one that all are told. */
  #stop(why: string): { readonly ok: false; readonly problem: ModelProblem } {
    const problem = this.#ending ?? this.#unusable(why).problem;
    this.#ending = problem;
    const failed = { ok: false, problem } as const;
    this.#opened?.(failed);
    for (const answer of this.#waiting.values()) answer(failed);
    this.#waiting.clear();
    clearTimeout(this.#timer);
    this.#child.kill('SIGKILL');
    return failed;
  }

  #send(message: ToHost): void {
    // If a message can't be sent, the process has ended, and its 'exit' event answers all who wait.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #restartIdleTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#stopAfter(idleMs, 'it was stopped');
  }

  #stopAfter(ms: number, why: string): NodeJS.Timeout {
    return setTimeout(() => this.#stop(why), ms).unref();
  }

  #unusable(why: string) {
    return failRead(
      'model-unusable',
      `the model ${this.#name} gave no answer: ${why}`,
      'try: anamnesis model test; or do without it: anamnesis model use none',
    );
  }
}

/** Passes on only the variables that say where things are; this process never waits for the child to end. */
const startChild = (file: string, folder: string): ChildProcess => {
  const env = Object.fromEntries(
    keptVariables.flatMap((key) => (process.env[key] === undefined ? [] : [[key, process.env[key]]])),
  );
  const child = fork(file, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    cwd: folder,
    env,
  });
  child.unref();
  child.channel?.unref();
  return child;
};

const keptVariables = ['PATH', 'HOME', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];

/** Resolves with undefined if it takes longer. The timer keeps this process alive, which the child does not. */
const within = async <Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Node 20 cannot run TypeScript, so when run from source, as in tests, the built file is used. */
const hostFile = (): string => {
  const here = dirname(fileURLToPath(import.meta.url));
  const built = [join(here, hostName), join(here, '..', '..', '..', 'dist', hostName)].find((path) => existsSync(path));
  if (built === undefined) throw new Error(`dist/${hostName} is missing: run npm run build`);
  return built;
};
const hostName = 'model-host.js';
