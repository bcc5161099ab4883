/** An OpenAI-compatible endpoint: POST <url>/chat/completions. */
import { fieldOf } from '../../http/json-field.js';
import { explainStatus, failRequest, type HttpAnswer, requestJson } from '../../http/request-json.js';
import type { Completion, CompletionRequest, Provider } from './provider.js';

export type EndpointOptions = {
  /** With or without a trailing slash, `/v1` or `/chat/completions`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
};

export const openEndpointProvider = ({ url, model, key }: EndpointOptions): Provider => ({
  name: 'endpoint',
  model,
  async complete(request) {
    const address = chatAddressOf(url);
    if (address === undefined) {
      return failRequest('unavailable', 'provider_url is not an http(s) address, or has a user name or password');
    }
    const deadline = Date.now() + request.timeoutMs;
    const ask = (body: object): Promise<HttpAnswer> =>
      requestJson({ url: address, body, key, timeoutMs: deadline - Date.now() });
    const first = await ask({ ...bodyOf(model, request), temperature: 0, max_tokens: request.maxTokens });
    const answer = isParameterRefused(first)
      ? await ask({ ...bodyOf(model, request), max_completion_tokens: request.maxTokens })
      : first;
    return parseCompletion(answer, key);
  },
});

/** Returns undefined unless it is an http(s) address without a password, which every error message would repeat. */
export const chatAddressOf = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined;
  const address = new URL(url);
  const isPlain = address.username === '' && address.password === '';
  if (!/^https?:$/.test(address.protocol) || !isPlain) return undefined;
  const path = address.pathname.replace(/(?<!\/)\/+$/, '');
  address.hash = '';
  if (path.endsWith('/chat/completions')) address.pathname = path;
  // Some have a version in the middle of their path: /v1beta/openai.
  else address.pathname = `${path}${/\/v\d/.test(path) ? '' : '/v1'}/chat/completions`;
  return address.href;
};

const bodyOf = (model: string, { system, prompt }: CompletionRequest): object => ({
  model,
  messages: [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ],
});

/** Reasoning models refuse `max_tokens` and a temperature; these names appear in the refusal. */
const isParameterRefused = (answer: HttpAnswer): boolean =>
  answer.kind === 'answered' &&
  answer.status === 400 &&
  /max_completion_tokens|temperature/.test(JSON.stringify(fieldOf(answer.value, 'error')) ?? '');

const parseCompletion = (answer: HttpAnswer, key: string | undefined): Completion => {
  if (answer.kind === 'failed') return answer.failure;
  if (answer.status < 200 || answer.status > 299) return explainStatus(answer, key);
  const choices = fieldOf(answer.value, 'choices');
  const message = fieldOf(Array.isArray(choices) ? choices[0] : undefined, 'message');
  const text = textOf(fieldOf(message, 'content'));
  if (text.trim() !== '') return { ok: true, text };
  return typeof fieldOf(message, 'refusal') === 'string'
    ? failRequest('refused', 'the model refused')
    : failRequest('unusable', 'the answer contains no text');
};

/** Accepts text, or a list of parts, some of which are text. */
const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => fieldOf(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
};
