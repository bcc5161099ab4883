/** Laws about the texts that people type, whatever commands and syncs do meanwhile. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalName, journalNames } from '../../../src/events/note/note.js';
import { folderOfJournal, personsGit } from '../../support/store.js';
import type { Fleet, Machine } from './machines-fleet.js';
import { tokensIn } from './machines-ledger.js';
import { historyOf } from './machines-texts.js';

/** A saved token must be in a file, readable or not, or in the history of a journal. */
export const mustBeKept = (fleet: Fleet, machine: Machine, token: string, after: string): void => {
  const isInFile = journalNames.some((name) =>
    filesBelow(machine, name).some((path) => readFileSync(path).includes(token)),
  );
  if (isInFile || journalNames.some((name) => historyOf(machine.memory.journals[name]).includes(token))) return;
  fleet.fail(`${machine.name} ${token} was typed into a file, and after ${after} it is in no file and no history`);
};

const filesBelow = ({ home }: Machine, name: JournalName): readonly string[] =>
  existsSync(folderOfJournal(home, name))
    ? readdirSync(folderOfJournal(home, name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.git'))
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

/** Every object of the remote, reachable or not, and the names of its refs. */
const remoteText = ({ remote }: Fleet): string => {
  const objects = execFileSync('git', ['cat-file', '--batch-all-objects', '--unordered', '--batch', '--buffer'], {
    cwd: remote,
    maxBuffer: 2 ** 30,
  }).toString('latin1');
  return `${objects}\n${personsGit(remote, 'for-each-ref')}`;
};

/** Finds tokens typed into machine-local notes, and secrets, in any object or ref name of the remote. */
export const findLeaks = (fleet: Fleet): readonly string[] => {
  const { privateTexts, secrets } = fleet.ledger;
  if (privateTexts.size + secrets.size === 0 || !fleet.isReachable) return [];
  const text = remoteText(fleet);
  const there = tokensIn(text);
  return [
    ...[...privateTexts]
      .filter(([token]) => there.has(token))
      .map(([token, id]) => `${token} was typed into ${id} while it was machine-local, and the remote has it`),
    ...[...secrets].filter((secret) => text.includes(secret)).map((secret) => `the remote has the secret ${secret}`),
  ];
};

export const mustNotLeak = (fleet: Fleet): void => {
  const [leak] = findLeaks(fleet);
  if (leak !== undefined) fleet.fail(leak);
};

const ourRefs =
  /^refs\/(?:heads\/main|remotes\/origin\/.*|anamnesis\/(?:head|remote|incoming|building|rescue\/.*|machines\/box\d))$/;

/** Finds branches, tags and other refs that neither the person nor this program makes. */
export const findStrangeRefs = ({ machines, remote }: Fleet): readonly string[] => {
  const places = machines.flatMap(({ name, home }) =>
    journalNames.map((journal) => ({ place: `${name} ${journal}`, folder: folderOfJournal(home, journal) })),
  );
  return [...places, { place: 'the remote', folder: remote }]
    .filter(({ folder }) => existsSync(folder))
    .flatMap(({ place, folder }) =>
      personsGit(folder, 'for-each-ref', '--format=%(refname)')
        .split('\n')
        .filter((ref) => ref !== '' && !ourRefs.test(ref))
        .map((ref) => `${place} has an unexpected ref: ${ref}`),
    );
};
