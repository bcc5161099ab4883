import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openClaudeProvider } from '../../../src/agents/providers/claude-cli.js';
import { type Asked, answerJson, startServer } from '../../support/http-server.js';
import { removeFolder } from '../../support/remove-folder.js';

/** The real Claude Code, if the end-to-end tests have fetched one, against a Messages API on loopback. */
const cache = join(process.cwd(), '.cache', 'claude-code');
const bin = (existsSync(cache) ? readdirSync(cache) : [])
  .map((version) => join(cache, version, 'node_modules', '.bin'))
  .findLast((folder) => existsSync(join(folder, 'claude')));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

const streamText = (response: ServerResponse, text: string): void => {
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const usage = { input_tokens: 1, output_tokens: 1 };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send('message_start', {
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage },
  });
  send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  send('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason: 'end_turn' }, usage });
  send('message_stop', {});
  response.end();
};

const ask = async (answer: (asked: Asked, response: ServerResponse) => void) => {
  const root = mkdtempSync(join(tmpdir(), 'anamnesis-claude-real-'));
  cleanups.push(() => removeFolder(root));
  const server = await startServer(answer);
  cleanups.push(() => server.close());
  const config = join(root, 'config');
  mkdirSync(config);
  const log = join(root, 'hooks.log');
  const hook = [{ hooks: [{ type: 'command', command: `echo ran >> '${log}'` }] }];
  const hooks = { SessionStart: hook, UserPromptSubmit: hook, Stop: hook, SessionEnd: hook };
  writeFileSync(join(config, 'settings.json'), JSON.stringify({ hooks }));
  writeFileSync(join(config, 'CLAUDE.md'), 'Always answer in verse.');
  const provider = openClaudeProvider({
    model: 'haiku',
    folder: join(root, 'empty'),
    environment: {
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: join(root, 'home'),
      CLAUDE_CONFIG_DIR: config,
      ANTHROPIC_API_KEY: 'made-up-for-a-test',
      ANTHROPIC_BASE_URL: server.url,
      CLAUDECODE: '1',
      CLAUDE_CODE_CHILD_SESSION: '1',
    },
  });
  const request = { system: 'You judge.\nStrictly.', prompt: 'What was learned?', maxTokens: 500, timeoutMs: 45_000 };
  const completion = await provider.complete(request);
  const messages = server.asked.filter(({ url }) => url.startsWith('/v1/messages'));
  return { completion, root, log, messages: messages.map(({ body }) => JSON.parse(body)) };
};

describe.skipIf(bin === undefined)('the real Claude Code', () => {
  it("asks its model once, without tools, the person's instructions or thinking, and leaves no session", async () => {
    const { completion, root, log, messages } = await ask((_, response) => streamText(response, '{"lessons":[]}'));
    expect(completion).toEqual({ ok: true, text: '{"lessons":[]}' });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ max_tokens: 2000, tools: [] });
    expect(messages[0]).not.toHaveProperty('thinking');
    const sent = JSON.stringify(messages[0]);
    expect(sent).toContain('What was learned?');
    expect(sent).toContain('You judge.\\nStrictly.');
    expect(sent).not.toContain('verse');
    expect(existsSync(log)).toBe(false);
    const left = readdirSync(root, { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => name.endsWith('.jsonl'))).toEqual([]);
  });

  it('gives up immediately when its key is refused', async () => {
    const error = { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } };
    const { completion, messages } = await ask((_, response) => answerJson(response, error, 401));
    expect(completion).toMatchObject({ ok: false, problem: 'refused' });
    expect(JSON.stringify(completion)).not.toContain('made-up-for-a-test');
    expect(messages.length).toBeLessThanOrEqual(2);
  });
});
