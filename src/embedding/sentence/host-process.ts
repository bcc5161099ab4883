/** Starts the process that runs a model, and sends it texts. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failRead, type ModelProblem, type Read, readAs } from '../embedder.js';
import { readFromHost, type ToHost } from './host-messages.js';
import type { RunModel } from './installed-folder.js';
import type { Runtime } from './runtime-package.js';

export type ModelHost = {
  /** Resolves in time with the texts' numbers in order: a vector each, or how it answers the question. Never throws. */
  run(texts: readonly string[], timeoutMs: number, question?: string): Promise<Read<Float32Array>>;
  hasEnded(): boolean;
  end(): void;
};

/** Enough to load a model of a gigabyte from a slow disk. */
const maxLoadMs = 120_000;
/** Ends an idle process, so that a running server frees its memory. */
const idleMs = 10 * 60_000;

export const startHost = (model: RunModel, runtime: Runtime, file = hostFile()): ModelHost => {
  const { name, models, manifest } = model;
  let ending: ModelProblem | undefined;
  let asks = 0;
  const waiting = new Map<number, (answer: Read<Float32Array>) => void>();
  let opened: ((answer: Read<undefined>) => void) | undefined;
  const whenOpened = new Promise<Read<undefined>>((resolve) => {
    opened = resolve;
  });
  const child = startChild(file, models);

  const stop = (problem: ModelProblem): void => {
    ending ??= problem;
    const failed = { ok: false, problem: ending } as const;
    opened?.(failed);
    for (const answer of waiting.values()) answer(failed);
    waiting.clear();
    clearTimeout(loading);
    clearTimeout(idle);
    child.kill('SIGKILL');
  };
  const loading = setTimeout(() => stop(late(name, 'was not loaded', maxLoadMs)), maxLoadMs).unref();
  let idle: NodeJS.Timeout | undefined;
  const restartIdleTimer = (): void => {
    clearTimeout(idle);
    idle = setTimeout(() => stop(unusable(name, 'it was stopped').problem), idleMs).unref();
  };

  child.on('error', (error) => stop(unusable(name, `its process could not be started: ${error.message}`).problem));
  child.on('exit', (code, signal) => stop(unusable(name, `its process ended (${signal ?? code})`).problem));
  child.on('message', (sent: unknown) => {
    // Ignores messages that were still on their way when the process was ended.
    if (ending !== undefined) return;
    const message = readFromHost(sent);
    if (message === undefined) return stop(unusable(name, 'its process sent an invalid answer').problem);
    restartIdleTimer();
    switch (message.kind) {
      case 'opened':
        clearTimeout(loading);
        return opened?.(readAs(undefined));
      case 'refused':
        return stop((message.isDamage ? damaged(name, message.why) : unusable(name, message.why)).problem);
      case 'ran':
        return waiting.get(message.ask)?.(readAs(message.numbers));
      case 'failed':
        return waiting.get(message.ask)?.(unusable(name, message.why));
    }
  });
  const send = (message: ToHost): void => {
    // If a message can't be sent, the process has ended, and its 'exit' event answers all who wait.
    if (child.connected) child.send(message, () => undefined);
  };
  const threads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
  send({ kind: 'open', entry: runtime.entry, models, name, manifest, threads });

  return {
    async run(texts, timeoutMs, question) {
      const until = performance.now() + timeoutMs;
      const isOpen = await within(whenOpened, timeoutMs);
      // Loading continues, so the next call may find it ready.
      if (isOpen === undefined) return { ok: false, problem: late(name, 'was not loaded', timeoutMs) };
      if (!isOpen.ok) return isOpen;
      if (ending !== undefined) return { ok: false, problem: ending };
      restartIdleTimer();
      asks += 1;
      const ask = asks;
      const answered = new Promise<Read<Float32Array>>((resolve) => {
        waiting.set(ask, resolve);
      });
      send({ kind: 'run', ask, texts, question });
      const numbers = await within(answered, Math.max(1, until - performance.now()));
      waiting.delete(ask);
      if (numbers !== undefined) return numbers;
      const problem = late(name, 'gave no answer', timeoutMs);
      // A run can't be interrupted, and the next call would wait behind it.
      stop(problem);
      return { ok: false, problem };
    },
    hasEnded: () => ending !== undefined,
    end: () => stop(unusable(name, 'it was stopped').problem),
  };
};

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

const keptVariables = [
  'PATH',
  'HOME',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SystemRoot',
  'TEMP',
  'TMP',
  'TMPDIR',
  'USERPROFILE',
];

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

const doWithout = 'try: anamnesis model test; or do without it: anamnesis model use none';

const unusable = (name: string, why: string) =>
  failRead('model-unusable', `the model ${name} gave no answer: ${why}`, doWithout);
const damaged = (name: string, what: string) =>
  failRead('model-damaged', `the model ${name} is damaged: ${what}`, 'install it again: anamnesis model install');
const late = (name: string, what: string, ms: number): ModelProblem => ({
  code: 'model-unusable',
  message: `the model ${name} ${what} within ${Math.round(ms)} ms`,
  next: doWithout,
});
