/** Parses a transcript's line by hand: hooks load no zod. Text leaves only masked or as a `RawText`. Pure. */

import { type MaskedText, maskText, startNameMasking } from '../../events/note/mask-text.js';
import { parseTime } from '../../events/time.js';
import { cleanText, oneLine } from './clip.js';
import { isObject, type JsonObject } from './json-lines.js';
import { RawText, rawOf } from './raw-text.js';

export type ToolUse = {
  readonly id: MaskedText;
  readonly name: string;
  /** Returns a text field of the tool's input; undefined when there is none of that name. */
  readonly input: (field: string) => RawText | undefined;
  /** Returns the objects of a list in the tool's input, each as a reader of its text fields. */
  readonly items: (field: string) => readonly ((field: string) => RawText | undefined)[];
};

export type ToolResult = {
  readonly toolUseId: MaskedText;
  readonly isError: boolean;
  /** All text blocks, joined by line feeds; may be as large as the line. */
  readonly text: RawText;
};

type OnEveryLine = {
  readonly uuid: MaskedText | undefined;
  readonly parentUuid: MaskedText | undefined;
  readonly atMs: number | undefined;
  readonly sessionId: MaskedText | undefined;
  readonly cwd: MaskedText | undefined;
  readonly branch: MaskedText | undefined;
  readonly isSidechain: boolean;
  readonly agentId: MaskedText | undefined;
};

export type UserEntry = OnEveryLine & {
  readonly kind: 'user';
  /** Blank when the entry has tool results instead of text. */
  readonly text: RawText;
  /** False for text that the program writes in the user's name. */
  readonly mayBePrompt: boolean;
  readonly isCompactSummary: boolean;
  readonly results: readonly ToolResult[];
  readonly resultAgentId: MaskedText | undefined;
};

export type AssistantEntry = OnEveryLine & {
  readonly kind: 'assistant';
  readonly messageId: string | undefined;
  /** Empty for a message that no model wrote, such as an API error. */
  readonly texts: readonly RawText[];
  readonly uses: readonly ToolUse[];
  readonly endsWithText: boolean;
};

export type ConversationEntry = UserEntry | AssistantEntry;

export type ConversationLine =
  | ConversationEntry
  /** A prompt typed while a tool ran; blank when it is not from a person. */
  | (OnEveryLine & { readonly kind: 'queued'; readonly text: RawText })
  /** Reminders, hooks, progress and unknown types: only the common fields are read. */
  | (OnEveryLine & { readonly kind: 'other' });

export type Entry =
  | ConversationLine
  | {
      readonly kind: 'title';
      readonly from: TitleSource;
      readonly title: string;
      readonly leafUuid: MaskedText | undefined;
    }
  | { readonly kind: 'last-prompt'; readonly text: RawText };

/** In order of preference. */
export type TitleSource = 'custom-title' | 'ai-title' | 'summary';

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
      return parseTitle('summary', line['summary'], idOf(line['leafUuid']));
    case 'last-prompt':
      return { kind: 'last-prompt', text: rawOf(line['lastPrompt']) ?? noText };
    default:
      return textOf(line['uuid']) === undefined ? undefined : { kind: 'other', ...parseCommon(line) };
  }
};

const parseCommon = (line: JsonObject): OnEveryLine => ({
  uuid: idOf(line['uuid']),
  parentUuid: idOf(line['parentUuid']),
  atMs: timeOf(line['timestamp']),
  sessionId: nameOf(line['sessionId'], maxSessionUnits),
  cwd: nameOf(line['cwd']),
  branch: nameOf(line['gitBranch']),
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
    text: results.length > 0 ? noText : typedText(content),
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
    texts: isModels ? textsOf(content).map((text) => new RawText([text])) : [],
    uses: blocks.flatMap(parseUse),
    endsWithText: typeof content === 'string' || last?.['type'] === 'text',
  };
};

/** Reads only queued prompts: other attachments hold account data, memory or whole files. */
const parseAttachment = (line: JsonObject): Entry => {
  const { attachment } = line;
  const common = parseCommon(line);
  if (!isObject(attachment) || attachment['type'] !== 'queued_command') return { kind: 'other', ...common };
  const { commandMode } = attachment;
  const isPrompt =
    (commandMode === undefined || commandMode === 'prompt') &&
    attachment['isMeta'] !== true &&
    isFromPerson(attachment);
  return { kind: 'queued', ...common, text: isPrompt ? typedText(attachment['prompt']) : noText };
};

const parseTitle = (from: TitleSource, title: unknown, leafUuid: MaskedText | undefined): Entry | undefined => {
  const text = typeof title === 'string' ? oneLine(cleanText(maskText(title), 1000)) : '';
  return text === '' ? undefined : { kind: 'title', from, title: text, leafUuid };
};

const parseResult = (block: JsonObject): readonly ToolResult[] => {
  if (block['type'] !== 'tool_result') return [];
  const text = typedText(block['content']);
  const isError = block['is_error'] === true || text.startsWith('<tool_use_error>');
  return [{ toolUseId: idOf(block['tool_use_id']) ?? noId, isError, text }];
};

const parseUse = (block: JsonObject): readonly ToolUse[] => {
  const { id, name, input } = block;
  if (block['type'] !== 'tool_use' || typeof name !== 'string') return [];
  return [
    {
      id: idOf(id) ?? noId,
      name,
      input: (field) => (isObject(input) ? rawOf(input[field]) : undefined),
      items: (field) => {
        const list: unknown = isObject(input) ? input[field] : undefined;
        return Array.isArray(list) ? list.filter(isObject).map((one) => (name) => rawOf(one[name])) : [];
      },
    },
  ];
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

/** Drops reminders, which the program adds to a person's text as separate blocks. */
const typedText = (content: unknown): RawText => {
  const texts = textsOf(content);
  const typed = texts.filter((text) => !text.trimStart().startsWith('<system-reminder>'));
  return new RawText(typed.length === 0 ? texts : typed);
};

const noText = new RawText([]);
const noId = maskText('');

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Longer session ids would be refused when the session is recorded. */
const maxSessionUnits = 200;

const maskName = startNameMasking();

/** Returns undefined unless it is a non-empty name of one line. */
const nameOf = (value: unknown, most = 4096): MaskedText | undefined => {
  if (typeof value !== 'string' || value === '' || value.length > most) return undefined;
  return /[\0-\x1f\x7f]/.test(value) ? undefined : maskName(value);
};

const idOf = (value: unknown): MaskedText | undefined =>
  typeof value === 'string' && value.length <= 4096 ? maskId(value) : undefined;

/** Separate from `maskName`: names repeat, while an id is new on every line. */
const maskId = startNameMasking();

const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' && value.length < 64 ? parseTime(value) : undefined;
