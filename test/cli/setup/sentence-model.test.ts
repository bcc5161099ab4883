import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRuntime } from '../../embedding/sentence/fake-runtime.js';
import { publish, publishedSentences } from '../../embedding/sentence/tiny-onnx.js';
import { openHome, type TestHome } from '../support.js';

let home: TestHome;
let env: NodeJS.ProcessEnv;
let source: string;
beforeAll(async () => {
  home = openHome();
  source = publish(join(home.folder, 'models', 'tiny'), publishedSentences());
  const wasRun = JSON.stringify(join(home.folder, 'was-run'));
  const runtime = writeRuntime(join(home.folder, 'runtime'), {
    load: `require('node:fs').writeFileSync(${wasRun}, '');`,
  });
  env = { ANAMNESIS_TRANSFORMERS: runtime };
  await home.json(['write', 'Vehicle', '--body', 'It runs.', '--project', 'shop']);
});
afterAll(() => home.remove());

describe('a sentence model on the command line', () => {
  it('is installed without its package, with a word on what to install, but cannot be chosen', async () => {
    const without = { env: { ANAMNESIS_TRANSFORMERS: join(home.folder, 'nowhere') } };
    const installed = await home.run(['model', 'install', source], without);
    expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining('npm install -g --ignore-scripts') });
    expect(await home.run(['model', 'use', 'tiny'], without)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('@huggingface/transformers, which runs models of this kind, is not installed'),
    });
  });

  it('is the one that model test runs when it is the only one, in use or not', async () => {
    expect(await home.json(['model', 'test'], { env })).toMatchObject({ name: 'tiny', dimension: 8 });
  });

  it('is listed, chosen and used by a search', async () => {
    expect((await home.run(['model'], { env })).stdout).toMatch(/^MODEL +KIND .*\ntiny +sentences +- +8 /);
    expect(await home.json(['model', 'use', 'tiny'], { env })).toEqual({ status: 'set', in_use: 'tiny' });
    expect((await home.run(['model', 'index'], { env })).stdout).toMatch(
      /^1 note with vectors of tiny, 1 of them made now/,
    );
    expect((await home.json(['search', 'automobile'], { env })).hits).toMatchObject([{ title: 'Vehicle' }]);
    expect(existsSync(join(home.folder, 'was-run'))).toBe(true);
  });

  it.each(['node_modules', './node_modules'])(
    'runs no code of the working folder, even when NODE_PATH is %s',
    async (path) => {
      const hasRun = join(home.folder, 'code-of-the-folder');
      const write = `require('node:fs').writeFileSync(${JSON.stringify(hasRun)}, '');`;
      writeRuntime(home.work, { load: write });
      await home.run(['model', 'index', '--again'], { env: { NODE_PATH: path } });
      expect(existsSync(hasRun)).toBe(false);
    },
  );

  it('is run by no hook', () => {
    rmSync(join(home.folder, 'was-run'));
    for (const event of ['SubagentStart', 'UserPromptSubmit']) {
      const payload = {
        hook_event_name: event,
        session_id: 's',
        cwd: home.work,
        agent_type: 'Explore',
        prompt: 'why does the vehicle run',
      };
      expect(home.spawn(['hook', event], { env, input: JSON.stringify(payload) })).toMatchObject({ code: 0 });
    }
    expect(existsSync(join(home.folder, 'was-run'))).toBe(false);
  });
});
