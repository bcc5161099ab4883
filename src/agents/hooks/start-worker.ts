/** Starts the background worker. */

/**
 * A small young generation and less compiled code: a transcript of 500 MB is read in 75 MiB, 50 of them Node's own.
 * Replay and vectors take 15 % longer with a third less memory, which no one waits for.
 */
export const workerFlags: readonly string[] = ['--max-semi-space-size=1', '--optimize-for-size'];

/** Detached: the agent may end, and kill its hooks, before the work is done. */
export const startWorker = (home: string, log: (line: string) => void): void => {
  const script = process.argv[1];
  if (script === undefined) return;
  // The worker must not get the key to the agent's own message socket.
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('CLAUDE_CODE_MESSAGING')),
  );
  // Loaded only by the hooks that start something: it takes 2 ms.
  const child = process
    .getBuiltinModule('node:child_process')
    .spawn(process.execPath, [...workerFlags, script, 'work'], {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
      cwd: home,
      env: { ...environment, ANAMNESIS_HOME: home },
    });
  child.on('error', (error) => log(`the background worker could not be started: ${error.message}`));
  child.unref();
};
