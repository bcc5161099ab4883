/** Several machines on one remote, each with its own home, clock and name. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalName, journalNames, noteTypes } from '../../../src/events/note/note.js';
import { Memory } from '../../../src/store/memory.js';
import { setRemote } from '../../../src/sync/remote.js';
import { folderOfJournal, personsGit, temporaryFolder, writeCommand } from '../../support/store.js';
import { type Ledger, openLedger, tokensIn } from './machines-ledger.js';
import { type Random, seededRandom } from './machines-random.js';

export type Machine = {
  readonly name: string;
  readonly home: string;
  readonly memory: Memory;
  /** How far its clock is off. */
  skewMs: number;
  /** Called at each step of the write path in this process, to act as another program at that moment. */
  onStep: ((name: string) => void) | undefined;
};

export type Fleet = {
  readonly random: Random;
  readonly ledger: Ledger;
  readonly folder: string;
  readonly remote: string;
  readonly machines: readonly Machine[];
  /** Files that several machines import. */
  readonly source: string;
  /** The program of the child processes that are killed. */
  readonly child: string;
  readonly lines: string[];
  step: number;
  /** True time in epoch milliseconds, which no machine has to know. */
  clockMs: number;
  isReachable: boolean;
  readonly forgotten: string[];
  /** Ids of events that a person, or a stranger, put into a second commit. */
  readonly reusedEvents: Set<string>;
  readonly recent: string[];
  log(machine: Machine | undefined, line: string): void;
  /** Ends the run because of something that must not happen. */
  fail(line: string): never;
  remove(): void;
};

export class Trouble extends Error {}

export type FleetOptions = { readonly seed: number; readonly machines: number; readonly child: string };

export const openFleet = async ({ seed, machines: count, child }: FleetOptions): Promise<Fleet> => {
  const folder = temporaryFolder();
  const remote = join(folder, 'remote.git');
  personsGit(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  const source = join(folder, 'source');
  mkdirSync(source);
  const lines: string[] = [];
  const machines: Machine[] = [];
  const fleet: Fleet = {
    random: seededRandom(seed),
    ledger: openLedger(),
    folder,
    remote,
    machines,
    source,
    child,
    lines,
    step: 0,
    clockMs: Date.now() - 10 * dayMs,
    isReachable: true,
    forgotten: [],
    reusedEvents: new Set(),
    recent: [],
    log: (machine, line) => lines.push(`${String(fleet.step).padStart(4)} ${machine?.name ?? '-'} ${line}`),
    fail(line) {
      lines.push(`${String(fleet.step).padStart(4)} ! ${line}`);
      throw new Trouble(line);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  for (let at = 0; at < count; at += 1) machines.push(await openMachine(fleet, at));
  return fleet;
};

const dayMs = 86_400_000;
/** SKEW is in days; SKEW=0 shows whether a failure has to do with clocks. */
export const maxSkewMs = Number(process.env['SKEW'] ?? 2) * dayMs;

/** Some machines have notes before they are connected to the remote, so there is no common ancestor. */
const openMachine = async (fleet: Fleet, at: number): Promise<Machine> => {
  const { random, ledger } = fleet;
  const name = `box${at}`;
  const home = join(fleet.folder, name);
  const skewMs = Math.round((random.below(2001) / 1000 - 1) * maxSkewMs);
  const machine: Machine = {
    name,
    home,
    skewMs,
    onStep: undefined,
    memory: new Memory(
      { home, machine: name, user: 'self' },
      { nowMs: () => fleet.clockMs + machine.skewMs, step: (step) => machine.onStep?.(step) },
    ),
  };
  await machine.memory.initialise();
  for (let note = random.below(3); note > 0; note -= 1) {
    const token = ledger.newToken();
    await machine.memory.perform(writeCommand({ title: `before ${name} ${note}`, body: bodyOf(token), project: 'p' }));
    ledger.acknowledge({ token, kind: 'body', machine: name, journal: 'portable', step: 0 });
  }
  await setRemote(machine.memory, fleet.remote);
  return machine;
};

/** Six lines, so that two machines can change different ones. */
export const bodyOf = (token: string): string => [`one ${token}`, 'two', 'three', 'four', 'five', 'six', ''].join('\n');

export type FoundNote = { readonly journal: JournalName; readonly id: string; readonly path: string };

/** Lists the note files of a machine, in the order of their paths; the id of a half-saved one is that of its name. */
export const noteFiles = ({ home }: Machine): readonly FoundNote[] =>
  journalNames.flatMap((journal) =>
    noteTypes.flatMap((type) => {
      const folder = join(folderOfJournal(home, journal), type);
      if (!existsSync(folder)) return [];
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /[0-9A-Z]{26}\.md$/.test(name))
        .sort()
        .map((name) => ({ journal, id: idIn(join(folder, name)) ?? name.slice(-29, -3), path: join(folder, name) }));
    }),
  );

const idIn = (path: string): string | undefined => /^id: (\w{26})$/m.exec(readFileSync(path, 'utf8'))?.[1];

/** Files of one note: several when it is in both journals, or was copied by hand. */
export const filesOfNote = (machine: Machine, id: string): readonly FoundNote[] =>
  noteFiles(machine).filter((file) => file.id === id);

export const tokensOfNote = (machine: Machine, id: string): ReadonlySet<string> =>
  new Set(filesOfNote(machine, id).flatMap(({ path }) => [...tokensIn(readFileSync(path, 'utf8'))]));

/** The tokens of a note in the head: a killed sync may not have checked out every file. */
export const tokensInHead = ({ memory }: Machine, id: string): ReadonlySet<string> =>
  new Set(
    journalNames.flatMap((name) => {
      const { folder, head } = memory.journals[name];
      if (head() === undefined) return [];
      const there = pathsInHead(folder).filter((path) => path.endsWith(`/${id}.md`));
      return there.flatMap((path) => [...tokensIn(personsGit(folder, 'show', `main:${path}`))]);
    }),
  );

export const pathsInHead = (folder: string): readonly string[] =>
  personsGit(folder, 'ls-tree', '-r', '--name-only', 'main').split('\n').filter(Boolean);

/** Rewrites a file that machines import; its creation time never changes, so all of them import the same note. */
export const rewriteSource = ({ source }: Fleet, at: number, token: string): void =>
  writeFileSync(
    join(source, `topic-${at}.md`),
    `---\ncreated: 2026-01-0${at + 1}\n---\n# Topic ${at}\n\nIt says ${token}.\nAnd a second line.\n`,
  );

export const without = (tokens: Iterable<string>, others: ReadonlySet<string>): readonly string[] =>
  [...tokens].filter((token) => !others.has(token));
