/** Random commands for a machine, and what their answers promise. */
import { moveNote } from '../../../src/app/moving.js';
import type { NoteEdit } from '../../../src/commands/edit.js';
import type { Command } from '../../../src/commands/handlers.js';
import { noteTypes, type Scope } from '../../../src/events/note/note.js';
import type { Answer } from '../../../src/store/memory.js';
import { writeCommand } from '../../support/store.js';
import { bodyOf, type Fleet, type Machine, noteFiles, tokensInHead, tokensOfNote, without } from './machines-fleet.js';
import { type TextKind, tokensIn } from './machines-ledger.js';

export type Planned = {
  readonly command: Command;
  readonly brings: readonly { readonly token: string; readonly kind: TextKind }[];
  /** Tokens that the command removes knowingly. */
  readonly takes: readonly string[];
};

const weights = {
  write: 12,
  'edit body': 8,
  'edit line': 16,
  'edit title': 6,
  'edit type': 2,
  confidence: 3,
  tag: 6,
  untag: 2,
  forget: 6,
  restore: 3,
  supersede: 4,
  project: 4,
  scope: 4,
} as const;

/** Plans a random command on the given note, or on any note that the machine has now. */
export const planCommand = async (fleet: Fleet, machine: Machine, given?: string): Promise<Planned> => {
  const { random, ledger } = fleet;
  const id = given ?? pickNote(fleet, machine);
  const name = id === undefined ? 'write' : random.weighted(weights);
  const token = ledger.newToken();
  const plain = (command: Command): Planned => ({ command, brings: [], takes: [] });
  const edit = (set: NoteEdit, kind: TextKind, takes: readonly string[] = []): Planned => ({
    command: { kind: 'edit', id: id ?? '', set },
    brings: [{ token, kind }],
    takes,
  });
  if (name === 'write' || id === undefined) return planWrite(fleet, token);
  switch (name) {
    case 'edit body': {
      const body = bodyOf(token);
      return edit({ body }, 'body', without(await bodyTokens(machine, id), tokensIn(body)));
    }
    case 'edit line': {
      const shown = await machine.memory.show(id);
      const old = shown.ok ? (shown.answer.body ?? '') : bodyOf('');
      const body = changeLine(old, random.below(6), token);
      const planned = edit({ body }, 'body', without(await bodyTokens(machine, id), tokensIn(body)));
      const expectedVersion = shown.ok && random.chance(0.5) ? shown.answer.version : undefined;
      return { ...planned, command: { kind: 'edit', id, set: { body }, expectedVersion } };
    }
    case 'edit title':
      return edit({ title: `title ${token}` }, 'title');
    case 'edit type':
      return plain({ kind: 'edit', id, set: { type: random.pick(noteTypes) } });
    case 'confidence':
      return plain({ kind: 'edit', id, set: { confidence: random.below(100) / 100 } });
    case 'tag':
      return { command: { kind: 'tag', id, add: [token], remove: [] }, brings: [{ token, kind: 'tag' }], takes: [] };
    case 'untag': {
      const shown = await machine.memory.show(id);
      const [tag] = shown.ok ? shown.answer.tags : [];
      if (tag === undefined) return planWrite(fleet, token);
      return { ...plain({ kind: 'tag', id, add: [], remove: [tag] }), takes: [tag] };
    }
    case 'forget':
      fleet.forgotten.push(id);
      return { ...plain({ kind: 'forget', id }), takes: [...tokensOfNote(machine, id), ...tokensInHead(machine, id)] };
    case 'restore':
      return plain({ kind: 'restore', id: fleet.forgotten.length > 0 ? random.pick(fleet.forgotten) : id });
    case 'supersede': {
      const other = random.pick(noteFiles(machine)).id;
      return other === id ? planWrite(fleet, token) : plain({ kind: 'supersede', ids: [id], by: other });
    }
    case 'project':
      return plain({ kind: 'move', id, project: `p${random.below(4)}` });
    case 'scope': {
      const scope: Scope = random.chance(0.6) ? 'machine-local' : 'portable';
      if (scope === 'portable') ledger.published(id, new Set(tokensOfNote(machine, id)));
      return plain({ kind: 'move', id, scope });
    }
  }
};

const planWrite = ({ random }: Fleet, token: string): Planned => ({
  command: writeCommand({
    type: random.pick(noteTypes),
    title: `note ${random.below(1000)}`,
    body: bodyOf(token),
    project: `p${random.below(4)}`,
    scope: random.chance(0.15) ? 'machine-local' : 'portable',
  }),
  brings: [{ token, kind: 'body' }],
  takes: [],
});

/** Often picks one of the newest notes, so that machines change the same ones. */
const pickNote = ({ random, recent }: Fleet, machine: Machine): string | undefined => {
  const files = noteFiles(machine);
  const there = new Set(files.map(({ id }) => id));
  const newest = recent.slice(-6).filter((id) => there.has(id));
  if (newest.length > 0 && random.chance(0.7)) return random.pick(newest);
  return files.length === 0 ? undefined : random.pick(files).id;
};

export const changeLine = (body: string, at: number, token: string): string => {
  const lines = body.split('\n');
  const line = Math.min(at, Math.max(0, lines.length - 2));
  return lines.map((text, index) => (index === line ? `line ${line} ${token}` : text)).join('\n');
};

/** The tokens that a new body removes: those now shown in the body. */
export const bodyTokens = async (machine: Machine, id: string): Promise<ReadonlySet<string>> => {
  const shown = await machine.memory.show(id);
  return tokensIn(shown.ok ? (shown.answer.body ?? '') : '');
};

/** A process's report on a command that it ran. */
export type Acknowledgement = {
  readonly status: 'recorded' | 'unchanged' | 'refused';
  readonly code?: string | undefined;
  readonly eventId?: string | undefined;
  readonly noteId?: string | undefined;
  readonly scope?: string | undefined;
};

export const acknowledge = (fleet: Fleet, machine: Machine, planned: Planned, answer: Acknowledgement): void => {
  const { command, brings, takes } = planned;
  const { ledger } = fleet;
  const about = 'id' in command ? command.id : 'by' in command ? `${command.ids[0]} by ${command.by}` : '';
  const tokens = brings.map(({ token }) => token).join(' ');
  const id = answer.noteId ?? about;
  fleet.log(
    machine,
    `${command.kind} ${id} ${tokens} → ${answer.status} ${answer.code ?? answer.eventId ?? ''}`.trim(),
  );
  if (answer.status !== 'recorded') return;
  if (answer.eventId !== undefined) {
    ledger.acknowledgeEvent({ id: answer.eventId, machine: machine.name, step: fleet.step });
  }
  const journal = answer.scope === 'machine-local' ? 'local' : 'portable';
  if (answer.noteId !== undefined && journal === 'portable') ledger.exposed.add(answer.noteId);
  for (const { token, kind } of brings) {
    ledger.acknowledge({ token, kind, machine: machine.name, journal, step: fleet.step }, answer.noteId);
  }
  ledger.takeOut(takes);
  if (command.kind === 'move' && journal === 'local') ledger.wentAlong(tokensOfNote(machine, id));
  if (command.kind === 'write' && answer.noteId !== undefined && journal === 'portable')
    fleet.recent.push(answer.noteId);
};

const idsOf = (command: Command): readonly string[] => [
  ...('id' in command ? [command.id] : []),
  ...('ids' in command ? command.ids : []),
  ...('by' in command ? [command.by] : []),
];

/** A move to the other journal is two commands. */
const performAsSurfacesDo = ({ memory }: Machine, command: Command): Promise<Answer> =>
  command.kind === 'move' && command.scope !== undefined
    ? moveNote(memory, command.id, { scope: command.scope })
    : memory.perform(command);

/**
 * Runs a command in this process. No answer is an error. `fileMayLag` is for when a person is working on the file,
 * which may then lack the change.
 */
export const performStep = async (
  fleet: Fleet,
  machine: Machine,
  planned?: Planned,
  { fileMayLag = false } = {},
): Promise<Answer> => {
  const asked = planned ?? (await planCommand(fleet, machine));
  const touched = idsOf(asked.command);
  const answer = await performAsSurfacesDo(machine, asked.command).catch((error: unknown) => {
    return fleet.fail(`${machine.name} ${asked.command.kind} ${touched.join(' ')} failed: ${String(error)}`);
  });
  if (answer.status === 'refused') {
    acknowledge(fleet, machine, asked, { status: 'refused', code: answer.refusal.code });
    return answer;
  }
  const { status, event, note } = answer;
  acknowledge(fleet, machine, asked, { status, eventId: event?.id, noteId: note?.id, scope: note?.scope });
  if (status !== 'recorded' || note === undefined || fileMayLag) return answer;
  const there = tokensOfNote(machine, note.id);
  for (const { token } of asked.brings) {
    if (!there.has(token)) fleet.fail(`${machine.name} acknowledged ${token}, which is not in the file of ${note.id}`);
  }
  return answer;
};
