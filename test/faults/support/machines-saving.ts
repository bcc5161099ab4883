/** Programs that save a file while commands work on its note. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { performStep, planCommand } from './machines-commands.js';
import { type Fleet, type FoundNote, filesOfNote, type Machine, noteFiles, without } from './machines-fleet.js';
import { adoptStep } from './machines-hand.js';
import { mustBeKept } from './machines-laws.js';
import { tokensIn } from './machines-ledger.js';
import { typed, withLine } from './machines-unfinished.js';

/** An editor that read the file once and saves what it has every 20 to 80 ms, in place or by renaming a second file. */
const program = `
const fs = require('node:fs');
const { path, texts, inPlace } = JSON.parse(process.argv[1]);
const save = (text) => {
  if (inPlace) fs.writeFileSync(path, text);
  else { fs.writeFileSync(path + '~', text); fs.renameSync(path + '~', path); }
};
const next = (at) => {
  if (at === texts.length) return;
  try {
    save(texts[at]);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    // The file was merged into another one of its note, and its folder is gone: the person makes it again.
    fs.mkdirSync(require('node:path').dirname(path), { recursive: true });
    save(texts[at]);
  }
  setTimeout(next, 20 + Math.random() * 60, at + 1);
};
process.stdout.write('ready');
next(0);
`;

const pickFile = ({ random }: Fleet, machine: Machine): FoundNote | undefined => {
  const files = noteFiles(machine);
  return files.length === 0 ? undefined : random.pick(files);
};

/** The last save before a pause is not lost. */
export const savingStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  await adoptStep(fleet, machine);
  const file = pickFile(fleet, machine);
  if (file === undefined) return;
  const before = readFileSync(file.path, 'utf8');
  for (let burst = 0; burst < 3; burst += 1) {
    const tokens = Array.from({ length: 2 + random.below(8) }, () => ledger.newToken());
    const texts = tokens.map((token) => withLine(before, token));
    const last = tokens.at(-1) ?? '';
    const inPlace = random.chance(0.5);
    const child = spawn(process.execPath, ['-e', program, JSON.stringify({ path: file.path, texts, inPlace })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    while (child.exitCode === null) {
      const token = ledger.newToken();
      const tag = { kind: 'tag', id: file.id, add: [token], remove: [] } as const;
      // The editor knows nothing of the tag and removes it again.
      await performStep(fleet, machine, { command: tag, brings: [], takes: [] }, { fileMayLag: true });
    }
    await ended;
    await sleep(50);
    ledger.takeOut(without(tokensIn(before), tokensIn(texts.at(-1) ?? '')));
    // This burst has overwritten the saves of the earlier ones.
    typed(fleet, machine, last, `${file.id}, saved ${tokens.length} times ${inPlace ? 'in place' : 'by renaming'}`);
    await adoptStep(fleet, machine);
    mustBeKept(fleet, machine, last, 'saving it in the end');
    // A merge may have put it into a conflict copy of the note.
    const isInNote = noteFiles(machine).some(({ path }) => readFileSync(path).includes(last));
    if (!isInNote) fleet.fail(`${machine.name} ${last} was the last thing saved to ${file.id}, and no note has it`);
    ledger.takeOut([last]);
    // No command adopts that file, so the next burst itself would remove the text.
    if (await isLeft(machine, file.path)) return;
  }
};

const isLeft = async ({ memory }: Machine, path: string): Promise<boolean> => {
  const { left } = (await memory.adopt('hold')).portable;
  return left.some((one) => join(memory.journals.portable.folder, one.path) === path);
};

/** Saves the file between two steps of a command: after its decision or its commit, but before its checkout. */
export const savedBetweenStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  await adoptStep(fleet, machine);
  const file = pickFile(fleet, machine);
  if (file === undefined) return;
  const planned = await planCommand(fleet, machine, file.id);
  const token = ledger.newToken();
  const inPlace = random.chance(0.5);
  const isHalf = random.chance(0.3);
  let left = 1 + random.below(5);
  machine.onStep = (name) => {
    left -= 1;
    if (left !== 0 || !existsSync(file.path)) return;
    const whole = withLine(readFileSync(file.path, 'utf8'), token);
    const text = isHalf ? whole.replace(/^title:.*$/m, 'title: [half') : whole;
    if (inPlace) writeFileSync(file.path, text);
    else {
      writeFileSync(`${file.path}~`, text);
      renameSync(`${file.path}~`, file.path);
    }
    typed(fleet, machine, token, `${file.id} at ${name}${isHalf ? ', unfinished' : ''}`);
  };
  await performStep(fleet, machine, planned, { fileMayLag: true });
  machine.onStep = undefined;
  if (!ledger.texts.has(token)) return;
  mustBeKept(fleet, machine, token, `${planned.command.kind}, during which it was saved`);
  await adoptStep(fleet, machine);
  mustBeKept(fleet, machine, token, 'the adoption after that');
  // A save that was adopted before the command was decided is in the history; a new body replaces it, and forgetting
  // the note removes it.
  const { command } = planned;
  const takesOut = command.kind === 'forget' || (command.kind === 'edit' && command.set.body !== undefined);
  if (takesOut && !noteFiles(machine).some(({ path }) => readFileSync(path).includes(token))) ledger.takeOut([token]);
  for (const { path } of filesOfNote(machine, file.id)) finishHalf(path, file.id);
};

const finishHalf = (path: string, id: string): void => {
  const text = readFileSync(path, 'utf8');
  if (text.includes('title: [half')) writeFileSync(path, text.replace('title: [half', `title: finished ${id}`));
};
