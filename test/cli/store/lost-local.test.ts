/** Accepting with `anamnesis adopt` that `local/` is lost. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHome, type TestHome } from '../support.js';

let home: TestHome;
const store = (...names: readonly string[]): string => join(home.json(['status']).root, ...names);
const titles = (): readonly string[] => home.json(['list']).notes.map(({ title }: { title: string }) => title);

beforeEach(() => {
  home = openHome();
  for (const number of [1, 2, 3, 4, 5, 6, 7]) home.json(['write', `Note ${number}`, '--body', `text ${number}`]);
  home.json(['write', 'Private', '--body', 'x', '--scope', 'machine-local']);
  rmSync(store('local'), { recursive: true });
  rmSync(store('memory', 'semantic'), { recursive: true });
});
afterEach(() => home.remove());

it('adopt --lost-local accepts that local/ is lost, and forgets no note of other held deletions', () => {
  expect(home.json(['status']).lost_local).not.toBeNull();
  const { code, stderr } = home.run(['adopt', '--lost-local']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('the old local/ is accepted as lost'),
  });
  expect(home.json(['status'])).toMatchObject({ lost_local: null });
  expect(titles()).toHaveLength(7);
  expect(home.run(['adopt', '--lost-local']).stderr).toContain('no local/ is missing\n');
});

it('adopt --deletions forgets the notes whose files are gone, and still reports local/ as lost', () => {
  expect(home.run(['adopt', '--deletions']).code).toBe(0);
  expect(titles()).toEqual([]);
  expect(home.json(['status']).lost_local).toMatchObject({ next: expect.stringContaining('adopt --lost-local') });
});
