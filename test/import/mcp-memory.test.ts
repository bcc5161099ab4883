import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recogniseFormat } from '../../src/import/formats.js';
import { parseGraphLine } from '../../src/import/mcp-memory.js';
import { folderWith, notesOf, problemsOf, readAll } from './support.js';

const entity = (name: unknown, observations: unknown = [], entityType: unknown = 'Person'): string =>
  JSON.stringify({ type: 'entity', name, entityType, observations });
const relation = (from: unknown, relationType: unknown, to: unknown): string =>
  JSON.stringify({ type: 'relation', from, to, relationType });
const graphWith = (...lines: readonly string[]): string =>
  join(folderWith({ 'memory.jsonl': lines.join('\n') }), 'memory.jsonl');

describe('import of the memory of the MCP reference server', () => {
  it('turns an entity with its observations and relations into one note', async () => {
    const file = graphWith(
      entity('Ana', ['Leads the shop', 'Prefers mail\nin the morning']),
      entity('Acme', [], 'organization'),
      relation('Ana', 'works_at', 'Acme'),
      relation('Ana', 'works_at', 'Acme'),
    );
    expect(recogniseFormat(file)).toBe('mcp-memory');
    expect(recogniseFormat(join(file, '..'))).toBe('mcp-memory');
    const items = await readAll(file, 'mcp-memory');
    expect(problemsOf(items)).toEqual([]);
    expect(notesOf(items)).toEqual([
      {
        sourceKey: 'mcp-memory:memory/Ana',
        title: 'Ana',
        body: '- Leads the shop\n- Prefers mail\n  in the morning\n\nRelations:\n\n- Ana works_at Acme\n',
        tags: ['kind:person'],
        keywords: [],
        project: undefined,
        type: undefined,
        createdAtMs: undefined,
        updatedAtMs: undefined,
      },
      expect.objectContaining({
        title: 'Acme',
        body: 'Relations:\n\n- Ana works_at Acme\n',
        tags: ['kind:organization'],
      }),
    ]);
  });

  it('uses the name of the folder when a folder was given', async () => {
    const file = graphWith(entity('Ana'));
    const [note] = notesOf(await readAll(join(file, '..'), 'mcp-memory'));
    expect(note?.sourceKey).toMatch(/^mcp-memory:anamnesis-import-\w+\/Ana$/);
  });

  it('reports lines that are damaged, truncated or malformed, and skips those of other programs', async () => {
    const file = graphWith(
      '{"type":"_aim","source":"a fork"}',
      '\ufeff',
      entity('Ana', ['ok', { content: 'with a time', timestamp: '2026-01-01' }]),
      entity('', ['x']),
      entity('No list', 'x'),
      entity('No text', [7]),
      entity('NUL', ['a\0b']),
      '[1]',
      '"text"',
      relation('Ana', 'knows', undefined),
      relation('Nobody', 'knows', 'No one'),
      relation('Nobody', 'knows', 'Ana'),
      entity('Cut').slice(0, -4),
    );
    const items = await readAll(file, 'mcp-memory');
    expect(notesOf(items).map(({ body }) => body)).toEqual([
      '- ok\n- with a time\n\nRelations:\n\n- Nobody knows Ana\n',
    ]);
    expect(problemsOf(items)).toEqual([
      'memory.jsonl:4: the entity has no name',
      'memory.jsonl:5: observations must be a list',
      'memory.jsonl:6: an observation is not text',
      'memory.jsonl:7: an observation has a NUL character',
      'memory.jsonl:8: the line is not a JSON object',
      'memory.jsonl:9: the line is not a JSON object',
      'memory.jsonl:10: a relation needs from, to and relationType',
      expect.stringMatching(/^memory.jsonl:13: the line is not JSON/),
      'memory.jsonl:11: neither entity of the relation is in the file',
    ]);
  });

  it('reports a line of more than a megabyte and one that is not UTF-8', async () => {
    const folder = folderWith({
      'memory.jsonl': Buffer.concat([
        Buffer.from(`${entity('Big', ['x'.repeat(1024 * 1024)])}\n`),
        Buffer.from([0xff, 0x0a]),
        Buffer.from(entity('Ana')),
      ]),
    });
    const items = await readAll(join(folder, 'memory.jsonl'), 'mcp-memory');
    expect(notesOf(items).map(({ title }) => title)).toEqual(['Ana']);
    expect(problemsOf(items)).toEqual([
      expect.stringContaining('memory.jsonl:1: the line has more than'),
      'memory.jsonl:2: the line is not valid UTF-8',
    ]);
  });

  it('treats the names of object members, such as __proto__, as plain names', async () => {
    const file = graphWith(
      '{"type":"entity","name":"__proto__","entityType":"constructor","observations":["a"],"__proto__":{"name":"x"}}',
      relation('__proto__', 'toString', 'constructor'),
    );
    expect(notesOf(await readAll(file, 'mcp-memory'))).toMatchObject([
      {
        title: '__proto__',
        body: '- a\n\nRelations:\n\n- __proto__ toString constructor\n',
        tags: ['kind:constructor'],
      },
    ]);
  });

  it('is recognised by its lines, not by its name alone', () => {
    const graph = entity('Ana');
    expect(recogniseFormat(join(folderWith({ 'memory.json': graph }), 'memory.json'))).toBe('mcp-memory');
    expect(recogniseFormat(join(folderWith({ 'x.jsonl': graph }), 'x.jsonl'))).toBe('mcp-memory');
    expect(recogniseFormat(join(folderWith({ 'memory.jsonl': '{"title":"A"}' }), 'memory.jsonl'))).toBe('jsonl');
    expect(recogniseFormat(folderWith({ 'memory.jsonl': '{"title":"A"}', 'README.md': 'x' }))).toBe('markdown');
    expect(recogniseFormat(join(folderWith({ 'memory.json': '{"a":1}' }), 'memory.json'))).toBeUndefined();
  });

  it('throws when there is no such file', async () => {
    await expect(readAll(folderWith({}), 'mcp-memory')).rejects.toThrow('there is no memory.jsonl');
    await expect(readAll('/nowhere/memory.jsonl', 'mcp-memory')).rejects.toThrow();
  });

  it('accepts any JSON', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc
            .record({
              type: fc.constantFrom('entity', 'relation', 7),
              name: fc.anything(),
              observations: fc.anything(),
            })
            .map((value) => JSON.stringify(value) ?? ''),
        ),
        (line) => ['entity', 'relation', 'nothing', 'problem'].includes(parseGraphLine(Buffer.from(line)).kind),
      ),
    );
  });
});
