import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putItem, type SpoolItem } from '../../src/agents/hooks/spool.js';
import { work } from '../../src/agents/working.js';
import { readConfig } from '../../src/config/settings.js';
import { openAgentState } from '../../src/state/agent-state.js';
import { openStore, type TestStore } from '../support/store.js';
import { Transcript } from '../support/transcripts.js';

let store: TestStore;
let spool: string;
let transcript: string;
beforeEach(() => {
  store = openStore();
  spool = join(store.home, 'spool');
  transcript = join(store.home, 't.jsonl');
  const session = new Transcript({ session: 's', cwd: store.home });
  session.prompt('Please make the build work again.');
  session.reply('It works now, and the reason was a wrong path.');
  writeFileSync(transcript, session.text());
  writeFileSync(join(store.home, 'file'), '');
});
afterEach(() => store.close());

const put = (item: Partial<SpoolItem>): string =>
  putItem(spool, {
    kind: 'capture',
    session: 's',
    transcript,
    cwd: store.home,
    event: 'SessionEnd',
    text: '',
    size: 10,
    client: 'claude-code',
    ...item,
  });

const runWorker = () =>
  work(store.memory, {
    config: { ...readConfig(store.home, {}), learnJudges: [], sync: false, importNative: false },
    environment: {},
    userHome: store.home,
    claudeHome: join(store.home, '.claude'),
    nowMs: Date.now,
  });

describe('the background worker and its spool', () => {
  it('processes items of a session whose folder has become a file or has an impossible name', async () => {
    put({ kind: 'exchange', event: 'Stop', cwd: join(store.home, 'file'), size: 10 });
    put({ kind: 'exchange', event: 'Stop', cwd: 'a\0b', size: 20 });
    expect((await runWorker()).problems).toEqual([]);
    expect(readdirSync(spool)).toEqual([]);
  });

  it.each(['constructor', '__proto__', 'Dance', ''])(
    'reports an item with the event "%s", leaves it there and continues',
    async (event) => {
      mkdirSync(spool, { recursive: true });
      writeFileSync(
        join(spool, 'capture.a.json'),
        JSON.stringify({ kind: 'capture', session: 'a', transcript, event }),
      );
      put({});
      const report = await runWorker();
      expect(report.captured).toBe(1);
      expect(new Set(report.problems)).toEqual(new Set(['capture.a.json: not a spool item']));
      expect(readdirSync(spool)).toEqual(['capture.a.json']);
    },
  );

  it('drops items whose transcript cannot exist, and continues', async () => {
    put({ session: 'a', transcript: join(store.home, 'file', 't.jsonl') });
    put({ session: 'b', transcript: 'a\0b' });
    put({ session: 'c', transcript: '/'.padEnd(5000, 'x') });
    put({});
    expect(await runWorker()).toMatchObject({ captured: 1, problems: [] });
    expect(readdirSync(spool)).toEqual([]);
  });

  it("captures a transcript that is in another folder of the client's projects than the payload says", async () => {
    const folder = join(store.home, '.claude', 'projects', '-work-shop');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 's.jsonl'), readFileSync(transcript));
    put({ transcript: join(store.home, '.claude', 'projects', '-work-shop-worktree', 's.jsonl') });
    expect(await runWorker()).toMatchObject({ captured: 1, problems: [] });
    expect(await store.memory.sessionNoteId('s')).toBeDefined();
  });

  it('remembers a transcript that is nowhere, and captures it once it is there', async () => {
    const folder = join(store.home, '.claude', 'projects', '-work-shop');
    const late = join(folder, 's.jsonl');
    put({ transcript: late });
    const missing = (): number => {
      const state = openAgentState(join(store.home, 'agents.db'));
      try {
        return state.expectedTranscripts(0).filter(({ path }) => !existsSync(path)).length;
      } finally {
        state.close();
      }
    };
    expect(await runWorker()).toMatchObject({ captured: 0, problems: [] });
    expect(missing()).toBe(1);
    mkdirSync(folder, { recursive: true });
    writeFileSync(late, readFileSync(transcript));
    expect(await runWorker()).toMatchObject({ captured: 1, problems: [] });
    expect(missing()).toBe(0);
  });

  it('skips a captured session whose folder has become a file', async () => {
    const state = openAgentState(join(store.home, 'agents.db'));
    state.setTranscript({ path: join(store.home, 'file', 't.jsonl'), session: 'a', bytes: 5, size: 5 }, Date.now());
    state.close();
    put({});
    expect(await runWorker()).toMatchObject({ captured: 1, problems: [] });
  });
});
