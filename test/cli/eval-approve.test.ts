import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from './support.js';

let home: TestHome;
let file: string;
beforeEach(async () => {
  home = openHome();
  await home.run(['init-store']);
  const folder = join(home.store, 'memory', 'eval');
  mkdirSync(folder, { recursive: true });
  file = join(folder, 'built.jsonl');
  const one = (query: string) =>
    JSON.stringify({ query, relevant_ids: ['x'], approved: false, note_titles: [`About ${query}`], category: 'title' });
  writeFileSync(file, `${['vpn', 'lock', 'pool'].map(one).join('\n')}\n`);
});
afterEach(() => home.remove());

const approvedIn = (): number => readFileSync(file, 'utf8').split('"approved":true').length - 1;

describe('eval approve', () => {
  it('lists the cases with their numbers without a terminal, and approves none', async () => {
    const { code, stdout, stderr } = await home.run(['eval', 'approve']);
    expect([code, approvedIn()]).toEqual([0, 0]);
    expect(stdout).toMatch(/^1 {2}vpn {2}\(title\)\n {3}right: About vpn\n2 {2}lock/);
    expect(stderr).toBe('approve them by number: anamnesis eval approve 1 4-9; or all of them: --all\n');
  });

  it('approves by number and by range, and says how many are left', async () => {
    expect(await home.run(['eval', 'approve', '2-3'])).toEqual({
      code: 0,
      stdout: 'approved 2 cases\n',
      stderr: '1 case left to approve\n',
    });
    expect(await home.json(['eval', 'approve'])).toMatchObject({ approved: [], open: [{ number: 1, query: 'vpn' }] });
    expect((await home.run(['eval', 'approve', '--all'])).stderr).toBe('every case is approved: anamnesis eval run\n');
    expect(approvedIn()).toBe(3);
  });

  it.each([
    [['7'], 'there is no case 7; anamnesis eval approve lists them'],
    [['x'], 'It must be a number from the list'],
    [['3-2'], 'It must be a number from the list'],
    [['1', '--all'], '--all and numbers exclude each other'],
  ])('refuses %j', async (args, why) => {
    expect(await home.run(['eval', 'approve', ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(why),
    });
    expect(approvedIn()).toBe(0);
  });

  it('is what eval run suggests', async () => {
    expect((await home.run(['eval', 'run'])).stderr).toContain('read and approve them: anamnesis eval approve;');
  });
});
