import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ForeignNote } from '../../src/commands/foreign-note.js';
import { formatTime } from '../../src/events/time.js';
import { formats } from '../../src/import/formats.js';
import { maxLineBytes } from '../../src/import/jsonl.js';
import { anyCharacter } from '../support/any-character.js';
import { folderWith, native, notesOf, problemsOf, readAll } from './support.js';

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const readText = (text: string | Buffer) => readAll(join(folderWith({ 'notes.jsonl': text }), 'notes.jsonl'), 'jsonl');

describe('jsonl import', () => {
  it('reads every field of a line', async () => {
    const items = await readText(
      line({
        id: 'a1',
        title: 'Use  WAL\nmode',
        body: '# Why\n\nReaders do not wait.\n',
        tags: ['sqlite', ' SQLite ', '', 'db'],
        keywords: 'wal, journal',
        project: ' acme/api ',
        type: 'semantic',
        created_at: '2026-02-09T10:14:00+02:00',
        updated_at: '2026-02-10',
        stars: 5,
      }),
    );
    expect(items).toEqual([
      {
        kind: 'note',
        note: {
          sourceKey: 'jsonl:notes/a1',
          title: 'Use WAL mode',
          body: '# Why\n\nReaders do not wait.\n',
          tags: ['sqlite', 'db'],
          keywords: ['wal', 'journal'],
          project: 'acme/api',
          type: 'semantic',
          createdAtMs: Date.UTC(2026, 1, 9, 8, 14),
          updatedAtMs: Date.UTC(2026, 1, 10),
        },
      },
    ]);
  });

  it('leaves a missing field undefined or empty', async () => {
    const [note] = notesOf(await readText(line({ id: 'a', body: 'Text.' })));
    expect(note).toEqual({
      sourceKey: 'jsonl:notes/a',
      title: '',
      body: 'Text.',
      tags: [],
      keywords: [],
      project: undefined,
      type: undefined,
      createdAtMs: undefined,
      updatedAtMs: undefined,
    });
  });

  it('treats null and an empty text as a missing field', async () => {
    const items = await readText(line({ id: '', title: 'T', body: null, tags: null, project: '', created_at: '' }));
    expect(problemsOf(items)).toEqual([]);
    expect(notesOf(items)[0]).toMatchObject({ title: 'T', body: '', tags: [], createdAtMs: undefined });
  });

  it('derives a missing id from title and body', async () => {
    const [note] = notesOf(await readText(line({ title: 'T', body: 'B' })));
    const key = createHash('sha256').update('T\0B').digest('hex').slice(0, 32);
    expect(note?.sourceKey).toBe(`jsonl:notes/${key}`);
  });

  it('splits tags in one text at commas', async () => {
    const [note] = notesOf(await readText(line({ title: 'T', tags: 'a, b c,,A' })));
    expect(note?.tags).toEqual(['a', 'b c']);
  });

  it('cuts a long title at 300 without halving a character', async () => {
    const [note] = notesOf(await readText(line({ title: `${'a'.repeat(299)}\u{1f600}b` })));
    expect(note?.title).toBe('a'.repeat(299));
  });

  it('reports file, line and key of invalid lines and continues', async () => {
    const items = await readText(
      [
        'not json\n',
        line(['a']),
        line({ id: 'x', tags: ['t'] }),
        line({ title: 7 }),
        line({ title: 'T', tags: ['a', 1], created_at: 'soon' }),
        line({ title: 'T', type: 'feedback' }),
        line({ title: 'T', body: 'a\0b' }),
        line({ id: 'good', title: 'T' }),
      ].join(''),
    );
    expect(problemsOf(items)).toEqual([
      expect.stringMatching(/^notes\.jsonl:1: the line is not JSON: /),
      'notes.jsonl:2: the line is not a JSON object',
      'notes.jsonl:3: there is neither a title nor a body',
      'notes.jsonl:4: title: must be text',
      'notes.jsonl:5: tags.1: must be text; created_at: must be a time such as 2026-06-24T18:33:07+00:00',
      'notes.jsonl:6: type: must be procedural, semantic or episodic',
      'notes.jsonl:7: body: has a NUL character',
    ]);
    expect(notesOf(items).map((note) => note.sourceKey)).toEqual(['jsonl:notes/good']);
  });

  it('refuses a time that the note format cannot write', async () => {
    const items = await readText(line({ title: 'T', created_at: '9999-12-31T23:59:59-14:00' }));
    expect(problemsOf(items)).toEqual([expect.stringContaining('created_at: must be a time')]);
  });

  it('tolerates a byte order mark, CRLF, blank lines and a missing last line feed', async () => {
    const items = await readText('\ufeff{"id":"a","title":"A"}\r\n\r\n  \n{"id":"b","title":"B"}');
    expect(problemsOf(items)).toEqual([]);
    expect(notesOf(items).map((note) => note.title)).toEqual(['A', 'B']);
  });

  it('reports a line that is not UTF-8', async () => {
    const items = await readText(
      Buffer.concat([Buffer.from('{"title":"\xff"}\n', 'latin1'), Buffer.from(line({ title: 'T' }))]),
    );
    expect(problemsOf(items)).toEqual(['notes.jsonl:1: the line is not valid UTF-8']);
    expect(notesOf(items)).toHaveLength(1);
  });

  it('reports a line that is too long and reads the next one', async () => {
    const items = await readText(`{"body":"${'a'.repeat(maxLineBytes)}"}\n${line({ title: 'T' })}`);
    expect(problemsOf(items)).toEqual([`notes.jsonl:1: the line has more than ${maxLineBytes} bytes`]);
    expect(notesOf(items)).toHaveLength(1);
  });

  it('reads a line that spans many chunks', async () => {
    const body = 'ä'.repeat(300_000);
    const [note] = notesOf(await readText(line({ title: 'T', body })));
    expect(note?.body).toBe(body);
  });

  it('reads nothing from an empty file', async () => {
    expect(await readText('')).toEqual([]);
  });

  it('recognises gzip by its bytes, whatever the name', async () => {
    const items = await readText(gzipSync(line({ id: 'a', title: 'T' })));
    expect(notesOf(items).map((note) => note.sourceKey)).toEqual(['jsonl:notes/a']);
  });

  it('reads a plain file that is named .gz', async () => {
    const folder = folderWith({ 'export.jsonl.gz': line({ id: 'a', title: 'T' }) });
    const items = await readAll(join(folder, 'export.jsonl.gz'), 'jsonl');
    expect(notesOf(items).map((note) => note.sourceKey)).toEqual(['jsonl:export/a']);
  });

  it('reads gzip that was written in several parts', async () => {
    const items = await readText(Buffer.concat([gzipSync(line({ title: 'A' })), gzipSync(line({ title: 'B' }))]));
    expect(notesOf(items).map((note) => note.title)).toEqual(['A', 'B']);
  });

  it('keeps the complete lines before damaged gzip data and reports where it begins', async () => {
    const random = (seed: number) => createHash('sha512').update(String(seed)).digest('hex');
    const text = Array.from({ length: 20_000 }, (_, at) => line({ id: String(at), body: random(at) })).join('');
    const packed = gzipSync(text);
    const items = await readText(packed.subarray(0, packed.length / 2));
    const read = notesOf(items).length;
    expect(read).toBeGreaterThan(1000);
    expect(problemsOf(items)).toEqual([
      expect.stringMatching(new RegExp(`^notes\\.jsonl:${read + 1}: the gzip data ends or is damaged here: `)),
    ]);
  });

  it('uses the name of the folder when it contains notes.jsonl.gz', async () => {
    const folder = folderWith({ 'notes.jsonl.gz': gzipSync(`oops\n${line({ id: 'a', title: 'T' })}`) });
    const items = await readAll(folder, 'jsonl');
    expect(notesOf(items).map((note) => note.sourceKey)).toEqual([`jsonl:${basename(folder)}/a`]);
    expect(problemsOf(items)[0]).toMatch(/^notes\.jsonl\.gz:1: /);
  });

  it('throws with the name of a path that is missing', async () => {
    await expect(readAll('/nowhere/notes.jsonl', 'jsonl')).rejects.toThrow('/nowhere/notes.jsonl');
  });

  it('throws with the name of a folder that contains no notes.jsonl', async () => {
    const folder = folderWith({ 'a.md': 'A' });
    await expect(readAll(folder, 'jsonl')).rejects.toThrow(folder);
  });

  it('lets the reader stop early', async () => {
    const file = join(folderWith({ 'a.jsonl': gzipSync(line({ title: 'A' }).repeat(100_000)) }), 'a.jsonl');
    for await (const item of formats['jsonl'].read(file, native)) {
      expect(item.kind).toBe('note');
      break;
    }
    rmSync(file);
  });

  it('reads back what was written from arbitrary notes', async () => {
    const folder = folderWith({});
    const text = fc.string({ unit: anyCharacter }).filter((value) => !value.includes('\0'));
    const word = fc.stringMatching(/^[a-z0-9]+(?:[ -][a-z0-9]+){0,3}$/);
    const time = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000);
    const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
    const foreign: fc.Arbitrary<ForeignNote> = fc.record({
      sourceKey: word.map((id) => `jsonl:any/${id}`),
      title: word,
      body: text,
      tags: fc.uniqueArray(word),
      keywords: fc.uniqueArray(word),
      project: optional(word),
      type: optional(fc.constantFrom('procedural', 'semantic', 'episodic')),
      createdAtMs: optional(time),
      updatedAtMs: optional(time),
    });
    const format = (note: ForeignNote): string =>
      JSON.stringify({
        id: note.sourceKey.slice('jsonl:any/'.length),
        title: note.title,
        body: note.body,
        tags: note.tags,
        keywords: note.keywords,
        project: note.project,
        type: note.type,
        created_at: note.createdAtMs === undefined ? undefined : formatTime(note.createdAtMs),
        updated_at: note.updatedAtMs === undefined ? undefined : formatTime(note.updatedAtMs),
      });
    await fc.assert(
      fc.asyncProperty(fc.array(foreign), fc.boolean(), fc.constantFrom('\n', '\r\n'), async (notes, packed, eol) => {
        const bytes = Buffer.from(notes.map(format).join(eol));
        writeFileSync(join(folder, 'any.jsonl'), packed ? gzipSync(bytes) : bytes);
        const items = await readAll(join(folder, 'any.jsonl'), 'jsonl');
        expect(items).toEqual(notes.map((note) => ({ kind: 'note', note })));
      }),
    );
  });
});
