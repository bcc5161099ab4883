/** Every setting of config.json, in one table shared by the reader, `anamnesis config` and the docs. Plain data. */

export type ConfigKind =
  | { readonly kind: 'text'; readonly default?: string; readonly form?: RegExp; readonly formHelp?: string }
  | { readonly kind: 'secret' }
  | { readonly kind: 'url'; readonly default?: string }
  | { readonly kind: 'flag'; readonly default: boolean }
  | { readonly kind: 'count'; readonly least: number; readonly most: number; readonly default: number }
  | { readonly kind: 'list'; readonly of?: readonly string[] | undefined; readonly default: readonly string[] };

/** `default` applies when nothing is set; without it there is no default, or it depends on the machine. */
export type ConfigKey = ConfigKind & {
  readonly help: string;
  readonly environment?: string;
  /** Controls where notes go, what is imported, or what runs unasked: never restored from a backup without consent. */
  readonly guarded?: true;
};

/** Models that may read sessions: an endpoint, `claude -p`, a local Ollama. */
export const judgeNames = ['endpoint', 'claude', 'ollama'] as const;
export type JudgeName = (typeof judgeNames)[number];

export const configKeys = {
  machine_id: {
    kind: 'text',
    form: /^[A-Za-z0-9._-]{1,64}$/,
    formHelp: '1 to 64 letters, digits, `.`, `_` or `-`',
    environment: 'ANAMNESIS_MACHINE_ID',
    help: 'name of this machine in notes and events',
  },
  user_id: { kind: 'text', default: 'self', help: 'user that notes are written for' },
  search_model: {
    kind: 'text',
    form: /^(?!none$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    formHelp: 'the name of an installed model, as `anamnesis model list` shows it',
    help: 'model that search compares meanings with; `anamnesis model use` sets it',
  },
  embedding_url: {
    kind: 'url',
    guarded: true,
    help: 'server that search compares meanings with, instead of a local model; `anamnesis model use --endpoint` sets it',
  },
  embedding_model: { kind: 'text', guarded: true, help: 'model at that server' },
  embedding_key_env: {
    kind: 'text',
    form: /^[A-Za-z_][A-Za-z0-9_]{0,99}$/,
    formHelp: 'the name of an environment variable, never the key itself',
    guarded: true,
    help: 'environment variable that holds the key for that server',
  },
  inject_notes: {
    kind: 'count',
    least: 1,
    most: 100,
    default: 8,
    help: 'project notes that a session starts with',
  },
  recall: { kind: 'flag', default: true, help: 'add relevant notes to each prompt' },
  recall_notes: { kind: 'count', least: 1, most: 5, default: 5, help: 'maximum number of notes added to one prompt' },
  trace: { kind: 'flag', default: true, help: 'keep a trace of what was asked and given: `anamnesis trace`' },
  capture: { kind: 'flag', default: true, help: 'record a note of every session' },
  learn: { kind: 'flag', default: true, help: 'learn notes from what is said in a session' },
  learn_judges: {
    kind: 'list',
    of: judgeNames,
    default: [],
    help: 'models asked what to learn and to word session notes, in this order; none unless you name them',
  },
  learn_daily_calls: {
    kind: 'count',
    least: 0,
    most: 100_000,
    default: 50,
    help: 'maximum model calls a day, for learning and capture',
  },
  provider_url: {
    kind: 'url',
    environment: 'ANAMNESIS_PROVIDER_URL',
    guarded: true,
    help: 'OpenAI-compatible endpoint that the judge `endpoint` asks, such as https://api.example.com/v1',
  },
  provider_model: {
    kind: 'text',
    default: 'gpt-4o-mini',
    environment: 'ANAMNESIS_PROVIDER_MODEL',
    help: 'model at that endpoint',
  },
  provider_key: { kind: 'secret', guarded: true, environment: 'ANAMNESIS_PROVIDER_KEY', help: 'key for that endpoint' },
  claude_model: { kind: 'text', default: 'haiku', help: 'model that `claude -p` judges with' },
  ollama_url: {
    kind: 'url',
    default: 'http://127.0.0.1:11434',
    environment: 'OLLAMA_HOST',
    guarded: true,
    help: 'address of a local Ollama',
  },
  ollama_models: {
    kind: 'list',
    default: ['qwen2.5:3b', 'llama3.2:3b', 'gemma2:2b', 'phi3:mini'],
    help: 'Ollama models to judge with; the first one installed is used',
  },
  import_native: {
    kind: 'flag',
    default: true,
    environment: 'ANAMNESIS_IMPORT_NATIVE',
    help: "import Claude Code's own memory in the background",
  },
  import_claude_md: { kind: 'flag', default: false, guarded: true, help: 'import CLAUDE.md files too' },
  approve_write: {
    kind: 'flag',
    default: false,
    guarded: true,
    help: 'let an agent call memory_write without asking you',
  },
  remote: {
    kind: 'text',
    // git would read a leading hyphen as an option.
    form: /^[^-]/,
    formHelp: 'an address or path that does not begin with a hyphen',
    environment: 'ANAMNESIS_GIT_REMOTE',
    guarded: true,
    help: 'git remote that the notes are synced with',
  },
  remote_shared: {
    kind: 'flag',
    default: false,
    guarded: true,
    help: 'the remote is shared with other people: their notes are offered to no agent; `anamnesis remote set --shared` sets it',
  },
  sync: { kind: 'flag', default: true, help: 'sync in the background if there is a remote' },
  sync_seconds: {
    kind: 'count',
    least: 0,
    most: 86_400,
    default: 60,
    help: 'seconds between two syncs of a running server; 0 for none',
  },
} as const satisfies Readonly<Record<string, ConfigKey>>;

/** Maps each folder whose marker the person confirmed to its key; maintained by `anamnesis project trust`. */
export const trustedProjectsKey = 'trusted_projects';

export type ConfigName = keyof typeof configKeys;

/** Own keys only: the name is untrusted input. */
export const isConfigName = (name: string): name is ConfigName => Object.hasOwn(configKeys, name);

export const configNames: readonly ConfigName[] = Object.keys(configKeys).filter(isConfigName);
