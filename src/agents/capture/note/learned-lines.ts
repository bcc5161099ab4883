/** Lessons of a session: commands that failed, the files changed after that, and how it ended. Pure. */
import type { Failure, Session, Turn } from '../session.js';
import type { Section } from './fit-sections.js';
import { quoteCode, quoteLine } from './note-text.js';

/** Of very many failures, only the best are made into lines. */
export const learnedLines = (session: Session, units: number): Required<Omit<Section, 'heading'>> => {
  const failures = failuresOf(session.turns);
  const best = new Set(failures.toSorted((a, b) => worthOf(b) - worthOf(a)).slice(0, maxMade));
  const shown = best.size > maxWhole ? 0.75 * units : units;
  const lines = failures
    .filter((failure) => best.has(failure))
    .map((failure) => ({ text: `- ${failureText(failure, shown)}`, worth: worthOf(failure) }));
  return { lines, unmade: failures.length - best.size };
};

const maxMade = 20;
/** With more failures than this, each is quoted at three quarters of the length. */
const maxWhole = 8;

/** Rates fixes that were seen to work and repeated failures. */
const worthOf = ({ ending, times, changed }: Failure): number =>
  Math.min(1.5, (times - 1) / 4) + (ending === 'succeeded-later' ? 2 : 0) + (changed.length > 0 ? 0.25 : 0);

/** Merges each command's failures over all turns. Leaves out those without a telling error. */
const failuresOf = (turns: readonly Turn[]): readonly Failure[] => {
  const byCommand = new Map<string, Failure>();
  for (const failure of turns.flatMap(({ failures }) => failures)) {
    const before = byCommand.get(failure.command);
    byCommand.set(failure.command, {
      ...failure,
      times: failure.times + (before?.times ?? 0),
      changed: [...new Set([...(before?.changed ?? []), ...failure.changed])],
    });
  }
  return [...byCommand.values()].filter(({ error }) => !/^(?:error|exit code \d+)?$/i.test(error));
};

const failureText = ({ command, error, ending, times, changed }: Failure, units: number): string => {
  const count = times === 1 ? 'failed' : `failed ${times} times`;
  const files = changed.slice(0, 2).map((file) => quoteCode(nameOf(file), 60));
  const change = files.length === 0 ? '' : `after a change to ${files.join(', ')} `;
  const end = ending === 'succeeded-later' ? `${change}it passed` : 'no later run worked';
  return `${quoteCode(command, 80)} ${count}: ${quoteLine(error, units)} → ${end}`;
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
