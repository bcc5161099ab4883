/** One JSON request over HTTP with a deadline and a bounded answer. Never follows redirects, which could leak a key. */
import { fieldOf } from './json-field.js';

export type HttpRequest = {
  readonly url: string;
  /** With a body the request is a POST, without one a GET. */
  readonly body?: unknown;
  readonly key?: string | undefined;
  readonly timeoutMs: number;
  /** Maximum number of bytes of the answer; a longer one is `unusable`. */
  readonly maxBytes?: number | undefined;
};

/** `unavailable`: nothing reached, nothing spent. `refused`: key, quota, request. `unusable`: an answer of no use. */
export type HttpProblem = 'unavailable' | 'refused' | 'timed-out' | 'unusable';

/** `message` is one line for a log; it never holds a key. */
export type HttpFailure = { readonly ok: false; readonly problem: HttpProblem; readonly message: string };

export const failRequest = (problem: HttpProblem, message: string): HttpFailure => ({ ok: false, problem, message });

export type HttpAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly failure: HttpFailure };

/** `value` is undefined when the body is not JSON. */
export const requestJson = async ({
  url,
  body,
  key,
  timeoutMs,
  maxBytes = maxAnswerBytes,
}: HttpRequest): Promise<HttpAnswer> => {
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(Math.min(Math.max(timeoutMs, 1), longestTimeoutMs)),
    });
    const text = await readBounded(response, maxBytes);
    if (text === undefined) return unusable(`the answer exceeds ${maxBytes} bytes`);
    if (hasMoreBrackets(text, maxNested)) return unusable(`the answer has more than ${maxNested} lists and objects`);
    return { kind: 'answered', status: response.status, value: parseJson(text) };
  } catch (error) {
    return { kind: 'failed', failure: explainError(error, timeoutMs) };
  }
};

const unusable = (why: string): HttpAnswer => ({ kind: 'failed', failure: failRequest('unusable', why) });

/** Describes a status other than 2xx. The body stays out: servers repeat keys and prompts in it. */
export const explainStatus = (
  { status, value }: { readonly status: number; readonly value: unknown },
  key: string | undefined,
): HttpFailure => {
  const code = errorCodeOf(value, key);
  const message = `HTTP ${status}${code === undefined ? '' : ` (${code})`}`;
  const isMissing = status === 404 || status === 405 || status >= 500 || (status >= 300 && status < 400);
  return failRequest(isMissing ? 'unavailable' : 'refused', message);
};

/** The limit of AbortSignal.timeout, which throws beyond it. */
const longestTimeoutMs = 2 ** 31 - 1;

/** A judgement or a summary takes a few thousand bytes. */
export const maxAnswerBytes = 1024 * 1024;

const readBounded = async (response: Response, maxBytes: number): Promise<string | undefined> => {
  if (response.body === null) return '';
  // With a declared length, the body need not be read to know that it is too long.
  if (Number(response.headers.get('content-length')) > maxBytes) {
    await response.body.cancel();
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** Lists and objects: the vectors of 32 texts take 66. Each is one byte of the answer but 150 bytes in memory. */
const maxNested = 10_000;

/** Brackets inside strings count too: that is faster than telling them apart. */
const hasMoreBrackets = (text: string, most: number): boolean => {
  let count = 0;
  for (const sign of ['[', '{'])
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
      count += 1;
      if (count > most) return true;
    }
  return false;
};

const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
};

/** Reports only the code of an error: messages of fetch repeat addresses and header values. */
const explainError = (error: unknown, timeoutMs: number): HttpFailure => {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return failRequest('timed-out', `no answer within ${timeoutMs} ms`);
  }
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined);
  return failRequest('unavailable', code === undefined ? 'the request failed' : `the request failed (${code})`);
};

const codeOf = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && plainCode.test(code) ? code : undefined;
};

const plainCode = /^[A-Za-z][A-Za-z0-9_.-]{1,59}$/;

/** `error.code` or `error.type` of an OpenAI-like body. */
const errorCodeOf = (value: unknown, key: string | undefined): string | undefined => {
  const error = fieldOf(value, 'error');
  return [fieldOf(error, 'code'), fieldOf(error, 'type')].find(
    (code): code is string =>
      typeof code === 'string' && plainCode.test(code) && (key === undefined || !code.includes(key)),
  );
};
