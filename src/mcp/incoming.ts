/** Parses a line from the client: a message for the session, or an immediate error, so that no client waits forever. */
import {
  ErrorCode,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';

export type Incoming =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  /** Answered here, because the session would drop it silently. */
  | { readonly kind: 'refused'; readonly answers: readonly ErrorAnswer[] }
  /** The client expects no answer to it. */
  | { readonly kind: 'dropped'; readonly why: string };

export type ErrorAnswer = {
  readonly jsonrpc: '2.0';
  /** Null if the request can't be identified. */
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
};

export const readIncoming = (line: string): Incoming => {
  let value: unknown;
  try {
    // Some programs write a byte order mark first.
    value = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch {
    return refuse(null, ErrorCode.ParseError, 'the line is not JSON');
  }
  if (Array.isArray(value)) return refuseBatch(value);
  if (!isRecord(value)) return refuse(null, ErrorCode.InvalidRequest, 'a message must be an object');
  return readMessage(value);
};

const readMessage = (value: Readonly<Record<string, unknown>>): Incoming => {
  if (isDeeper(value, maxLevels)) {
    const why = `a message has at most ${maxLevels} nested levels`;
    return 'method' in value && 'id' in value
      ? refuse(idOf(value), ErrorCode.InvalidRequest, why)
      : { kind: 'dropped', why: 'a message that is nested too deep' };
  }
  if (!('method' in value) && ('result' in value || 'error' in value)) {
    return isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value)
      ? { kind: 'message', message: value }
      : { kind: 'dropped', why: 'an invalid answer' };
  }
  const { jsonrpc, id, method } = value;
  const params = withoutNulls(value['params']);
  // Other keys don't concern us; the session would drop a message because of them.
  const message = { jsonrpc, ...('id' in value ? { id } : {}), method, ...(params === undefined ? {} : { params }) };
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) return { kind: 'message', message };
  if (!('id' in value)) return { kind: 'dropped', why: 'an invalid notification' };
  if (typeof method !== 'string' || jsonrpc !== '2.0' || !(typeof id === 'string' || Number.isSafeInteger(id))) {
    return refuse(idOf(value), ErrorCode.InvalidRequest, 'a request needs jsonrpc "2.0", an id and a method');
  }
  const why = isRecord(params) ? 'params._meta does not follow the protocol' : 'params must be an object';
  return refuse(idOf(value), ErrorCode.InvalidParams, why);
};

/** Messages are checked by recursion, and the stack overflows at some thousands of levels. */
const maxLevels = 100;

const isDeeper = (value: unknown, levels: number): boolean => {
  let level = [value];
  for (let depth = 0; depth <= levels; depth += 1) {
    level = level.flatMap((one): unknown[] => Object.values(one ?? {})).filter((one) => typeof one === 'object');
    if (level.length === 0) return false;
  }
  return true;
};

/** Some clients write null for what they leave out, which the protocol does not allow. */
const withoutNulls = (params: unknown): unknown => {
  if (params === null) return undefined;
  if (!isRecord(params) || !('_meta' in params)) return params;
  const { _meta: meta, ...rest } = params;
  if (meta === null) return rest;
  if (!isRecord(meta) || meta['progressToken'] !== null) return params;
  const { progressToken: _, ...others } = meta;
  return { ...rest, _meta: others };
};

/** Refuses each request in it, because the protocol no longer has batches. */
const refuseBatch = (batch: readonly unknown[]): Incoming => {
  const why = 'the protocol has no batches: send one message per line';
  const ids =
    batch.length > maxPerBatch ? [] : batch.flatMap((one) => (isRecord(one) && 'id' in one ? [idOf(one)] : []));
  const answers = (ids.length === 0 ? [null] : ids).map((id) => toAnswer(id, ErrorCode.InvalidRequest, why));
  return { kind: 'refused', answers };
};

const maxPerBatch = 100;

/** Refuses a line that was too long to be kept, and so to be parsed. */
export const refuseLong = (most: number): Incoming =>
  refuse(null, ErrorCode.InvalidRequest, `a message has at most ${most} bytes`);

const refuse = (id: ErrorAnswer['id'], code: number, message: string): Incoming => ({
  kind: 'refused',
  answers: [toAnswer(id, code, message)],
});

const toAnswer = (id: ErrorAnswer['id'], code: number, message: string): ErrorAnswer => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

const idOf = ({ id }: Readonly<Record<string, unknown>>): ErrorAnswer['id'] => (isRequestId(id) ? id : null);

const isRequestId = (id: unknown): id is string | number =>
  typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
