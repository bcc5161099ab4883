/** Passwords in statements and files that put them at a place that holds nothing else. */
import { looksLikePassword } from './generated.js';
import { isPlaceholder, isThrowAway } from './harmless.js';
import { isEncodedPair } from './headers.js';
import { type Detector, findAround, findFrom, type SecretKind, type Sightings, type Span } from './span.js';

/** A login of `.netrc`, in one line or in several. */
const netrc = (value: string): RegExp =>
  new RegExp(
    String.raw`(?:\bmachine[ \t\n]{1,8}\S{0,199}[^\s;,:][ \t\n]{1,8}|\bdefault[ \t\n]{1,8})login[ \t\n]{1,8}\S{0,199}[^\s;,:][ \t\n]{1,8}password[ \t\n]{1,8}${value}`,
    'gm',
  );

type Statement = {
  readonly marks: readonly string[];
  readonly pattern: RegExp;
  readonly isSecret?: (value: string) => boolean;
};
const statements: readonly Statement[] = [
  {
    marks: ['identified', 'password'],
    pattern:
      /(?:\b(?:identified|mysql_native_password|caching_sha2_password)[ \t]{1,8}(?:with[ \t]{1,8}\w{1,40}[ \t]{1,8})?by[ \t]{1,8}(?:password[ \t]{1,8})?|\b(?:with|encrypted)[ \t]{1,8}password[ \t]{0,8}=?[ \t]{0,8}N?|\bset[ \t]{1,8}password\b[^\n=;]{0,80}=[ \t]{0,8}(?:password\()?|\bpassword[ \t]{1,8}N?)(?<quote>['"])(?<value>[^'"\n]{4,200})\k<quote>/gi,
  },
  {
    marks: ['requirepass', 'masterauth'],
    pattern: /(?<=^[ \t]*(?:requirepass|masterauth)[ \t]{1,8})["']?(?<value>[^\s"']{4,200})/gm,
  },
  {
    marks: ['login'],
    pattern: netrc(
      String.raw`(?<value>[^\s"'\x60]{3,300})(?=["'\x60]|\\n|[ \t]*(?:\r?$|[>|#]|(?:machine|account|macdef|default)\b))`,
    ),
  },
  {
    marks: ['login'],
    pattern: netrc(String.raw`(?<value>\S{3,300})`),
    // A sentence may have these words in this order.
    isSecret: looksLikePassword,
  },
  {
    marks: ['echo', 'printf'],
    pattern:
      /\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?(?<quote>["']?)(?:[\w.-]{1,40}:(?=[^\n|]{1,200}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd))?(?<value>[^\s"'|]{4,300})\k<quote>[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]+(?:-\w+[ \t]+){0,3}-\w{0,3}S|(?:sudo[ \t]{1,4})?chpasswd|[^\n|]{1,200}--(?:password|with|token|pass)[\w-]{0,10}-?(?:stdin|token)|gpg[^\n|]{1,100}--passphrase-fd)/g,
  },
  { marks: ['add-mask'], pattern: /::add-mask::(?<value>\S{4,300})/g },
  {
    marks: ['@tcp(', '@unix(', '@udp('],
    pattern: /(?<![\w.-])(?<user>[\w.-]{1,60}):(?<value>[^\s:@"'`/]{4,100})@(?:tcp|unix|udp)\(/g,
  },
  {
    marks: ['sudo'],
    pattern: /\bsudo[ \t]+(?:-\w+[ \t]+){0,2}-\w{0,2}S[^\n]{0,100}<<<[ \t]*["']?(?<value>[^\s"']{4,200})/g,
  },
  {
    marks: ['convertto-securestring'],
    pattern: /ConvertTo-SecureString[ \t]+(?:-String[ \t]+)?["'](?<value>[^"'\n]{4,200})["']/gi,
  },
  {
    marks: ['auth=(', 'auth = (', 'auth(', 'networkcredential('],
    pattern:
      /(?:\bauth[ \t]{0,2}=[ \t]{0,2}\(|\b(?:set)?basic_?auth\(|\bHTTPBasicAuth\(|NetworkCredential\()[ \t]{0,4}["'](?<user>[^"'\n]{1,100})["'][ \t]{0,4},[ \t]{0,4}["'](?<value>[^"'\n]{4,200})["']/gi,
  },
];

/** For a place that holds nothing but passwords: the user tells a throw-away one. */
export const isCommandSecret = (value: string, user: string): boolean =>
  value.length >= 4 &&
  !isPlaceholder(value) &&
  !isThrowAway(value, user) &&
  !/^-|^\/dev\/|^@/.test(value) &&
  !/^\d{1,5}(?::\d{1,5})?$/.test(value);

/** `"auth": "dXNlcjpwYXNz"` of a registry's settings, `_auth=` of npm. */
const encodedAuth =
  /(?<=(?<![A-Za-z])|_)(?<keep>auth\\*["']?[ \t]{0,4}[:=][ \t]{0,4}\\*["']?)[A-Za-z0-9+/_-]{8,4096}={0,2}/y;
const isDockerAuth = (value: string): SecretKind | undefined => (isEncodedPair(value) ? 'docker-auth' : undefined);

export const statementMarks = statements.flatMap(({ marks }) => marks);

const findStatements = (text: string, seen: Sightings): readonly Span[] => {
  if (seen.statements.length === 0) return [];
  const words = new Set(seen.statements.map(({ word }) => word));
  const mentioned = statements.filter(({ marks }) => marks.some((mark) => words.has(mark)));
  return mentioned.flatMap(({ marks, pattern, isSecret = () => true }) =>
    findAround(
      text,
      seen.statements.filter(({ word }) => marks.includes(word)),
      pattern,
      (value, { groups }) =>
        isSecret(value) && isCommandSecret(value, groups?.['user'] ?? '') ? 'command-password' : undefined,
    ),
  );
};

export const findInStatements: Detector = (text, seen) => [
  ...findStatements(text, seen),
  ...findFrom(text, seen.auths, encodedAuth, isDockerAuth),
];
