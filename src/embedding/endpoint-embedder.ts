/** An embedder behind an address: an OpenAI-compatible endpoint (POST /v1/embeddings) or Ollama (POST /api/embed). */
import { fieldOf } from '../http/json-field.js';
import { explainStatus, type HttpAnswer, requestJson } from '../http/request-json.js';
import { type Embedder, failRead, type Read, readAs } from './embedder.js';

export type EndpointOptions = {
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
};

/** Texts of one request, and requests at a time. */
const maxTexts = 32;
const maxRequests = 4;
const maxDimension = 4096;
/** Enough for a number on a line of its own, indented. */
const maxNumberBytes = 40;
const maxBytesOf = (texts: number): number => 64 * 1024 + texts * maxDimension * maxNumberBytes;
const defaultTimeoutMs = 60_000;

/** Never throws; returns either all the vectors asked for or a problem. The time limit covers all requests together. */
export const openEndpointEmbedder = ({ url, model, key }: EndpointOptions): Embedder => ({
  id: `${endpointAddressOf(url) ?? ''} ${model}`,
  async embed(texts, { timeoutMs = defaultTimeoutMs } = {}) {
    const address = endpointAddressOf(url);
    if (address === undefined)
      return failRead('model-unusable', `${hostOf(url)} is not an allowed server address`, fixAddress);
    const until = performance.now() + timeoutMs;
    const batches = Array.from({ length: Math.ceil(texts.length / maxTexts) }, (_, at) =>
      texts.slice(at * maxTexts, (at + 1) * maxTexts),
    );
    const found: (readonly Float32Array[])[] = [];
    for (let at = 0; at < batches.length; at += maxRequests) {
      const answers = await Promise.all(
        batches.slice(at, at + maxRequests).map(async (batch) => {
          const body = { model, input: batch };
          const left = Math.max(1, Math.round(until - performance.now()));
          const answer = await requestJson({
            url: address,
            body,
            key,
            timeoutMs: left,
            maxBytes: maxBytesOf(batch.length),
          });
          return readAnswer(answer, { count: batch.length, key, host: hostOf(url) });
        }),
      );
      for (const answer of answers) {
        if (!answer.ok) return answer;
        found.push(answer.value);
      }
    }
    const vectors = found.flat();
    return vectors.every(({ length }) => length === vectors[0]?.length)
      ? readAs(vectors)
      : unusable(hostOf(url), 'its vectors differ in length');
  },
});

/** Used in messages, because an address may have a key in its query. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'that');

type Expected = { readonly count: number; readonly key: string | undefined; readonly host: string };

const readAnswer = (answer: HttpAnswer, { count, key, host }: Expected): Read<readonly Float32Array[]> => {
  if (answer.kind === 'failed') return unusable(host, answer.failure.message);
  const { status, value } = answer;
  if (status < 200 || status > 299) return unusable(host, explainStatus(answer, key).message);
  const vectors = vectorsIn(value).flatMap((vector) => toVector(vector) ?? []);
  return vectors.length === count
    ? readAs(vectors)
    : unusable(host, `the answer does not hold ${count} usable vectors`);
};

/** In the order of the texts: OpenAI's may come in another one, with an index. */
const vectorsIn = (value: unknown): readonly unknown[] => {
  const plain = fieldOf(value, 'embeddings');
  if (Array.isArray(plain)) return plain;
  const data = fieldOf(value, 'data');
  return Array.isArray(data)
    ? data.toSorted((a, b) => indexOf(a) - indexOf(b)).map((one: unknown) => fieldOf(one, 'embedding'))
    : [];
};

const indexOf = (one: unknown): number => Number(fieldOf(one, 'index')) || 0;

/** Scales to length 1. Returns undefined unless it is a list of 1 to `maxDimension` numbers that are not all zero. */
const toVector = (value: unknown): Float32Array | undefined => {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxDimension) return undefined;
  if (!value.every((number: unknown) => typeof number === 'number' && Number.isFinite(number))) return undefined;
  const numbers = Float64Array.from(value);
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  return length > 0 && Number.isFinite(length) ? Float32Array.from(numbers, (number) => number / length) : undefined;
};

const fixAddress = 'give an https address, or one on this machine: anamnesis model use --endpoint URL --model NAME';

const unusable = (host: string, why: string) =>
  failRead(
    'model-unusable',
    `${host} gave no vectors: ${why}`,
    'try: anamnesis model test; or do without: anamnesis model use none',
  );

/**
 * `https://host/v1`, with or without `/embeddings`, is OpenAI's protocol; `…/api/embed` is Ollama's. Undefined for one
 * with a password, which every error message would repeat, and for an unencrypted one elsewhere.
 */
export const endpointAddressOf = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined;
  const address = new URL(url);
  if (address.username !== '' || address.password !== '') return undefined;
  const isSafe = address.protocol === 'https:' || (address.protocol === 'http:' && isThisMachine(address.hostname));
  if (!isSafe) return undefined;
  address.hash = '';
  const path = address.pathname.replace(/(?<!\/)\/+$/, '');
  if (/\/api\/embed$/.test(path)) {
    address.pathname = path;
    return address.href;
  }
  const base = path.replace(/\/embeddings$/, '');
  // Some have a version in the middle of their path: /v1beta/openai.
  address.pathname = `${base}${/\/v\d/.test(base) ? '' : '/v1'}/embeddings`.replace(/^\/\//, '/');
  return address.href;
};

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
