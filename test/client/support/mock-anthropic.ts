/**
 * The Messages API on loopback, as far as Claude Code uses it. It answers with the steps that a test prepared, in order,
 * and keeps every request, so that a test can see what the model would have been told.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AssistantAnswer, streamOf } from './message-stream.js';
import { fieldsOf, type ModelRequest, readRequest } from './model-request.js';

/** `hold` never answers: the client waits until it is ended. */
export type Step =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'hold' };

export type MockAnthropic = {
  readonly url: string;
  /** All message requests, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Requests for paths that do not exist here, as `METHOD /path`. */
  readonly unknownPaths: readonly string[];
  /** Adds steps for the main loop of a session, or for its subagents; side calls and compactions use none. */
  lay(session: string, steps: readonly Step[], loop?: 'main' | 'subagent'): void;
  /** Counts the steps not used yet; a test that ends with some did not see what it meant to see. */
  left(session: string): number;
  /** Sets the answer to calls without tools: titles, and the questions to a judge. */
  answerSideCalls(answer: (request: ModelRequest) => string): void;
  close(): Promise<void>;
};

export const unscriptedAnswer = 'No step was laid down for this request.';
export const compactionSummary = 'The person asked how the windmill is oiled; it takes three drops of whale oil.';
/** To our judge this means that there is nothing to learn; a title may be anything. */
const sideAnswer = '{"lessons":[]}';

export const startMockAnthropic = async (): Promise<MockAnthropic> => {
  const requests: ModelRequest[] = [];
  const unknownPaths: string[] = [];
  const stepsBySession = new Map<string, Step[]>();
  let answerSide = (_request: ModelRequest): string => sideAnswer;

  const answer = (request: ModelRequest): AssistantAnswer | undefined => {
    if (request.kind === 'side') return { kind: 'text', text: answerSide(request) };
    if (request.kind === 'compaction') {
      return { kind: 'text', text: `<analysis>short</analysis>\n<summary>\n${compactionSummary}\n</summary>` };
    }
    const step = stepsBySession.get(keyOf(request.session, request.agent === '' ? 'main' : 'subagent'))?.shift() ?? {
      kind: 'text',
      text: unscriptedAnswer,
    };
    return step.kind === 'hold' ? undefined : step;
  };

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const text = await readBody(incoming);
    const path = new URL(incoming.url ?? '/', 'http://localhost').pathname;
    if (incoming.method === 'HEAD' && path === '/') {
      outgoing.writeHead(200).end();
    } else if (incoming.method === 'POST' && path === '/v1/messages/count_tokens') {
      sendJson(outgoing, 200, { input_tokens: Math.ceil(text.length / 4) });
    } else if (incoming.method === 'POST' && path === '/v1/messages') {
      const body = parseObject(text);
      if (body === undefined) {
        sendJson(outgoing, 400, failure('invalid_request_error', 'the body is not a JSON object'));
        return;
      }
      const request = readRequest(body, incoming.headers);
      requests.push(request);
      const said = answer(request);
      if (said === undefined) return;
      const { events, message } = streamOf(said, {
        id: requests.length,
        model: request.model,
        inputChars: text.length,
      });
      if (body['stream'] !== true) {
        sendJson(outgoing, 200, message);
        return;
      }
      outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      for (const event of events) outgoing.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      outgoing.end();
    } else {
      unknownPaths.push(`${incoming.method} ${path}`);
      sendJson(outgoing, 404, failure('not_found_error', `${incoming.method} ${path} does not exist here`));
    }
  };

  const server = createServer((incoming, outgoing) => {
    // A client that was killed in the middle leaves a broken socket, which is not a fault.
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the mock has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    unknownPaths,
    lay: (session, steps, loop = 'main') => {
      const key = keyOf(session, loop);
      stepsBySession.set(key, [...(stepsBySession.get(key) ?? []), ...steps]);
    },
    left: (session) =>
      (stepsBySession.get(keyOf(session, 'main'))?.length ?? 0) +
      (stepsBySession.get(keyOf(session, 'subagent'))?.length ?? 0),
    answerSideCalls: (answer) => {
      answerSide = answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** A subagent may run in parallel with its parent: a shared queue would be emptied in any order. */
const keyOf = (session: string, loop: 'main' | 'subagent'): string => `${session}/${loop}`;

const readBody = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? fieldsOf(value) : undefined;
  } catch {
    return undefined;
  }
};

const failure = (type: string, message: string) => ({ type: 'error', error: { type, message } });

const sendJson = (outgoing: ServerResponse, status: number, value: unknown): void => {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
