/** Which notes are superseded, and by which one, in a group of notes that supersede each other. Pure. */

/** A note with the ids it supersedes. */
export type SupersedingNote = {
  readonly id: string;
  readonly updatedAt: number;
  readonly supersedes: readonly string[];
};

/**
 * Maps each replaced note to the id that replaces it; live notes are not in the map. A note that is not among `notes`
 * (a forgotten one, say) replaces nothing. Where notes supersede each other in a ring (two machines, both right), the
 * newest of the ring stays live: by time, then id. `notes` must contain whole groups.
 */
export const findSuperseded = (notes: readonly SupersedingNote[]): ReadonlyMap<string, string> => {
  const newerOf = groupByOlder(notes);
  const superseded = new Map<string, string>();
  for (const [older, newer] of newerOf) {
    const ring = ringOf(older, newerOf);
    const isNewest = newestOf(ring)?.id === older;
    const replacing = isNewest ? newer.filter((note) => !ring.includes(note)) : newer;
    const chosen = newestOf(replacing);
    if (chosen !== undefined) superseded.set(older, chosen.id);
  }
  return superseded;
};

type NewerNotes = ReadonlyMap<string, readonly SupersedingNote[]>;

/** Maps each note that others among `notes` supersede to those others. */
const groupByOlder = (notes: readonly SupersedingNote[]): NewerNotes => {
  const ids = new Set(notes.map(({ id }) => id));
  const newerOf = new Map<string, SupersedingNote[]>();
  for (const note of notes) {
    for (const older of note.supersedes) {
      if (older === note.id || !ids.has(older)) continue;
      const newer = newerOf.get(older);
      if (newer === undefined) newerOf.set(older, [note]);
      else newer.push(note);
    }
  }
  return newerOf;
};

const newestOf = (notes: readonly SupersedingNote[]): SupersedingNote | undefined =>
  notes.toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))[0];

/** The notes that supersede this one, directly or through others, by id. */
const allNewer = (id: string, newerOf: NewerNotes): ReadonlyMap<string, SupersedingNote> => {
  const found = new Map<string, SupersedingNote>();
  const add = (older: string): void => {
    for (const note of newerOf.get(older) ?? []) found.set(note.id, note);
  };
  add(id);
  // Setting a key that is there adds no turn.
  for (const newer of found.keys()) add(newer);
  return found;
};

/** The ring that a note is in, itself included; empty if it is in none. */
const ringOf = (id: string, newerOf: NewerNotes): readonly SupersedingNote[] => {
  const newer = allNewer(id, newerOf);
  const ring = new Set<SupersedingNote>();
  const add = (older: string): void => {
    const note = newer.get(older);
    if (note !== undefined) ring.add(note);
  };
  add(id);
  for (const { supersedes } of ring) supersedes.forEach(add);
  return [...ring];
};
