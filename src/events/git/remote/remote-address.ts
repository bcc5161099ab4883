/** Addresses of remotes: which forms are accepted, and how to show one without its secrets. Pure. */
import { resolve } from 'node:path';
import { redact } from '../../note/redact.js';

export type RemoteAddress =
  | { readonly ok: true; readonly url: string; readonly kind: 'path' | 'file' | 'ssh' | 'https' | 'git' }
  | { readonly ok: false; readonly why: string };

/** The longest path that a system opens. */
const maxAddressChars = 4096;

/**
 * A path, `file://`, `ssh://`, `user@host:path`, `http(s)://` or `git://`; no helpers that git would start (`ext::`),
 * no options. A relative path is resolved from `folder`, `~` from `userHome`.
 */
export const parseAddress = (text: string, folder: string, userHome: string): RemoteAddress => {
  const url = text.trim();
  if (url === '') return refuse('it is empty');
  if (url.length > maxAddressChars) return refuse(`it is longer than ${maxAddressChars} characters`);
  if (/[\p{Cc}\u2028\u2029]/u.test(url)) return refuse('it contains control characters');
  if (url.startsWith('-')) return refuse('it begins with a hyphen, which git would read as an option');
  if (/^[A-Za-z0-9+.-]+::/.test(url))
    return refuse('addresses that start a helper program (`name::…`) are not accepted');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined) return ofScheme(scheme, url);
  const host = /^([^/\\:]+@)?(\[[^\]]+\]|[^/\\:@]+):(?!\\)/.exec(url);
  if (host !== null && !/^[A-Za-z]:/.test(url)) {
    // ssh would read such a host as an option.
    return (host[2] ?? '').startsWith('-') || (host[1] ?? '').startsWith('-')
      ? refuse('its host begins with a hyphen')
      : { ok: true, url, kind: 'ssh' };
  }
  const path = url === '~' || url.startsWith('~/') ? `${userHome}${url.slice(1)}` : resolve(folder, url);
  return { ok: true, url: path, kind: 'path' };
};

const ofScheme = (scheme: string, url: string): RemoteAddress => {
  if (/^[^/]+:\/\/(?:[^/@]*@)?-/.test(url)) return refuse('its host begins with a hyphen');
  switch (scheme) {
    case 'file':
      return { ok: true, url, kind: 'file' };
    case 'ssh':
    case 'git+ssh':
    case 'ssh+git':
      return { ok: true, url, kind: 'ssh' };
    case 'http':
    case 'https':
      return { ok: true, url, kind: 'https' };
    case 'git':
      return { ok: true, url, kind: 'git' };
    default:
      return refuse(`${scheme}:// is not a protocol for git repositories`);
  }
};

const refuse = (why: string): RemoteAddress => ({ ok: false, why });

/** Removes users, passwords and queries of URLs. Linear: a match never extends past the next slash or blank. */
export const hideCredentials = (text: string): string =>
  text.replace(/:\/\/[^/\s'"]+@/g, '://').replace(/[^\s'"]+/g, (word) => hideQuery(word));

/** Returns an address in the form that a person or an agent may see. */
export const showAddress = (url: string): string => {
  const start = url.indexOf('://') + 3;
  if (start === 2) return redact(url).text;
  const end = url.slice(start).search(/[/?#]/);
  const at = url.lastIndexOf('@', end === -1 ? url.length : start + end);
  return redact(hideQuery(at < start ? url : url.slice(0, start) + url.slice(at + 1))).text;
};

/** Hides the query, which may contain a token. */
const hideQuery = (url: string): string => {
  const start = url.indexOf('://');
  const query = start === -1 ? -1 : url.indexOf('?', start);
  return query === -1 ? url : `${url.slice(0, query)}?…`;
};
