import { appendFileSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Json, openHome, type TestHome } from '../support.js';

it('status and adopt distinguish a copy of a note from a text that may become one', async () => {
  const home = openHome();
  try {
    const note = await home.json(['write', 'Deploys need the VPN', '--body', 'x']);
    copyFileSync(note.path, join(dirname(note.path), 'copy.md'));
    writeFileSync(join(dirname(note.path), 'other.md'), '# Other\n\ntext\n');
    const { short_id: short, id } = note;
    const folder = `memory/semantic/${id.slice(-2)}`;
    const copy = `left alone ${folder}/copy.md: it is a copy of note ${short} ("Deploys need the VPN") (memory/semantic/${id.slice(-2)}/${id}.md); take over what you want with anamnesis edit ${short}, then delete it\n`;
    const other = `left alone ${folder}/other.md: its name is not <ULID>.md; make a note of it with anamnesis import FILE --project KEY`;
    for (const command of ['status', 'adopt']) {
      const { stdout } = await home.run([command]);
      expect(stdout).toContain(copy);
      expect(stdout).toContain(other);
    }
    expect((await home.run(['doctor'])).stdout).toContain(`it is a copy of note ${id}`);
    expect((await home.run(['import', join(dirname(note.path), 'other.md'), '--project', 'p'])).code).toBe(0);
    const { path } = await home.json(['write', 'Mine', '--body', 'x', '--scope', 'machine-local']);
    copyFileSync(path, join(dirname(note.path), 'mine.md'));
    expect((await home.run(['status'])).stdout).toMatch(
      /mine\.md: it is a copy of note \w+ \("Mine"\) \(local\/semantic\//,
    );
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
