/** The names of projects, and what names one: a remote's address or a folder. Pure. */

/** The key of notes that belong to every project. */
export const globalProject = 'global';

/** As the limit of the field in a note. */
const maxKeyChars = 200;
/** An address that is longer names nothing. */
const maxAddressChars = 2048;

/** Patterns are made when first needed: the classes of Unicode cost a start half a millisecond, and most names are ASCII. */
const plain = /^[\x20-\x7e]*$/;
const makeControl = (): RegExp => /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
const makeKeyForm = (): RegExp => /^[\p{L}\p{N}._~@][\p{L}\p{M}\p{N} ._~@+:/-]*$/u;

/** Why a text that somebody else chose may not name a project, as a phrase; undefined when it may. */
export const whyNoKey = (text: string): string | undefined => {
  if (text === '') return 'it is empty';
  if ([...text].length > maxKeyChars) return `it names a key of more than ${maxKeyChars} characters`;
  if (!makeKeyForm().test(text) || text.endsWith(' ')) return 'its content is not a project key';
  if (text.split('/').some((part) => part === '.' || part === '..')) return 'its content is not a project key';
  return text.toLowerCase() === globalProject ? `it names ${globalProject}, which is every project` : undefined;
};

/**
 * `github.com/owner/repo` of any spelling of a remote; undefined for a path or what is no address. The host is the one
 * that git would ask: a server chooses the rest of its addresses, and must not name another's project by it. A user name
 * and a password never become part of it: where it is not certain where they end, there is no key.
 */
export const keyOfRemote = (address: string): string | undefined => {
  if (address.length > maxAddressChars || /^file:/i.test(address)) return undefined;
  const found = splitUrl(address) ?? splitShort(address);
  if (found === undefined || !mayHold(found)) return undefined;
  const path = found.path
    .replace(/^[/~]+/, '')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/i, '');
  const key = `${found.host}/${path}`.toLowerCase();
  return path === '' || (!plain.test(key) && makeControl().test(key)) || [...key].length > maxKeyChars
    ? undefined
    : key;
};

/** The name of a folder as a key. */
export const keyOfName = (name: string): string => {
  const whole = name.replace(/\.git$/, '');
  const key = [...(plain.test(whole) ? whole : whole.replace(makeControl(), '-'))]
    .slice(0, maxKeyChars)
    .join('')
    .toLowerCase()
    .trim();
  // A folder that is called so, or by blanks, is a project like any other; only the root of the disk has no name.
  if (key === globalProject) return `./${globalProject}`;
  return key === '' ? (name === '' ? globalProject : './-') : key;
};

type Place = {
  readonly host: string;
  readonly path: string;
  /** False where the host may be a part of a password that holds an `@` and a slash. */
  readonly isSure: boolean;
};

const hostForm = /^([^\s:@%[\]]+)(?::\d+)?$/;

/** `https://user:password@host:port/path`; the user's part ends at the last `@` before the path begins. */
const splitUrl = (address: string): Place | undefined => {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(address)?.[0];
  if (scheme === undefined) return undefined;
  const rest = address.slice(scheme.length);
  const end = rest.search(/[/?#\\]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const host = hostForm.exec(authority.slice(authority.lastIndexOf('@') + 1))?.[1];
  const [, path = '', more = ''] = /^([^?#\\]*)(.*)$/s.exec(rest.slice(authority.length)) ?? [];
  // An `@` behind a question mark may be the one that ends a password.
  if (host === undefined || path === '' || more.includes('@') || more.startsWith('\\')) return undefined;
  return { host, path, isSure: /^[^@:]+\.[^@:]+$/.test(authority) };
};

/** `user@host:path`, as ssh takes it: the host ends at the first colon. */
const splitShort = (address: string): Place | undefined => {
  const at = address.indexOf(':');
  const [before, path] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  const host = /^[^/\s?#\\]*@([^@/\s%?#\\[\]]+)$/.exec(before)?.[1];
  // `helper::address` is for a program of that name.
  if (host === undefined || path === '' || /^(?::|\/\/)/.test(path) || /[?#\\]/.test(path)) return undefined;
  return { host, path, isSure: true };
};

/**
 * An `@` in a path may end a password that holds a slash (`me:1/2@host/path`). It belongs to a name only behind what can
 * be nothing but a host, where it begins the name and no host follows (`/@scope/repo`), or in the last one (`a/repo@v2`).
 */
const mayHold = ({ path, isSure }: Place): boolean =>
  !path.includes('@') ||
  (isSure &&
    path
      .replace(/^\/+/, '')
      .split('/')
      .every(
        (part, i, parts) =>
          !part.includes('@') ||
          /^@[^@:.]+$/.test(part) ||
          (i > 0 && i === parts.length - 1 && /^[^@:]+@[^@:]+$/.test(part)),
      ));
