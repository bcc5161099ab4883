/** One line of a transcript as far as a session note needs it. Parsed by hand: hooks may not load zod. Pure. */
import { parseTime } from '../../events/time.js';
import { cleanText, oneLine } from './clip.js';
import { isObject, type JsonObject } from './json-lines.js';

export type ToolUse = { readonly id: string; readonly name: string; readonly input: JsonObject };

export type ToolResult = {
  readonly toolUseId: string;
  readonly isError: boolean;
  /** All text blocks, one below the other; may be as large as the line. */
  readonly text: string;
};

/** What every conversation line says of itself. */
type OnEveryLine = {
  readonly uuid: string | undefined;
  readonly parentUuid: string | undefined;
  readonly atMs: number | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
  readonly version: string | undefined;
  readonly isSidechain: boolean;
  readonly agentId: string | undefined;
};

export type UserEntry = OnEveryLine & {
  readonly kind: 'user';
  /** '' where tool results stand in place of a text. */
  readonly text: string;
  /** False for what the program says in the user's name. */
  readonly mayBePrompt: boolean;
  readonly isCompactSummary: boolean;
  readonly results: readonly ToolResult[];
  /** The subagent that a result comes from. */
  readonly resultAgentId: string | undefined;
};

export type AssistantEntry = OnEveryLine & {
  readonly kind: 'assistant';
  readonly messageId: string | undefined;
  /** Empty for a message that no model wrote, such as an API error. */
  readonly texts: readonly string[];
  readonly uses: readonly ToolUse[];
  readonly endsWithText: boolean;
};

export type ConversationEntry = UserEntry | AssistantEntry;

/** Lines with a uuid. */
export type ConversationLine =
  | ConversationEntry
  /** A prompt typed while a tool ran; '' when it is not from a person. */
  | (OnEveryLine & { readonly kind: 'queued'; readonly text: string })
  /** Reminders, hooks, progress, everything new: it only counts as seen. */
  | (OnEveryLine & { readonly kind: 'other' });

export type Entry =
  | ConversationLine
  | {
      readonly kind: 'title';
      readonly from: TitleSource;
      readonly title: string;
      readonly leafUuid: string | undefined;
    }
  | {
      readonly kind: 'queue';
      readonly operation: string;
      readonly content: string | undefined;
      readonly atMs: number | undefined;
    }
  | { readonly kind: 'last-prompt'; readonly text: string };

/** The further on, the less it is worth. */
export type TitleSource = 'custom-title' | 'ai-title' | 'summary';

/** Undefined for a line that says nothing to us. */
export const parseEntry = (line: JsonObject): Entry | undefined => {
  switch (line['type']) {
    case 'user':
      return parseUser(line);
    case 'assistant':
      return parseAssistant(line);
    case 'attachment':
      return parseAttachment(line);
    case 'custom-title':
      return parseTitle('custom-title', line['customTitle'], undefined);
    case 'ai-title':
      return parseTitle('ai-title', line['aiTitle'], undefined);
    case 'summary':
      return parseTitle('summary', line['summary'], textOf(line['leafUuid']));
    case 'queue-operation':
      return {
        kind: 'queue',
        operation: textOf(line['operation']) ?? '',
        content: textOf(line['content']),
        atMs: timeOf(line['timestamp']),
      };
    case 'last-prompt':
      return { kind: 'last-prompt', text: textOf(line['lastPrompt']) ?? '' };
    default:
      return textOf(line['uuid']) === undefined ? undefined : { kind: 'other', ...parseCommon(line) };
  }
};

const parseCommon = (line: JsonObject): OnEveryLine => ({
  uuid: textOf(line['uuid']),
  parentUuid: textOf(line['parentUuid']),
  atMs: timeOf(line['timestamp']),
  sessionId: nameOf(line['sessionId'], maxSessionUnits),
  cwd: nameOf(line['cwd']),
  branch: nameOf(line['gitBranch']),
  version: nameOf(line['version']),
  isSidechain: line['isSidechain'] === true,
  agentId: nameOf(line['agentId']),
});

const parseUser = (line: JsonObject): UserEntry => {
  const content = contentOf(line);
  const results = blocksOf(content).flatMap(parseResult);
  const isCompactSummary = line['isCompactSummary'] === true;
  const { toolUseResult } = line;
  return {
    kind: 'user',
    ...parseCommon(line),
    text: results.length > 0 ? '' : joinTexts(content),
    mayBePrompt:
      line['isMeta'] !== true && !isCompactSummary && line['isVisibleInTranscriptOnly'] !== true && isFromPerson(line),
    isCompactSummary,
    results,
    resultAgentId: isObject(toolUseResult) ? nameOf(toolUseResult['agentId']) : undefined,
  };
};

const parseAssistant = (line: JsonObject): AssistantEntry => {
  const { message } = line;
  const model = isObject(message) ? message['model'] : undefined;
  const isModels = model !== '<synthetic>' && line['isApiErrorMessage'] !== true;
  const content = contentOf(line);
  const blocks = blocksOf(content);
  const last = blocks.at(-1);
  return {
    kind: 'assistant',
    ...parseCommon(line),
    messageId: isObject(message) ? textOf(message['id']) : undefined,
    texts: isModels ? textsOf(content) : [],
    uses: blocks.flatMap(parseUse),
    endsWithText: typeof content === 'string' || last?.['type'] === 'text',
  };
};

/** Of attachments only a queued prompt is read; others hold account data, memory or whole files. */
const parseAttachment = (line: JsonObject): Entry => {
  const { attachment } = line;
  const common = parseCommon(line);
  if (!isObject(attachment) || attachment['type'] !== 'queued_command') return { kind: 'other', ...common };
  const { commandMode } = attachment;
  const isPrompt =
    (commandMode === undefined || commandMode === 'prompt') &&
    attachment['isMeta'] !== true &&
    isFromPerson(attachment);
  return { kind: 'queued', ...common, text: isPrompt ? joinTexts(attachment['prompt']) : '' };
};

const parseTitle = (from: TitleSource, title: unknown, leafUuid: string | undefined): Entry | undefined => {
  const text = typeof title === 'string' ? oneLine(cleanText(title, 1000)) : '';
  return text === '' ? undefined : { kind: 'title', from, title: text, leafUuid };
};

const parseResult = (block: JsonObject): readonly ToolResult[] => {
  const toolUseId = textOf(block['tool_use_id']);
  if (block['type'] !== 'tool_result') return [];
  const text = joinTexts(block['content']);
  const isError = block['is_error'] === true || text.startsWith('<tool_use_error>');
  return [{ toolUseId: toolUseId ?? '', isError, text }];
};

const parseUse = (block: JsonObject): readonly ToolUse[] => {
  const { id, name, input } = block;
  return block['type'] === 'tool_use' && typeof name === 'string'
    ? [{ id: textOf(id) ?? '', name, input: isObject(input) ? input : {} }]
    : [];
};

const isFromPerson = (line: JsonObject): boolean => {
  const { origin, promptSource } = line;
  if (promptSource === 'system') return false;
  return !isObject(origin) || origin['kind'] === undefined || origin['kind'] === 'human';
};

const contentOf = (line: JsonObject): unknown => {
  const { message } = line;
  return isObject(message) ? message['content'] : undefined;
};

const blocksOf = (content: unknown): readonly JsonObject[] => (Array.isArray(content) ? content.filter(isObject) : []);

const textsOf = (content: unknown): readonly string[] =>
  typeof content === 'string'
    ? [content]
    : blocksOf(content).flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));

/** A reminder that the program puts beside a person's text is a block of its own. */
const joinTexts = (content: unknown): string => {
  const texts = textsOf(content);
  const typed = texts.filter((text) => !text.trimStart().startsWith('<system-reminder>'));
  return (typed.length === 0 ? texts : typed).join('\n');
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Longer ones are refused when the session is recorded. */
const maxSessionUnits = 200;

/** A name on one line; '' is none. */
const nameOf = (value: unknown, most = 4096): string | undefined => {
  if (typeof value !== 'string' || value === '' || value.length > most) return undefined;
  return /[\0-\x1f\x7f]/.test(value) ? undefined : value;
};

const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' && value.length < 64 ? parseTime(value) : undefined;
