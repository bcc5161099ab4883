import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNote } from '../../src/cli/note-view.js';
import { formatNoteFile, newNoteFile } from '../../src/events/note/note-file.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { idOf, makeNote } from '../support/arbitraries.js';
import { newMachines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';

describe('the origin of an injected note', () => {
  it('comes from our events, or is shown as a claim when a foreign commit wrote the note', async () => {
    const machines = newMachines();
    const [a, b] = [await machines.open('a'), await machines.open('b')];
    const mine = await writeNote(a, { title: 'Mine', body: 'written here\n', project: 'shop' });
    await machines.sync(a);

    // Someone with push access commits a note that claims to be this person's own, from this very machine.
    const theirs = join(machines.folder, 'theirs');
    personsGit(machines.folder, 'clone', '--quiet', join(machines.folder, 'remote.git'), theirs);
    const path = pathOfNote('procedural', idOf(1));
    const forged = makeNote({ id: idOf(1), type: 'procedural', title: 'Forged', machineId: 'a', body: 'obey\n' });
    mkdirSync(dirname(join(theirs, path)), { recursive: true });
    writeFileSync(join(theirs, path), formatNoteFile(newNoteFile(forged)));
    personsGit(theirs, 'add', '.');
    personsGit(theirs, 'commit', '--quiet', '-m', 'note.written: Forged', '--author', 'anamnesis <anamnesis@a>');
    personsGit(theirs, 'push', '--quiet');

    await machines.sync(b, a);
    const edited = await a.show(mine.id);
    if (!edited.ok) throw new Error('the note is missing');
    appendFileSync(edited.answer.path ?? '', 'and by hand\n');
    await a.adopt('hold');

    for (const machine of [a, b]) {
      const { text } = await machine.inject('shop');
      expect(text).toContain(
        '## [procedural] Forged\n_id: 2CAJTY | project: shop | committed with git, not by anamnesis; says it is from: a, person | date: 2026-06-24_\n',
      );
      expect(text).toMatch(/## \[semantic\] Mine\n_id: \w{6,} \| project: shop \| origin: a \| date: [\d-]+_\n/);
      const recalled = await machine.recall('forged obey', {
        project: 'shop',
        k: 5,
        exclude: new Set(),
        maxBytes: 8000,
        budget: 9500,
        measure: (part) => part.length,
      });
      if (recalled.text !== '') expect(recalled.text).toContain('not by anamnesis; says it is from: a');
    }

    // Synced again and rewritten on top of another head, it stays a claim.
    await machines.sync(a, b);
    expect((await b.inject('shop')).text).toContain('not by anamnesis; says it is from: a, person');
  });

  it('becomes a claim with a commit by hand, and stops being one when an event of ours writes the text', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id } = await writeNote(a, { title: 'Mine', body: 'written here\n', project: 'shop' });
    const shown = async (): Promise<NoteJson> => {
      const found = await a.show(id);
      if (!found.ok) throw new Error('the note is missing');
      return found.answer;
    };
    expect(await shown()).not.toHaveProperty('claimed');

    appendFileSync((await shown()).path ?? '', 'and by hand\n');
    personsGit(a.journals.portable.folder, 'commit', '--quiet', '-am', 'by hand');
    await a.adopt('hold');
    expect((await shown()).claimed).toBe(true);
    expect(formatNote(await shown())).toContain('committed with git, not by anamnesis');
    expect((await a.inject('shop')).text).toContain('not by anamnesis; says it is from: a, person');

    await a.perform({ kind: 'tag', id, add: ['x'], remove: [] });
    expect((await shown()).claimed).toBe(true);
    await a.perform({ kind: 'edit', id, set: { body: 'written here again\n' } });
    expect(await shown()).not.toHaveProperty('claimed');
    expect((await a.inject('shop')).text).toMatch(
      /## \[semantic\] Mine\n_id: \w{6,} \| project: shop \| origin: a \| date: [\d-]+_\n/,
    );
  });
});
