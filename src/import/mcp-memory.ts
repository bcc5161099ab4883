/** The file of the MCP reference server for memory: a graph of entities and relations, one JSON object per line. */
import { isUtf8 } from 'node:buffer';
import { createReadStream, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { type ImportItem, problemAt } from '../commands/foreign-note.js';
import { isGivenFolder, isInnerFile, nameOf, readBeginning, readWhole } from './files.js';
import { splitLines } from './lines.js';
import { type Entity, type GraphLine, parseGraphLine, type Relation, toEntityNote } from './mcp-memory-line.js';

const maxLineBytes = 1024 * 1024;

/** Of a pipe, which nobody may write into or somebody for ever. */
const maxPipeBytes = 64 * 1024 * 1024;

const readChunks = (file: string): AsyncIterable<Buffer> => {
  if (!statSync(file).isFIFO()) return createReadStream(file);
  const read = readWhole(file, maxPipeBytes);
  if (!read.ok) throw new Error(read.message);
  return Readable.from([read.bytes]);
};

/** Held in memory, as the server itself does: the relations stand after the entities, and a note holds its own. */
export async function* readMcpMemory(path: string): AsyncGenerator<ImportItem> {
  const { file, name } = locateGraph(path);
  const shown = basename(file);
  const entities: Entity[] = [];
  const relationsByEntity = new Map<string, Relation[]>();
  const lineByRelation = new Map<Relation, number>();
  for await (const { line, bytes } of splitLines(readChunks(file), maxLineBytes)) {
    const parsed = parseLine(bytes);
    if (parsed.kind === 'problem') yield problemAt(`${shown}:${line}`, parsed.message);
    if (parsed.kind === 'entity') entities.push(parsed.entity);
    if (parsed.kind !== 'relation') continue;
    lineByRelation.set(parsed.relation, line);
    for (const end of new Set([parsed.relation.from, parsed.relation.to])) {
      const relations = relationsByEntity.get(end) ?? [];
      relationsByEntity.set(end, relations);
      relations.push(parsed.relation);
    }
  }
  for (const entity of entities) {
    const relations = relationsByEntity.get(entity.name) ?? [];
    for (const relation of relations) lineByRelation.delete(relation);
    yield { kind: 'note', note: toEntityNote(entity, relations, name) };
  }
  for (const line of lineByRelation.values()) {
    yield problemAt(`${shown}:${line}`, 'the relation is between entities that are not there');
  }
}

const parseLine = (bytes: Buffer | undefined): GraphLine => {
  if (bytes === undefined) return { kind: 'problem', message: `the line has more than ${maxLineBytes} bytes` };
  if (!isUtf8(bytes)) return { kind: 'problem', message: 'the line is not valid UTF-8' };
  return parseGraphLine(bytes.toString('utf8').replace(/^\ufeff/, ''));
};

/** Its file, and its name: that of its folder, where a folder was given. Throws when nothing is there. */
export const locateGraph = (path: string): { readonly file: string; readonly name: string } => {
  if (!isGivenFolder(path)) return { file: path, name: basename(path).replace(/\.jsonl?$/i, '') };
  const file = findGraphFile(path);
  if (file === undefined) throw new Error(`there is no memory.jsonl and no memory.json in ${path}`);
  return { file, name: nameOf(path) };
};

export const findGraphFile = (folder: string): string | undefined =>
  ['memory.jsonl', 'memory.json'].map((name) => join(folder, name)).find((file) => isInnerFile(file) && isGraph(file));

/** By the first lines; a marker of another program may stand before the first entity. */
export const isGraph = (file: string): boolean =>
  readBeginning(file, 4096)
    .toString('utf8')
    .split('\n', 5)
    .some((line) => /"type"\s*:\s*"(?:entity|relation)"/.test(line) && /"(?:entityType|relationType)"\s*:/.test(line));
