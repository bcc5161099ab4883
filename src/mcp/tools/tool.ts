/** The parts of every tool: its listing, and a call that answers as MCP wants it. */
import type { CallToolResult, Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { App, Asker, Found } from '../../app/app.js';
import type { Refusal } from '../../commands/refusals.js';
import { withoutUnseen } from '../../events/note/plain-text.js';
import { faultOf } from '../../state/environment-probe.js';
import { describeArguments, type Parsed, parseArguments, type Shape } from './arguments-schema.js';
import { describeOutput, type Output } from './outputs.js';

export type Tool = {
  readonly name: string;
  list(): ListedTool;
  /** Never throws: what goes wrong is a result that says so. */
  call(app: App, given: unknown, asker: Asker): Promise<CallToolResult>;
};

export type ToolParts<Schema extends Shape> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: Schema;
  readonly output: Output;
  readonly answer: (app: App, given: Parsed<Schema>, asker: Asker) => Promise<Found<object>>;
};

export const readOnly: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

export const defineTool = <Schema extends Shape>(parts: ToolParts<Schema>): Tool => {
  const { name, title, description, annotations, input, output, answer } = parts;
  return {
    name,
    list: () => ({
      name,
      title,
      description,
      inputSchema: { ...describeArguments(input), type: 'object' },
      outputSchema: { ...describeOutput(output), type: 'object' },
      annotations,
    }),
    async call(app, given, asker) {
      try {
        const parsed = parseArguments(input, given);
        if (!parsed.ok) return explain({ message: parsed.message, next: `fix that and call ${name} again` });
        const found = await answer(app, parsed.value, asker);
        return found.ok ? succeed(found.answer) : explain(found.refusal);
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

export const found = (answer: object): Found<object> => ({ ok: true, answer });
export const refused = (refusal: Refusal): Found<never> => ({ ok: false, refusal });

/**
 * The text is the structured content once more, for clients that read text only; it drops what is undefined and the marks
 * that nobody sees. The structured content keeps them: what an agent writes back must lose nothing.
 */
const succeed = (answer: object): CallToolResult => {
  const text = JSON.stringify(answer, (_key, value: unknown) =>
    typeof value === 'string' ? withoutUnseen(value) : value,
  );
  return { content: [{ type: 'text', text }], structuredContent: { ...answer } };
};

const explain = ({ message, next }: Pick<Refusal, 'message' | 'next'>): CallToolResult => ({
  content: [{ type: 'text', text: withoutUnseen(`${message}; ${next}`) }],
  isError: true,
});

/** Code that is loaded on first use has other file names once another version is installed. */
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
