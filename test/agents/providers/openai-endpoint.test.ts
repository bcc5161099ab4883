import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { chatAddressOf, openEndpointProvider } from '../../../src/agents/providers/openai-endpoint.js';
import { type Asked, answerJson, startServer, type TestServer } from '../../support/http-server.js';

const key = 'sk-test-0123456789abcdef0123456789abcdef';
const request = { system: 'You judge.', prompt: 'What was learned?', maxTokens: 77, timeoutMs: 5000 };
const chat = (content: unknown) => ({ choices: [{ message: { role: 'assistant', content } }] });

const open: TestServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
const start = async (answer: (asked: Asked, response: ServerResponse) => void) => {
  const server = await startServer(answer);
  open.push(server);
  return server;
};
const askServer = async (
  answer: (asked: Asked, response: ServerResponse) => void,
  asking: { key?: string; timeoutMs?: number } = {},
) => {
  const server = await start(answer);
  const provider = openEndpointProvider({ url: server.url, model: 'm1', key: 'key' in asking ? asking.key : key });
  const completion = await provider.complete({ ...request, timeoutMs: asking.timeoutMs ?? request.timeoutMs });
  return { server, completion };
};

describe('an OpenAI-compatible endpoint', () => {
  it('is asked once, with the key, at temperature 0, and answers with the text', async () => {
    const { server, completion } = await askServer((_, response) => answerJson(response, chat('{"lessons":[]}')));
    expect(completion).toEqual({ ok: true, text: '{"lessons":[]}' });
    expect(server.asked).toHaveLength(1);
    const [{ method, url, headers, body }] = server.asked as [Asked];
    expect([method, url, headers.authorization]).toEqual(['POST', '/v1/chat/completions', `Bearer ${key}`]);
    expect(JSON.parse(body)).toEqual({
      model: 'm1',
      messages: [
        { role: 'system', content: 'You judge.' },
        { role: 'user', content: 'What was learned?' },
      ],
      temperature: 0,
      max_tokens: 77,
    });
  });

  it('is asked without an Authorization header when there is no key', async () => {
    const { server } = await askServer((_, response) => answerJson(response, chat('x')), { key: undefined as never });
    expect(server.asked[0]?.headers.authorization).toBeUndefined();
  });

  it('may answer in parts', async () => {
    const parts = [{ type: 'text', text: 'a' }, { type: 'image' }, 'junk', null, { type: 'text', text: 'b' }];
    const { completion } = await askServer((_, response) => answerJson(response, chat(parts)));
    expect(completion).toEqual({ ok: true, text: 'ab' });
  });

  it('is asked again without temperature and max_tokens when it refuses those', async () => {
    const { server, completion } = await askServer(({ body }, response) => {
      if (!body.includes('max_tokens')) return answerJson(response, chat('fine'));
      const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
      return answerJson(response, { error: { message, code: 'unsupported_parameter' } }, 400);
    });
    expect(completion).toEqual({ ok: true, text: 'fine' });
    expect(server.asked).toHaveLength(2);
    const second = JSON.parse(server.asked[1]?.body ?? '');
    expect(second).toMatchObject({ max_completion_tokens: 77 });
    expect(second).not.toHaveProperty('temperature');
  });

  it.each([
    [401, 'refused'],
    [403, 'refused'],
    [429, 'refused'],
    [400, 'refused'],
    [404, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('reports status %i as %s, with its code and never with the key', async (status, problem) => {
    const { server, completion } = await askServer(({ headers }, response) =>
      answerJson(
        response,
        { error: { message: `bad ${headers.authorization}`, code: 'some_code', type: key } },
        status,
      ),
    );
    expect(completion).toEqual({ ok: false, problem, message: `HTTP ${status} (some_code)` });
    expect(server.asked).toHaveLength(1);
  });

  it('does not repeat a code that holds the key', async () => {
    const { completion } = await askServer((_, response) => answerJson(response, { error: { code: key } }, 401));
    expect(completion).toEqual({ ok: false, problem: 'refused', message: 'HTTP 401' });
  });

  it('never passes the key on to the target of a redirect', async () => {
    const other = await start((_, response) => answerJson(response, chat('stolen')));
    for (const status of [301, 302, 307, 308]) {
      const { completion } = await askServer((_, response) => {
        response.writeHead(status, { location: `${other.url}/v1/chat/completions` });
        response.end();
      });
      expect(completion).toMatchObject({ ok: false, problem: 'unavailable', message: `HTTP ${status}` });
    }
    expect(other.asked).toEqual([]);
  });

  it('is given up at the deadline, whether it stays silent or trickles', async () => {
    const silent = await askServer(() => undefined, { timeoutMs: 100 });
    expect(silent.completion).toEqual({ ok: false, problem: 'timed-out', message: 'no answer within 100 ms' });
    const startedMs = Date.now();
    const trickling = await askServer(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(timer));
      },
      { timeoutMs: 200 },
    );
    expect(trickling.completion).toMatchObject({ ok: false, problem: 'timed-out' });
    expect(Date.now() - startedMs).toBeLessThan(20_000);
  });

  it('that drops the connection is unavailable', async () => {
    const { completion } = await askServer((_, response) => response.destroy());
    expect(completion).toMatchObject({ ok: false, problem: 'unavailable' });
    const half = await askServer((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"choices"');
      setTimeout(() => response.destroy(), 20);
    });
    expect(half.completion).toMatchObject({ ok: false, problem: 'unavailable' });
  });

  it('that nothing listens at is unavailable', async () => {
    const server = await start(() => undefined);
    await server.close();
    const completion = await openEndpointProvider({ url: server.url, model: 'm', key }).complete(request);
    expect(completion).toEqual({ ok: false, problem: 'unavailable', message: 'the request failed (ECONNREFUSED)' });
  });

  it.each([
    ['no JSON', '<html>hello</html>'],
    ['nothing', ''],
    ['no choices', '{}'],
    ['an empty list', '{"choices":[]}'],
    ['a choice of the wrong type', '{"choices":["x",null]}'],
    ['choices that are not a list', '{"choices":{"0":{"message":{"content":"x"}}}}'],
    ['a number for the text', '{"choices":[{"message":{"content":5}}]}'],
    ['a blank text', '{"choices":[{"message":{"content":"  \\n"}}]}'],
    ['only inherited fields', '{"__proto__":{"choices":[{"message":{"content":"x"}}]}}'],
    ['JSON cut off', '{"choices":[{"message":{"content":"x"}}'],
  ])('is unusable when it answers with %s', async (_, body) => {
    const { completion } = await askServer((_asked, response) => response.end(body));
    expect(completion).toMatchObject({ ok: false, problem: 'unusable' });
  });

  it('that says the model refused is reported as refused', async () => {
    const refused = { choices: [{ message: { content: null, refusal: 'I can not help' } }] };
    const { completion } = await askServer((_, response) => answerJson(response, refused));
    expect(completion).toMatchObject({ ok: false, problem: 'refused' });
  });

  it('is read up to a megabyte and no further', async () => {
    let written = 0;
    const { completion } = await askServer((_, response) => {
      const chunk = 'x'.repeat(64 * 1024);
      const write = (): void => {
        while (written < 64 * 1024 * 1024 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) break;
        }
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    expect(completion).toEqual({ ok: false, problem: 'unusable', message: 'the answer exceeds 1048576 bytes' });
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it('does not repeat a key that no header can carry', async () => {
    const completion = await openEndpointProvider({
      url: 'http://127.0.0.1:9',
      model: 'm',
      key: `${key}\nx: y`,
    }).complete(request);
    expect(completion).toMatchObject({ ok: false, problem: 'unavailable' });
    expect(JSON.stringify(completion)).not.toContain(key);
  });

  it.each(['', 'not a url', 'file:///etc/passwd', 'http://', `https://user:${key}@example.org/v1`, 'ftp://x/'])(
    'is unavailable at the address %j, which is not repeated',
    async (url) => {
      const completion = await openEndpointProvider({ url, model: 'm', key }).complete(request);
      expect(completion).toMatchObject({ ok: false, problem: 'unavailable' });
      expect(JSON.stringify(completion)).not.toContain(key);
    },
  );
});

it.each([
  ['https://api.example.com', 'https://api.example.com/v1/chat/completions'],
  ['https://api.example.com/', 'https://api.example.com/v1/chat/completions'],
  ['https://api.example.com/v1', 'https://api.example.com/v1/chat/completions'],
  ['https://api.example.com/v1//', 'https://api.example.com/v1/chat/completions'],
  ['https://x.test/openai/v1/chat/completions', 'https://x.test/openai/v1/chat/completions'],
  ['https://x.test/v1beta/openai/', 'https://x.test/v1beta/openai/chat/completions'],
  ['https://x.test/openai', 'https://x.test/openai/v1/chat/completions'],
  ['https://x.test/v1?api-version=2#a', 'https://x.test/v1/chat/completions?api-version=2'],
  ['http://[::1]:8080', 'http://[::1]:8080/v1/chat/completions'],
])('requests for the address %s go to %s', (url, address) => {
  expect(chatAddressOf(url)).toBe(address);
});
