/** Copies of machine-local texts that a person commits under other names or in another form. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { syncStore } from '../../src/sync/syncing.js';
import { newMachines } from '../support/machines.js';
import { writeNote } from '../support/store.js';
import {
  commitAll,
  copyTo,
  expectRefused,
  inBoth,
  leftCopy,
  pathOf,
  published,
  refused,
} from './support/private-notes.js';

const brokenTitle = (text: string): string => text.replace(/^title: .*/m, 'title: a: b');

describe('a committed copy of a machine-local note', () => {
  it.each(['copy-of-mine.md', 'semantic/copy.md', 'deep/er/Copy.MD', 'copy.txt', 'copy.md.bak', 'copy'])(
    'is refused as %s',
    async (name) => {
      const { machines, a, id } = await leftCopy(name);
      commitAll(a);
      const { trouble } = await syncStore(a);
      expect(trouble?.message).toContain(name);
      expect(trouble?.message).toContain(id);
      await expectRefused(machines, a);
    },
  );

  it.each([
    ['copy.txt', 'draft.md'],
    ['a.bin', 'semantic/copy.txt'],
  ])('is refused under two names: %s and %s', async (first, second) => {
    const { machines, a } = await leftCopy(first);
    const { folder } = a.journals.portable;
    copyTo(join(folder, first), join(folder, second));
    commitAll(a);
    await expectRefused(machines, a);
  });

  it.each([
    ['an empty line above it', (text: string) => `\n${text}`],
    ['a heading above it', (text: string) => `# copy\n${text}`],
    ['a merge marker above it', (text: string) => `<<<<<<< HEAD\n${text}`],
    [
      'a space after its first line, and a title that is not valid YAML',
      (text: string) => brokenTitle(text).replace('---', '--- '),
    ],
    ['a space before a colon, and such a title', (text: string) => brokenTitle(text).replace('scope:', 'scope :')],
    ['Windows line endings, and such a title', (text: string) => brokenTitle(text).replaceAll('\n', '\r\n')],
  ])('is refused with %s', async (_, change) => {
    const { machines, a } = await leftCopy('copy.md');
    const copy = join(a.journals.portable.folder, 'copy.md');
    writeFileSync(copy, change(readFileSync(copy, 'utf8')));
    commitAll(a);
    await expectRefused(machines, a);
  });

  it.each([
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 of the other byte order, without a mark', (text: string) => Buffer.from(text, 'utf16le').swap16()],
    ['a long text above it', (text: string) => Buffer.from(`${'A line above it.\n'.repeat(2000)}${text}`)],
    [
      'an escaped letter in its scope',
      (text: string) => Buffer.from(text.replace('scope: machine-local', 'scope: "machine\\x2dlocal"')),
    ],
  ])('is refused with %s', async (_, change) => {
    const { a } = await leftCopy('copy.md');
    const copy = join(a.journals.portable.folder, 'copy.md');
    writeFileSync(copy, change(readFileSync(copy, 'utf8')));
    commitAll(a);
    // The remote isn't searched for the text, which would be there in another encoding.
    expect(await syncStore(a)).toMatchObject(refused);
  });

  it('is refused when the note is forgotten and the copy has no scope', async () => {
    const { machines, a, id } = await leftCopy();
    await a.perform({ kind: 'forget', id });
    const copy = join(a.journals.portable.folder, `semantic/${id}.md`);
    writeFileSync(copy, readFileSync(copy, 'utf8').replace('scope: machine-local\n', ''));
    commitAll(a);
    await expectRefused(machines, a);
  });

  it('is refused beside a copy at a note’s path', async () => {
    const { machines, a, id } = await leftCopy();
    const { folder } = a.journals.portable;
    const copy = join(folder, `semantic/${id}.md`);
    writeFileSync(copy, readFileSync(copy, 'utf8').replace('scope: machine-local\n', ''));
    copyTo(copy, join(folder, 'a.txt'));
    commitAll(a);
    await expectRefused(machines, a);
  });

  it.each([
    ['names', (id: string) => `see ${id}\n`],
    ['names in a line like that of its own id', (id: string) => `id: ${id}\n`],
  ])('is refused at the path of another note, whose id it %s', async (_, mention) => {
    const { machines, a } = await leftCopy('copy.md');
    const { folder } = a.journals.portable;
    const other = '01JC0000000000000000000000';
    const text = readFileSync(join(folder, 'copy.md'), 'utf8').replace('scope: machine-local\n', '');
    rmSync(join(folder, 'copy.md'));
    mkdirSync(join(folder, 'semantic'), { recursive: true });
    writeFileSync(join(folder, `semantic/${other}.md`), `${text}${mention(other)}`);
    commitAll(a);
    await expectRefused(machines, a);
  });

  it('is told apart from a text that only describes such notes, which is published', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    writeFileSync(
      join(a.journals.portable.folder, 'README.md'),
      '# Notes\n\nNotes with\n\n---\nscope: machine-local\n---\n\nstay here.\n',
    );
    commitAll(a);
    await machines.sync(a);
    expect(published(machines)).toContain('stay here');
  });
});

describe('a copy of a machine-local note over another note’s file', () => {
  it.each(['published', 'unpublished'])('is refused without its scope when the other note is %s', async (which) => {
    const machines = newMachines();
    const a = await machines.open('a');
    const over = await writeNote(a, { title: 'Over', body: 'over\n' });
    const mine = await writeNote(a, { title: 'Mine', body: 'PRIVATE\n', scope: 'machine-local' });
    if (which === 'published') await machines.sync(a);
    await a.finish();
    const text = readFileSync(await pathOf(a, mine.id), 'utf8');
    writeFileSync(await pathOf(a, over.id), text.replace('scope: machine-local\n', ''));
    await a.adopt('hold');
    await a.finish();
    commitAll(a);
    await expectRefused(machines, a);
  });
});

describe('the portable file of a note that is machine-local here', () => {
  it('may swap places with other notes’ files repeatedly', async () => {
    const { machines, b, id } = await inBoth();
    const [second, third] = [await writeNote(b, { title: 'Second' }), await writeNote(b, { title: 'Third' })];
    await machines.sync(b);
    const [own, two, three] = [id, second.id, third.id].map((one) =>
      join(b.journals.portable.folder, 'semantic', one.slice(-2), `${one}.md`),
    );
    for (const [one, other] of [
      [own, two],
      [two, three],
    ]) {
      renameSync(one ?? '', `${one}.aside`);
      renameSync(other ?? '', one ?? '');
      renameSync(`${one}.aside`, other ?? '');
      appendFileSync(other ?? '', 'for all\n');
      await b.adopt('record');
      await machines.sync(b);
    }
    expect(published(machines)).toContain('for all');
    expect(published(machines)).not.toContain('PRIVATE');
  });
});
