/** The notes that sessions on this machine were given, why, and what became of them. */

import { readFileSync, statSync } from 'node:fs';
import type { TracedNote, TraceEntry, TraceSession } from '../answers/history-schema.js';
import type { NoteId } from '../events/note/note.js';
import { formatTime } from '../events/time.js';
import { isUlid, timeOfUlid } from '../events/ulid-form.js';
import { type ListedEvent, listEvents } from '../projections/history/query.js';
import { filesOfNote } from '../projections/index/query.js';
import { shortNoteIds } from '../projections/short-ids.js';
import { askAgentState, passOverDamage } from '../state/state-file.js';
import type { Lookup, Reading } from '../store/reading.js';
import { readTrace, removeTrace, type TraceLine } from '../store/trace-file.js';
import type { App } from './app.js';

export type SessionTrace = { readonly session: string | null; readonly entries: readonly TraceEntry[] };

/** An access to one workspace, or in another user's name, sees only its own trace. */
const readLines = ({ settings, access: { user, workspace } }: App): readonly TraceLine[] =>
  readTrace(settings.home).filter(
    (line) => (user === undefined || line.user === user) && (workspace === undefined || line.workspace === workspace),
  );

/** Throws if the files can't be removed. */
export const clearTrace = ({ settings }: App): void => removeTrace(settings.home);

/** The most recently active comes first; `session` is null for requests outside of any session. */
export const traceSessions = (app: App): readonly TraceSession[] =>
  bySession(readLines(app)).map(([session, own]) => summarise(session, own));

/** Oldest entry first. `given`: a session's id, its beginning, `last`, or `none` for requests outside of any. */
export const traceOfSession = async (app: App, given: string): Promise<Lookup<SessionTrace>> => {
  const found = findSession(bySession(readLines(app)), given.trim());
  if (!found.ok) return found;
  const [session, own] = found.answer;
  const ids = [...new Set(own.flatMap(({ notes }) => notes.map(([id]) => id)))];
  const { names, changes } = await readNotes(app.reading, ids, app.access.workspace);
  const cited = session === undefined ? new Set<string>() : await findCitedNotes(app.settings, session, names);
  const opened = own.filter(({ by }) => by === 'open');
  const entries = own.map((line): TraceEntry => {
    const isAfter = (atMs: number): boolean =>
      atMs >= line.atMs && (session !== undefined || atMs - line.atMs < oneSitting);
    const notes = line.notes.map(([id, score, named], at): TracedNote => {
      const { shortId, title } = names.get(id) ?? { shortId: id, title: undefined };
      return {
        id,
        short_id: shortId,
        title: title ?? null,
        rank: at + 1,
        score,
        named: named !== undefined,
        opened: opened.some((one) => one.notes[0]?.[0] === id && isAfter(one.atMs)),
        changed: (changes.get(id) ?? []).some((event) => event.session === session && isAfter(momentOf(event))),
        cited: cited.has(id),
      };
    });
    return {
      at: formatTime(line.atMs),
      by: line.by,
      agent: line.agent ?? null,
      project: line.project ?? null,
      query: line.query ?? null,
      mode: line.mode ?? null,
      total: line.total ?? null,
      notes,
    };
  });
  return { ok: true, answer: { session: session ?? null, entries } };
};

type TracedNotes = {
  readonly names: ReadonlyMap<NoteId, NoteNames>;
  readonly changes: ReadonlyMap<NoteId, readonly ListedEvent[]>;
};

const readNotes = async (
  reading: Reading,
  ids: readonly NoteId[],
  workspace: string | undefined,
): Promise<TracedNotes> =>
  (await reading.ask((database) => {
    const shortIds = shortNoteIds(database, ids);
    const titleOf = (id: NoteId): string | undefined => {
      const [note] = filesOfNote(database, id);
      return workspace === undefined || note?.workspaceId === workspace ? note?.title : undefined;
    };
    return {
      names: new Map(ids.map((id) => [id, { shortId: shortIds.get(id) ?? id, title: titleOf(id) }])),
      changes: new Map(ids.map((id) => [id, listEvents(database, { note: id }, maxEvents)])),
    };
  })) ?? { names: new Map(), changes: new Map() };

const maxEvents = 50;
/** Without a session, requests within this time belong together; in milliseconds. */
const oneSitting = 3_600_000;

/** An event's time is in whole seconds, but its id has milliseconds; another program's id may not be a ULID. */
const momentOf = ({ id, at }: { readonly id: string; readonly at: string }): number =>
  isUlid(id) ? timeOfUlid(id) : Date.parse(at) + 999;

type SessionLines = readonly [session: string | undefined, lines: readonly TraceLine[]];

const bySession = (lines: readonly TraceLine[]): readonly SessionLines[] => {
  const sessions = new Map<string | undefined, TraceLine[]>();
  for (const line of lines) {
    const own = sessions.get(line.session);
    if (own === undefined) sessions.set(line.session, [line]);
    else own.push(line);
  }
  const lastOf = ([, own]: SessionLines): number => own.at(-1)?.atMs ?? 0;
  // Of two in the same millisecond, the one that began later comes first.
  return [...sessions].toReversed().toSorted((a, b) => lastOf(b) - lastOf(a));
};

const missing: ReadonlyMap<string, string> = new Map([
  ['last', 'no session of an agent has left a trace'],
  ['none', 'nothing that was asked outside of a session has left a trace'],
]);

const findSession = (sessions: readonly SessionLines[], given: string): Lookup<SessionLines> => {
  const named = sessions.filter(([session]) => session !== undefined);
  const found =
    given === 'last'
      ? named.slice(0, 1)
      : given === 'none'
        ? sessions.filter(([session]) => session === undefined)
        : named.filter(([session]) => session === given || session?.startsWith(given) === true);
  const exact = found.find(([session]) => session === given);
  const [only, ...others] = exact === undefined ? found : [exact];
  if (only === undefined) {
    return {
      ok: false,
      refusal: {
        code: 'session-unknown',
        message: missing.get(given) ?? `no trace of a session ${given}`,
        next: 'anamnesis trace lists the sessions that left one',
      },
    };
  }
  if (others.length > 0) {
    return {
      ok: false,
      refusal: {
        code: 'session-ambiguous',
        message: `${found.length} sessions begin with ${given}`,
        next: 'give more of the id; anamnesis trace lists them',
      },
    };
  }
  return { ok: true, answer: only };
};

const summarise = (session: string | undefined, lines: readonly TraceLine[]): TraceSession => {
  const offers = lines.filter(({ by }) => by !== 'open');
  const opened = new Set(lines.filter(({ by }) => by === 'open').flatMap(({ notes }) => notes.map(([id]) => id)));
  const given = new Set(
    offers.flatMap(({ notes }) => notes.flatMap(([id, , named]) => (named === undefined ? [id] : []))),
  );
  const last = lines.at(-1);
  return {
    session: session ?? null,
    first_at: formatTime(lines[0]?.atMs ?? 0),
    last_at: formatTime(last?.atMs ?? 0),
    agent: lines.findLast(({ agent }) => agent !== undefined)?.agent ?? null,
    project: offers.findLast(({ project }) => project !== undefined)?.project ?? null,
    asked: offers.length,
    given: given.size,
    opened: opened.size,
  };
};

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
