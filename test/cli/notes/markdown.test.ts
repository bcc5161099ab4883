import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome } from '../support.js';

let home: ReturnType<typeof openHome>;
beforeAll(() => {
  home = openHome();
  home.run(['write', 'Deploys go through Jenkins', '--body', 'The pipeline has five stages.']);
  home.run(['supersede', 'Deploys go through Jenkins', '--title', 'Releases run in Actions', '--body', 'Push a tag.']);
  home.run(['write', 'pnpm, not npm, in the web folder', '--body', 'npm install breaks CI.', '--type', 'procedural']);
  home.run(['write', 'npm, not pnpm, in web', '--body', 'Use npm in the web folder; pnpm is gone.']);
});
afterAll(() => home.remove());

const markdown = (...words: readonly string[]): string => home.run(['search', ...words, '--format', 'markdown']).stdout;

describe('search --format markdown', () => {
  it('says which notes a person has yet to decide about, as the table does', () => {
    const found = markdown('npm', 'web');
    expect(found).toMatch(/\*\*pnpm, not npm.*\n {3}_\w{6} is proposed to replace it \(anamnesis review\)_\n {3}\S/);
    expect(found).toMatch(/\*\*npm, not pnpm.*\n {3}_proposed to replace \w{6} \(anamnesis review\)_\n {3}\S/);
  });

  it('prints found words in bold, but leaves addresses, paths and names as they are for copying', () => {
    const kept = 'https://ci.example.org/frobnicate/docs, src/frobnicate.ts, FROBNICATE_ALL=1, [how](frobnicate)';
    home.run(['write', 'Frob', '--body', `Frobnicate (frobnicate) first: ${kept}, or "frobnicate".`]);
    expect(markdown('frobnicate')).toContain(
      `   **Frobnicate** (**frobnicate**) first: ${kept}, or "**frobnicate**".\n`,
    );
  });

  it('leaves a text with code as it is', () => {
    home.run(['write', 'Quux', '--body', 'Run `npm run quuxify now`, then quuxify.']);
    expect(markdown('quuxify')).toContain('   Run `npm run quuxify now`, then quuxify.\n');
  });

  it('says which note replaced the one that has the words', () => {
    expect(markdown('jenkins', 'pipeline', 'stages')).toMatch(
      /\*\*Releases run in Actions\*\*.*\n {3}_replaced \w{6}, which has the words_\n {3}Push a tag\.\n/,
    );
  });
});
