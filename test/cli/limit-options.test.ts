/** Commands that limit the number of notes or events: some call it -k, others -n. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHome, type TestHome } from './support.js';

let home: TestHome;
beforeAll(() => {
  home = openHome();
  for (const title of ['Deploys need the VPN', 'Deploys hang at night', 'Deploys wait for the lock'])
    home.run(['write', title, '--body', `${title}, as everybody knows.`]);
});
afterAll(() => home.remove());

it.each([
  ['list', [], 'notes'],
  ['log', [], 'events'],
  ['history', ['Deploys hang at night'], 'events'],
  ['search', ['deploys'], 'hits'],
  ['similar', ['Deploys hang at night'], 'hits'],
  ['recall', ['why do the deploys hang at night'], 'notes'],
])('%s accepts either letter and --limit', (command, args, key) => {
  const counted = (...count: readonly string[]) => home.json([command, ...args, ...count])[key];
  expect(counted('-n', '1')).toEqual(counted('-k', '1'));
  expect(counted('--limit', '1')).toEqual(counted('-k', '1'));
  expect(counted('-n', '1')).toHaveLength(1);
});

it.each([
  ['list', '-k'],
  ['search', '-n'],
])('%s says what %s must be', (command, letter) => {
  const words = command === 'search' ? ['deploys'] : [];
  expect(home.run([command, ...words, letter, '0'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It must be a whole number from 1;'),
  });
});
