/** What a client sends to a hook on standard input, read by hand: hooks load no schema library. Pure. */

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

/** Fields that are not there, or not text, are ''. */
export type HookPayload = {
  readonly session: string;
  readonly transcript: string;
  readonly cwd: string;
  /** Of SessionStart: startup, resume, clear, compact or fork; of UserPromptSubmit: user, system, … */
  readonly source: string;
  readonly prompt: string;
  /** Of Stop and SubagentStop: what the agent said last, which the transcript may not hold yet. */
  readonly reply: string;
  readonly compactSummary: string;
  readonly toolName: string;
  readonly agentType: string;
  /** A Stop that a hook itself caused. */
  readonly isContinued: boolean;
};

export const isHookEvent = (text: string): text is HookEvent => hookEvents.some((event) => event === text);

/** Undefined when the text is no JSON object. */
export const parsePayload = (text: string): HookPayload | undefined => {
  const fields = parseObject(text);
  if (fields === undefined) return undefined;
  const read = (...names: readonly string[]): string => {
    for (const name of names) {
      const value = fields[name];
      if (typeof value === 'string') return value;
    }
    return '';
  };
  return {
    session: read('session_id', 'sessionId', 'conversation_id'),
    transcript: read('transcript_path'),
    cwd: read('cwd'),
    source: read('source'),
    prompt: read('prompt', 'user_prompt'),
    reply: read('last_assistant_message'),
    compactSummary: read('compact_summary'),
    toolName: read('tool_name'),
    agentType: read('agent_type'),
    isContinued: fields['stop_hook_active'] === true,
  };
};

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};
