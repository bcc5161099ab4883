/** Lessons of a session: commands that failed and how that ended, and causes that the agent named. Pure. */
import type { Failure, Session, Turn } from '../session.js';
import type { Section } from './fit-sections.js';
import { quoteCode, quoteLine } from './note-text.js';

/** Returns failures, then the agent's other findings. Of very many failures, only the best are made into lines. */
export const learnedLines = (session: Session, units: number): Required<Omit<Section, 'heading'>> => {
  const failures = failuresOf(session.turns);
  const best = new Set(failures.toSorted((a, b) => worthOf(b) - worthOf(a)).slice(0, maxMade));
  const shown = best.size > maxWhole ? 0.75 * units : units;
  const lines = [
    ...failures
      .filter((failure) => best.has(failure))
      .map((failure) => ({ text: `- ${failureText(failure, shown)}`, worth: worthOf(failure) })),
    ...session.turns.flatMap(({ findings }) =>
      findings.map(({ text, weight }) => ({ text: `- ${quoteLine(text, units)}`, worth: weight })),
    ),
  ];
  return { lines, unmade: failures.length - best.size };
};

const maxMade = 20;
/** With more failures than this, each is quoted at three quarters of the length. */
const maxWhole = 8;

/**
 * Rates fixes that were seen to work, repeated failures and named causes, on the scale of findings, which weigh 2 to 5:
 * an error that went away without an explanation ranks below a named cause.
 */
const worthOf = ({ ending, diagnoses, times, changed }: Failure): number => {
  const again = times > 1 ? Math.min(1.5, times / 4) : 0;
  const isExplained = diagnoses.length > 0;
  if (ending === 'failed') return again + (isExplained ? 2.25 : 1.25);
  return again + (isExplained ? 5.5 : 2.5) + (changed.length > 0 ? 0.25 : 0);
};

/** Merges each command's failures over all turns. Leaves out those with neither a telling error nor a diagnosis. */
const failuresOf = (turns: readonly Turn[]): readonly Failure[] => {
  const byCommand = new Map<string, Failure>();
  for (const failure of turns.flatMap(({ failures }) => failures)) {
    const before = byCommand.get(failure.command);
    byCommand.set(failure.command, {
      ...failure,
      times: failure.times + (before?.times ?? 0),
      diagnoses: [...new Set([...(before?.diagnoses ?? []), ...failure.diagnoses])],
      changed: [...new Set([...(before?.changed ?? []), ...failure.changed])],
    });
  }
  return [...byCommand.values()].filter(
    ({ error, diagnoses }) => diagnoses.length > 0 || !/^(?:error|exit code \d+)?$/i.test(error),
  );
};

const failureText = ({ command, error, ending, times, diagnoses, changed }: Failure, units: number): string => {
  const count = times === 1 ? 'failed' : `failed ${times} times`;
  // The last diagnoses are about what was tried in the end.
  const named = diagnoses.slice(-maxDiagnoses);
  const said =
    named.length === 0
      ? quoteLine(error, ending === 'failed' ? units : Math.ceil(units * 0.6))
      : quoteLine(named.join('\n'), units + 80 * (named.length - 1));
  const files = changed.slice(0, 2).map((file) => quoteCode(nameOf(file), 60));
  const change = files.length === 0 ? '' : `after a change to ${files.join(', ')} `;
  const end = ending === 'succeeded-later' ? `${change}it passed` : 'no later run worked';
  return `${quoteCode(command, 80)} ${count}: ${said} → ${end}`;
};

const maxDiagnoses = 4;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
