/** Starts the process that runs a model, and sends it texts. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failRead, type ModelProblem, type Read, readAs } from '../embedder.js';
import type { InstalledModel } from '../installed-models.js';
import type { FromHost, ToHost } from './host-messages.js';
import type { Runtime } from './runtime-package.js';

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
