/** A note whose file was committed with a text that cannot be parsed: the advice of a command on it works. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { personsGit } from '../../support/store.js';
import { openHome, type TestHome } from '../support.js';

let home: TestHome;
beforeEach(() => {
  home = openHome();
});
afterEach(() => {
  home.remove();
});

const places = [
  ['memory', []],
  ['local', ['--scope', 'machine-local']],
] as const;

const writeUnreadable = async (folder: string, options: readonly string[]) => {
  const { id, path } = await home.json(['write', 'Apple', '--body', 'x', ...options]);
  const good = readFileSync(path, 'utf8');
  writeFileSync(path, good.replace(/^title:.*$/m, 'title: [half'));
  const git = (...args: string[]) => personsGit(join(home.store, folder), ...args);
  git('add', '-A');
  git('commit', '-qm', 'half an edit');
  return { id, path, good };
};

it.each(places)('a command on a note in %s works once the file is corrected', async (folder, options) => {
  const { id, path, good } = await writeUnreadable(folder, options);
  const { stderr } = await home.run(['edit', id, '--tag', 'x']);
  expect(stderr).toContain(`or bring an older text back: anamnesis restore ${id.slice(-6)} --at`);
  writeFileSync(path, good);
  expect(await home.run(['edit', id, '--tag', 'x'])).toMatchObject({ code: 0 });
});

it.each(places)('restore brings back an older text of a note in %s', async (folder, options) => {
  const { id, path } = await writeUnreadable(folder, options);
  await home.run(['edit', id, '--tag', 'x']);
  const [first] = (await home.json(['log', '--kind', 'note.written'])).events;
  expect(await home.run(['restore', id, '--at', first.id])).toMatchObject({ code: 0 });
  expect(readFileSync(path, 'utf8')).toContain('title: Apple');
  expect(await home.run(['edit', id, '--tag', 'x'])).toMatchObject({ code: 0 });
});
