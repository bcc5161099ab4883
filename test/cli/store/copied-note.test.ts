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

it('status and adopt name a note whose file a copy of another replaced, with the way back', async () => {
  const home = openHome();
  try {
    const [a, b] = await home.write('Deploys need the VPN', 'Tests need a clock');
    copyFileSync(a.path, b.path);
    const path = `memory/semantic/${b.id.slice(-2)}/${b.id}.md`;
    expect((await home.run(['status'])).stdout).toContain(
      `replaced ${path}: it says it is note ${a.short_id} ("Deploys need the VPN") now\n`,
    );
    expect((await home.run(['adopt'])).stdout).toBe(
      `recorded hand.adopted\n  replaced  ${b.short_id} Tests need a clock: its file holds note ${a.short_id} now; anamnesis restore ${b.short_id} brings it back\n`,
    );
    await home.json(['restore', b.short_id]);
    expect((await home.json(['list'])).total).toBe(2);
  } finally {
    home.remove();
  }
});

it('adopt holds many replaced notes until a person decides, and names them', async () => {
  const home = openHome();
  try {
    const [a, ...others] = await home.write('One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven');
    for (const { path } of others) copyFileSync(a.path, path);
    const { stdout, stderr } = await home.run(['adopt']);
    expect(stdout.match(/^replaced memory\/\S+: it says it is note \w{6} \("One"\) now$/gm)).toHaveLength(6);
    expect(stderr).toContain('6 removed files not recorded: adopt --deletions records them as forgotten');
    expect((await home.json(['adopt'])).held_deletions[0]).toMatchObject({ journal: 'memory', replaced_by: a.id });
    expect((await home.json(['adopt', '--put-back'])).put_back).toHaveLength(6);
    expect((await home.json(['list'])).total).toBe(7);
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
      '1 changed by hand: anamnesis adopt records them; 7 removed or replaced await your decision: see anamnesis adopt';
    expect((await home.json(['status'])).sync).toMatchObject({ dirty: true, detail });
    expect((await home.run(['doctor'])).stdout).toContain('7 removed or replaced files awaiting your decision');
    expect((await home.run(['adopt'])).stderr).toContain('7 removed files not recorded');
  });
});
