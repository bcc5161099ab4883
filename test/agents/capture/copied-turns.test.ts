import { describe, expect, it } from 'vitest';
import { readSession } from '../../../src/agents/capture/read-session.js';
import { type Session, withoutCopiedTurns } from '../../../src/agents/capture/session.js';
import { firstLineMs, putTranscript, Transcript } from '../../support/transcripts.js';

/** Two turns with a compaction and a subagent each; `ids` are the uuids of their prompts. */
const twoTurns = async (): Promise<{ readonly session: Session; readonly ids: readonly string[] }> => {
  const t = new Transcript();
  const ids = [1, 2].map((n) => {
    const id = t.prompt(`ask ${n}`);
    t.tool('Write', { file_path: `/work/shop/${n}.ts` });
    t.tool('Task', { prompt: `Look ${n}` });
    t.compact(`Summary ${n}`);
    t.reply(`Done ${n}.`);
    return id;
  });
  return { session: await readSession(putTranscript(t)), ids };
};

describe('removing the turns of another session', () => {
  it('returns the same session when no turn is foreign', async () => {
    const { session } = await twoTurns();
    expect(withoutCopiedTurns(session, () => false)).toBe(session);
  });

  it('makes a fork begin with its own first turn', async () => {
    const { session, ids } = await twoTurns();
    const own = withoutCopiedTurns(session, (uuid) => uuid === ids[0]);
    expect(own.turns).toEqual(session.turns.slice(1));
    expect(own.compactions).toEqual(['Summary 2']);
    expect(own.compactionOffsets).toEqual(session.compactionOffsets.slice(1));
    expect(own.subagents.map(({ task }) => task)).toEqual(['Look 2']);
    expect(own.startedAtMs).toBe(firstLineMs + 8000);
  });

  it('leaves nothing of a copy', async () => {
    const { session } = await twoTurns();
    const own = withoutCopiedTurns(session, () => true);
    expect([own.turns, own.compactions, own.subagents]).toEqual([[], [], []]);
  });

  it('drops turns without a uuid before the last foreign one and keeps those after it', async () => {
    const { session, ids } = await twoTurns();
    const [first, second] = session.turns;
    const nameless = { ...first!, uuid: undefined };
    const mixed = { ...session, turns: [nameless, second!, nameless] };
    expect(withoutCopiedTurns(mixed, (uuid) => uuid === ids[1]).turns).toEqual([nameless]);
  });

  it('keeps a compaction whose place is unknown', async () => {
    const { session, ids } = await twoTurns();
    const told = { ...session, compactions: ['told by a hook'], compactionOffsets: [] };
    expect(withoutCopiedTurns(told, (uuid) => uuid === ids[0]).compactions).toEqual(['told by a hook']);
  });
});
