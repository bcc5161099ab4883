/** The parts of every tool: its listing, and a call that answers as MCP requires. */
import type { CallToolResult, Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Answer, App, Asker, Lookup } from '../../app/app.js';
import type { NoteJson, Notes } from '../../app/notes.js';
import type { Refusal } from '../../commands/refusals.js';
import { withoutUnseen } from '../../events/note/plain-text.js';
import { disarm } from '../../events/note/quoted-text.js';
import { faultOf } from '../../state/environment-probe.js';
import { type ArgumentsOf, describeArguments, parseArguments, type Shape } from './arguments-schema.js';
import { jsonText, type UnseenMarks } from './json-text.js';

/** The client that asks; its project is looked up only by a tool that needs it. */
export type Caller = Pick<Asker, 'agent' | 'session'> & { project(): Promise<string> };

export type Tool = {
  readonly name: string;
  list(): ListedTool;
  /** Never throws: an error becomes a result that says what went wrong. */
  call(app: App, given: unknown, caller: Caller): Promise<CallToolResult>;
};

export type ToolParts<Schema extends Shape> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: Schema;
  /** Whether invisible marks are left out of an answer or written as JSON escapes. */
  readonly unseenMarks?: UnseenMarks;
  readonly answer: (app: App, given: ArgumentsOf<Schema>, caller: Caller) => Promise<Lookup<object>>;
};

export const readOnly: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

export const defineTool = <Schema extends Shape>(parts: ToolParts<Schema>): Tool => {
  const { name, title, description, annotations, input, unseenMarks, answer } = parts;
  return {
    name,
    list: () => ({
      name,
      title,
      description,
      inputSchema: { ...describeArguments(input), type: 'object' },
      annotations,
    }),
    async call(app, given, caller) {
      try {
        const parsed = parseArguments(input, given);
        if (!parsed.ok) return explain({ message: parsed.message, next: `fix that and call ${name} again` });
        const found = await answer(app, parsed.value, caller);
        if (found.ok) return succeed(found.answer, unseenMarks);
        const { code, message, next: typed } = found.refusal;
        // The next step in terms of the tools, if they have one.
        const next = nextByCode[code] ?? typed;
        const [said = message, then = next] = await withShortIds(app.notes, [message, next]);
        return explain({ message: said, next: then });
      } catch (error) {
        const fault = faultOf(error, app.settings.home);
        if (fault !== undefined) return explain(fault);
        await app.log(`${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        if (isModuleMissing(error)) return explain(replaced);
        return explain({ message: `${name} failed: ${firstLine(error)}`, next: 'details are in the log of the store' });
      }
    },
  };
};

export const found = <Value>(answer: Value): Lookup<Value> => ({ ok: true, answer });

export const askerOf = ({ agent, session }: Caller): Asker => ({ agent, session });
export const refused = (refusal: Refusal): Lookup<never> => ({ ok: false, refusal });

/** Text only: clients pass structured content to the model as well or instead, and answers are long enough. */
const succeed = (answer: object, unseenMarks: UnseenMarks | undefined): CallToolResult => ({
  content: [{ type: 'text', text: jsonText(answer, unseenMarks) }],
});

const explain = ({ message, next }: Pick<Refusal, 'message' | 'next'>): CallToolResult => ({
  content: [{ type: 'text', text: disarm(withoutUnseen(`${message}; ${next}`)) }],
  isError: true,
});

/** Code that is loaded on first use has different file names once another version is installed. */
const isModuleMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';

const replaced = {
  message: 'Anamnesis was updated or removed while this server was running',
  next: 'ask the person to reconnect the MCP server or to begin a new session; nothing is lost',
};

const firstLine = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, 200);
};

/** Says what was done and leaves out the note, which the model has just written. `said`: warnings about its request. */
export const answerChange = async (
  notes: Pick<Notes, 'names'>,
  answer: Answer,
  said: readonly string[] = [],
): Promise<Lookup<object>> => {
  if (answer.status === 'refused') return refused(answer.refusal);
  const { note, event, status, masked, warnings } = answer;
  const { id, short_id, project, version } = note ?? {};
  const told = [...said, ...(await withShortIds(notes, warnings))];
  return found({
    ...(note === undefined ? {} : { id, short_id, project, version }),
    ...(event === undefined ? {} : { event }),
    status,
    ...(masked.length === 0 ? {} : { masked }),
    ...(told.length === 0 ? {} : { warnings: told }),
  });
};

/** Replaces whole ids in sentences with the short ones that hits and lists give; leaves ids in paths. */
export const withShortIds = async (
  notes: Pick<Notes, 'names'>,
  texts: readonly string[],
): Promise<readonly string[]> => {
  const ids = new Set(texts.flatMap((text) => text.match(wholeId) ?? []));
  if (ids.size === 0) return texts;
  const names = await notes.names([...ids]);
  return texts.map((text) => text.replace(wholeId, (id) => names.get(id)?.shortId ?? id));
};

const wholeId = /(?<![\w/])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![\w/]|\.md)/g;

/** Returns a lookup of short ids for the notes that superseded these ones, which may not be among them. */
export const shortIdsOfNewer = async (
  notes: Pick<Notes, 'names'>,
  older: readonly Pick<NoteJson, 'superseded_by'>[],
): Promise<(id: string) => string> => {
  const names = await notes.names(older.flatMap(({ superseded_by: by }) => by ?? []));
  return (id) => names.get(id)?.shortId ?? id;
};

/** Next steps for an agent, where a refusal names a command of the command line. */
const nextByCode: Readonly<Record<string, string>> = {
  'note-unknown': 'memory_search or memory_list gives ids; memory_history tells what happened to a forgotten note',
  'note-forgotten':
    'memory_history says who forgot it and why; write it again if it still holds, or ask the person to restore it',
  'note-purged': 'nothing can restore it; memory_history says who purged it and when',
  'note-kept-elsewhere': 'leave it there; only the person may publish it again',
  'id-invalid': 'give the short id of a hit, or at least 4 characters of the beginning or the end of an id',
  'version-moved': 'read it again with memory_get and repeat the edit on that text and version',
  'project-unknown': 'leave the project out to look in all of them; each hit names its project',
};
