/** Merges two edits of one note three-way: by key, and the body by line. What loses goes to `Lost` trailers. Pure. */
import { parseTime } from '../time.js';
import { derivedUlid } from '../ulid-form.js';
import type { Segment } from './front-matter.js';
import { mergeLines } from './line-diff.js';
import { type Note, shownTitle } from './note.js';
import { type NoteFile, newNoteFile, setNoteFields } from './note-file.js';
import { formatYamlKey } from './yaml-text.js';

type MergedNote = {
  readonly file: NoteFile;
  /** The other body, if the two can't be merged line by line; it is kept in a separate note. */
  readonly clashing: string | undefined;
  /** The losing values of keys with a single value that both sides changed. */
  readonly lost: readonly LostValue[];
};

/** `key` as a note's front matter spells it. */
export type LostValue = { readonly key: string; readonly value: string | number | boolean | null };

/**
 * `base` is undefined without a common ancestor. Lists merge as sets by what was added and removed; if both changed a
 * single value, `winner`'s is used; if the bodies clash, ours is kept.
 */
export const mergeNotes = (
  base: NoteFile | undefined,
  ours: NoteFile,
  theirs: NoteFile,
  winner: 'ours' | 'theirs' = 'theirs',
): MergedNote => {
  const fields: { [Key in keyof Note]?: Note[Key] } = {};
  const lost: LostValue[] = [];
  const first = base === undefined ? firstImport(ours.note, theirs.note) : undefined;
  for (const key of mergedKeys) {
    if (first !== undefined && isOfImporter(key)) Object.assign(fields, { [key]: first[key] });
    else mergeKey(fields, lost, key, base?.note, ours.note, theirs.note, winner);
  }
  const body = mergeBodies(base?.note.body, ours.note.body, theirs.note.body);
  const merged = setNoteFields(ours, { ...fields, body: body ?? ours.note.body });
  const clashing = body === undefined ? theirs.note.body : undefined;
  return { file: mergeUnknownKeys(lost, base, merged, theirs, winner), clashing, lost };
};

/** Makes the note that preserves the text that lost; every machine that sees the conflict makes the same one. */
export const conflictCopy = (note: Note, body: string, eventId: string, atMs: number, at: string): NoteFile => {
  const id = derivedUlid(atMs, 'conflict', eventId, note.id);
  const copy = newNoteFile({
    ...note,
    id,
    title: `${[...shownTitle(note)].slice(0, 280).join('')} (conflicting edit)`,
    source: 'merge',
    supersedes: [],
    createdAt: at,
    updatedAt: at,
    sourceKey: undefined,
    proposes: [],
    body,
  });
  const links = { key: 'links', text: formatYamlKey('links', [`conflicts-with ${note.id}`], '\n') };
  return { ...copy, front: { ...copy.front, segments: [...copy.front.segments, links] } };
};

const mergedKeys = [
  'type',
  'title',
  'project',
  'machineId',
  'userId',
  'workspaceId',
  'source',
  'confidence',
  'model',
  'session',
  'supersedes',
  'updatedAt',
  'tags',
  'agent',
  'importance',
  'keywords',
  'expiresAt',
  'sensitive',
  'sourceKey',
  'proposes',
  'untrusted',
] as const satisfies readonly (keyof Note)[];

/** Which of two imports of one source is first, the same everywhere: the importer is not part of the source. */
const firstImport = (ours: Note, theirs: Note): Note | undefined => {
  if (ours.source !== 'import' || theirs.source !== 'import') return undefined;
  const [mine, other] = [ours, theirs].map(({ createdAt, machineId, agent = '' }) =>
    [String(parseTime(createdAt) ?? 0).padStart(15, '0'), machineId, agent].join('\n'),
  );
  return (mine ?? '') <= (other ?? '') ? ours : theirs;
};

const isOfImporter = (key: keyof Note): boolean => key === 'machineId' || key === 'agent';

const mergeKey = <Key extends (typeof mergedKeys)[number]>(
  fields: { [Each in keyof Note]?: Note[Each] },
  lost: LostValue[],
  key: Key,
  base: Note | undefined,
  ours: Note,
  theirs: Note,
  winner: 'ours' | 'theirs',
): void => {
  const mine: unknown = ours[key];
  const other: unknown = theirs[key];
  if (isList(mine) && isList(other)) {
    const old: unknown = base?.[key];
    Object.assign(fields, { [key]: mergeLists(isList(old) ? old : [], mine, other) });
    return;
  }
  if (mine === other || (base !== undefined && other === base[key])) return;
  const bothChanged = base === undefined || mine !== base[key];
  if (bothChanged && key !== 'updatedAt')
    lost.push({ key: spellKey(key), value: plain(winner === 'ours' ? other : mine) });
  if (!bothChanged || winner === 'theirs') fields[key] = theirs[key];
};

const spellKey = (key: string): string =>
  spelledKeys[key] ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const spelledKeys: Readonly<Record<string, string>> = {
  source: 'prov_source',
  model: 'prov_model',
  session: 'prov_session',
};

const plain = (value: unknown): LostValue['value'] =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);

const mergeLists = (base: readonly string[], ours: readonly string[], theirs: readonly string[]): readonly string[] => {
  const removed = base.filter((entry) => !theirs.includes(entry));
  const added = theirs.filter((entry) => !base.includes(entry) && !ours.includes(entry));
  return [...ours.filter((entry) => !removed.includes(entry)), ...added];
};

const mergeBodies = (base: string | undefined, ours: string, theirs: string): string | undefined => {
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  if (base === undefined) return undefined;
  const lines: string[] = [];
  for (const part of mergeLines(base, ours, theirs)) {
    if (part.kind === 'clash') return undefined;
    for (const line of part.lines) lines.push(line);
  }
  return lines.join('');
};

/** Keys are compared by source text. A key that the other side changed is never removed. */
const mergeUnknownKeys = (
  lost: LostValue[],
  base: NoteFile | undefined,
  ours: NoteFile,
  theirs: NoteFile,
  winner: 'ours' | 'theirs',
): NoteFile => {
  const [old, mine, other] = [textByUnknownKey(base), textByUnknownKey(ours), textByUnknownKey(theirs)];
  const fromTheirs = new Map<string, string | undefined>();
  for (const key of new Set([...mine.keys(), ...other.keys()])) {
    const [was, here, there] = [old.get(key), mine.get(key), other.get(key)];
    if (here === there || there === was) continue;
    if (here === was) fromTheirs.set(key, there);
    else if (there === undefined) lost.push({ key, value: null });
    else if (here === undefined) {
      fromTheirs.set(key, there);
      lost.push({ key, value: null });
    } else {
      if (winner === 'theirs') fromTheirs.set(key, there);
      lost.push({ key, value: winner === 'theirs' ? writtenValue(ours, key, here) : writtenValue(theirs, key, there) });
    }
  }
  if (fromTheirs.size === 0) return ours;
  const segments = ours.front.segments.flatMap(({ key, text }): readonly Segment[] => {
    if (!fromTheirs.has(key)) return [{ key, text }];
    const now = fromTheirs.get(key);
    return now === undefined ? [] : [{ key, text: withLineEnd(now) }];
  });
  const added = [...fromTheirs].flatMap(([key, text]) =>
    text === undefined || mine.has(key) ? [] : [{ key, text: withLineEnd(text) }],
  );
  return { ...ours, front: { ...ours.front, segments: [...segments, ...added] } };
};

const withLineEnd = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

const textByUnknownKey = (file: NoteFile | undefined): ReadonlyMap<string, string> =>
  new Map(
    (file?.front.segments ?? []).flatMap(({ key, text }) => (key === '' || knownKeys().has(key) ? [] : [[key, text]])),
  );

/** Returns a single value as it is, and anything else as its lines in the file. */
const writtenValue = ({ front: { values } }: NoteFile, key: string, text: string): string => {
  const value: unknown = Object.hasOwn(values, key) ? values[key] : undefined;
  return typeof value === 'string' ? value : value === null ? '' : text.trimEnd();
};

let known: ReadonlySet<string> | undefined;
const knownKeys = (): ReadonlySet<string> => {
  known ??= new Set(newNoteFile(everyKey).front.segments.map(({ key }) => key));
  return known;
};

/** A note with every optional key, to learn the names of all keys that the codec knows. */
const everyKey: Note = {
  id: '',
  type: 'semantic',
  title: '',
  project: '',
  machineId: '',
  scope: 'portable',
  userId: '',
  workspaceId: '',
  source: 'human',
  confidence: 1,
  createdAt: '',
  updatedAt: '',
  tags: [],
  body: '',
  model: 'x',
  session: 'x',
  supersedes: ['x'],
  agent: 'x',
  importance: 0,
  keywords: ['x'],
  expiresAt: 'x',
  sensitive: true,
  sourceKey: 'x',
  proposes: ['x'],
  untrusted: true,
};
