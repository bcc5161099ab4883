/**
 * Identifies the source of an import: its notes are keyed by its name, and two folders may have the same name. A folder
 * that this machine imported under a name keeps it; any other one is identified by its texts.
 */
import { existsSync } from 'node:fs';
import type { ForeignNote } from '../commands/foreign-note.js';
import type { Refusal } from '../commands/refusals.js';
import { journalNames } from '../events/note/note.js';
import { quoteTitle } from '../events/note/quoted-text.js';
import { redact } from '../events/note/redact.js';
import { type NoteOfSource, notesOfSource } from '../projections/index/same-text.js';
import type { Memory } from '../store/memory.js';
import { openNoteTexts } from '../store/note-texts.js';

export type GivenSource = {
  /** Real path of the folder, or of the file that holds all notes. */
  readonly place: string;
  /** `<format>:<name>/`, derived from the place alone; the keys of the notes begin with it. */
  readonly prefix: string;
  /** The name that the person gave. */
  readonly asked: string | undefined;
  readonly notes: readonly ForeignNote[];
};

export type NamedSource = {
  readonly prefix: string;
  readonly name: string;
  readonly notes: readonly ForeignNote[];
  readonly warnings: readonly string[];
};

export const nameSource = async (memory: Memory, given: GivenSource): Promise<NamedSource | Refusal> => {
  const [format = '', own = ''] = splitPrefix(given.prefix);
  const namedAs = (name: string, warnings: readonly string[] = []): NamedSource => {
    const prefix = `${format}:${name}/`;
    return { prefix, name, notes: rename(given.notes, given.prefix, prefix), warnings };
  };
  if (given.asked !== undefined) return namedAs(given.asked);
  if (!journalNames.some((name) => memory.journals[name].exists())) return namedAs(own);
  const places = await readPlaces(memory);
  const remembered = places[`${format} ${given.place}`];
  if (remembered !== undefined || given.notes.length === 0) return namedAs(remembered ?? own);
  let unclear: Refusal | undefined;
  for (let turn = 1; ; turn += 1) {
    const name = turn === 1 ? own : `${own} (${turn})`;
    const named = namedAs(name);
    const known = await memory.liveIndex.ask((database) => notesOfSource(database, named.prefix));
    if (known.length === 0) {
      if (unclear !== undefined)
        return { ...unclear, next: `${unclear.next}; if it is a different one: --source ${quote(name)}` };
      return turn === 1 ? named : namedAs(name, [keptApart(own, name)]);
    }
    const elsewhere = Object.keys(places).find((key) => places[key] === name && key.startsWith(`${format} `));
    const place = elsewhere?.slice(format.length + 1);
    const shared = await compare(memory, known, named.notes);
    const verdict = judge(shared, place !== undefined && existsSync(place));
    if (verdict === 'same') return named;
    if (verdict === 'unclear') unclear ??= isUnclear(name, place, given.place, shared);
  }
};

/** Saves the name for the next import from this place. A failure is only logged: the texts can identify the source. */
export const rememberSource = async (memory: Memory, { place, prefix }: GivenSource, name: string): Promise<void> => {
  const key = `${splitPrefix(prefix)[0]} ${place}`;
  const places = await readPlaces(memory);
  if (places[key] === name) return;
  const { state } = await memory.store();
  try {
    state.setFact(placesFact, JSON.stringify({ ...places, [key]: name }));
  } catch (error) {
    memory.log(`the place of an import was not saved: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** Source names by format and place. */
type Places = Readonly<Record<string, string>>;
const placesFact = 'import-sources';

const readPlaces = async (memory: Memory): Promise<Places> => {
  const { state } = await memory.store();
  const places: Places = JSON.parse(state.fact(placesFact) ?? '{}');
  return places;
};

const splitPrefix = (prefix: string): readonly [format: string, name: string] => {
  const colon = prefix.indexOf(':');
  return [prefix.slice(0, colon), prefix.slice(colon + 1, -1)];
};

const rename = (notes: readonly ForeignNote[], from: string, to: string): readonly ForeignNote[] => {
  if (from === to) return notes;
  const keyOf = (key: string): string => (key.startsWith(from) ? `${to}${key.slice(from.length)}` : key);
  return notes.map((note) => ({
    ...note,
    sourceKey: keyOf(note.sourceKey),
    links: note.links?.map((link) => ({ ...link, sourceKey: keyOf(link.sourceKey) })),
  }));
};

/** `common` notes have the key of a known note, `agreeing` ones its text too; `moved`: a known text, another key. */
type Shared = { readonly agreeing: number; readonly common: number; readonly moved: number; readonly smaller: number };

const compare = async (
  memory: Memory,
  known: readonly NoteOfSource[],
  notes: readonly ForeignNote[],
): Promise<Shared> => {
  const read = await openNoteTexts(memory.journals, () => undefined).read(known);
  const textByKey = new Map(known.map(({ sourceKey }, at) => [sourceKey, read[at]?.body.trim() ?? ''] as const));
  const texts = new Set([...textByKey.values()].filter((text) => text !== ''));
  let [agreeing, common, moved] = [0, 0, 0];
  for (const { sourceKey, body } of notes) {
    const before = textByKey.get(redact(sourceKey).text);
    const now = redact(body).text.trim();
    if (before !== undefined) common += 1;
    if (before === undefined) moved += texts.has(now) ? 1 : 0;
    else if (before === now) agreeing += 1;
  }
  return { agreeing, common, moved, smaller: Math.min(known.length, notes.length) };
};

/** A wrong `same` overwrites notes; a wrong `other` makes duplicates. */
const judge = (shared: Shared, isElsewhere: boolean): 'same' | 'other' | 'unclear' => {
  const { agreeing, common, moved, smaller } = shared;
  const differing = common - agreeing;
  const alike = agreeing + moved;
  if (alike === 0) return 'other';
  const isEnough = alike * 2 >= smaller || alike >= manyAlike;
  if (isEnough && differing === 0) return 'same';
  if (alike >= manyAlike && differing * 3 <= common && !isElsewhere) return 'same';
  return agreeing > 0 && differing > 0 ? 'unclear' : 'other';
};

/** Two unrelated folders may share a licence and a few pages of a template. */
const manyAlike = 10;

const keptApart = (own: string, name: string): string =>
  `another source named "${quoteTitle(own)}" was imported before, so this one is kept apart as "${quoteTitle(name)}"; if it is the same source, undo this import and repeat it with --source ${quote(own)}`;

const isUnclear = (name: string, place: string | undefined, here: string, { agreeing, common }: Shared): Refusal => ({
  code: 'source-unclear',
  message: `"${quoteTitle(name)}" was imported before, from ${place ?? 'a place unknown to this machine'}; ${agreeing} of the ${common} names that ${here} shares with it ${agreeing === 1 ? 'has' : 'have'} the same text, so it is not certain that they are one source`,
  next: `if it is the same source: --source ${quote(name)}`,
});

const quote = (name: string): string => `'${name.replaceAll("'", "'\\''")}'`;
