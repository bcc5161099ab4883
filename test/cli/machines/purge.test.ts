import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from '../support.js';

const secret = 'correct-horse-battery';
let home: TestHome;
let id = '';
beforeEach(async () => {
  home = openHome();
  id = (await home.json(['write', 'A key', '--body', `it is ${secret}`])).id;
});
afterEach(() => home.remove());

describe('anamnesis purge', () => {
  it('shows with --dry-run what would be purged and changes nothing', async () => {
    const { code, stdout } = await home.run(['purge', id, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain(`would purge ${id.slice(-6)} A key (1 version)`);
    expect((await home.json(['show', id])).body).toContain(secret);
  });
  it('reads a text from standard input and prints a receipt', async () => {
    const { code, stdout, stderr } = await home.run(['purge', '--literal', '-', '--yes', '--reason', 'leaked'], {
      input: `${secret}\n`,
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^purged 1 place in 1 note\n/);
    expect(stdout).toMatch(/checked afterwards:\n {2}none in memory: git objects \(\d+, each one decompressed/);
    expect(stdout).toContain('not checked; please check these yourself:');
    expect((await home.json(['show', id])).body).toContain('it is [PURGED]');
    expect((await home.run(['log'])).stdout).toContain('notes.purged');
  });
  it('reads a text from a file, accepts a pattern with a warning and prints JSON', async () => {
    const file = join(home.folder, 'secret.txt');
    writeFileSync(file, `${secret}\n`);
    expect(await home.json(['purge', '--literal', file, '--dry-run'])).toMatchObject({ status: 'planned', places: 1 });
    const { code, stdout, stderr } = await home.run(['purge', '--pattern', 'horse-\\w+', '--yes', '--json']);
    expect(code).toBe(0);
    expect(stderr).toContain('your shell may keep the pattern');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'purged', clean: true, changed_notes: [id], remote: null });
  });
  it('needs --yes without a terminal, and exactly one thing to purge', async () => {
    expect(await home.run(['purge', id])).toMatchObject({ code: 2 });
    expect((await home.run(['purge', id])).stderr).toContain('give --yes, or --dry-run');
    expect(await home.run(['purge'])).toMatchObject({ code: 2 });
    expect(await home.run(['purge', id, '--pattern', 'x'])).toMatchObject({ code: 2 });
    expect(await home.run(['purge', '01J00000000000000000000000', '--yes'])).toMatchObject({ code: 1 });
  });
  it('ends with 1 when the text is found again, and names where', async () => {
    writeFileSync(join(home.store, 'mine.txt'), secret);
    const { code, stdout, stderr } = await home.run(['purge', '--literal', '-', '--yes'], { input: secret });
    expect(code).toBe(1);
    expect(stdout).toContain('mine.txt');
    expect(stderr).toContain('it was found again afterwards');
  });
});
