/** Folders that init made for files of clients go with the last of them, and only if they are empty. */
import { mkdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientNames } from '../../src/setup/surroundings.js';
import { type Home, openHome } from './support.js';

let home: Home;
beforeEach(() => {
  home = openHome();
});
afterEach(() => home.remove());

/** Below the home, but for the store. */
const left = (): readonly string[] => Object.keys(home.snapshot()).filter((name) => !/^\.anamnesis(?:\/|$)/.test(name));

describe('uninstall', () => {
  it('leaves nothing where nothing was, whatever clients share a folder', async () => {
    await home.register({ clients: clientNames });
    expect(left()).toContain('.config/opencode/opencode.json');
    expect(left().some((name) => name.startsWith('.config/Code/'))).toBe(true);
    await home.uninstall();
    expect(left()).toEqual([]);
  });
  it.each([
    ['opencode', 'vscode'],
    ['vscode', 'opencode'],
  ] as const)('takes the folder that both had with the second of two: %s, %s', async (first, second) => {
    await home.register({ clients: ['opencode', 'vscode'] });
    await home.uninstall([first]);
    expect(left()).toContain('.config');
    await home.uninstall([second]);
    expect(left()).toEqual([]);
  });
  it('takes the folder too where its file was removed by hand', async () => {
    await home.register({ clients: ['opencode'] });
    rmSync(home.path('.config', 'opencode', 'opencode.json'));
    await home.uninstall();
    expect(left()).toEqual([]);
  });
  it('keeps a folder that was there before, empty as it was', async () => {
    mkdirSync(home.path('.config'));
    await home.register({ clients: ['opencode', 'vscode'] });
    await home.uninstall();
    expect(left()).toEqual(['.config']);
  });
  it('keeps a folder in which somebody has put something since', async () => {
    await home.register({ clients: ['opencode', 'vscode'] });
    home.put('.config/opencode/theme.json', '{}');
    await home.uninstall();
    expect(left()).toEqual(['.config', '.config/opencode', '.config/opencode/theme.json']);
  });
});
