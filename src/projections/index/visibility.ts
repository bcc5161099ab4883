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
  const ringOf = findRings(notes, newerOf);
  const superseded = new Map<string, string>();
  for (const [older, newer] of newerOf) {
    const ring = ringOf.get(older);
    const isNewest = ring?.newest.id === older;
    const replacing = isNewest ? newer.filter(({ id }) => ringOf.get(id) !== ring) : newer;
    const chosen = replacing.toSorted(byNewest)[0];
    if (chosen !== undefined) superseded.set(older, chosen.id);
  }
  return superseded;
};

/** Notes that supersede each other; the newest is shown unless a note outside the ring supersedes it. */
export type SupersedeRing = { readonly ids: readonly string[]; readonly newest: string };

/** Ids in code unit order, rings by their first id. Linear apart from the sorting. */
export const findSupersedeRings = (notes: readonly SupersedingNote[]): readonly SupersedeRing[] => {
  const idsOf = new Map<Ring, string[]>();
  for (const [id, ring] of findRings(notes, groupByOlder(notes))) {
    const ids = idsOf.get(ring);
    if (ids === undefined) idsOf.set(ring, [id]);
    else ids.push(id);
  }
  return [...idsOf]
    .filter(([, ids]) => ids.length > 1)
    .map(([{ newest }, ids]) => ({ ids: ids.sort(), newest: newest.id }))
    .sort((a, b) => ((a.ids[0] ?? '') < (b.ids[0] ?? '') ? -1 : 1));
};

/** Maps each note that others among `notes` supersede to those others. */
const groupByOlder = (notes: readonly SupersedingNote[]): ReadonlyMap<string, readonly SupersedingNote[]> => {
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

const byNewest = (a: SupersedingNote, b: SupersedingNote): number =>
  b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

type Ring = { newest: SupersedingNote };

/** The ring of each note: a strongly connected component (Tarjan, without recursion). Linear. */
const findRings = (
  notes: readonly SupersedingNote[],
  newerOf: ReadonlyMap<string, readonly SupersedingNote[]>,
): ReadonlyMap<string, Ring> => {
  const ringOf = new Map<string, Ring>();
  const numberOf = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: SupersedingNote[] = [];
  const lower = (id: string, number: number): void => {
    lowest.set(id, Math.min(lowest.get(id) ?? number, number));
  };
  for (const root of notes) {
    if (numberOf.has(root.id)) continue;
    const path: { note: SupersedingNote; next: number }[] = [];
    const enter = (note: SupersedingNote): void => {
      lowest.set(note.id, numberOf.size);
      numberOf.set(note.id, numberOf.size);
      open.push(note);
      path.push({ note, next: 0 });
    };
    enter(root);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { note } = step;
      const newer = newerOf.get(note.id)?.[step.next];
      step.next += 1;
      if (newer !== undefined) {
        if (!numberOf.has(newer.id)) enter(newer);
        else if (!ringOf.has(newer.id)) lower(note.id, numberOf.get(newer.id) ?? 0);
        continue;
      }
      path.pop();
      const before = path.at(-1)?.note.id;
      if (before !== undefined) lower(before, lowest.get(note.id) ?? 0);
      if (lowest.get(note.id) !== numberOf.get(note.id)) continue;
      const ring: Ring = { newest: note };
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        ringOf.set(member.id, ring);
        if (byNewest(member, ring.newest) < 0) ring.newest = member;
        if (member.id === note.id) break;
      }
    }
  }
  return ringOf;
};
