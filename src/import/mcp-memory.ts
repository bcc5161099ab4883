/** Reads the graph of the MCP reference server for memory: entities and relations, one JSON object per line. */
import { isUtf8 } from 'node:buffer';
import { createReadStream, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { type ImportItem, problemAt } from '../commands/foreign-note.js';
import { isGivenFolder, isInnerFile, nameOf, readBeginning, readWhole } from './files.js';
import { splitLines } from './lines.js';
import { type Entity, type GraphLine, parseGraphLine, type Relation, toEntityNote } from './mcp-memory-line.js';

const maxLineBytes = 1024 * 1024;

/** Limit for a pipe, whose writer may never end. */
const maxPipeBytes = 64 * 1024 * 1024;

const readChunks = (file: string): AsyncIterable<Buffer> => {
  if (!statSync(file).isFIFO()) return createReadStream(file);
  const read = readWhole(file, maxPipeBytes);
  if (!read.ok) throw new Error(read.message);
  return Readable.from([read.bytes]);
};

/** Keeps the graph in memory, as the server does: relations come after the entities, and each note includes its own. */
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
    yield problemAt(`${shown}:${line}`, 'neither entity of the relation is in the file');
  }
}

const parseLine = (bytes: Buffer | undefined): GraphLine => {
  if (bytes === undefined) return { kind: 'problem', message: `the line has more than ${maxLineBytes} bytes` };
  if (!isUtf8(bytes)) return { kind: 'problem', message: 'the line is not valid UTF-8' };
  return parseGraphLine(bytes.toString('utf8').replace(/^\ufeff/, ''));
};

/** Returns the graph's file, and its name: the folder's if a folder was given. Throws when nothing is there. */
export const locateGraph = (path: string): { readonly file: string; readonly name: string } => {
  if (!isGivenFolder(path)) return { file: path, name: basename(path).replace(/\.jsonl?$/i, '') };
  const file = findGraphFile(path);
  if (file === undefined) throw new Error(`there is no memory.jsonl and no memory.json in ${path}`);
  return { file, name: nameOf(path) };
};

export const findGraphFile = (folder: string): string | undefined =>
  ['memory.jsonl', 'memory.json'].map((name) => join(folder, name)).find((file) => isInnerFile(file) && isGraph(file));

/** Checks the first five lines, since a marker of another program may precede the first entity. */
export const isGraph = (file: string): boolean =>
  readBeginning(file, 4096)
    .toString('utf8')
    .split('\n', 5)
    .some((line) => /"type"\s*:\s*"(?:entity|relation)"/.test(line) && /"(?:entityType|relationType)"\s*:/.test(line));
