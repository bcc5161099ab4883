import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support.js';

it('a copy of a note is told from a text that may become one', () => {
  const home = openHome();
  try {
    const note = home.json(['write', 'Deploys need the VPN', '--body', 'x']);
    copyFileSync(note.path, join(dirname(note.path), 'copy.md'));
    writeFileSync(join(dirname(note.path), 'other.md'), '# Other\n\ntext\n');
    const { short_id: short, id } = note;
    const folder = `memory/semantic/${id.slice(-2)}`;
    const copy = `left alone ${folder}/copy.md: it is a copy of note ${short} ("Deploys need the VPN") (semantic/${id.slice(-2)}/${id}.md); take over what you want with anamnesis edit ${short}, then delete it\n`;
    const other = `left alone ${folder}/other.md: its name is not <ULID>.md; anamnesis import FILE makes a note of it`;
    for (const command of ['status', 'adopt']) {
      const { stdout } = home.run([command]);
      expect(stdout).toContain(copy);
      expect(stdout).toContain(other);
    }
    expect(home.run(['doctor']).stdout).toContain(`it is a copy of note ${id}`);
  } finally {
    home.remove();
  }
});

it('a note whose file a copy of another took is named, in status and by adopt, with the way back', () => {
  const home = openHome();
  try {
    const [a, b] = ['Deploys need the VPN', 'Tests need a clock'].map((title) =>
      home.json(['write', title, '--body', 'x']),
    );
    copyFileSync(a.path, b.path);
    const path = `memory/semantic/${b.id.slice(-2)}/${b.id}.md`;
    expect(home.run(['status']).stdout).toContain(
      `replaced ${path}: it says it is note ${a.short_id} ("Deploys need the VPN") now\n`,
    );
    expect(home.run(['adopt']).stdout).toBe(
      `recorded hand.adopted\n  replaced  ${b.short_id} Tests need a clock: its file is note ${a.short_id} now; anamnesis restore ${b.short_id} brings it back\n`,
    );
    home.json(['restore', b.short_id]);
    expect(home.json(['list']).total).toBe(2);
  } finally {
    home.remove();
  }
});

it('many of them wait for a word, named in the answer of adopt', () => {
  const home = openHome();
  try {
    const [a, ...others] = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'].map((title) =>
      home.json(['write', title, '--body', title]),
    );
    for (const { path } of others) copyFileSync(a.path, path);
    const { stdout, stderr } = home.run(['adopt']);
    expect(stdout.match(/^replaced memory\/\S+: it says it is note \w{6} \("One"\) now$/gm)).toHaveLength(6);
    expect(stderr).toContain('6 notes lost their files, not recorded: adopt --deletions records that');
    expect(home.json(['adopt']).held_deletions[0]).toMatchObject({ journal: 'memory', replaced_by: a.id });
    expect(home.json(['adopt', '--put-back']).put_back).toHaveLength(6);
    expect(home.json(['list']).total).toBe(7);
  } finally {
    home.remove();
  }
});
