/** Random commands on the notes of a model, each with its effects on the model when it begins and is answered. */
import { join } from 'node:path';
import type { Command } from '../../../src/commands/handlers.js';
import type { WriteNote } from '../../../src/commands/write.js';
import { ulidGenerator } from '../../../src/events/ids.js';
import { absent, bodyText, changeOf, type Model, type NoteState, type Slot } from './kill-model.js';
import type { Asked, AskedKind, Sent, Told } from './kill-orders.js';
import { openSources } from './kill-sources.js';
import type { Random } from './machines-random.js';

const newUlid = ulidGenerator();

export type Planned = {
  readonly asked: Asked;
  began(): void;
  /** Returns what is wrong with the report. */
  told(told: Told): readonly string[];
};

export type Planner = {
  next(): Planned;
  write(): Planned;
  adopt(): Planned;
  compact(): Planned;
  sync(): Planned;
  newName(kind: string): string;
  /** Picks a note that exists or may exist; undefined if no id has been reported yet. */
  pick(except?: readonly Slot[]): Slot | undefined;
};

type Part = readonly [Slot, Command];

type RandomKind = Exclude<AskedKind, 'look' | 'check' | 'remote'>;

const weights: Readonly<Record<RandomKind, number>> = {
  perform: 60,
  import: 7,
  capture: 8,
  adopt: 7,
  undo: 6,
  replay: 5,
  compact: 3,
  backup: 2,
  search: 2,
  sync: 0,
  purge: 5,
  move: 10,
};

/** Purging a synced text is another test, and so is moving a note that another machine changes. */
const weightsWithRemote: typeof weights = { ...weights, sync: 22, purge: 0, move: 0 };

/** `folder` has the files that are read (folders to import, transcripts) and written (backups). */
export const openPlanner = (random: Random, model: Model, folder: string, hasRemote: boolean): Planner => {
  let names = 0;
  const newName = (kind: string): string => `${kind}${++names}`;

  const sources = openSources(random, model, folder, newName);

  const pick = (except: readonly Slot[] = []): Slot | undefined => {
    const known = [...model.slots.values()].filter(
      (slot) => slot.id !== undefined && !slot.isMoving && !except.includes(slot),
    );
    const alive = known.filter(({ states }) => states.some((state) => state.alive));
    const among = alive.length > 0 && !random.chance(0.15) ? alive : known;
    // Newer notes are changed more often, so that commands compete for the same note.
    const recent = random.chance(0.6) ? among.slice(-8) : among;
    return recent.length === 0 ? undefined : random.pick(recent);
  };

  const write = (): Part => {
    const name = newName('w');
    const command: WriteNote = {
      kind: 'write',
      type: random.pick(['semantic', 'procedural', 'episodic']),
      title: `note ${name}`,
      body: bodyText(name, 1),
      project: 'p',
      scope: random.chance(0.25) ? 'machine-local' : 'portable',
      tags: [],
      keywords: [],
      supersedes: [],
    };
    return [model.add(name, changeOf(command)(absent)), command];
  };

  const change = (slot: Slot, id: string): Command => {
    switch (random.weighted({ edit: 10, title: 2, tag: 4, forget: 3, restore: 4, move: 6, supersede: 2 })) {
      case 'edit':
        slot.version += 1;
        return { kind: 'edit', id, set: { body: bodyText(slot.name, slot.version) } };
      case 'title':
        return { kind: 'edit', id, set: { title: `title ${random.below(1e6)}` } };
      case 'tag':
        return { kind: 'tag', id, add: [`t${random.below(40)}`], remove: [] };
      case 'forget':
        return { kind: 'forget', id };
      case 'restore':
        return { kind: 'restore', id };
      case 'move':
        return { kind: 'move', id, project: `p${random.below(4)}` };
      case 'supersede': {
        const older = pick([slot]);
        return older?.id === undefined ? { kind: 'forget', id } : { kind: 'supersede', by: id, ids: [older.id] };
      }
    }
  };

  const someParts = (): readonly Part[] => {
    const parts: Part[] = [];
    const count = random.chance(0.2) ? 2 + random.below(3) : 1;
    while (parts.length < count) {
      const slot = random.chance(0.4) ? undefined : pick(parts.map(([taken]) => taken));
      parts.push(slot?.id === undefined ? write() : [slot, change(slot, slot.id)]);
    }
    return parts;
  };

  const perform = (parts: readonly Part[]): Planned => {
    const sent = parts.map(([, command]): Sent => ({ command, commandId: newUlid(Date.now()) }));
    let before: (readonly NoteState[])[] = [];
    return {
      asked: { do: 'perform', sent },
      began() {
        before = parts.map(([slot]) => slot.states);
        for (const [slot, command] of parts) {
          slot.isPlain = false;
          model.began(slot, changeOf(command));
        }
      },
      told(told) {
        const part = told.tell === 'answered' ? parts[told.part] : undefined;
        if (told.tell !== 'answered' || part === undefined) return [];
        return model.answered(part[0], before[told.part] ?? [], part[1], told);
      },
    };
  };

  const adopt = (): Planned => ({
    asked: { do: 'adopt' },
    began: () => undefined,
    told(told) {
      if (told.tell !== 'done') return [];
      for (const slot of model.slots.values()) {
        slot.hasHandEdit = false;
        // A new file is a note now, or a killed command forgot it. (A removed one may be back: an edit wins.)
        if (slot.byHand?.alive === true) slot.states = slot.states.filter(({ alive, body }) => alive || body !== '');
        slot.byHand = undefined;
      }
      return [];
    },
  });

  const plain = (asked: Asked, began: () => void = () => undefined): Planned => ({ asked, began, told: () => [] });

  const sync = (): Planned => ({
    asked: { do: 'sync' },
    began: () => undefined,
    told: (told) =>
      told.tell === 'synced' && told.outcome !== (hasRemote ? 'synced' : 'local-only')
        ? [`sync ended ${told.outcome}: ${told.detail}`]
        : [],
  });

  /** Purges only notes that nothing outside the store would bring back. */
  const purge = (): Planned | undefined => {
    const slot = pick();
    const id = slot?.id;
    // A purge leaves an unreadable file to the person, and says so.
    if (slot === undefined || id === undefined || slot.isUnfinished || !/^[wh]/.test(slot.name)) return undefined;
    return {
      asked: { do: 'purge', id },
      began: () => model.purging(slot),
      told(told) {
        if (told.tell !== 'purged') return [];
        if (told.status === 'refused') return [`purge of ${slot.name} was refused: ${told.why}`];
        model.purged.add(id);
        slot.states = [absent];
        slot.ever.splice(0, slot.ever.length, absent);
        return told.clean ? [] : [`the purge of ${slot.name} left something`];
      },
    };
  };

  const move = (): Planned | undefined => {
    const slot = pick();
    const id = slot?.id;
    if (slot === undefined || id === undefined || slot.isUnfinished || !/^[wh]/.test(slot.name)) return undefined;
    slot.isMoving = true;
    const scope = slot.states.some((state) => state.scope === 'portable') ? 'machine-local' : 'portable';
    return {
      asked: { do: 'move', id, scope, commandId: newUlid(Date.now()) },
      began() {
        slot.isPlain = false;
        model.began(slot, (state) => ({ ...state, scope }));
      },
      told: (told) => (told.tell === 'moved' ? model.moved(slot, scope, told) : []),
    };
  };

  const compact = (): Planned => plain({ do: 'compact', full: random.chance(0.5) });

  return {
    newName,
    pick,
    adopt,
    compact,
    sync,
    write: () => perform([write()]),
    next() {
      switch (random.weighted(hasRemote ? weightsWithRemote : weights)) {
        case 'perform':
          return perform(someParts());
        case 'import':
          return sources.importFolder();
        case 'capture':
          return sources.capture();
        case 'adopt':
          return adopt();
        case 'undo':
          return plain({ do: 'undo' }, () => model.undoing());
        case 'replay':
          return plain({ do: 'replay' });
        case 'compact':
          return compact();
        case 'backup':
          return plain({ do: 'backup', file: join(folder, 'backup.anamnesis') });
        case 'sync':
          return sync();
        case 'purge':
          return purge() ?? sync();
        case 'move':
          return move() ?? adopt();
        case 'search':
          return plain({ do: 'search', text: `slot version ${random.below(9)}` });
      }
    },
  };
};
