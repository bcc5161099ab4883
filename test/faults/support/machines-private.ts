/** A person's response to machine-local texts in memory/, which are left there, reported and never published. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalNames } from '../../../src/events/note/note.js';
import { idOfPath } from '../../../src/events/note/paths.js';
import { personsGit } from '../../support/store.js';
import { type Fleet, type Machine, tokensOfNote } from './machines-fleet.js';
import { tokensIn } from './machines-ledger.js';
import { historyOf } from './machines-texts.js';

/** The message of a sync that published nothing because a commit has such a text. */
const brings = /brings memory\/(\S+?\.md), (?:and the note (?:.*\()?([0-9A-Z]{26})\)? is machine-local|which says)/;

export const isPrivateRefusal = (detail: string | undefined): boolean => brings.test(detail ?? '');

/** The person publishes the note that the refusal names, because they meant to. */
export const publishPrivate = async (fleet: Fleet, machine: Machine, detail: string): Promise<void> => {
  const [, path = '', named] = brings.exec(detail) ?? [];
  // A file may have the name of another note.
  const id = named ?? idOfPath(path);
  const words = new Set(tokensOfNote(machine, id));
  fleet.ledger.published(id, words);
  if (named !== undefined) {
    const answer = await machine.memory.perform({ kind: 'move', id, scope: 'portable' });
    fleet.log(machine, `move ${id} to portable, since ${path} is committed → ${answer.status}`);
    return;
  }
  const file = join(machine.memory.journals.portable.folder, path);
  writeFileSync(file, readFileSync(file, 'utf8').replace('scope: machine-local', 'scope: portable'));
  await machine.memory.adopt('hold');
  fleet.log(machine, `removed scope: machine-local from ${path}`);
};

/** The person removes the files that were left: a text that is in no history was in such a file alone. */
export const removeLeft = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { portable, local } = machine.memory.journals;
  const { left } = (await machine.memory.adopt('hold')).portable;
  const own = left.filter(({ reason }) => /machine-local/.test(reason));
  if (own.length === 0) return;
  const kept = new Set([portable, local].flatMap((journal) => [...tokensIn(historyOf(journal))]));
  for (const { path, reason } of own) {
    const file = join(portable.folder, path);
    for (const token of tokensIn(readFileSync(file, 'utf8'))) if (!kept.has(token)) fleet.ledger.texts.delete(token);
    rmSync(file);
    fleet.log(machine, `removed ${path}, which was left: ${reason}`);
  }
  await machine.memory.adopt('hold');
};

/** Marks texts typed by hand as adopted, except those in files that a command left alone. */
export const takenIn = ({ ledger }: Fleet, { name, memory }: Machine): void =>
  ledger.takenIn(name, () => {
    const left = journalNames.flatMap((journal) => changedFiles(memory.journals[journal].folder));
    return new Set(left.flatMap((file) => [...tokensIn(readFileSync(file, 'utf8'))]));
  });

const changedFiles = (folder: string): readonly string[] => {
  if (!existsSync(join(folder, '.git'))) return [];
  const files = personsGit(folder, '--no-optional-locks', 'ls-files', '-z', '--modified', '--others', '--', '.');
  return files
    .split('\0')
    .flatMap((path) => (path !== '' && existsSync(join(folder, path)) ? [join(folder, path)] : []));
};
