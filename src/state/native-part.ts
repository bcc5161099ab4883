/** Tells whether an error means that better-sqlite3's native part is missing or built for another Node. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../events/faults.js';
import { installCommand } from './install-command.js';

/**
 * Returns a fault that says what to run, undefined for other errors. `program` is the file that Node was started with.
 */
export const nativePartFault = (error: unknown, program = process.argv[1] ?? ''): Fault | undefined => {
  if (!(error instanceof Error) || !('code' in error) || !isNativePart.test(error.message)) return undefined;
  const folder = findInstalled(program);
  if (folder === undefined) {
    return fault('the package better-sqlite3 is missing', `run: ${installCommand}`, error);
  }
  // npm always runs the install script of a package that is named in the command.
  const rebuild = `run: npm --prefix ${folder} rebuild better-sqlite3`;
  const [, builtFor] = /NODE_MODULE_VERSION (\d+)/.exec(error.message) ?? [];
  if (builtFor !== undefined) {
    const message = `this is not the Node that anamnesis was installed with: better-sqlite3 was built for modules of version ${builtFor}, and this is Node ${process.version} (${process.versions.modules})`;
    return fault(message, rebuild, error);
  }
  const compiled = `${rebuild} (if no prebuilt one fits, it is compiled, which takes Python 3 and a C++ compiler)`;
  if (error.code === 'MODULE_NOT_FOUND') {
    return fault(
      'the native part of better-sqlite3 is missing: its install script did not run or failed',
      compiled,
      error,
    );
  }
  const [why = ''] = error.message.trim().split('\n');
  return fault(`the native part of better-sqlite3 does not load: ${why}`, compiled, error);
};

const isNativePart = /better[-_]sqlite3/;

const fault = (message: string, next: string, cause: Error): Fault =>
  new Fault('native-part-missing', message, next, { cause });

/** The folder that holds `node_modules/better-sqlite3` for this program: its own, or that of a project around it. */
const findInstalled = (program: string): string | undefined => {
  // A globally installed program is a link.
  const file = existsSync(program) ? realpathSync(program) : program;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', 'better-sqlite3', 'package.json'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
};
