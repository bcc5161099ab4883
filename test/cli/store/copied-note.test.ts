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
