/** Front matter keys without a field, in a store with the real file system, git and SQLite. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../support/store.js';
import { countsOf, folderWith, put, takeIn } from './support.js';

const newStore = () => {
  const store = openStore();
  onTestFinished(() => store.close());
  const { memory } = store;
  const fileOf = async (title: string): Promise<string> => {
    const { notes } = await memory.list({}, 100);
    const found = await memory.show(notes.find((note) => note.title === title)?.id ?? '');
    if (!found.ok) throw new Error(found.refusal.message);
    return readFileSync(found.answer.path ?? '', 'utf8');
  };
  return { memory, fileOf };
};

const page = (more: string): string => `---\ntitle: Plan\n${more}---\nText.\n`;

describe('a key of the front matter that a note has no field for', () => {
  it("is written to the note's file, and follows the source", async () => {
    const { memory, fileOf } = newStore();
    const folder = folderWith({ 'plan.md': page('status: draft\nreview:\n  by: Priya\n') });
    await takeIn(memory, folder);
    expect(await fileOf('Plan')).toContain('\nstatus: draft\nreview:\n  by: Priya\n---\nText.\n');
    expect(countsOf(await takeIn(memory, folder))).toEqual([0, 0, 1]);
    put(folder, 'plan.md', page('status: rejected\nreview:\n  by: Priya\n'));
    expect(countsOf(await takeIn(memory, folder))).toEqual([0, 1, 0]);
    expect(await fileOf('Plan')).toContain('\nstatus: rejected\nreview:\n  by: Priya\n');
    expect(countsOf(await takeIn(memory, folder))).toEqual([0, 0, 1]);
  });
  it('is masked, and does not count as changed at the next import', async () => {
    const { memory, fileOf } = newStore();
    const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
    const folder = folderWith({ 'plan.md': page(`login: ${token}\n`) });
    const { answer } = await takeIn(memory, folder);
    expect(answer).toMatchObject({ masked: [{ kind: 'github-token', count: 1 }] });
    expect(await fileOf('Plan')).not.toContain(token);
    expect(countsOf(await takeIn(memory, folder))).toEqual([0, 0, 1]);
  });
  it('is masked when the key itself is a secret, and does not count as changed at the next import', async () => {
    const { memory, fileOf } = newStore();
    const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
    const folder = folderWith({ 'plan.md': page(`${token}: one\n${token}2: two\n`) });
    const { answer } = await takeIn(memory, folder);
    expect(answer).toMatchObject({ masked: [{ kind: 'github-token', count: 2 }] });
    const name = '[REDACTED:github-token]';
    expect(await fileOf('Plan')).toContain(`\n'${name}': one\n'${name} 2': two\n---\n`);
    expect(countsOf(await takeIn(memory, folder))).toEqual([0, 0, 1]);
  });
});
