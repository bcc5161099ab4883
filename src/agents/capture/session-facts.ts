/** Facts about the whole session, from a transcript's lines. Filled in file order. */
import type { ConversationLine, TitleSource } from '../transcript/entry.js';
import type { Session } from './session.js';

export type SessionFacts = Pick<Session, 'id' | 'cwd' | 'branch' | 'startedAtMs' | 'endedAtMs' | 'title'> & {
  /** Every folder that the session worked in, in order of appearance. */
  readonly folders: readonly string[];
};

export type OpenSessionFacts = {
  readonly line: (entry: ConversationLine) => void;
  readonly title: (from: TitleSource, title: string, leafUuid: string | undefined) => void;
  readonly sessionIds: () => readonly string[];
  /** `stem` names the session when no line does. */
  readonly finish: (stem: string, wasSeen: (uuid: string) => boolean) => SessionFacts;
};

const maxIds = 32;
const maxFolders = 32;
const maxSummaries = 50;

export const startSessionFacts = (): OpenSessionFacts => {
  const ids = new Set<string>();
  const folders = new Set<string>();
  const titleBySource = new Map<TitleSource, string>();
  const summaries: { readonly title: string; readonly leafUuid: string | undefined }[] = [];
  let branch: string | undefined;
  let startedAtMs: number | undefined;
  let endedAtMs: number | undefined;

  return {
    line: (entry) => {
      if (entry.sessionId !== undefined && ids.size < maxIds) ids.add(entry.sessionId);
      if (entry.cwd !== undefined && folders.size < maxFolders) folders.add(entry.cwd);
      branch = entry.branch ?? branch;
      if (entry.atMs === undefined) return;
      startedAtMs = Math.min(startedAtMs ?? entry.atMs, entry.atMs);
      endedAtMs = Math.max(endedAtMs ?? entry.atMs, entry.atMs);
    },
    title: (from, title, leafUuid) => {
      titleBySource.set(from, title);
      if (from === 'summary') summaries.push({ title, leafUuid });
      if (summaries.length > maxSummaries) summaries.shift();
    },
    sessionIds: () => [...ids],
    finish: (stem, wasSeen) => {
      const [firstId] = ids;
      // The first lines of older files often summarise another session of the same folder.
      const own = summaries.findLast(({ leafUuid }) => leafUuid === undefined || wasSeen(leafUuid));
      return {
        id: ids.has(stem) ? stem : (firstId ?? stem),
        cwd: [...folders][0],
        branch,
        startedAtMs,
        endedAtMs,
        title: titleBySource.get('custom-title') ?? titleBySource.get('ai-title') ?? own?.title,
        folders: [...folders],
      };
    },
  };
};
