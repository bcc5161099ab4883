import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportFormat } from '../../src/commands/source-keys.js';
import { countImport, recogniseFormat } from '../../src/import/formats.js';
import { folderWith } from './support.js';

type Example = readonly [what: string, files: readonly string[], format: ImportFormat | undefined];

describe('recogniseFormat', () => {
  it.each<Example>([
    ['memory with a note below a type folder', ['memory/semantic/a.md', 'notes.jsonl'], 'anamnesis'],
    ['only local with such a note', ['local/episodic/a/b.md'], 'anamnesis'],
    ['type folders directly', ['procedural/a.md', 'README.md'], 'anamnesis'],
    ['type folders without a note', ['memory/semantic/.gitkeep', 'README.md'], 'markdown'],
    ['notes.jsonl', ['notes.jsonl', 'README.md'], 'jsonl'],
    ['notes.jsonl.gz', ['notes.jsonl.gz'], 'jsonl'],
    ['another .jsonl', ['export.jsonl'], undefined],
    ['a .md somewhere below', ['a/b/c.md', 'a.txt'], 'markdown'],
    ['a .md only where import does not look', ['node_modules/a.md', '.git/a.md'], undefined],
    ['nothing', [], undefined],
  ])('recognises a folder with %s', (_, files, format) => {
    const folder = folderWith(Object.fromEntries(files.map((path) => [path, ''])));
    expect(recogniseFormat(folder)).toBe(format);
  });

  it.each<readonly [name: string, format: ImportFormat | undefined]>([
    ['a.jsonl', 'jsonl'],
    ['a.jsonl.gz', 'jsonl'],
    ['a.ndjson', 'jsonl'],
    ['A.MD', 'markdown'],
    ['a.markdown', 'markdown'],
    ['a.json', undefined],
    ['a.gz', undefined],
  ])('recognises a file %s as %s', (name, format) => {
    expect(recogniseFormat(join(folderWith({ [name]: '' }), name))).toBe(format);
  });

  it('returns undefined for a path that is missing', () => {
    expect(recogniseFormat('/nowhere/notes')).toBeUndefined();
  });

  it('does not read from a pipe', () => {
    const folder = folderWith({});
    for (const name of ['a.jsonl', 'memory.json']) execFileSync('mkfifo', [join(folder, name)]);
    for (const path of [join(folder, 'a.jsonl'), join(folder, 'memory.json'), folder])
      expect(recogniseFormat(path)).toBeUndefined();
  });

  it('recognises a Claude home rather than the markdown in it', () => {
    const files = { 'CLAUDE.md': 'x', 'projects/-a/memory/b.md': 'x', 'plugins/readme.md': 'x' };
    expect(recogniseFormat(folderWith(files))).toBe('claude-code');
    expect(recogniseFormat(folderWith({ 'CLAUDE.md': 'x', 'projects/-a/s.jsonl': '' }))).toBe('markdown');
  });

  it('does not follow a link to notes.jsonl', () => {
    const folder = folderWith({});
    symlinkSync(join(folderWith({ 'a.jsonl': '' }), 'a.jsonl'), join(folder, 'notes.jsonl'));
    expect(recogniseFormat(folder)).toBeUndefined();
  });
});

describe('countImport', () => {
  it('counts the markdown files of a folder', () => {
    expect(countImport(folderWith({ 'a.md': '', 'b/c.md': '', 'd.png': '' }), 'markdown')).toBe(2);
  });

  it('counts one markdown file', () => {
    expect(countImport(join(folderWith({ 'a.md': '' }), 'a.md'), 'markdown')).toBe(1);
  });

  it('counts the files of a store', () => {
    expect(countImport(folderWith({ 'memory/semantic/a.md': '', 'local/semantic/a.md': '' }), 'anamnesis')).toBe(2);
  });

  it('returns undefined for a JSONL file, whose lines are not counted beforehand', () => {
    expect(countImport(join(folderWith({ 'a.jsonl': '' }), 'a.jsonl'), 'jsonl')).toBeUndefined();
  });
});
