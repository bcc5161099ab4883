/** Facts about the whole session, from a transcript's lines. Filled in file order. */
import type { ConversationLine, TitleSource } from '../transcript/entry.js';
import type { Session } from './session.js';

export type SessionFacts = Pick<Session, 'id' | 'cwd' | 'branch' | 'startedAtMs' | 'endedAtMs' | 'title'> & {
  /** Every folder that the session worked in, in order of appearance. */
  readonly folders: readonly string[];
};

const maxIds = 32;
const maxFolders = 32;

export class FactCollector {
  readonly #ids = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #titleBySource = new Map<TitleSource, string>();
  #branch: string | undefined;
  #startedAtMs: number | undefined;
  #endedAtMs: number | undefined;

  line({ sessionId, cwd, branch, atMs }: ConversationLine): void {
    if (sessionId !== undefined && this.#ids.size < maxIds) this.#ids.add(sessionId);
    if (cwd !== undefined && this.#folders.size < maxFolders) this.#folders.add(cwd);
    this.#branch = branch ?? this.#branch;
    if (atMs === undefined) return;
    this.#startedAtMs = Math.min(this.#startedAtMs ?? atMs, atMs);
    this.#endedAtMs = Math.max(this.#endedAtMs ?? atMs, atMs);
  }

  title(from: TitleSource, title: string): void {
    this.#titleBySource.set(from, title);
  }

  /** `stem` names the session when no line does. */
  finish(stem: string): SessionFacts {
    const [firstId] = this.#ids;
    const folders = [...this.#folders];
    return {
      id: this.#ids.has(stem) ? stem : (firstId ?? stem),
      cwd: folders[0],
      branch: this.#branch,
      startedAtMs: this.#startedAtMs,
      endedAtMs: this.#endedAtMs,
      title: this.#titleBySource.get('custom-title') ?? this.#titleBySource.get('ai-title'),
      folders,
    };
  }
}

/** Returns the path relative to the first folder that contains it, else in full. Windows paths get forward slashes. */
export const pathUnder = (folders: readonly string[], path: string): string => {
  const shown = isWindowsPath(path) ? path.replaceAll('\\', '/') : path;
  for (const folder of folders) {
    const root = (isWindowsPath(folder) ? folder.replaceAll('\\', '/') : folder).replace(/(?<!\/)\/+$/, '');
    if (root !== '' && shown.startsWith(`${root}/`)) return shown.slice(root.length + 1);
  }
  return shown.replace(/^(?:\.\/)+/, '');
};

const isWindowsPath = (path: string): boolean => /^(?:[A-Za-z]:)?\\|^[A-Za-z]:\//.test(path);
