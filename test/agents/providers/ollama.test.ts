import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ollamaAddressOf, openOllamaProvider } from '../../../src/agents/providers/ollama.js';
import { type Asked, answerJson, startServer, type TestServer } from '../../support/http-server.js';

const request = { system: 'You judge.', prompt: 'What was learned?', maxTokens: 55, timeoutMs: 5000 };
/** On a machine that runs all tests at once, the first request is slow. */
const connectTimeoutMs = 20_000;
const models = ['qwen2.5:3b', 'llama3.2', 'phi3:mini'];

const open: TestServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** Starts an Ollama with these models; `answer` handles the requests to them. */
const startOllama = async (
  names: readonly unknown[],
  answer: (asked: Asked, response: ServerResponse) => void = (_, response) =>
    answerJson(response, { message: { content: '{"lessons":[]}' }, done: true }),
) => {
  const server = await startServer((asked, response) => {
    if (asked.url === '/api/tags') answerJson(response, { models: names.map((name) => ({ name })) });
    else answer(asked, response);
  });
  open.push(server);
  return server;
};

describe('a local Ollama', () => {
  it('is asked for the first configured model that it has', async () => {
    const server = await startOllama(['phi3:mini', 'llama3.2:latest']);
    const provider = openOllamaProvider({ url: server.url, models, connectTimeoutMs });
    expect(provider.model).toBe('qwen2.5:3b');
    expect(await provider.complete(request)).toEqual({ ok: true, text: '{"lessons":[]}' });
    expect(provider.model).toBe('llama3.2:latest');
    expect(server.asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /api/tags', 'POST /api/chat']);
    expect(JSON.parse(server.asked[1]?.body ?? '')).toMatchObject({
      model: 'llama3.2:latest',
      stream: false,
      options: { temperature: 0, num_predict: 55 },
      messages: [
        { role: 'system', content: 'You judge.' },
        { role: 'user', content: 'What was learned?' },
      ],
    });
  });

  it('is unavailable, and asked nothing, when it has none of the models', async () => {
    const server = await startOllama(['mistral:7b', 5, null, 'llama3.2:1b']);
    const completion = await openOllamaProvider({ url: server.url, models, connectTimeoutMs }).complete(request);
    expect(completion).toMatchObject({ ok: false, problem: 'unavailable' });
    expect(server.asked).toHaveLength(1);
    expect(await openOllamaProvider({ url: server.url, models: [], connectTimeoutMs }).complete(request)).toMatchObject(
      { ok: false },
    );
  });

  it('is unavailable when nothing listens there and when no answer comes within a second', async () => {
    const gone = await startOllama([]);
    await gone.close();
    expect(await openOllamaProvider({ url: gone.url, models }).complete(request)).toMatchObject({
      ok: false,
      problem: 'unavailable',
    });
    const silent = await startServer(() => undefined);
    open.push(silent);
    const startedMs = Date.now();
    const completion = await openOllamaProvider({ url: silent.url, models }).complete({
      ...request,
      timeoutMs: 60_000,
    });
    expect(completion).toMatchObject({ ok: false, problem: 'unavailable' });
    expect(Date.now() - startedMs).toBeLessThan(20_000);
  });

  it.each([
    ['another server', '<html></html>'],
    ['a list of something else', '{"models":"many"}'],
    ['an array', '[]'],
    ['null', 'null'],
  ])('is unavailable when %s answers', async (_, body) => {
    const server = await startServer((_asked, response) => response.end(body));
    open.push(server);
    const completion = await openOllamaProvider({ url: server.url, models, connectTimeoutMs }).complete(request);
    expect(completion).toMatchObject({ ok: false, problem: 'unavailable' });
  });

  it('reports whether it failed, gave an unusable answer or timed out', async () => {
    const failing = async (answer: (asked: Asked, response: ServerResponse) => void, timeoutMs = 5000) => {
      const server = await startOllama(['phi3:mini'], answer);
      return openOllamaProvider({ url: server.url, models, connectTimeoutMs }).complete({ ...request, timeoutMs });
    };
    const error = { error: 'model requires more system memory' };
    expect(await failing((_, response) => answerJson(response, error, 500))).toEqual({
      ok: false,
      problem: 'unavailable',
      message: 'HTTP 500',
    });
    expect(await failing((_, response) => answerJson(response, { message: {} }))).toMatchObject({
      problem: 'unusable',
    });
    expect(await failing((_, response) => response.end('{"message":{"content":"x'))).toMatchObject({
      problem: 'unusable',
    });
    expect(await failing(() => undefined, 1500)).toMatchObject({ problem: 'timed-out' });
  });
});

it.each([
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434'],
  ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434'],
  ['127.0.0.1', 'http://127.0.0.1:11434'],
  ['localhost:5000', 'http://localhost:5000'],
  [':5000', 'http://localhost:5000'],
  ['box:80', 'http://box'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['http://0.0.0.0:8000', 'http://127.0.0.1:8000'],
  ['https://ollama.example.org', 'https://ollama.example.org'],
  ['https://x.test/ollama/', 'https://x.test/ollama'],
  ['', undefined],
  ['ftp://x', undefined],
  ['http://user:pass@x.test', undefined],
])('OLLAMA_HOST %j is asked at %j', (url, address) => {
  expect(ollamaAddressOf(url)).toBe(address);
});
