import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram, openHome, type TestHome } from '../support.js';

let home: TestHome;
let set: string;
beforeAll(() => {
  home = openHome();
  set = join(home.folder, 'tiny');
  mkdirSync(set);
  writeFileSync(
    join(set, 'notes.jsonl'),
    '{"id":"n1","title":"Deploys need the VPN","body":"It hangs.","project":"p"}\n',
  );
  writeFileSync(join(set, 'cases.jsonl'), '{"id":"c1","query":"deploys vpn","relevant":["n1"],"project":"p"}\n');
});
afterAll(() => home.remove());

describe.skipIf(!hasProgram('script'))('a report that is too wide for a terminal', () => {
  it('of eval bench says which columns are left out and how to see them', async () => {
    const { stdout } = await home.onTerminal(['eval', 'bench', set]);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/too wide for this terminal: .*; a wider one or --json shows them/);
  });
  it('is printed whole in a pipe, without that remark', async () => {
    const { stdout, stderr } = await home.run(['eval', 'bench', set]);
    expect(stdout).toMatch(/MODE .*p95 ms/);
    expect(stderr).not.toContain('too wide');
  });
});

it('model list without a model says where to find one and how to install it', async () => {
  expect(await home.run(['model'])).toEqual({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(
      /^no model is installed in .*; anamnesis model install FOLDER installs one such as https:.*potion-base-2M/,
    ),
  });
});
