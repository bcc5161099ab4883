import { appendFileSync, copyFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Json, openHome, type TestHome } from '../support.js';

it('status, adopt and doctor say what to do with a file that is not named as a note', async () => {
  const home = openHome();
  try {
    const note = await home.json(['write', 'Deploys need the VPN', '--body', 'x']);
    const copy = join(dirname(note.path), 'copy.md');
    copyFileSync(note.path, copy);
    const told = `memory/semantic/${note.id.slice(-2)}/copy.md: its name is not <ULID>.md; if it is a copy of a note, delete it`;
    for (const command of ['status', 'adopt'])
      expect((await home.run([command])).stdout).toContain(`left alone ${told}`);
    expect((await home.run(['doctor'])).stdout).toContain('if it is a copy of a note, delete it');
  } finally {
    home.remove();
  }
});

describe('many files changed at once', () => {
  let home: TestHome;
  let notes: readonly Json[];
  beforeEach(async () => {
    home = openHome();
    notes = await home.write(...Array.from({ length: 9 }, (_, at) => `Note ${at}`));
  });
  afterEach(() => {
    home.remove();
  });

  it('are held when they were removed, as status, doctor and adopt say', async () => {
    for (const { path } of notes.slice(0, 7)) rmSync(path);
    appendFileSync(notes[8].path, 'typed\n');
    const detail =
      '1 changed by hand: anamnesis adopt records them; 7 removed await your decision: see anamnesis adopt';
    expect((await home.json(['status'])).sync).toMatchObject({ dirty: true, detail });
    expect((await home.run(['doctor'])).stdout).toContain('7 removed files awaiting your decision');
    expect((await home.run(['adopt'])).stderr).toContain('7 removed files not recorded');
  });
});
