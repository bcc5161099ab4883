import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookContext } from '../../../src/agents/hooks/hook-context.js';
import type { HookEvent } from '../../../src/agents/hooks/payload.js';
import { runHook } from '../../../src/agents/hooks/run-hook.js';
import { learnFromSession } from '../../../src/agents/learning.js';
import { work } from '../../../src/agents/working.js';
import { readConfig } from '../../../src/config/settings.js';
import { openAgentState } from '../../../src/state/agent-state.js';
import { openLog } from '../../../src/store/log.js';
import { anyKey, anyPlace, leaksOf, type Planted } from '../../support/made-up-keys.js';
import { makeModels } from '../../support/models.js';
import { openStore, personsGit, temporaryFolder } from '../../support/store.js';
import { Transcript } from '../../support/transcripts.js';

let home = '';
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const store = (): string => join(home, 'store');

const hookSurroundings = (): HookContext => ({
  settings: { home: store(), machine: 'testbox', user: 'self' },
  config: readConfig(store(), {}),
  userHome: home,
  nowMs: Date.now,
  log: openLog(join(store(), 'logs')),
  startWorker: () => undefined,
  client: 'claude-code',
  server: 'anamnesis',
});

/** Returns the names and contents of everything below a folder. */
const read = (folder: string): string => {
  const said: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    said.push(entry.name);
    if (entry.isFile()) said.push(readFileSync(join(entry.parentPath, entry.name), 'latin1').replaceAll('\\n', '\n'));
  }
  return said.join('\n');
};

const transcriptAt = (path: string, fill: (t: Transcript) => void): string => {
  const t = new Transcript({ session: 's1', cwd: home });
  t.prompt('Please make the build work again.');
  fill(t);
  t.reply('It works now, and the reason was a wrong path.');
  mkdirSync(home, { recursive: true });
  appendFileSync(path, t.text());
  return path;
};

describe('a hook', () => {
  const spoolingEvents: readonly HookEvent[] = ['Stop', 'PostCompact', 'SessionEnd', 'SubagentStop'];
  const fields = [
    'last_assistant_message',
    'compact_summary',
    'session_id',
    'cwd',
    'transcript_path',
    'agent_type',
    'prompt',
    'reason',
  ];

  it('writes no part of a key to the spool or the log, whatever its field and wherever the text is cut', async () => {
    const transcript = transcriptAt(join(home, 't.jsonl'), () => undefined);
    const given = fc.tuple(fc.constantFrom(...spoolingEvents), fc.constantFrom(...fields), anyKey, anyPlace(16_384));
    await fc.assert(
      fc.asyncProperty(given, async ([event, field, key, place]) => {
        const isText = field.includes('_message') || field.includes('summary');
        const payload = {
          session_id: 's1',
          transcript_path: transcript,
          cwd: home,
          agent_type: 'explorer',
          [field]: isText ? place(key.text) : key.text,
        };
        await runHook(event, JSON.stringify(payload), hookSurroundings());
        expect(leaksOf(read(store()), key)).toEqual([]);
        rmSync(join(store(), 'spool'), { recursive: true, force: true });
      }),
    );
  }, 60_000);

  it.each([
    'the database password is Xk9mQ2vR7w now',
    'mysql -pXk9mQ2vR7w shop',
    'sshpass -p Xk9mQ2vR7w ssh me',
    'docker login -u me -p Xk9mQ2vR7w',
  ])('writes no password to the spool: %s', async (said) => {
    const transcript = transcriptAt(join(home, 't.jsonl'), () => undefined);
    const payload = { session_id: 's1', transcript_path: transcript, cwd: home, last_assistant_message: said };
    await runHook('Stop', JSON.stringify(payload), hookSurroundings());
    expect(read(join(store(), 'spool'))).toContain('[REDACTED:');
    expect(read(store())).not.toContain('Xk9mQ2vR7w');
  });

  it('writes no secret from a project marker to the log', async () => {
    const { memory, close } = openStore({ home: store() });
    await memory.initialise();
    await close();
    const marker = join(home, 'shop', '.anamnesis', 'project');
    mkdirSync(dirname(marker), { recursive: true });
    writeFileSync(marker, 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8\n');
    await runHook('SessionStart', JSON.stringify({ session_id: 's1', cwd: join(home, 'shop') }), hookSurroundings());
    expect(read(join(store(), 'logs'))).toContain('it names "[REDACTED:github-token]"');
    expect(read(store())).not.toContain('ghp_a1B2c3D4');
  });

  it('keeps the end of a long text, masked', async () => {
    const transcript = transcriptAt(join(home, 't.jsonl'), () => undefined);
    const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n'.repeat(40)}-----END PRIVATE KEY-----`;
    for (const [event, field] of [
      ['Stop', 'last_assistant_message'],
      ['PostCompact', 'compact_summary'],
    ] as const) {
      const text = `${'one word '.repeat(900)}\n${pem}\n${'and so on '.repeat(700)}the end`;
      await runHook(
        event,
        JSON.stringify({ session_id: 's1', transcript_path: transcript, cwd: home, [field]: text }),
        hookSurroundings(),
      );
      const said = read(join(store(), 'spool'));
      expect(said).not.toContain('MIIEvQIBADANBgkq');
      expect(said).toContain('[REDACTED:private-key]');
      expect(said).toContain('the end');
      rmSync(join(store(), 'spool'), { recursive: true });
    }
  });
});

describe('the worker', () => {
  const surroundings = () => ({
    config: { ...readConfig(store(), {}), learnJudges: [], sync: false, importNative: false },
    environment: {},
    userHome: home,
    claudeHome: join(home, '.claude'),
    nowMs: Date.now,
  });
  /** Returns every version of every note and all commit messages. */
  const history = (): string => personsGit(join(store(), 'memory'), 'log', '-p', '--format=%B');

  it('commits no part of a key from the transcript, the compaction or the last reply', async () => {
    const [key] = fc.sample(
      anyKey.filter(({ kind }) => kind === 'RSA PRIVATE KEY'),
      { numRuns: 1, seed: 7 },
    );
    if (key === undefined) throw new Error('no key');
    const transcript = transcriptAt(join(home, 't.jsonl'), (t) => {
      t.run('ssh deploy@shop', `Exit code 255\n${key.text}`);
      t.run('cat id_rsa', `Exit code 1\n${key.text.split('\n').slice(4).join('\n')}`);
    });
    const payload = { session_id: 's1', transcript_path: transcript, cwd: home };
    const text = `${'a word '.repeat(500)}\n${key.text}\n${'so on '.repeat(1100)}`;
    await runHook('PostCompact', JSON.stringify({ ...payload, compact_summary: text }), hookSurroundings());
    await runHook('Stop', JSON.stringify({ ...payload, last_assistant_message: text }), hookSurroundings());
    await runHook('SessionEnd', JSON.stringify(payload), hookSurroundings());
    const { memory, close } = openStore({ home: store() });
    try {
      const report = await work(memory, surroundings());
      expect(report.problems).toEqual([]);
      expect(report.captured).toBe(1);
    } finally {
      await close();
    }
    expect(history()).toContain('failed when it last ran');
    expect(history()).toContain('[REDACTED:private-key]');
    expect(leaksOf(history(), key)).toEqual([]);
    expect(leaksOf(read(store()), key)).toEqual([]);
  });

  it('shows no part of a key to a judge', async () => {
    const { models, asked } = makeModels(['{"lessons":[]}']);
    const keys: Planted[] = fc.sample(anyKey, { numRuns: 12, seed: 11 });
    const places = fc.sample(anyPlace(26_000), { numRuns: 12, seed: 12 });
    const { memory, close } = openStore({ home: store() });
    await memory.initialise();
    const state = openAgentState(join(store(), 'agents.db'));
    try {
      const transcript = transcriptAt(join(home, 't.jsonl'), (t) => {
        for (const [i, key] of keys.entries()) {
          const text = places[i]?.(key.text) ?? key.text;
          t.prompt(`Prompt ${i}\n${text}`);
          t.reply(text);
        }
      });
      await learnFromSession(
        memory,
        state,
        { session: 's1', transcript, project: 'shop', agent: undefined, queued: 12, size: -1, lastReply: '' },
        { models, nowMs: Date.now },
      );
    } finally {
      state.close();
      await close();
    }
    expect(asked.length).toBeGreaterThan(1);
    const sent = asked.map(({ prompt }) => prompt.replaceAll('\\n', '\n')).join('\n');
    for (const key of keys) expect(leaksOf(sent, key)).toEqual([]);
  });

  it('masks what it writes to the log', async () => {
    const { memory, close } = openStore({ home: store() });
    try {
      await memory.initialise();
      memory.log('worker: token ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8 refused');
    } finally {
      await close();
    }
    expect(read(join(store(), 'logs'))).toContain('token [REDACTED:github-token] refused');
  });
});
