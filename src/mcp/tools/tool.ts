/** The parts of every tool: its listing, and a call that answers as MCP requires. */
import type { CallToolResult, Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { App, Asker, Found } from '../../app/app.js';
import type { Refusal } from '../../commands/refusals.js';
import { withoutUnseen } from '../../events/note/plain-text.js';
import { disarm } from '../../events/note/quoted-text.js';
import { faultOf } from '../../state/environment-probe.js';
import { describeArguments, type Parsed, parseArguments, type Shape } from './arguments-schema.js';
import { jsonText, type UnseenMarks } from './json-text.js';
import { withShortIds } from './short-ids.js';
import { toToolRefusal } from './tool-refusals.js';

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
  readonly answer: (app: App, given: Parsed<Schema>, caller: Caller) => Promise<Found<object>>;
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
        const { message, next } = toToolRefusal(found.refusal);
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

export const found = <Value>(answer: Value): Found<Value> => ({ ok: true, answer });

export const askerOf = ({ agent, session }: Caller): Asker => ({ agent, session });
export const refused = (refusal: Refusal): Found<never> => ({ ok: false, refusal });

/**
 * Gives text only: a client passes structured content to the model as well or instead, and answers are long enough.
 */
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
