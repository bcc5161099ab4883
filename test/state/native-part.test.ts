import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativePartFault } from '../../src/state/environment-probe.js';
import { temporaryFolder } from '../support/store.js';

let folder: string;
let program: string;
beforeAll(() => {
  folder = temporaryFolder();
  program = join(folder, 'dist', 'cli.js');
  mkdirSync(join(folder, 'node_modules', 'better-sqlite3'), { recursive: true });
  writeFileSync(join(folder, 'node_modules', 'better-sqlite3', 'package.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true }));

const errorOf = (code: string, message: string): Error => Object.assign(new Error(message), { code });
const binary = 'better-sqlite3/build/Release/better_sqlite3.node';

describe('an error of the native part', () => {
  it('built for another Node says so, and what to run', () => {
    const said = `The module '/x/${binary}'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 99. This version of Node.js requires\nNODE_MODULE_VERSION 115.`;
    expect(nativePartFault(errorOf('ERR_DLOPEN_FAILED', said), program)).toMatchObject({
      code: 'native-part-missing',
      message: expect.stringMatching(/^this is not the Node that anamnesis was installed with: .* version 99, /),
      next: `run: npm --prefix ${folder} rebuild better-sqlite3`,
    });
  });
  it('that was never built says how to build it', () => {
    const fault = nativePartFault(
      errorOf('MODULE_NOT_FOUND', `Cannot find module '${binary}'\nRequire stack:`),
      program,
    );
    expect(fault?.message).toContain('its install script did not run or failed');
    expect(fault?.next).toMatch(/rebuild better-sqlite3 \(if no prebuilt one fits, .* C\+\+ compiler\)$/);
  });
  it('built for another machine keeps the first line of what the system says', () => {
    const fault = nativePartFault(errorOf('ERR_DLOPEN_FAILED', `/x/${binary}: invalid ELF header\nmore`), program);
    expect(fault?.message).toBe(`the native part of better-sqlite3 does not load: /x/${binary}: invalid ELF header`);
  });
  it('without its package says to install again', () => {
    const fault = nativePartFault(errorOf('MODULE_NOT_FOUND', `Cannot find module '${binary}'`), '/nowhere/cli.js');
    expect(fault?.next).toBe('run: npm install --global --allow-scripts=better-sqlite3 anamnesis');
  });
  it('is not reported for other errors', () => {
    expect(nativePartFault(errorOf('MODULE_NOT_FOUND', "Cannot find module 'piscina'"), program)).toBeUndefined();
    expect(nativePartFault(new Error('better-sqlite3 is fine'), program)).toBeUndefined();
  });
});
