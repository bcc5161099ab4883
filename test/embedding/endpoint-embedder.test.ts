import { afterEach, describe, expect, it } from 'vitest';
import { endpointAddressOf, openEndpointEmbedder } from '../../src/embedding/endpoint-embedder.js';
import { answerJson, startServer, type TestServer } from '../support/http-server.js';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Returns a vector for each text: its length and 1. */
const vectorsOf = (body: string): readonly (readonly number[])[] => {
  const asked: { readonly input: readonly string[] } = JSON.parse(body);
  return asked.input.map((text) => [text.length, 1]);
};
const openAi = (body: string): object => ({
  data: vectorsOf(body)
    .map((embedding, index) => ({ index, embedding }))
    .reverse(),
});
const start = async (answer: Parameters<typeof startServer>[0]): Promise<string> => {
  server = await startServer(answer);
  return server.url;
};
const embedder = (url: string, key?: string) => openEndpointEmbedder({ url, model: 'm', key });
const failureOf = async (url: string, texts = ['a'], timeoutMs = 5000): Promise<string> => {
  const read = await embedder(url, 'sk-very-secret').embed(texts, { timeoutMs });
  if (read.ok) throw new Error('it answered');
  expect(read.problem.code).toBe('model-unusable');
  expect(read.problem.message).not.toContain('sk-very-secret');
  return read.problem.message;
};

describe('the address of a server', () => {
  it('is that of an OpenAI-compatible endpoint or of an Ollama', () => {
    expect(endpointAddressOf('https://api.example.com')).toBe('https://api.example.com/v1/embeddings');
    expect(endpointAddressOf('https://api.example.com/v1/')).toBe('https://api.example.com/v1/embeddings');
    expect(endpointAddressOf('https://api.example.com/v1/embeddings?v=2')).toBe(
      'https://api.example.com/v1/embeddings?v=2',
    );
    expect(endpointAddressOf('https://api.example.com/v1beta/openai')).toBe(
      'https://api.example.com/v1beta/openai/embeddings',
    );
    expect(endpointAddressOf('http://localhost:11434/api/embed')).toBe('http://localhost:11434/api/embed');
  });

  it('is encrypted or of this machine, and contains no password', () => {
    for (const url of [
      'http://example.com/v1',
      'https://me:pw@example.com',
      'ftp://localhost',
      'no address',
      'http://127.0.0.1.evil.com',
    ])
      expect(endpointAddressOf(url)).toBeUndefined();
    for (const url of ['http://127.0.0.1:8080', 'http://[::1]:8080', 'http://localhost'])
      expect(endpointAddressOf(url)).toBeDefined();
  });
});

describe('a server of embeddings', () => {
  it('gives vectors of length 1 in the order of the texts, whatever the order of the answer', async () => {
    const url = await start(({ body }, response) => answerJson(response, openAi(body)));
    const read = await embedder(url, 'k').embed(['', 'aaaa']);
    expect(read).toMatchObject({ ok: true, value: [Float32Array.from([0, 1]), expect.anything()] });
    expect(Math.hypot(...(read.ok ? (read.value[1] ?? []) : []))).toBeCloseTo(1);
    expect(server?.asked[0]).toMatchObject({
      method: 'POST',
      url: '/v1/embeddings',
      headers: { authorization: 'Bearer k' },
    });
    expect(JSON.parse(server?.asked[0]?.body ?? '')).toEqual({ model: 'm', input: ['', 'aaaa'] });
  });

  it('may be an Ollama', async () => {
    const url = await start(({ body }, response) => answerJson(response, { embeddings: vectorsOf(body) }));
    expect(await embedder(`${url}/api/embed`).embed(['a', 'b'])).toMatchObject({ ok: true });
    expect(server?.asked[0]).toMatchObject({ url: '/api/embed' });
    expect(server?.asked[0]?.headers.authorization).toBeUndefined();
  });

  it('is asked in batches of 32 texts, at most four at a time', async () => {
    let open = 0;
    let mostOpen = 0;
    const url = await start(({ body }, response) => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      setTimeout(() => {
        open -= 1;
        answerJson(response, openAi(body));
      }, 30);
    });
    const texts = Array.from({ length: 300 }, (_, at) => 'x'.repeat(at));
    const read = await embedder(url).embed(texts);
    expect(server?.asked).toHaveLength(10);
    expect(mostOpen).toBe(4);
    expect(
      read.ok && read.value.every(([first = 0, second = 1], at) => Math.abs(first / second - at) < 0.01 * at + 0.01),
    ).toBe(true);
  });

  it('is given up when it is slow', async () => {
    const url = await start(() => {});
    const started = performance.now();
    expect(await failureOf(url, ['a'], 100)).toContain('no answer within 100 ms');
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('is refused if its answer is not one usable vector for each text', async () => {
    const ofTwo = [
      [],
      [{}],
      [{ embedding: [] }],
      [{ embedding: [0] }],
      [{ embedding: [null] }],
      [{ embedding: ['1'] }],
      [{ embedding: [1e308, 1e308] }],
      [{ embedding: new Array(5000).fill(1) }],
    ];
    const answers: readonly (readonly [unknown, RegExp])[] = [
      ...ofTwo.map((second) => [{ data: [{ embedding: [1] }, ...second] }, /does not hold 2 usable vectors/] as const),
      [{ data: [{ embedding: [1] }, { embedding: [1, 2] }] }, /differ in length/],
      [{ embeddings: 'all of them' }, /does not hold 2/],
      [[], /does not hold/],
      [null, /does not hold/],
    ];
    for (const [answer, why] of answers) {
      const url = await start((_, response) => answerJson(response, answer));
      expect(await failureOf(url, ['a', 'b'])).toMatch(why);
      await server?.close();
    }
  });

  it('is refused if it answers with an error, no JSON, too much or another address', async () => {
    const faults: readonly (readonly [Parameters<typeof startServer>[0], RegExp])[] = [
      [
        (_, response) => answerJson(response, { error: { code: 'bad_key', message: 'sk-very-secret' } }, 500),
        /HTTP 500 \(bad_key\)/,
      ],
      [(_, response) => response.end('<html>'), /does not hold 1 usable vectors/],
      [
        (_, response) => {
          response.writeHead(302, { location: 'https://elsewhere.example' });
          response.end();
        },
        /HTTP 302/,
      ],
      // The limit is what a vector of 4,096 numbers takes with each on its own line.
      [(_, response) => response.end(`{"data":"${'x'.repeat(300_000)}"}`), /exceeds 229376 bytes/],
      [
        (_, response) => response.end(`{"embeddings":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
        /more than 10000 lists and objects/,
      ],
      [(_, response) => response.destroy(), /request failed/],
    ];
    for (const [answer, why] of faults) {
      const url = await start(answer);
      expect(await failureOf(url)).toMatch(why);
      await server?.close();
    }
  });

  it('may write each number of 32 large vectors on a line of its own', async () => {
    const numbers = Array.from({ length: 4096 }, (_, at) => Math.sin(at + 1) / 7);
    const url = await start(({ body }, response) => {
      const embeddings = vectorsOf(body).map(() => numbers);
      response.end(JSON.stringify({ embeddings }, null, 4));
    });
    const read = await embedder(url).embed(Array.from({ length: 32 }, (_, at) => `${at}`));
    expect(read.ok && read.value.map(({ length }) => length)).toEqual(Array.from({ length: 32 }, () => 4096));
  });

  it('is reported if it is not there or may not be asked', async () => {
    expect(await failureOf('http://127.0.0.1:1')).toMatch(/ECONNREFUSED|request failed/);
    expect(await failureOf('http://example.com')).toContain('not an allowed server address');
  });
});
