/** A note that is machine-local here while another machine keeps changing the copy that it knows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readConflicts } from '../../../src/app/conflicts.js';
import type { Command } from '../../../src/commands/handlers.js';
import { writeCommand } from '../../support/store.js';
import { bodyTokens, performStep, planCommand } from './machines-commands.js';
import { bodyOf, type Fleet, filesOfNote, type Machine, noteFiles, without } from './machines-fleet.js';
import { adoptStep } from './machines-hand.js';
import { mustNotLeak } from './machines-laws.js';
import { tokensIn } from './machines-ledger.js';
import { syncStep } from './machines-sync.js';
import { typed, undoLast, withLine } from './machines-unfinished.js';

/** From the move on, no text typed into the note may leave this machine without another explicit move. */
export const localStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  const other = fleet.machines.find((one) => one !== machine && random.chance(0.5));
  if (other === undefined || !fleet.isReachable) return;
  await syncStep(fleet, machine);
  await syncStep(fleet, other);
  await syncStep(fleet, machine);
  const there = new Set(noteFiles(other).map(({ id }) => id));
  const files = noteFiles(machine).filter(({ journal, id }) => journal === 'portable' && there.has(id));
  if (files.length === 0) return;
  const { id } = random.pick(files);
  const move = { kind: 'move', id, scope: 'machine-local' } as const;
  const moved = await performStep(fleet, machine, { command: move, brings: [], takes: [] });
  if (moved.status !== 'recorded' || moved.note === undefined) return;
  const local = moved.note.id;
  const ending = random.weighted({ undo: 2, resolve: 3, sync: 6 });
  for (let count = random.below(3); count > 0; count -= 1) await privateEdit(fleet, machine, local);
  for (let count = 1 + random.below(2); count > 0; count -= 1) {
    const planned = await planCommand(fleet, other, id);
    // A second explicit move would settle where the note belongs.
    if (planned.command.kind !== 'move') await performStep(fleet, other, planned);
  }
  await syncStep(fleet, other);
  if (random.chance(0.8)) await syncStep(fleet, machine);
  if (ending === 'undo') await undoLast(fleet, machine, moved.event?.id);
  const settled = ending === 'resolve' ? await resolveAny(fleet, machine, id) : [];
  // A person who undoes the move may mean later texts to be portable: no law covers those. Resolving a conflict forgets
  // its copy here, and then another machine's edit of the copy is the note.
  if (ending !== 'undo' && !settled.includes(id))
    for (let count = 1 + random.below(2); count > 0; count -= 1) await privateEdit(fleet, machine, local);
  await syncStep(fleet, machine);
  if (random.chance(0.5)) await syncStep(fleet, other);
  mustNotLeak(fleet);
  // The title of a machine-local note is in no event of another note, even if the two are related.
  if (ending === 'sync') await privateNote(fleet, machine);
  ledger.exposed.add(id);
};

/** Puts a token into the body, the title, a tag or a reason, or into the machine-local file itself. */
const privateEdit = async (fleet: Fleet, machine: Machine, id: string): Promise<void> => {
  const { random, ledger } = fleet;
  const token = ledger.newToken();
  const shown = await machine.memory.show(id);
  if (!shown.ok) return;
  const way = random.weighted({ body: 4, title: 2, tag: 2, hand: 3, reason: 1 });
  const told = (command: Command, kind?: 'body' | 'title' | 'tag', takes: readonly string[] = []) => {
    ledger.privateTexts.set(token, id);
    const brings = kind === undefined ? [] : [{ token, kind }];
    return performStep(fleet, machine, { command, brings, takes }, { fileMayLag: true });
  };
  switch (way) {
    case 'body': {
      const body = withLine(shown.answer.body ?? '', token);
      await told({ kind: 'edit', id, set: { body } }, 'body', without(await bodyTokens(machine, id), tokensIn(body)));
      return;
    }
    case 'title':
      await told({ kind: 'edit', id, set: { title: `private ${token}` } }, 'title');
      return;
    case 'tag':
      await told({ kind: 'tag', id, add: [token], remove: [] }, 'tag');
      return;
    case 'reason':
      await told({ kind: 'confirm', id, reason: `because ${token}` });
      return;
    case 'hand': {
      const file = filesOfNote(machine, id).find(({ journal }) => journal === 'local');
      if (file === undefined) return;
      ledger.privateTexts.set(token, id);
      writeFileSync(file.path, withLine(readFileSync(file.path, 'utf8'), token));
      typed(fleet, machine, token, `local ${id}`);
      if (random.chance(0.5)) await adoptStep(fleet, machine);
    }
  }
};

/** Resolves the conflicts of a note and returns the ids of their copies. */
const resolveAny = async (fleet: Fleet, machine: Machine, id: string): Promise<readonly string[]> => {
  const { random } = fleet;
  const { conflicts } = await readConflicts(machine.memory, { about: id }, { conflicts: 5, diffLines: 5 });
  for (const { id: copy, conflicts_with } of conflicts) {
    const verdict = random.pick(['ours', 'theirs', 'both'] as const);
    const takes = [copy, conflicts_with.id].flatMap((one) =>
      filesOfNote(machine, one).flatMap(({ path }) => [...tokensIn(readFileSync(path, 'utf8'))]),
    );
    const command = { kind: 'resolve-conflict', copy, original: conflicts_with.id, verdict } as const;
    await performStep(fleet, machine, { command, brings: [], takes }, { fileMayLag: true });
  }
  return conflicts.map(({ id: copy }) => copy);
};

/** Runs commands that change both journals, on a new machine-local note and a portable one. */
const privateNote = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  const token = ledger.newToken();
  const files = noteFiles(machine).filter(({ journal }) => journal === 'portable');
  if (files.length === 0) return;
  const portable = random.pick(files).id;
  const write = writeCommand({
    title: `private ${token}`,
    body: bodyOf(token),
    project: 'p',
    scope: 'machine-local',
    supersedes: random.chance(0.5) ? [portable] : [],
  });
  const planned = { command: write, brings: [{ token, kind: 'body' as const }], takes: [] };
  const answer = await performStep(fleet, machine, planned);
  const id = answer.status === 'refused' ? undefined : answer.note?.id;
  if (id === undefined) return;
  ledger.privateTexts.set(token, id);
  const way = random.weighted({ supersede: 2, superseded: 2, forget: 1 });
  const reason = ledger.newToken();
  if (way === 'forget') ledger.privateTexts.set(reason, id);
  const command: Command =
    way === 'supersede'
      ? { kind: 'supersede', ids: [portable], by: id }
      : way === 'superseded'
        ? { kind: 'supersede', ids: [id], by: portable }
        : { kind: 'forget', id, reason: `because of ${reason}` };
  await performStep(fleet, machine, { command, brings: [], takes: way === 'forget' ? [token] : [] });
  await syncStep(fleet, machine);
  mustNotLeak(fleet);
};
