/** Which note of a group of notes that supersede each other is live. Pure. */

/** A note with the ids it supersedes. */
export type SupersedingNote = {
  readonly id: string;
  readonly updatedAt: number;
  readonly supersedes: readonly string[];
};

/**
 * For each note that is replaced, the id of the one that replaces it; a live note is not in the answer. A note that
 * is not among `notes` (forgotten, say) replaces nothing. Where notes supersede each other in a ring (two machines,
 * both right), the newest of the ring stays live: by time, then id. `notes` must hold whole groups.
 */
export const findSuperseded = (notes: readonly SupersedingNote[]): ReadonlyMap<string, string> => {
  const noteById = new Map(notes.map((note) => [note.id, note]));
  const newerOf = new Map<string, SupersedingNote[]>();
  for (const note of notes) {
    for (const older of note.supersedes) {
      if (older === note.id || !noteById.has(older)) continue;
      newerOf.set(older, [...(newerOf.get(older) ?? []), note]);
    }
  }
  const superseded = new Map<string, string>();
  for (const [older, newer] of newerOf) {
    const note = noteById.get(older);
    if (note === undefined) continue;
    const above = reach(older, newerOf);
    const replacing = newer.filter((candidate) => {
      const inRing = reach(candidate.id, newerOf).has(older) && above.has(candidate.id);
      return !inRing || !isNewestOfRing(note, above, newerOf, noteById);
    });
    const chosen = replacing.toSorted(byNewest)[0];
    if (chosen !== undefined) superseded.set(older, chosen.id);
  }
  return superseded;
};

const byNewest = (a: SupersedingNote, b: SupersedingNote): number =>
  b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** Ids of all notes that replace `id`, directly or through others. */
const reach = (id: string, newerOf: ReadonlyMap<string, readonly SupersedingNote[]>): ReadonlySet<string> => {
  const found = new Set<string>();
  const pending = [id];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const newer of newerOf.get(at) ?? []) {
      if (found.has(newer.id)) continue;
      found.add(newer.id);
      pending.push(newer.id);
    }
  }
  return found;
};

const isNewestOfRing = (
  note: SupersedingNote,
  above: ReadonlySet<string>,
  newerOf: ReadonlyMap<string, readonly SupersedingNote[]>,
  noteById: ReadonlyMap<string, SupersedingNote>,
): boolean => {
  const ring = [...above].filter((id) => reach(id, newerOf).has(note.id)).map((id) => noteById.get(id));
  return ring.every((other) => other === undefined || byNewest(note, other) <= 0);
};
