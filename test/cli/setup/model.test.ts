import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHome, type TestHome } from '../support.js';

let home: TestHome;
beforeEach(() => {
  home = openHome();
});
afterEach(() => home.remove());

const placeModels = (...names: readonly string[]): void => {
  for (const name of names) {
    mkdirSync(join(home.store, 'models', name), { recursive: true });
    writeFileSync(join(home.store, 'models', name, 'anamnesis.json'), 'damaged');
  }
};

it('model test says how to install a model if there is none', async () => {
  expect(await home.run(['model', 'test'])).toMatchObject({
    code: 2,
    stderr: 'anamnesis: no model is installed; install one: anamnesis model install FOLDER\n',
  });
});

it('model test asks which model, if search uses none and there are several', async () => {
  placeModels('small', 'large');
  expect(await home.run(['model', 'test'])).toMatchObject({
    code: 2,
    stderr: 'anamnesis: search uses no model; name one: anamnesis model test large|small\n',
  });
});

it('model test takes the only model', async () => {
  placeModels('small');
  expect(await home.run(['model', 'test'])).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') });
});
