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
  | { readonly kind: 'refused'; readonly answer: ErrorAnswer }
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
  if (!isRecord(value)) return refuse(null, ErrorCode.InvalidRequest, 'a line must be one message: an object');
  return readMessage(value);
};

const readMessage = (value: Readonly<Record<string, unknown>>): Incoming => {
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

/** Refuses a line that was too long to be kept, and so to be parsed. */
export const refuseLong = (most: number): Incoming =>
  refuse(null, ErrorCode.InvalidRequest, `a message has at most ${most} bytes`);

const refuse = (id: ErrorAnswer['id'], code: number, message: string): Incoming => ({
  kind: 'refused',
  answer: { jsonrpc: '2.0', id, error: { code, message } },
});

const idOf = ({ id }: Readonly<Record<string, unknown>>): ErrorAnswer['id'] =>
  typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : null;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
