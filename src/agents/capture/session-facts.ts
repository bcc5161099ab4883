/** Facts about the whole session, from a transcript's lines. Filled in file order. */
import type { ConversationLine, TitleSource } from '../transcript/entry.js';
import type { Session } from './session.js';

export type SessionFacts = Pick<Session, 'id' | 'cwd' | 'branch' | 'startedAtMs' | 'endedAtMs' | 'title'> & {
  /** Every folder that the session worked in, in order of appearance. */
  readonly folders: readonly string[];
};

const maxIds = 32;
const maxFolders = 32;
const maxSummaries = 50;

export class FactCollector {
  readonly #ids = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #titleBySource = new Map<TitleSource, string>();
  readonly #summaries: { readonly title: string; readonly leafUuid: string | undefined }[] = [];
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

  title(from: TitleSource, title: string, leafUuid: string | undefined): void {
    this.#titleBySource.set(from, title);
    if (from === 'summary') this.#summaries.push({ title, leafUuid });
    if (this.#summaries.length > maxSummaries) this.#summaries.shift();
  }

  sessionIds(): readonly string[] {
    return [...this.#ids];
  }

  /** `stem` names the session when no line does. */
  finish(stem: string, wasSeen: (uuid: string) => boolean): SessionFacts {
    const [firstId] = this.#ids;
    const folders = [...this.#folders];
    // The first lines of older files often summarise another session of the same folder.
    const own = this.#summaries.findLast(({ leafUuid }) => leafUuid === undefined || wasSeen(leafUuid));
    return {
      id: this.#ids.has(stem) ? stem : (firstId ?? stem),
      cwd: folders[0],
      branch: this.#branch,
      startedAtMs: this.#startedAtMs,
      endedAtMs: this.#endedAtMs,
      title: this.#titleBySource.get('custom-title') ?? this.#titleBySource.get('ai-title') ?? own?.title,
      folders,
    };
  }
}
