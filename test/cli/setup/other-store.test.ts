import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome, type Ran, type TestHome } from '../support.js';

let home: TestHome;
beforeEach(() => {
  home = openHome();
  mkdirSync(dirname(settings()), { recursive: true });
  writeFileSync(settings(), original);
});
afterEach(() => home.remove());

/** Formatted so that removing our entries alone does not restore it byte for byte. */
const original = '{"model":"x",\n   "hooks": {} }';
const settings = (): string => join(home.folder, '.claude', 'settings.json');
const store = (): string => join(home.folder, 'my mem');
/** Runs without a variable that names the store, as in the person's next terminal. */
const run = (...args: readonly string[]): Promise<Ran> => home.run(args, { env: { ANAMNESIS_HOME: undefined } });
const init = (...args: readonly string[]): Promise<Ran> => run('init', '--yes', '--no-sync', ...args);

describe('after init --home', { timeout: 60_000 }, () => {
  it('the commands that init names restore the settings file byte for byte', async () => {
    const { stdout } = await init('--home', store());
    expect(stdout).toContain(`Check it with: anamnesis doctor --home '${store()}'\n`);
    expect(stdout).toContain(`Undo it with: anamnesis uninstall --home '${store()}'\n`);
    expect((await run('doctor', '--home', store())).stdout).not.toContain('names another store');
    expect(await run('uninstall', '--yes', '--home', store())).toMatchObject({ code: 0 });
    expect(readFileSync(settings(), 'utf8')).toBe(original);
  });
  it('doctor names the other store and the command that looks at it', async () => {
    await init('--home', store());
    const { code, stdout } = await run('doctor');
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`to look at that one: anamnesis doctor --home '${store()}'`);
  });
  it('doctor advises registering with the store that it looked at', async () => {
    await init('--home', store());
    writeFileSync(settings(), original);
    const { stdout } = await run('doctor', '--home', store());
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`anamnesis init --home '${store()}' --client claude-code`);
  });
  it('uninstall without --home removes the entries, and keeps everything else', async () => {
    await init('--home', store());
    expect(await run('uninstall', '--yes')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(settings(), 'utf8'))).toEqual({ model: 'x' });
  });
});
