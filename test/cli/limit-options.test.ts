/** Commands that limit the number of notes or events: some call it -k, others -n. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHome, type TestHome } from './support.js';

let home: TestHome;
beforeAll(async () => {
  home = openHome();
  for (const title of ['Deploys need the VPN', 'Deploys hang at night', 'Deploys wait for the lock'])
    await home.run(['write', title, '--body', `${title}, as everybody knows.`]);
});
afterAll(() => home.remove());

it.each([
  ['list', [], 'notes'],
  ['log', [], 'events'],
  ['history', ['Deploys hang at night'], 'events'],
  ['search', ['deploys'], 'hits'],
  ['similar', ['Deploys hang at night'], 'hits'],
  ['recall', ['why do the deploys hang at night'], 'notes'],
])('%s accepts either letter and --limit', async (command, args, key) => {
  const counted = async (...count: readonly string[]) => (await home.json([command, ...args, ...count]))[key];
  expect(await counted('-n', '1')).toEqual(await counted('-k', '1'));
  expect(await counted('--limit', '1')).toEqual(await counted('-k', '1'));
  expect(await counted('-n', '1')).toHaveLength(1);
});

it.each([
  ['list', '-k'],
  ['search', '-n'],
])('%s says what %s must be', async (command, letter) => {
  const words = command === 'search' ? ['deploys'] : [];
  expect(await home.run([command, ...words, letter, '0'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It must be a whole number from 1;'),
  });
});
