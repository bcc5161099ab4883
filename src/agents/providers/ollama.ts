/** A local Ollama, called through its own API. */
import { fieldOf } from '../../http/json-field.js';
import { explainStatus, failRequest, requestJson } from '../../http/request-json.js';
import type { Completion, Provider } from './provider.js';

export type OllamaOptions = {
  /** In the form of OLLAMA_HOST: `http://127.0.0.1:11434`, `127.0.0.1`, `:11434`. */
  readonly url: string;
  /** The first one that is installed is asked. */
  readonly models: readonly string[];
  /** Time limit for listing its models. Most machines have no Ollama, and each exchange asks again. */
  readonly connectTimeoutMs?: number | undefined;
};

/** `model` is the first configured one until a listing shows which of them is installed. */
export const openOllamaProvider = ({ url, models, connectTimeoutMs = 1000 }: OllamaOptions): Provider => {
  let model = models[0] ?? '';
  return {
    name: 'ollama',
    get model() {
      return model;
    },
    async complete({ system, prompt, maxTokens, timeoutMs }) {
      const address = ollamaAddressOf(url);
      if (address === undefined) return failRequest('unavailable', 'ollama_url is not an http(s) address');
      const deadline = Date.now() + timeoutMs;
      const listed = await listModels(address, Math.min(connectTimeoutMs, timeoutMs));
      if (listed.kind === 'failed') return listed.failure;
      const found = models.map((name) => findModel(name, listed.models)).find((name) => name !== undefined);
      if (found === undefined) return failRequest('unavailable', `Ollama has none of ${models.join(', ')}`);
      model = found;
      const answer = await requestJson({
        url: `${address}/api/chat`,
        body: {
          model,
          stream: false,
          // Everything we ask for is JSON, which small models otherwise wrap in prose.
          format: 'json',
          options: { temperature: 0, num_predict: maxTokens, num_ctx: contextTokens },
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: prompt },
          ],
        },
        timeoutMs: deadline - Date.now(),
      });
      if (answer.kind === 'failed') return answer.failure;
      if (answer.status !== 200) return explainStatus(answer, undefined);
      const text = fieldOf(fieldOf(answer.value, 'message'), 'content');
      return typeof text === 'string' && text.trim() !== ''
        ? { ok: true, text }
        : failRequest('unusable', 'the answer contains no text');
    },
  };
};

/** Returns undefined unless it is an http(s) address without a password. 0.0.0.0 (to listen on) means this machine. */
export const ollamaAddressOf = (url: string): string | undefined => {
  const text = url.trim();
  const hasScheme = text.includes('://');
  const whole = hasScheme ? text : `http://${text.replace(/^:/, 'localhost:')}`;
  if (!URL.canParse(whole)) return undefined;
  const address = new URL(whole);
  if (!/^https?:$/.test(address.protocol) || address.username !== '' || address.password !== '') return undefined;
  if (!hasScheme && !/:\d+\/*$/.test(text)) address.port = '11434';
  if (address.hostname === '0.0.0.0' || address.hostname === '[::]') address.hostname = '127.0.0.1';
  return address.origin + address.pathname.replace(/(?<!\/)\/+$/, '');
};

/** Ollama's default of 2,048 would cut off the beginning of a deep pass, which takes about 4,000 with its answer. */
const contextTokens = 8192;

type Listed =
  | { readonly kind: 'listed'; readonly models: readonly string[] }
  | { readonly kind: 'failed'; readonly failure: Completion };

const listModels = async (address: string, timeoutMs: number): Promise<Listed> => {
  const answer = await requestJson({ url: `${address}/api/tags`, timeoutMs });
  // A server that can't list its models counts as missing, however it fails.
  if (answer.kind === 'failed') return missing(answer.failure.message);
  const models = fieldOf(answer.value, 'models');
  if (answer.status !== 200 || !Array.isArray(models)) {
    return missing(`the server there is not Ollama (HTTP ${answer.status})`);
  }
  const names = models.map((entry: unknown) => fieldOf(entry, 'name'));
  return { kind: 'listed', models: names.filter((name) => typeof name === 'string') };
};

const missing = (message: string): Listed => ({ kind: 'failed', failure: failRequest('unavailable', message) });

const findModel = (name: string, listed: readonly string[]): string | undefined =>
  listed.find((one) => one === name) ?? listed.find((one) => one === `${name}:latest`);
