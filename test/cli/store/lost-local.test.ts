/** Accepting with `anamnesis adopt` that `local/` is lost. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHome, type TestHome } from '../support.js';

let home: TestHome;
const store = async (...names: readonly string[]): Promise<string> =>
  join((await home.json(['status'])).root, ...names);
const titles = async (): Promise<readonly string[]> =>
  (await home.json(['list'])).notes.map(({ title }: { title: string }) => title);

beforeEach(async () => {
  home = openHome();
  for (const number of [1, 2, 3, 4, 5, 6, 7]) await home.json(['write', `Note ${number}`, '--body', `text ${number}`]);
  await home.json(['write', 'Private', '--body', 'x', '--scope', 'machine-local']);
  rmSync(await store('local'), { recursive: true });
  rmSync(await store('memory', 'semantic'), { recursive: true });
});
afterEach(() => home.remove());

it('adopt --lost-local accepts that local/ is lost, and forgets no note of other held deletions', async () => {
  expect((await home.json(['status'])).lost_local).not.toBeNull();
  const { code, stderr } = await home.run(['adopt', '--lost-local']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('the old local/ is accepted as lost'),
  });
  expect(await home.json(['status'])).toMatchObject({ lost_local: null });
  expect(await titles()).toHaveLength(7);
  expect((await home.run(['adopt', '--lost-local'])).stderr).toContain('no local/ is missing\n');
});

it('adopt --deletions forgets the notes whose files are gone, and still reports local/ as lost', async () => {
  expect((await home.run(['adopt', '--deletions'])).code).toBe(0);
  expect(await titles()).toEqual([]);
  expect((await home.json(['status'])).lost_local).toMatchObject({
    next: expect.stringContaining('adopt --lost-local'),
  });
});
