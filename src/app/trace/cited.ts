/** Finds the notes that an agent named in its answers, by the transcript of its session. */
import { readFileSync, statSync } from 'node:fs';
import { askAgentState, passOverDamage } from '../../state/state-file.js';

/** The names by which a note may be cited. */
export type NoteNames = { readonly shortId: string; readonly title: string | undefined };

/** Transcripts are rarely longer; the end of a longer one is enough. */
const maxBytes = 32 * 1024 * 1024;
/** A shorter title may be an everyday phrase. */
const leastTitle = 12;

/** Matches by id, short id or whole title. Empty if the transcript is gone. */
export const findCitedNotes = async (
  settings: { readonly home: string },
  session: string,
  names: ReadonlyMap<string, NoteNames>,
): Promise<ReadonlySet<string>> => {
  const transcripts = await askAgentState(settings, (state) =>
    state.transcripts().filter((one) => one.session === session),
  ).catch(passOverDamage);
  const answers = (transcripts ?? []).map(({ path }) => answersIn(path)).join('\n');
  return new Set(
    [...names].flatMap(([id, { shortId, title }]) =>
      answers !== '' && [id, shortId, title ?? ''].some((name, at) => isNamed(answers, name, at === 2 ? leastTitle : 4))
        ? [id]
        : [],
    ),
  );
};

const isNamed = (answers: string, name: string, least: number): boolean =>
  name.length >= least && answers.includes(name);

const answersIn = (path: string): string => {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return '';
  const text = readFileSync(path).subarray(-maxBytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.includes('"assistant"'))
    .flatMap(textsOf)
    .join('\n');
};

/** Returns the texts written to the person, but not tool arguments, such as the id of a note to open. */
const textsOf = (line: string): readonly string[] => {
  try {
    const { type, message }: Readonly<Record<string, unknown>> = { ...JSON.parse(line) };
    if (type !== 'assistant' || typeof message !== 'object' || message === null) return [];
    const { content }: Readonly<Record<string, unknown>> = { ...message };
    if (typeof content === 'string') return [content];
    return (Array.isArray(content) ? content : []).flatMap((part: unknown): readonly string[] => {
      const { type: kind, text }: Readonly<Record<string, unknown>> =
        typeof part === 'object' && part !== null ? { ...part } : {};
      return kind === 'text' && typeof text === 'string' ? [text] : [];
    });
  } catch {
    return [];
  }
};
