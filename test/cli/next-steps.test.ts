/** Messages that a new user meets on the first day. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from './support.js';

let home: TestHome;
beforeAll(async () => {
  home = openHome();
  await home.json(['write', 'Deploys need the VPN', '--body', 'x', '--project', 'shop']);
});
afterAll(() => home.remove());

const said = async (args: readonly string[]) => {
  const { code, stderr } = await home.run(args);
  return [code, stderr] as const;
};

describe('the next step', () => {
  it('of a search by meaning without any model is to install one', async () => {
    expect((await home.run(['search', 'vpn', '--mode', 'semantic'])).stderr).toContain(
      'no model is in use; none is installed yet: anamnesis model install FOLDER',
    );
  });
  it('of a setting that names no installed model is the same', async () => {
    expect(await said(['config', 'set', 'search_model', 'x'])).toEqual([
      1,
      'anamnesis: search_model: no model x is installed; install one: anamnesis model install FOLDER\n',
    ]);
  });
  it('of an empty title is to give one', async () => {
    expect(await said(['write', ''])).toEqual([
      2,
      "anamnesis: the title is empty; give one: anamnesis write 'TITLE' --body TEXT\n",
    ]);
  });
  it('of an unknown project in a query is the same as with --project', async () => {
    expect((await home.run(['search', 'vpn project:nope'])).stderr).toContain('nope');
    const named = (await home.run(['search', 'vpn', '--project', 'nope'])).stderr.replace(/^anamnesis: /, '');
    expect((await home.run(['search', 'vpn project:nope'])).stderr).toContain(named);
  });
  it('of an invalid pattern is to fix it, before a terminal is needed', async () => {
    expect((await home.run(['purge', '--pattern', 'AKIA['])).stderr).toContain(
      'the pattern is not a JavaScript regular expression',
    );
  });
  it('of an unknown hook event is to give a known one', async () => {
    const ran = await home.onTerminal(['hook', 'Nope']);
    expect(ran.stdout).toMatch(/there is no hook event Nope; give one of:/);
    expect(home.spawn(['hook', 'Nope'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('eval', () => {
  it('names the key that is missing from a line', async () => {
    const set = join(home.folder, 'set.jsonl');
    writeFileSync(set, '{"query":"vpn"}\n');
    expect((await home.run(['eval', 'run', '--eval-set', set])).stderr).toContain(
      'set.jsonl:1 is not an eval case: it has no relevant_ids;',
    );
    writeFileSync(set, 'vpn\n');
    expect((await home.run(['eval', 'run', '--eval-set', set])).stderr).toContain(
      'set.jsonl:1 is not an eval case: it is not JSON;',
    );
  });
  it('run measures nothing when nothing is approved, and says only that', async () => {
    const folder = join(home.store, 'memory', 'eval');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'built.jsonl'), '{"query":"vpn","relevant_ids":["x"],"approved":false}\n');
    const { code, stdout, stderr } = await home.run(['eval', 'run']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/none of 1 case is approved, so nothing was measured; .*--include-unreviewed\n$/);
  });
});
