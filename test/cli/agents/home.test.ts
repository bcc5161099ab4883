/** The store named by an option, for commands that clients start without an environment. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHome, type TestHome } from '../support.js';

let home: TestHome;
beforeEach(() => {
  home = openHome();
});
afterEach(() => home.remove());

const inWords = (folder: string): readonly string[] => ['--home', folder];
const joined = (folder: string): readonly string[] => [`--home=${folder}`];

it.each([
  ['in two words', inWords],
  ['joined by an equals sign', joined],
])('work uses the store of --home, %s', async (_, option) => {
  const other = join(home.folder, 'other');
  expect((await home.run(['work', ...option(other)])).code).toBe(0);
  expect([existsSync(other), existsSync(home.store)]).toEqual([true, false]);
});

it.each([
  ['in two words', inWords],
  ['joined by an equals sign', joined],
])('a hook uses the store of --home, %s', async (_, option) => {
  const other = join(home.folder, 'other');
  await home.json(['write', 'Deploys need the VPN', '--body', 'x'], { env: { ANAMNESIS_HOME: other } });
  const input = JSON.stringify({ session_id: 'a', cwd: home.work, source: 'startup' });
  expect(home.spawn(['hook', 'SessionStart', ...option(other)], { input }).stdout).toContain('Deploys need the VPN');
});
