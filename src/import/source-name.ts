/**
 * Identifies an import's source: notes are keyed by its name, which two folders may share. A folder that this machine
 * imported under a name keeps it, as does one with a text imported from it; else a person says what it is.
 */
import type { ForeignNote } from '../commands/foreign-note.js';
import type { Refusal } from '../commands/refusals.js';
import { journalNames } from '../events/note/note.js';
import { quoteTitle } from '../events/note/quoted-text.js';
import { notesOfSource } from '../projections/index/titles.js';
import type { Memory } from '../store/memory.js';

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
};

export const nameSource = async (
  memory: Memory,
  { place, prefix, asked, notes }: GivenSource,
): Promise<NamedSource | Refusal> => {
  const [format = '', own = ''] = splitPrefix(prefix);
  const prefixOf = (name: string): string => `${format}:${name}/`;
  const namedAs = (name: string): NamedSource => ({
    prefix: prefixOf(name),
    name,
    notes: rename(notes, prefix, prefixOf(name)),
  });
  if (asked !== undefined) return namedAs(asked);
  if (!journalNames.some((name) => memory.journals[name].exists())) return namedAs(own);
  const places = await readPlaces(memory);
  const remembered = places[`${format} ${place}`];
  if (remembered !== undefined || notes.length === 0) return namedAs(remembered ?? own);
  const isTaken = (name: string): Promise<boolean> =>
    memory.liveIndex.ask((database) => notesOfSource(database, prefixOf(name)).length > 0);
  if (!(await isTaken(own)) || (await hasTextOf(memory, prefix, notes))) return namedAs(own);
  let turn = 2;
  while (await isTaken(`${own} (${turn})`)) turn += 1;
  const elsewhere = Object.keys(places).find((key) => places[key] === own && key.startsWith(`${format} `));
  return {
    code: 'source-unclear',
    message: `"${quoteTitle(own)}" was imported before, from ${elsewhere?.slice(format.length + 1) ?? 'a place unknown to this machine'}; ${place} may be the same source or another one`,
    next: `if it is the same source: --source ${quote(own)}; if it is a different one: --source ${quote(`${own} (${turn})`)}`,
  };
};

/** True for a source that moved, or that another machine imported: one of its texts is what was imported from it. */
const hasTextOf = async (memory: Memory, prefix: string, notes: readonly ForeignNote[]): Promise<boolean> => {
  const bodies = new Map(notes.map(({ sourceKey, body }) => [sourceKey, body]));
  const known = await memory.liveIndex.ask((database) => notesOfSource(database, prefix));
  for (const { id, sourceKey } of known.filter((one) => bodies.has(one.sourceKey)).slice(0, maxCompared)) {
    const shown = await memory.show(id);
    const body = bodies.get(sourceKey) ?? '';
    if (body.trim() !== '' && shown.ok && shown.answer.body === body) return true;
  }
  return false;
};
const maxCompared = 100;

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

const quote = (name: string): string => `'${name.replaceAll("'", "'\\''")}'`;
