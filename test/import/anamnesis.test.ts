import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ForeignFile, ImportItem } from '../../src/commands/foreign-note.js';
import { parseNoteFile } from '../../src/events/note/note-file.js';
import { countImport, recogniseFormat } from '../../src/import/formats.js';
import { folderWith, noteText, problemsOf, readAll } from './support.js';

const first = '01M7Y76MHSNQTCMZCDMYZ8KNWR';
const second = '01M7Y76MJ1MK37V3HPXMVVCTW8';

const filesOf = (items: readonly ImportItem[]): ForeignFile[] =>
  items.flatMap((item) => (item.kind === 'file' ? [item.file] : []));
const placesOf = (items: readonly ImportItem[]): string[] =>
  filesOf(items).map(({ journal, path }) => `${journal} ${path}`);

describe('anamnesis import', () => {
  it('imports the files of both journals, at any depth, byte for byte', async () => {
    const text = `\ufeff---\r\nid: ${first}\r\ntype: semantic\r\ntitle: A\r\nodd_key: [1,  2]\r\n---\r\nBody\r\n`;
    const folder = folderWith({
      [`memory/semantic/${first}.md`]: text,
      [`memory/procedural/a/b/${second}.md`]: noteText(second, 'procedural'),
      [`local/episodic/${second}.md`]: noteText(second, 'episodic'),
    });
    const items = await readAll(folder, 'anamnesis');
    expect(placesOf(items)).toEqual([
      `portable procedural/a/b/${second}.md`,
      `portable semantic/${first}.md`,
      `local episodic/${second}.md`,
    ]);
    expect(filesOf(items)[1]?.bytes).toEqual(Buffer.from(text));
    expect(problemsOf(items)).toEqual([]);
  });

  it('treats a folder with the type folders as the portable journal', async () => {
    const folder = folderWith({ [`semantic/${first}.md`]: noteText(first, 'semantic'), 'README.md': 'x' });
    expect(placesOf(await readAll(folder, 'anamnesis'))).toEqual([`portable semantic/${first}.md`]);
  });

  it('skips .git, other files and anything beside the type folders', async () => {
    const folder = folderWith({
      [`memory/.git/semantic/${first}.md`]: 'x',
      [`memory/semantic/.git/${first}.md`]: 'x',
      'memory/semantic/.gitkeep': '',
      'memory/README.md': 'x',
      'memory/other/a.md': 'x',
      'other/a.md': 'x',
    });
    expect(await readAll(folder, 'anamnesis')).toEqual([]);
  });

  it('does not follow links', async () => {
    const outside = folderWith({ [`semantic/${first}.md`]: noteText(first, 'semantic') });
    const folder = folderWith({ [`memory/semantic/${second}.md`]: noteText(second, 'semantic') });
    symlinkSync(join(outside, 'semantic'), join(folder, 'memory/procedural'));
    symlinkSync(outside, join(folder, 'local'));
    symlinkSync(join(outside, `semantic/${first}.md`), join(folder, `memory/semantic/${first}.md`));
    expect(placesOf(await readAll(folder, 'anamnesis'))).toEqual([`portable semantic/${second}.md`]);
  });

  it('reports a file that is not a note, with its line and key, and continues', async () => {
    const folder = folderWith({
      [`memory/semantic/${first}.md`]: noteText(first, 'semantic', 'confidence: high\n'),
      [`memory/semantic/${second}.md`]: noteText(second, 'semantic'),
      'memory/semantic/readme.md': 'x',
    });
    const items = await readAll(folder, 'anamnesis');
    expect(problemsOf(items)).toEqual([
      `memory/semantic/${first}.md:5: confidence: must be a number, not "high"`,
      'memory/semantic/readme.md:1: the name of a note must be a ULID in upper case with `.md`',
    ]);
    expect(placesOf(items)).toEqual([`portable semantic/${second}.md`]);
  });

  it('throws with the name of a path that is missing or a file', async () => {
    const file = join(folderWith({ 'a.md': 'x' }), 'a.md');
    await expect(readAll('/nowhere/store', 'anamnesis')).rejects.toThrow('/nowhere/store');
    await expect(readAll(file, 'anamnesis')).rejects.toThrow(file);
  });
});

const python = join(process.cwd(), '../shared/interop/python-anamnesis');
const missing = !existsSync(python);

it.skipIf(missing)(
  `imports the notes of a store of the Python program${missing ? ' (skipped: no ../shared)' : ''}`,
  async () => {
    const folder = folderWith({});
    execFileSync('git', ['clone', '--quiet', join(python, 'memory.bundle'), join(folder, 'memory')]);
    cpSync(join(python, 'local'), join(folder, 'local'), { recursive: true });

    expect(recogniseFormat(folder)).toBe('anamnesis');
    expect(countImport(folder, 'anamnesis')).toBe(115);
    const items = await readAll(folder, 'anamnesis');
    expect(problemsOf(items)).toEqual([]);
    const files = filesOf(items);
    expect(files).toHaveLength(115);
    expect(files.filter(({ journal }) => journal === 'local')).toHaveLength(10);
    expect(files.every(({ journal, path, bytes }) => parseNoteFile(bytes, journal, path).ok)).toBe(true);
  },
);
