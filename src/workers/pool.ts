/** The only module that uses piscina: a pool of threads that run the tasks of `thread.ts`. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { Fault } from '../events/faults.js';
import type { Answer, Task } from './thread.js';

export type Pool = {
  run<Asked extends Task>(task: Asked): Promise<Answer<Asked>>;
  close(): Promise<void>;
};

export const openPool = (threads: number, file = threadFile()): Pool => {
  const piscina = new Piscina({
    filename: file,
    minThreads: threads,
    maxThreads: threads,
    // One task runs while the next is queued, so that a thread needn't wait for this one, which is busy writing.
    concurrentTasksPerWorker: 2,
  });
  // Not one promise that all runs race with: it would keep every answer in memory until the pool is closed.
  const running = new Set<(fault: Fault) => void>();
  let death: Fault | undefined;
  piscina.on('error', (cause: unknown) => {
    death = workerDied(cause);
    for (const reject of running) reject(death);
  });
  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (death !== undefined) {
          reject(death);
          return;
        }
        running.add(reject);
        piscina
          .run(task)
          .then(resolve, (cause: unknown) => reject(workerDied(cause)))
          .finally(() => running.delete(reject));
      }),
    close: () => piscina.destroy(),
  };
};

const workerDied = (cause: unknown): Fault =>
  new Fault(
    'worker-died',
    `a worker thread stopped: ${cause instanceof Error ? cause.message : String(cause)}; the index is unchanged`,
    'repeat the command; if it happens again, try `anamnesis replay --workers 1` and `anamnesis verify`',
    { cause },
  );

/** Node 20 cannot load TypeScript in a thread, so the built thread is used when running from source, as in tests. */
const threadFile = (): string => {
  const here = dirname(fileURLToPath(import.meta.url));
  const built = [join(here, 'thread.js'), join(here, '..', '..', 'dist', 'thread.js')].find((path) => existsSync(path));
  if (built === undefined) throw new Error('dist/thread.js is missing: run npm run build');
  return built;
};
