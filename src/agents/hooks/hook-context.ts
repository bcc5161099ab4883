/** The surroundings of a hook, besides its payload. */
import type { Config, Settings } from '../../config/settings.js';
export type HookContext = {
  readonly settings: Settings;
  readonly config: Config;
  /** Home folder of the user, which is never a project. */
  readonly userHome: string;
  readonly nowMs: () => number;
  readonly log: (line: string) => void;
  /** Starts the background worker, detached; does not wait for it. */
  readonly startWorker: () => void;
  /** Agent that runs the hook: `claude-code`, `codex`. */
  readonly client: string;
  /** Name that the MCP server was registered under. */
  readonly server: string;
};
