/** The names of projects, and what names one: a remote's address or a folder. Pure. */

/** The key of notes that belong to every project. */
export const globalProject = 'global';

/** As the limit of the field in a note. */
const maxKeyChars = 200;
/** An address that is longer names nothing. */
const maxAddressChars = 2048;

const control = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
const keyForm = /^[\p{L}\p{N}._~@][\p{L}\p{M}\p{N} ._~@+:/-]*$/u;

/** Why a text that somebody else chose may not name a project, as a phrase; undefined when it may. */
export const whyNoKey = (text: string): string | undefined => {
  if (text === '') return 'it is empty';
  if ([...text].length > maxKeyChars) return `it names a key of more than ${maxKeyChars} characters`;
  if (!keyForm.test(text) || text.endsWith(' ')) return 'what it holds is no key of a project';
  if (text.split('/').some((part) => part === '.' || part === '..')) return 'what it holds is no key of a project';
  return text.toLowerCase() === globalProject ? `it names ${globalProject}, which is every project` : undefined;
};

/**
 * `github.com/owner/repo` of any spelling of a remote; undefined for a path or what is no address. A user name and a
 * password never become part of it: where it is not certain where they end, there is no key.
 */
export const keyOfRemote = (address: string): string | undefined => {
  if (address.length > maxAddressChars || /^file:/i.test(address)) return undefined;
  const found = splitUrl(address) ?? splitShort(address);
  if (found === undefined) return undefined;
  const path = found.path
    .replace(/[?#].*$/s, '')
    .replace(/^[/~]+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '');
  const key = `${found.host}/${path}`.toLowerCase();
  return path === '' || control.test(key) || [...key].length > maxKeyChars ? undefined : key;
};

/** The name of a folder as a key. */
export const keyOfName = (name: string): string => {
  const key = [...name.replace(/\.git$/, '').replace(new RegExp(control, 'gu'), '-')]
    .slice(0, maxKeyChars)
    .join('')
    .toLowerCase()
    .trim();
  // A folder that is called so is a project like any other.
  return key === globalProject ? `./${globalProject}` : key === '' ? globalProject : key;
};

type Place = { readonly host: string; readonly path: string };

const hostAndPath = /^([^\s/:@?#%]+)(?::\d+)?\/(.+)$/s;

/** `https://user:password@host:port/path`. A password may hold `@`, and, wrongly written, `/` too. */
const splitUrl = (address: string): Place | undefined => {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(address)?.[0];
  if (scheme === undefined) return undefined;
  const rest = address.slice(scheme.length);
  const slash = rest.indexOf('/');
  const authority = slash === -1 ? rest : rest.slice(0, slash);
  const place = placeOf(rest.slice(authority.lastIndexOf('@') + 1));
  const path = place?.path ?? rest;
  const at = path.lastIndexOf('@');
  if (at === -1 || (place !== undefined && isInName(path, at, authority))) return place;
  return placeOf(path.slice(at + 1));
};

/** Of an `@` in a path: whether it belongs to a name there (`/@scope/repo`, `repo@v2`) and ends no password. */
const isInName = (path: string, at: number, authority: string): boolean => {
  const after = path.slice(at + 1);
  if (!after.includes('/')) return true;
  const beginsName = at === 0 || path[at - 1] === '/';
  const isHost = authority.includes('@') || (authority.includes('.') && !authority.includes(':'));
  return beginsName && isHost && !(after.split('/')[0] ?? '').includes('.');
};

const placeOf = (text: string): Place | undefined => {
  const [, host, path] = hostAndPath.exec(text) ?? [];
  return host === undefined || path === undefined ? undefined : { host, path };
};

/** `user@host:path`, as ssh takes it. The user's part goes to the last `@` that a host follows. */
const splitShort = (address: string): Place | undefined => {
  const [, host, path] = /^[^/\s]*@([^@:/\s]+):(.+)$/s.exec(address) ?? [];
  if (host === undefined || path === undefined || path.startsWith('//')) return undefined;
  // A second `user@host:` further on: the first one was part of a password.
  return /@[^@:/\s]+:/.test(path) ? undefined : { host, path };
};
