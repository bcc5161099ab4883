/** Requests of the client to the Messages API, told apart by their purpose. Pure. */

export type ModelRequest = {
  /** `turn` is the main loop, or that of a subagent; `side` a title or the like, without tools. */
  readonly kind: 'turn' | 'side' | 'compaction';
  readonly session: string;
  /** Id of the subagent that asks; '' for the main loop. */
  readonly agent: string;
  readonly model: string;
  readonly system: string;
  /** Every text of the conversation, tool results included, with its role. */
  readonly texts: readonly { readonly role: string; readonly text: string }[];
  readonly tools: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};

export const readRequest = (
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, unknown>>,
): ModelRequest => {
  const texts = listOf(body['messages']).flatMap((message) => {
    const { role, content } = fieldsOf(message);
    return textsOf(content).map((text) => ({ role: textOf(role), text }));
  });
  const tools = listOf(body['tools']).map((tool) => textOf(fieldsOf(tool)['name']));
  return {
    kind: isCompaction(texts.findLast(({ role }) => role === 'user')?.text ?? '')
      ? 'compaction'
      : tools.length === 0
        ? 'side'
        : 'turn',
    session: sessionOf(body, headers),
    agent: textOf(headers['x-claude-code-agent-id']),
    model: textOf(body['model']),
    system: textsOf(body['system']).join('\n'),
    texts,
    tools,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body,
  };
};

/** Returns everything that the model is told as one text to search. */
export const wholeText = ({ system, texts }: ModelRequest): string =>
  [system, ...texts.map(({ text }) => text)].join('\n');

/**
 * Returns the text that a hook of this event last added to the conversation, or ''. The client puts what several hooks
 * add, and its own words about the machine, into one message of role `system`.
 */
export const contextOf = ({ texts }: ModelRequest, event: ContextEvent): string => {
  const start = contextStart(event);
  const text = texts.findLast((one) => one.role === 'system' && one.text.includes(start))?.text ?? '';
  const rest = text.split(start)[1] ?? '';
  return rest.split(contextEnd)[0] ?? '';
};

type ContextEvent = 'SessionStart' | 'UserPromptSubmit' | 'SubagentStart';

const contextStart = (event: ContextEvent): string => `${event} hook additional context: `;

const contextEnd = /\n\n(?:\w+ hook additional context: |# Environment\n|The following )/;

/** Returns an object's fields, {} for anything else. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Hooks add their text after the prompt, so the prompt may not be the last text. */
const isCompaction = (lastText: string): boolean =>
  /your task is to create a detailed summary/i.test(lastText) && lastText.includes('<summary>');

/** The header is newer than `metadata.user_id`, which is JSON or, in older clients, `user_…_session_<id>`. */
const sessionOf = (body: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, unknown>>): string => {
  const header = textOf(headers['x-claude-code-session-id']);
  if (header !== '') return header;
  const user = textOf(fieldsOf(body['metadata'])['user_id']);
  return /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g.exec(user)?.[0] ?? '';
};

const textsOf = (content: unknown): readonly string[] => {
  if (typeof content === 'string') return [content];
  return listOf(content).flatMap((block) => {
    const { type, text, content: inner } = fieldsOf(block);
    if (type === 'text') return [textOf(text)];
    return type === 'tool_result' ? textsOf(inner) : [];
  });
};
