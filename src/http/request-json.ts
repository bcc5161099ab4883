/** One JSON request over HTTP with a deadline and a bounded answer. Redirects are not followed: they would carry a key. */
import { fieldOf } from './json-field.js';

export type HttpRequest = {
  readonly url: string;
  /** Sent as POST with this body; without one it is a GET. */
  readonly body?: unknown;
  readonly key?: string | undefined;
  readonly timeoutMs: number;
  /** Bytes of the answer that are read at most. */
  readonly maxBytes?: number | undefined;
};

/**
 * `unavailable`: nobody was reached, so nothing was spent. `refused`: somebody was there and said no (key, quota, request).
 * `unusable`: an answer came that says nothing.
 */
export type HttpProblem = 'unavailable' | 'refused' | 'timed-out' | 'unusable';

/** `message` is one line for a log; it never holds a key. */
export type HttpFailure = { readonly ok: false; readonly problem: HttpProblem; readonly message: string };

export const failRequest = (problem: HttpProblem, message: string): HttpFailure => ({ ok: false, problem, message });

export type HttpAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly failure: HttpFailure };

/** `value` is undefined where the body is no JSON. */
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
    if (text === undefined) return unusable(`the answer passes ${maxBytes} bytes`);
    if (hasMoreOpenings(text, maxNested)) return unusable(`the answer has more than ${maxNested} lists and objects`);
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

/** Of AbortSignal.timeout, which throws beyond. */
const longestTimeoutMs = 2 ** 31 - 1;

/** A judgement or a summary takes a few thousand. */
export const maxAnswerBytes = 1024 * 1024;

const readBounded = async (response: Response, maxBytes: number): Promise<string | undefined> => {
  if (response.body === null) return '';
  // Said beforehand, it need not be read to be too long.
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

/** Vectors of 32 texts are 66 of them. One takes a byte of the answer, and 150 in memory. */
const maxNested = 10_000;

/** Those in texts count too, which is quicker than to tell them apart. */
const hasMoreOpenings = (text: string, most: number): boolean => {
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

/** Only the code of an error is told: messages of fetch repeat addresses and header values. */
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
