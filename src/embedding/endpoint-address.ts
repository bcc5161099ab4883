/** Address and protocol of an embeddings server. Pure. */

export type EndpointAddress = { readonly href: string; readonly protocol: 'openai' | 'ollama' };

/**
 * `https://host/v1`, with or without `/embeddings`, speaks OpenAI's protocol; `…/api/embed` is Ollama's. Returns
 * undefined for an invalid address, for one with a password, which every error message would repeat, and for an
 * unencrypted one that isn't this machine's.
 */
export const endpointAddressOf = (url: string): EndpointAddress | undefined => {
  if (!URL.canParse(url)) return undefined;
  const address = new URL(url);
  if (address.username !== '' || address.password !== '') return undefined;
  const isSafe = address.protocol === 'https:' || (address.protocol === 'http:' && isThisMachine(address.hostname));
  if (!isSafe) return undefined;
  address.hash = '';
  const path = address.pathname.replace(/(?<!\/)\/+$/, '');
  if (/\/api\/embed$/.test(path)) {
    address.pathname = path;
    return { href: address.href, protocol: 'ollama' };
  }
  const base = path.replace(/\/embeddings$/, '');
  // Some have a version in the middle of their path: /v1beta/openai.
  address.pathname = `${base}${/\/v\d/.test(base) ? '' : '/v1'}/embeddings`.replace(/^\/\//, '/');
  return { href: address.href, protocol: 'openai' };
};

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
