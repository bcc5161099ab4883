/** The payload that a client sends to a hook, parsed by hand: hooks load no schema library. Pure. */

export const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'Stop',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
  'SubagentStart',
  'SubagentStop',
  'PermissionRequest',
] as const;
export type HookEvent = (typeof hookEvents)[number];

/** Fields that are missing or not text are ''. */
export type HookPayload = {
  readonly session: string;
  readonly transcript: string;
  readonly cwd: string;
  /** For SessionStart: startup, resume, clear, compact or fork; for UserPromptSubmit: user, system, … */
  readonly source: string;
  readonly prompt: string;
  /** For Stop and SubagentStop: the agent's last message, which the transcript may not contain yet. */
  readonly reply: string;
  readonly compactSummary: string;
  readonly toolName: string;
  readonly agentType: string;
  /** True for a Stop that a hook itself caused. */
  readonly isContinued: boolean;
};

export const isHookEvent = (text: string): text is HookEvent => hookEvents.some((event) => event === text);

/** Returns undefined unless the text is a JSON object. */
export const parsePayload = (text: string): HookPayload | undefined => {
  const fields = parseObject(text);
  if (fields === undefined) return undefined;
  const read = (...aliases: readonly string[]): string => {
    const value = aliases.map((name) => fields.get(name)).find((one) => typeof one === 'string');
    return typeof value === 'string' ? value : '';
  };
  return {
    session: read('session_id', 'sessionId', 'conversation_id'),
    transcript: read('transcript_path'),
    cwd: folderOf(read('cwd')),
    source: read('source'),
    prompt: read('prompt', 'user_prompt'),
    reply: read('last_assistant_message'),
    compactSummary: read('compact_summary'),
    toolName: read('tool_name'),
    agentType: read('agent_type'),
    isContinued: fields.get('stop_hook_active') === true,
  };
};

/** Returns '' for a relative path, which would depend on where the hook runs, and for one that is too long to open. */
const folderOf = (cwd: string): string => (cwd.length <= 4096 && /^(?:[/\\]|[a-z]:[/\\])/i.test(cwd) ? cwd : '');

const parseObject = (text: string): ReadonlyMap<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return new Map(Object.entries(value));
  } catch {
    return undefined;
  }
};

/** Collects a hook's input. Clients may leave the pipe open, so the input ends where its JSON object ends. */
export class HookInput {
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #end = '';

  /** Returns true once the input is a whole JSON object. */
  add(chunk: Buffer): boolean {
    this.#length += chunk.length;
    // Input over the limit is still read, and dropped, so that the client can finish writing.
    if (this.#length <= maxInputBytes) this.#chunks.push(chunk);
    this.#end = (this.#end + chunk.toString('latin1', Math.max(0, chunk.length - 16))).slice(-16);
    return closingBrace.test(this.#end) && parseObject(this.text) !== undefined;
  }

  /** The input as text, from UTF-8 or UTF-16, without its byte order mark. */
  get text(): string {
    if (this.#length > maxInputBytes) return '';
    const bytes = Buffer.concat(this.#chunks);
    const [first, second] = bytes;
    const isLittle = (first === 0xff && second === 0xfe) || second === 0;
    const isBig = (first === 0xfe && second === 0xff) || first === 0;
    if (isLittle === isBig) return bytes.toString('utf8').replace(/^\uFEFF/, '');
    if (bytes.length % 2 === 1) return '';
    return (isBig ? bytes.swap16() : bytes).toString('utf16le').replace(/^\uFEFF/, '');
  }
}

/** More than any client sends. */
const maxInputBytes = 32 * 1024 * 1024;

/** The end of an object, in UTF-8 or UTF-16: only then is parsing what has arrived worth trying. */
const closingBrace = /\}[\s\0]*$/;
