import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome } from '../support.js';

let home: ReturnType<typeof openHome>;
beforeAll(async () => {
  home = openHome();
  await home.run(['write', 'Deploys go through Jenkins', '--body', 'The pipeline has five stages.']);
  await home.run([
    'supersede',
    'Deploys go through Jenkins',
    '--title',
    'Releases run in Actions',
    '--body',
    'Push a tag.',
  ]);
  await home.run([
    'write',
    'pnpm, not npm, in the web folder',
    '--body',
    'npm install breaks CI.',
    '--type',
    'procedural',
  ]);
  await home.run(['write', 'npm, not pnpm, in web', '--body', 'Use npm in the web folder; pnpm is gone.']);
});
afterAll(() => home.remove());

const markdown = async (...words: readonly string[]): Promise<string> =>
  (await home.run(['search', ...words, '--format', 'markdown'])).stdout;

describe('search --format markdown', () => {
  it('says which notes a person has yet to decide about, as the table does', async () => {
    const found = await markdown('npm', 'web');
    expect(found).toMatch(/\*\*pnpm, not npm.*\n {3}_\w{6} is proposed to replace it \(anamnesis review\)_\n {3}\S/);
    expect(found).toMatch(/\*\*npm, not pnpm.*\n {3}_proposed to replace \w{6} \(anamnesis review\)_\n {3}\S/);
  });

  it('says which note replaced the one that has the words', async () => {
    expect(await markdown('jenkins', 'pipeline', 'stages')).toMatch(
      /\*\*Releases run in Actions\*\*.*\n {3}_replaced \w{6}, which has the words_\n {3}Push a tag\.\n/,
    );
  });
});
