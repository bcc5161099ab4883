/** Reads the graph of the MCP reference server for memory, a JSON object a line, by hand: forks write more. */
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import {
  cleanTitle,
  cleanWords,
  type ForeignNote,
  type ImportItem,
  parseForeignTime,
  problemAt,
  scopeOfFields,
} from '../commands/foreign-note.js';
import { isGivenFolder, isInnerFile, nameOf, readBeginning, readJsonLine, splitLines } from './files.js';

const maxLineBytes = 1024 * 1024;

/** Keeps the graph in memory, as the server does: relations come after the entities, and each note includes its own. */
export async function* readMcpMemory(path: string): AsyncGenerator<ImportItem> {
  const { file, name } = locateGraph(path);
  const shown = basename(file);
  const entities: Entity[] = [];
  const relationsByEntity = new Map<string, Relation[]>();
  const lineByRelation = new Map<Relation, number>();
  for await (const { line, bytes } of splitLines(createReadStream(file), maxLineBytes)) {
    const parsed = parseGraphLine(bytes);
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
type Relation = { readonly from: string; readonly to: string; readonly relationType: string };

type Entity = {
  readonly name: string;
  readonly entityType: string | undefined;
  readonly observations: readonly string[];
  readonly createdAtMs: number | undefined;
  readonly updatedAtMs: number | undefined;
  readonly scope: ForeignNote['scope'];
};

/** `nothing` is a blank line or an object of another program. */
type GraphLine =
  | { readonly kind: 'entity'; readonly entity: Entity }
  | { readonly kind: 'relation'; readonly relation: Relation }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'problem'; readonly message: string };

export const parseGraphLine = (bytes: Buffer | undefined): GraphLine => {
  const json = readJsonLine(bytes, maxLineBytes);
  if (json === undefined) return { kind: 'nothing' };
  if ('message' in json) return problem(json.message);
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value)) {
    return problem('the line is not a JSON object');
  }
  // A Map, so that a key such as __proto__ is a key like any other.
  const fields = new Map<string, unknown>(Object.entries(json.value));
  switch (fields.get('type')) {
    case 'entity':
      return parseEntity(fields);
    case 'relation':
      return parseRelation(fields);
    default:
      return { kind: 'nothing' };
  }
};

/** Makes one note: the observations as a list, then the relations from and to the entity. */
const toEntityNote = (entity: Entity, relations: readonly Relation[], graph: string): ForeignNote => {
  const observations = entity.observations.map((text) => `- ${text.replace(/\n/g, '\n  ')}`);
  const lines = relations.map(({ from, to, relationType }) => `- ${from} ${relationType} ${to}`);
  const parts = [observations, lines.length === 0 ? [] : ['Relations:', '', ...new Set(lines)]];
  const body = parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
  return {
    sourceKey: `mcp-memory:${graph}/${entity.name}`,
    title: cleanTitle(entity.name),
    body: body === '' ? '' : `${body}\n`,
    tags: cleanWords(entity.entityType === undefined ? [] : [`kind:${entity.entityType.toLowerCase()}`]),
    keywords: [],
    project: undefined,
    type: undefined,
    createdAtMs: entity.createdAtMs,
    updatedAtMs: entity.updatedAtMs,
    scope: entity.scope,
  };
};

const problem = (message: string): GraphLine => ({ kind: 'problem', message });

type Fields = ReadonlyMap<string, unknown>;

const parseEntity = (fields: Fields): GraphLine => {
  const name = readLine(fields, 'name');
  if (name === undefined) return problem('the entity has no name');
  const listed = fields.get('observations') ?? [];
  if (!Array.isArray(listed)) return problem('observations must be a list');
  const observations = listed.map(readObservation);
  if (observations.some((text) => text === undefined)) return problem('an observation is not text');
  const texts = observations.filter((text) => text !== undefined).filter((text) => text !== '');
  if (texts.some((text) => text.includes('\0'))) return problem('an observation has a NUL character');
  const entity: Entity = {
    name,
    entityType: readLine(fields, 'entityType'),
    observations: texts,
    createdAtMs: readTime(fields, 'createdAt'),
    updatedAtMs: readTime(fields, 'updatedAt'),
    scope: scopeOfFields(fields),
  };
  return { kind: 'entity', entity };
};

const parseRelation = (fields: Fields): GraphLine => {
  const from = readLine(fields, 'from');
  const to = readLine(fields, 'to');
  const relationType = readLine(fields, 'relationType');
  return from === undefined || to === undefined || relationType === undefined
    ? problem('a relation needs from, to and relationType')
    : { kind: 'relation', relation: { from, to, relationType } };
};

/** Accepts a text, or an object with a text and its time, as some forks write it. */
const readObservation = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'object' || value === null || !('content' in value)) return undefined;
  return typeof value.content === 'string' ? value.content.trim() : undefined;
};

/** Returns the text on one line; undefined when there is none. */
const readLine = (fields: Fields, key: string): string | undefined => {
  const value = fields.get(key);
  const text = typeof value === 'string' ? value.replace(/[\s\p{Cc}]+/gu, ' ').trim() : '';
  return text === '' ? undefined : text;
};

const readTime = (fields: Fields, key: string): number | undefined => {
  const value = fields.get(key);
  return typeof value === 'string' ? parseForeignTime(value) : undefined;
};
