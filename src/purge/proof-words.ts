/** Compares commit messages before and after a purge: they may lose only the text that the records name. */
import { isUtf8 } from 'node:buffer';
import { type JournalEvent, purgedSubject } from '../events/event.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { parseCommit, readObjects } from '../events/git/git-objects.js';
import { pipeThroughGit } from '../events/git/git-pipe.js';
import type { LoggedEvent } from '../events/logged-event.js';
import { unquoteValue } from '../events/trailers.js';
import { explainWords, gatherTexts, type Proof } from './proof-texts.js';

/** The same event in the known history and in the incoming one. */
export type EventPair = { readonly before: LoggedEvent; readonly after: LoggedEvent };

/** Whether a purge left an event's identity alone; a foreign one's notes are not compared. */
export const isSameEvent = ({ before, after }: EventPair): boolean => {
  const [old, now] = [before.event, after.event];
  const isSame = (key: 'id' | 'kind' | 'at' | 'by' | 'undoes'): boolean => old[key] === now[key];
  if (!(['id', 'kind', 'at', 'by', 'undoes'] as const).every(isSame)) return false;
  return before.foreign || old.notes.join() === now.notes.join();
};

/** The words that a purge may change, each with its trailer. */
const trailerOf = {
  reason: 'Reason',
  user: 'User',
  project: 'Project',
  session: 'Session',
  agent: 'Agent',
  commandId: 'Command-Id',
  machine: 'Machine',
} as const;
const told = ['reason', 'user', 'project', 'session', 'agent', 'commandId', 'machine'] as const;

/** Whether any of the event's words changed. */
export const isRetold = ({ before, after }: EventPair): boolean =>
  (['subject', ...told] as const).some((key) => before.event[key] !== after.event[key]);

/** One part of a commit message, before and after. */
type Words = { readonly old: string; readonly now: string | undefined };

/** Reads the messages themselves: an event truncates a long subject, and a purge replaced text in the full one. */
export const retoldWords = async (
  journal: GitJournal,
  pairs: readonly EventPair[],
  visit: (words: Words, event: JournalEvent) => void,
): Promise<void> => {
  if (pairs.length === 0) return;
  const ids = pairs.flatMap(({ before, after }) => [`${before.commit}\n`, `${after.commit}\n`]);
  const args = ['--no-replace-objects', 'cat-file', '--batch', '--buffer'];
  await pipeThroughGit(journal.folders, args, ids, async (output) => {
    const messages = readObjects(output);
    const next = async (): Promise<string> => {
      const { value } = await messages.next();
      const { message } = parseCommit(value?.bytes ?? Buffer.alloc(0));
      return message.toString(isUtf8(message) ? 'utf8' : 'latin1');
    };
    for (const pair of pairs) {
      const [old, now] = [await next(), await next()];
      for (const words of wordsOf(pair, old, now)) visit(words, pair.before.event);
    }
    await messages.next();
  });
};

const wordsOf = ({ before, after }: EventPair, old: string, now: string): readonly Words[] => {
  const { kind } = before.event;
  const heads = {
    old: headOf(before.foreign ? old.trimEnd() : untilTrailers(old), kind),
    now: headOf(untilTrailers(now), kind),
  };
  const values = told
    .filter((key) => before.event[key] !== after.event[key])
    .map((key) => ({
      old: trailerValue(old, trailerOf[key]) ?? before.event[key] ?? '',
      now: trailerValue(now, trailerOf[key]),
    }));
  return before.event.subject === after.event.subject ? values : [heads, ...values];
};

const untilTrailers = (message: string): string => {
  const start = message.lastIndexOf(trailers);
  return start === -1 ? message : message.slice(0, start);
};
const trailers = '\n\nFormat: ';

const headOf = (head: string, kind: string): string =>
  head.startsWith(`${kind}: `) ? head.slice(kind.length + 2) : head;

/** Returns a trailer's value as written in the message, or undefined if it has none. */
const trailerValue = (message: string, key: string): string | undefined => {
  const start = message.lastIndexOf(trailers);
  const lines = start === -1 ? [] : message.slice(start + 2).split('\n');
  const line = lines.findLast((one) => one.startsWith(`${key}: `));
  return line === undefined ? undefined : unquoteValue(line.slice(key.length + 2));
};

/** Proves the texts that were removed from these words. */
export const gatherWords = (proof: Proof, { old, now }: Words): void => {
  if (now !== undefined && now !== purgedSubject) gatherTexts(proof, old, now);
};

/** Words about a purged note may be removed altogether. */
export const explainRetold = (proof: Proof, { old, now }: Words, { notes }: JournalEvent): boolean => {
  if (old === now) return true;
  if (now === purgedSubject) return notes.some((id) => proof.notes.has(id));
  return now !== undefined && explainWords(proof, old, now);
};
