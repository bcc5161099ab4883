/** Folders that init made for clients' files are removed with the last file, and only if they are empty. */
import { mkdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientNames } from '../../src/setup/surroundings.js';
import { type Home, openHome } from './support.js';

let home: Home;
beforeEach(() => {
  home = openHome();
});
afterEach(() => home.remove());

/** Returns the paths below the home, except for the store. */
const remaining = (): readonly string[] =>
  Object.keys(home.snapshot()).filter((name) => !/^\.anamnesis(?:\/|$)/.test(name));

describe('uninstall', () => {
  it('leaves nothing behind, whatever clients share a folder', async () => {
    await home.register({ clients: clientNames });
    expect(remaining()).toContain('.config/opencode/opencode.json');
    expect(remaining().some((name) => name.startsWith('.config/Code/'))).toBe(true);
    await home.uninstall();
    expect(remaining()).toEqual([]);
  });
  it.each([
    ['opencode', 'vscode'],
    ['vscode', 'opencode'],
  ] as const)('removes a shared folder with the second of two clients: %s, %s', async (first, second) => {
    await home.register({ clients: ['opencode', 'vscode'] });
    await home.uninstall([first]);
    expect(remaining()).toContain('.config');
    await home.uninstall([second]);
    expect(remaining()).toEqual([]);
  });
  it('removes the folder even if its file was removed by hand', async () => {
    await home.register({ clients: ['opencode'] });
    rmSync(home.path('.config', 'opencode', 'opencode.json'));
    await home.uninstall();
    expect(remaining()).toEqual([]);
  });
  it('keeps an empty folder that was there before', async () => {
    mkdirSync(home.path('.config'));
    await home.register({ clients: ['opencode', 'vscode'] });
    await home.uninstall();
    expect(remaining()).toEqual(['.config']);
  });
  it('keeps a folder that someone has put a file into', async () => {
    await home.register({ clients: ['opencode', 'vscode'] });
    home.put('.config/opencode/theme.json', '{}');
    await home.uninstall();
    expect(remaining()).toEqual(['.config', '.config/opencode', '.config/opencode/theme.json']);
  });
});
