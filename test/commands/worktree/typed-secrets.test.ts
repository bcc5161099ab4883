import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { openStore, writeNote } from '../../support/store.js';

it('adopt masks a secret that a person typed into a title or a key, even in the commit subject', async () => {
  const store = openStore();
  onTestFinished(() => store.close());
  const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
  const { path: file = '' } = await writeNote(store.memory, {});
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^title: .*$/m, `title: use ${token}\n${token}: x`));
  const { portable } = await store.memory.adopt('hold');
  expect(portable.event).toMatchObject({ subject: 'use [REDACTED:github-token]' });
  expect(readFileSync(file, 'utf8')).toContain("title: use [REDACTED:github-token]\n'[REDACTED:github-token]': x\n");
});
