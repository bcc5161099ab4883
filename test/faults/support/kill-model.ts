/**
 * The notes that a store must show after kills. A command that was never acknowledged may or may not have happened, so
 * a note has several possible states until the store is read. Notes are identified by a line `slot NAME version N` in
 * their body: the name shows which command made a note whose id was never reported.
 */
import type { Command } from '../../../src/commands/handlers.js';
import type { SeenNote, Told } from './kill-orders.js';

export type NoteState = {
  readonly alive: boolean;
  /** Without lines added by hand. */
  readonly body: string;
  /** True if the note's body only has to contain `body`. */
  readonly isPart?: boolean | undefined;
  /** Undefined if it may be anything. */
  readonly title: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly scope: string;
  readonly supersedes: readonly string[];
};

export type Slot = {
  readonly name: string;
  id: string | undefined;
  version: number;
  /** States that it may be in now; only one once the store has been read. */
  states: readonly NoteState[];
  /** Every state that it had or may have had: an undo brings fields of them back. */
  readonly ever: NoteState[];
  undone: number;
  /** True if only imports have changed it: the next import must update it. */
  isPlain: boolean;
  /** True if it was edited by hand and no adoption has been acknowledged since. */
  hasHandEdit: boolean;
  /** True while its file is not a note, for which a command may be refused. */
  isUnfinished: boolean;
  /** True once a purge of it began: from then on its file is not left unfinished by hand. */
  isPurging: boolean;
  /** True from the plan of a move to the other journal on, since the move gives it a new id. */
  isMoving: boolean;
  /** Its state after a change by hand, until an adoption is acknowledged: any command may adopt the change. */
  byHand: NoteState | undefined;
  /** True if another machine changes it too, so that merging decides its state. */
  isShared: boolean;
};

export type Model = {
  readonly slots: ReadonlyMap<string, Slot>;
  /** Texts that must stay in the history. */
  readonly texts: Set<string>;
  /** Ids of notes that were purged. */
  readonly purged: Set<string>;
  /** How often a person changed a file. */
  handActs: number;
  add(name: string, first: NoteState): Slot;
  /** A command that makes this change began, so the change may have happened. */
  began(slot: Slot, change: (state: NoteState) => NoteState): void;
  /** The command that began last on this slot was answered. Returns what is wrong with the answer. */
  answered(slot: Slot, before: readonly NoteState[], command: Command, told: Answered): readonly string[];
  /** A move to the other journal was answered: the slot is another note now. Returns what is wrong with the answer. */
  moved(slot: Slot, scope: string, told: Extract<Told, { tell: 'moved' }>): readonly string[];
  /** The command that began last on this slot was acknowledged and leaves no other state possible. */
  must(slot: Slot, state: NoteState): void;
  /** A purge began: from now on nothing of the note is certain to be there. */
  purging(slot: Slot): void;
  /** An undo began: any note may be back in an earlier state. */
  undoing(): void;
  /** Compares every slot with the notes shown. `isFinal`: nothing that began can still happen. */
  seen(told: Extract<Told, { tell: 'seen' }>, isFinal: boolean): readonly string[];
};

export type Answered = Extract<Told, { tell: 'answered' }>;

export const absent: NoteState = { alive: false, body: '', title: '', tags: [], scope: 'portable', supersedes: [] };

export const openModel = (): Model => {
  const slots = new Map<string, Slot>();
  const texts = new Set<string>();
  const purged = new Set<string>();
  const purgedIds = new Set<string>();
  let maybeUndone = false;

  const withoutPurged = (state: NoteState): NoteState => ({
    ...state,
    supersedes: state.supersedes.filter((id) => !purgedIds.has(id)),
  });

  const compare = (slot: Slot, note: SeenNote | undefined, undone: number): string | undefined => {
    if (slot.states.some((state) => isState(withoutPurged(state), note))) return undefined;
    const isOpen = slot.isShared || undone > slot.undone || (maybeUndone && slot.id === undefined);
    if (isOpen && (note === undefined || isMixture(slot.ever, note))) return undefined;
    const shown = note === undefined ? 'not there' : JSON.stringify({ ...note, body: withoutHandLines(note.body) });
    return `slot ${slot.name} (${slot.id}) is ${shown}, but may only be ${JSON.stringify(slot.states)}`;
  };

  return {
    slots,
    texts,
    purged,
    handActs: 0,
    add(name, first) {
      const slot: Slot = {
        name,
        id: undefined,
        version: 1,
        states: [absent],
        ever: [absent, first],
        undone: 0,
        isPlain: false,
        hasHandEdit: false,
        isUnfinished: false,
        isPurging: false,
        isMoving: false,
        byHand: undefined,
        isShared: false,
      };
      slots.set(name, slot);
      return slot;
    },
    began(slot, change) {
      const next = slot.states.map(change);
      slot.ever.push(...next);
      slot.states = distinct([...slot.states, ...next]);
    },
    answered(slot, before, command, { status, code, note }) {
      slot.id ??= note;
      if (slot.isUnfinished && status === 'refused') {
        slot.states = before;
        return [];
      }
      const possible = before.filter((state) => canAnswer(state, command, status, code));
      if (possible.length === 0 && !maybeUndone && !slot.isShared) {
        return [
          `${command.kind} of slot ${slot.name} was ${status} (${code}), though it was ${JSON.stringify(before)}`,
        ];
      }
      const change = status === 'recorded' ? changeOf(command) : (state: NoteState) => state;
      const after = (possible.length > 0 ? possible : before).map(change);
      // A repeated `forget` may be done already, and a hand edit may have brought the note back since.
      const isBack = command.kind === 'forget' && slot.hasHandEdit;
      slot.states = distinct(isBack ? [...after, ...before] : after);
      if (status === 'recorded' && slot.byHand?.alive === true) slot.byHand = undefined;
      if (slot.byHand !== undefined) slot.states = distinct([...slot.states, slot.byHand]);
      const [first, ...others] = new Set(slot.states.map(({ body }) => body.split('\n')[0] ?? ''));
      // If the note came from the other machine since the last look, the answer fits no known state.
      const isKnown = possible.length > 0;
      if (status === 'recorded' && isKnown && first !== undefined && others.length === 0) texts.add(first);
      return [];
    },
    moved(slot, scope, { status, code = '', note }) {
      if (status === 'refused') {
        const isGone = gone.has(code) && (maybeUndone || slot.states.some(({ alive }) => !alive));
        return isGone || code === 'move-contested' ? [] : [`the move of slot ${slot.name} was refused (${code})`];
      }
      if (note !== slot.id) slot.undone = 0;
      slot.id = note;
      slot.states = distinct(slot.states.map((state) => ({ ...state, scope })));
      slot.byHand = undefined;
      return [];
    },
    must(slot, state) {
      slot.byHand = undefined;
      if (!maybeUndone) slot.states = [state];
    },
    purging(slot) {
      slot.isPurging = true;
      if (slot.id !== undefined) purgedIds.add(slot.id);
      slot.states = distinct([...slot.states, absent]);
      slot.ever.push(absent);
      slot.byHand = undefined;
      for (const text of texts) {
        if (text.startsWith(`slot ${slot.name} `) || text.startsWith(`${handLine}${slot.name} `)) texts.delete(text);
      }
    },
    undoing() {
      maybeUndone = true;
      // A note that was never shown may be undone unseen, and an import then leaves it that way.
      for (const slot of slots.values()) if (slot.id === undefined) slot.isPlain = false;
    },
    seen({ notes, undone }, isFinal) {
      const problems: string[] = [];
      const bySlot = new Map<Slot, SeenNote>();
      const byId = new Map([...slots.values()].flatMap((slot) => (slot.id === undefined ? [] : [[slot.id, slot]])));
      for (const note of notes) {
        if (note.source === 'merge') continue;
        const slot = byId.get(note.id) ?? slots.get(/slot (\S+) version/.exec(note.body)?.[1] ?? '');
        if (slot === undefined) problems.push(`nobody wrote ${JSON.stringify(note)}`);
        else if (bySlot.has(slot))
          problems.push(`slot ${slot.name} is there twice: ${note.id} ${bySlot.get(slot)?.id}`);
        else bySlot.set(slot, note);
      }
      for (const slot of slots.values()) {
        const note = bySlot.get(slot);
        slot.id ??= note?.id;
        const count = undone[slot.id ?? ''] ?? 0;
        const problem = compare(slot, note, count);
        // A line typed into a file that a killed command had not rewritten shows the older text until it is adopted.
        if (problem !== undefined && slot.hasHandEdit && note !== undefined && isMixture(slot.ever, note)) {
          // If the line was typed into a local file left by a killed move, it keeps the note on this machine.
          const stays =
            note.scope === 'machine-local' ? slot.states.map((state) => ({ ...state, scope: note.scope })) : [];
          slot.states = distinct([...slot.states, ...stays]);
          continue;
        }
        if (problem !== undefined) problems.push(problem);
        if (!isFinal) continue;
        // It was adopted, and perhaps undone since.
        if (slot.byHand?.alive === true && (note !== undefined || count > 0)) slot.byHand = undefined;
        slot.states = distinct([...statesOf(slot, note), ...(slot.byHand === undefined ? [] : [slot.byHand])]);
        slot.undone = count;
      }
      if (isFinal) maybeUndone = false;
      return problems;
    },
  };
};

/** Returns the change that a command makes to a note when it is recorded. */
export const changeOf = (command: Command): ((state: NoteState) => NoteState) => {
  switch (command.kind) {
    case 'write': {
      const { body, title, tags, scope } = command;
      return () => ({ alive: true, body: body.trimEnd(), title, tags, scope, supersedes: [] });
    }
    case 'edit': {
      const { body, title } = command.set;
      return (state) => ({
        ...state,
        ...(body === undefined ? {} : { body: body.trimEnd(), isPart: undefined }),
        ...(title === undefined ? {} : { title }),
      });
    }
    case 'tag':
      return (state) => ({
        ...state,
        tags: state.tags === undefined ? undefined : [...new Set([...state.tags, ...command.add])],
      });
    case 'move':
      return (state) => ({ ...state, scope: command.scope ?? state.scope });
    case 'forget':
      return (state) => ({ ...state, alive: false });
    case 'restore':
      return (state) => ({ ...state, alive: true });
    case 'supersede':
      return (state) => ({ ...state, supersedes: [...new Set([...state.supersedes, ...command.ids])] });
    default:
      return (state) => state;
  }
};

const gone: ReadonlySet<string> = new Set(['note-forgotten', 'note-unknown', 'note-purged']);

/** Whether a command on a note in this state may get this answer. */
const canAnswer = (state: NoteState, { kind }: Command, status: string, code: string | undefined): boolean => {
  if (status !== 'refused') return kind === 'write' || kind === 'restore' || kind === 'forget' || state.alive;
  if (code !== undefined && gone.has(code)) return !state.alive || kind === 'supersede';
  return kind === 'supersede' && code === 'supersede-cycle';
};

const isState = (state: NoteState, note: SeenNote | undefined): boolean => {
  if (note === undefined || !state.alive) return note === undefined && !state.alive;
  return (
    hasBody(state, note) &&
    (state.title === undefined || state.title === note.title) &&
    (state.tags === undefined || sameSet(state.tags, note.tags)) &&
    state.scope === note.scope &&
    state.supersedes.every((id) => note.supersedes.includes(id))
  );
};

/** Whether each field of the note is from one of its earlier states. */
const isMixture = (ever: readonly NoteState[], note: SeenNote): boolean =>
  ever.some((state) => hasBody(state, note)) &&
  ever.some(({ title }) => title === undefined || title === note.title) &&
  ever.some(({ scope }) => scope === note.scope);

const hasBody = ({ body, isPart }: NoteState, note: SeenNote): boolean => {
  const shown = withoutHandLines(note.body);
  return isPart === true ? shown.includes(body) : shown === body;
};

/** If the note is gone, restoring it brings back its last text, which is not known after an undo. */
const statesOf = (slot: Slot, note: SeenNote | undefined): readonly NoteState[] => {
  if (note === undefined) {
    const forgotten = slot.states.filter(({ alive, body }) => !alive && body !== '');
    const said = forgotten.length > 0 ? forgotten : slot.ever.filter(({ body }) => body !== '');
    const gone = said.length === 0 ? [absent] : said.map((state) => ({ ...state, alive: false }));
    // A hand edit that is not adopted yet brings it back.
    return slot.hasHandEdit ? [...gone, ...slot.states.filter(({ alive }) => alive)] : gone;
  }
  const { title, tags, scope, supersedes } = note;
  return [{ alive: true, body: withoutHandLines(note.body), title, tags, scope, supersedes }];
};

/** Commands only change the first line, and hand edits keep the last, so that merging never mixes two texts of ours. */
export const bodyText = (name: string, version: number): string =>
  `slot ${name} version ${version}\nsecond line\nthird line\nfourth line\n`;

export const handLine = 'by hand ';

const withoutHandLines = (body: string): string =>
  body
    .split('\n')
    .filter((line) => !line.startsWith(handLine))
    .join('\n')
    .trimEnd();

const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value) => other.includes(value));

const distinct = (states: readonly NoteState[]): readonly NoteState[] => [
  ...new Map(states.map((state) => [JSON.stringify(state), state])).values(),
];
