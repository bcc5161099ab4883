/** The prompts of a session, or the most telling ones of many. Pure. */

import { countWords } from '../../../events/sentences.js';
import { isBareCommand, promptsOf, type Session, type Turn, workIn } from '../session.js';
import type { Section } from './fit-sections.js';
import { quoteLine } from './note-text.js';

/** Quotes prompts of six words or more, or else the first prompt. Of very many, only the best are made into lines. */
export const askedLines = (session: Session, units: number): Required<Omit<Section, 'heading'>> => {
  const prompts = promptsOf(session).filter((turn) => !isBareCommand(turn));
  const long = prompts.filter(({ prompt }) => countWords(prompt) >= leastWords);
  const asked = long.length === 0 ? prompts.slice(0, 1) : long;
  const rankByTurn = new Map(inOrderOfWorth(session, asked).map((turn, rank) => [turn, rank]));
  const made = asked.filter((turn) => (rankByTurn.get(turn) ?? maxMade) < maxMade);
  const shown = made.length > maxWhole ? units / 2 : units;
  const lines = made.map((turn) => {
    const rank = rankByTurn.get(turn) ?? 0;
    const text = `- “${askText(turn, shown)}”${turn.isInterrupted ? ' (interrupted)' : ''}`;
    return { text, worth: 2 - (2 * rank) / made.length };
  });
  return { lines, unmade: asked.length - made.length };
};

const leastWords = 6;
const maxMade = 40;
/** With more lines than this, each is quoted at half the length. */
const maxWhole = 12;

/** Puts the first turn first, then alternates between the latest turns and those that led to the most work. */
const inOrderOfWorth = (session: Session, turns: readonly Turn[]): readonly Turn[] => {
  const byWork = turns
    .map((turn, at) => ({ turn, at, work: workIn(session, turn) }))
    .filter(({ work }) => work > 0)
    .toSorted((a, b) => b.work - a.work || b.at - a.at);
  const fromEnd = turns.toReversed();
  const inTurn = turns.flatMap((_, at) => [fromEnd[at], byWork[at]?.turn]);
  return [...new Set([turns[0], ...inTurn])].filter((turn) => turn !== undefined);
};

/** Pasted output is represented by the error in it. */
const askText = ({ prompt, reported }: Turn, units: number): string =>
  reported === ''
    ? quoteLine(prompt, units)
    : `${quoteLine(firstLine(prompt), 0.4 * units)} … ${quoteLine(reported, 0.55 * units)}`;

const firstLine = (text: string): string => text.split('\n').find((line) => line.trim() !== '') ?? '';
