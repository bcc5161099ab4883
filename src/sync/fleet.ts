/** Every machine that wrote or synced: what it did, when it last synced, and how far it is behind. */
import type { FleetMachine } from '../answers/machines-schema.js';
import { countCommits } from '../events/git/branch.js';
import { GitError } from '../events/git/git-process.js';
import { type MachineMark, readMarks } from '../events/git/remote/machine-marks.js';
import { journalNames } from '../events/note/note.js';
import { commitsBeyond, type MachineActivity, machineActivity } from '../projections/history/machines.js';
import { readLastSync } from '../state/sync-state.js';
import type { Memory } from '../store/memory.js';

export type { FleetMachine };

/** This machine first, then by last event; marks as of the last sync. A git call for them, and per unknown head. */
export const readFleet = async (memory: Memory): Promise<readonly FleetMachine[]> => {
  if (!journalNames.some((name) => memory.journals[name].exists())) return [];
  const { machine: ours } = memory.settings;
  const journal = memory.journals.portable;
  const marks = journal.exists() ? await readMarks(journal.folders) : [];
  const markOf = new Map(marks.map((mark) => [mark.machine, mark]));
  const lastSync = readLastSync((await memory.store()).state);
  const activities = await memory.liveIndex.ask(machineActivity);
  const known = new Set(activities.map(({ machine }) => machine));
  const silent = [...new Set([...markOf.keys(), ours])].filter((machine) => !known.has(machine));
  const behind = await countBehind(memory, marks);
  return [...activities, ...silent.map(withoutActivity)]
    .map(({ machine, notes, events, lastEvent }): FleetMachine => {
      const isOurs = machine === ours;
      const mark = markOf.get(machine);
      return {
        machine,
        this_machine: isOurs,
        notes,
        events,
        last_event: lastEvent ?? null,
        last_sync: (isOurs ? lastSync?.at : undefined) ?? mark?.at ?? null,
        behind: isOurs ? 0 : mark === undefined ? null : (behind.get(mark.head) ?? null),
      };
    })
    .sort(byUse);
};

const withoutActivity = (machine: string): MachineActivity => ({ machine, events: 0, notes: 0, lastEvent: undefined });

/** Machine names left behind by tests or containers are not worth a git call each. */
const maxGitCalls = 32;
const atOnce = 4;

/** Counts by mark head, for heads that exist here. Asks git about those the index doesn't know, newest marks first. */
const countBehind = async (
  { liveIndex, journals }: Memory,
  marks: readonly MachineMark[],
): Promise<ReadonlyMap<string, number>> => {
  const { folders } = journals.portable;
  const ours = journals.portable.head();
  if (ours === undefined) return new Map();
  const newest = marks.toSorted((a, b) => (a.at < b.at ? 1 : -1)).map(({ head }) => head);
  const heads = [...new Set(newest)];
  const counts = new Map(await liveIndex.ask((database) => commitsBeyond(database, heads)));
  const pending = heads.filter((head) => !counts.has(head)).slice(0, maxGitCalls);
  const work = async (): Promise<void> => {
    for (let head = pending.shift(); head !== undefined; head = pending.shift()) {
      const count = await countCommits(folders, ours, head).catch((error: unknown) => {
        // The head was never fetched, such as one from before the remote was rewritten.
        if (error instanceof GitError) return undefined;
        throw error;
      });
      if (count !== undefined) counts.set(head, count);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return counts;
};

const byUse = (a: FleetMachine, b: FleetMachine): number =>
  Number(b.this_machine) - Number(a.this_machine) ||
  byCodeUnits(b.last_event?.at ?? '', a.last_event?.at ?? '') ||
  byCodeUnits(a.machine, b.machine);

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
