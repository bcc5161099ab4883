/** Project keys, and how to derive one from a remote's address or a folder name. Pure. */

/** The key of notes that belong to every project. */
export const globalProject = 'global';

/** The same limit as for the field in a note. */
const maxKeyChars = 200;
/** A longer address names no project. */
const maxAddressChars = 2048;

/** Unicode patterns are built only when needed: they cost half a millisecond at start-up, and most names are ASCII. */
const plain = /^[\x20-\x7e]*$/;
const makeControl = (): RegExp => /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
const makeKeyForm = (): RegExp => /^[\p{L}\p{N}._~@][\p{L}\p{M}\p{N} ._~@+:/-]*$/u;

/** Returns why an untrusted text may not name a project, as a phrase; undefined when it may. */
export const whyNoKey = (text: string): string | undefined => {
  if (text === '') return 'it is empty';
  if ([...text].length > maxKeyChars) return `it names a key of more than ${maxKeyChars} characters`;
  if (!makeKeyForm().test(text) || text.endsWith(' ')) return 'its content is not a project key';
  if (text.split('/').some((part) => part === '.' || part === '..')) return 'its content is not a project key';
  return text.toLowerCase() === globalProject ? `it names ${globalProject}, which is every project` : undefined;
};

/**
 * `github.com/owner/repo` for any spelling of a remote; undefined for no address. The host is the one that git would
 * contact: a server must not name another's project. User names and passwords never get into the key: if in doubt,
 * none.
 */
export const keyOfRemote = (address: string): string | undefined => {
  if (address.length > maxAddressChars || /^file:/i.test(address)) return undefined;
  const found = splitUrl(address) ?? splitShort(address);
  if (found === undefined || !isFreeOfPassword(found)) return undefined;
  const path = found.path
    .replace(/^[/~]+/, '')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/i, '');
  const key = `${found.host}/${path}`.toLowerCase();
  return path === '' || (!plain.test(key) && makeControl().test(key)) || [...key].length > maxKeyChars
    ? undefined
    : key;
};

export const keyOfName = (name: string): string => {
  const whole = name.replace(/\.git$/, '');
  const key = [...(plain.test(whole) ? whole : whole.replace(makeControl(), '-'))]
    .slice(0, maxKeyChars)
    .join('')
    .toLowerCase()
    .trim();
  // A folder named `global`, or only of blanks, is a project like any other; only the root of the disk has no name.
  if (key === globalProject) return `./${globalProject}`;
  return key === '' ? (name === '' ? globalProject : './-') : key;
};

type Place = {
  readonly host: string;
  readonly path: string;
  /** False when the host may be part of a password that contains an `@` and a slash. */
  readonly isSure: boolean;
};

const hostForm = /^([^\s:@%[\]]+)(?::\d+)?$/;

/** Splits `https://user:password@host:port/path`; the user info ends at the last `@` before the path. */
const splitUrl = (address: string): Place | undefined => {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(address)?.[0];
  if (scheme === undefined) return undefined;
  const rest = address.slice(scheme.length);
  const end = rest.search(/[/?#\\]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const host = hostForm.exec(authority.slice(authority.lastIndexOf('@') + 1))?.[1];
  const [, path = '', more = ''] = /^([^?#\\]*)(.*)$/s.exec(rest.slice(authority.length)) ?? [];
  // An `@` after a question mark may be the one that ends a password.
  if (host === undefined || path === '' || more.includes('@') || more.startsWith('\\')) return undefined;
  return { host, path, isSure: /^[^@:]+\.[^@:]+$/.test(authority) };
};

/** Splits `user@host:path`, the ssh form: the host ends at the first colon. */
const splitShort = (address: string): Place | undefined => {
  const at = address.indexOf(':');
  const [before, path] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  const host = /^[^/\s?#\\]*@([^@/\s%?#\\[\]]+)$/.exec(before)?.[1];
  // `helper::address` is for a remote helper of that name.
  if (host === undefined || path === '' || /^(?::|\/\/)/.test(path) || /[?#\\]/.test(path)) return undefined;
  return { host, path, isSure: true };
};

/** Free: a sure host, and `/@scope/repo` or `a/repo@v2`. Any other `@` may end a password (`me:1/2@host/path`). */
const isFreeOfPassword = ({ path, isSure }: Place): boolean =>
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
