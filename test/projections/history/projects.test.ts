import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { importNotes } from '../../../src/app/intake.js';
import { appOver, openStore, temporaryFolder, writeNote } from '../../support/store.js';

/** Each event is a minute later than the one before. */
let nowMs = Date.UTC(2026, 5, 1);
const store = openStore({
  nowMs: () => {
    nowMs += 60_000;
    return nowMs;
  },
});
const app = appOver(store.memory);
const folder = temporaryFolder();
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

it('projects are listed by the latest event or import of their notes, newest first, with its day', async () => {
  const today = '2026-06-01';
  await writeNote(store.memory, { title: 'Written', project: 'shop' });
  const vault = join(folder, 'vault');
  mkdirSync(vault);
  writeFileSync(join(vault, 'a.md'), '# A\n');
  const lines = ['shop', 'api', 'web'].map((project) => JSON.stringify({ title: `Of ${project}`, body: 'x', project }));
  writeFileSync(join(vault, 'lines.jsonl'), lines.join('\n'));
  await importNotes(store.memory, vault, { project: 'notes/vault' });
  await importNotes(store.memory, join(vault, 'lines.jsonl'), { project: 'other' });
  expect(await app.notes.listProjects()).toEqual([
    { key: 'api', notes: 1, last_event: today },
    { key: 'shop', notes: 2, last_event: today },
    { key: 'web', notes: 1, last_event: today },
    { key: 'notes/vault', notes: 1, last_event: today },
  ]);
});
