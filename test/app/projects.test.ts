import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { appOver, openStore, temporaryFolder, writeNote } from '../support/store.js';

const store = openStore();
const app = appOver(store.memory);
const folder = temporaryFolder();
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

it('projects are listed with the day of their last event, which an import of their notes is too', async () => {
  const today = new Date().toISOString().slice(0, 10);
  await writeNote(store.memory, { title: 'Written', project: 'shop' });
  const vault = join(folder, 'vault');
  mkdirSync(vault);
  writeFileSync(join(vault, 'a.md'), '# A\n');
  const lines = ['shop', 'api', 'web'].map((project) => JSON.stringify({ title: `Of ${project}`, body: 'x', project }));
  writeFileSync(join(vault, 'lines.jsonl'), lines.join('\n'));
  await app.intake.import(vault, { project: 'notes/vault' });
  await app.intake.import(join(vault, 'lines.jsonl'), { project: 'other' });
  expect(await app.notes.listProjects()).toEqual([
    { key: 'api', notes: 1, last_event: today },
    { key: 'notes/vault', notes: 1, last_event: today },
    { key: 'shop', notes: 2, last_event: today },
    { key: 'web', notes: 1, last_event: today },
  ]);
});
