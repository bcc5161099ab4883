/** A person's response to machine-local texts in memory/, which are left there, reported and never published. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { journalNames } from '../../../src/events/note/note.js';
import { personsGit } from '../../support/store.js';
import type { Fleet, Machine } from './machines-fleet.js';
import { tokensIn } from './machines-ledger.js';
import { historyOf } from './machines-texts.js';

/** The person removes the files that were left: a text that is in no history was in such a file alone. */
export const removeLeft = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { portable, local } = machine.memory.journals;
  const adopted = await machine.memory.adopt('hold');
  const own = [portable, local].flatMap(({ name, folder }) =>
    adopted[name].left.flatMap((file) => (/machine-local|its journal/.test(file.reason) ? [{ ...file, folder }] : [])),
  );
  if (own.length === 0) return;
  const kept = new Set([portable, local].flatMap((journal) => [...tokensIn(historyOf(journal))]));
  for (const { folder, path, reason } of own) {
    const file = join(folder, path);
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
