/** The payload that a client sends to a hook, parsed by hand: hooks load no schema library. Pure. */
import { readTopFields } from './top-fields.js';

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
  const fields = readTopFields(text, names);
  if (fields === undefined) return undefined;
  const read = (...aliases: readonly string[]): string => {
    for (const name of aliases) {
      const value = fields.get(name);
      if (typeof value === 'string') return value;
    }
    return '';
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

const names: ReadonlySet<string> = new Set([
  'session_id',
  'sessionId',
  'conversation_id',
  'transcript_path',
  'cwd',
  'source',
  'prompt',
  'user_prompt',
  'last_assistant_message',
  'compact_summary',
  'tool_name',
  'agent_type',
  'stop_hook_active',
]);
