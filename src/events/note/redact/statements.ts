/** Finds passwords in statements and files that have a place for nothing else. */
import { hasLettersAndDigits, looksLikePassword } from './generated.js';
import { isPlaceholder, isReadable, isThrowAway } from './harmless.js';
import { isEncodedPair } from './headers.js';
import { type Detector, type FoundWords, findAround, findFrom, type SecretKind, type Span } from './span.js';

/** A login of `.netrc`, on one line or several. */
const netrc = (value: string): RegExp =>
  new RegExp(
    String.raw`(?:\bmachine[ \t\n]{1,8}\S{0,199}[^\s;,:][ \t\n]{1,8}|\bdefault[ \t\n]{1,8})login[ \t\n]{1,8}\S{0,199}[^\s;,:][ \t\n]{1,8}password[ \t\n]{1,8}${value}`,
    'gm',
  );

/** The rest of a command, including lines joined by a backslash. */
const restOfCommand = String.raw`(?:[^\n|;]|\\\r?\n){0,400}?`;
/** The value of an `aws` option, unless it names a file to read. */
const optionValue = String.raw`[ \t=]{1,4}(?<quote>["']?)(?!fileb?:|\{)(?<value>[^\s"'\x60|<>\\]{4,4096})\k<quote>`;
/** For places whose value need not be a secret. */
const isMixed = (value: string): boolean => value.length >= 6 && hasLettersAndDigits(value) && !isReadable(value);

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
    marks: ['bindpw', 'rootpw'],
    pattern: /^[ \t]{0,16}(?:root)?(?:bind|root)pw[ \t]{1,8}["']?(?<value>[^\s"']{4,200})["']?[ \t]{0,8}\r?$/gim,
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
      /\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?(?<quote>["']?)(?:[\w.-]{1,40}:(?=[^\n|]{1,200}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd))?(?<value>[^\s"'|]{4,300})\k<quote>[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]+(?:-\w+[ \t]+){0,3}-\w{0,3}S|(?:sudo[ \t]{1,4})?chpasswd|[^\n|]{1,200}--(?:password|with|token|pass)[\w-]{0,10}-?(?:stdin|token)|gpg[^\n|]{1,100}--passphrase-fd|(?:(?:npx|bunx|pnpm)[ \t]{1,4})?(?:wrangler[ \t]{1,4}(?:pages[ \t]{1,4})?secret[ \t]{1,4}put|gh[ \t]{1,4}secret[ \t]{1,4}set|docker[ \t]{1,4}secret[ \t]{1,4}create)\b)/g,
  },
  {
    marks: ['vercel'],
    // Most environment variables are not secrets.
    pattern:
      /\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?(?<quote>["']?)(?<value>[^\s"'|]{4,300})\k<quote>[ \t]{0,4}\|[ \t]{0,4}(?:(?:npx|bunx|pnpm)[ \t]{1,4})?vercel[ \t]{1,4}env[ \t]{1,4}add\b/g,
    isSecret: (value) => isMixed(value) && looksLikePassword(value),
  },
  {
    marks: ['--secret-string'],
    pattern: new RegExp(`--secret-string${optionValue}`, 'g'),
  },
  {
    marks: ['securestring'],
    pattern: new RegExp(
      String.raw`\bput-parameter\b(?=${restOfCommand}SecureString)${restOfCommand}\s--value${optionValue}`,
      'g',
    ),
  },
  {
    marks: ['put-parameter'],
    // Without its type the parameter may be any setting.
    pattern: new RegExp(String.raw`\bput-parameter\b${restOfCommand}\s--value${optionValue}`, 'g'),
    isSecret: (value) => isMixed(value) && looksLikePassword(value),
  },
  {
    marks: ['getconnection('],
    pattern:
      /\bgetConnection\([ \t]{0,4}[^(),\n]{1,200},\s{0,20}"(?<user>[^"\n]{1,100})",\s{0,20}"(?<value>[^"\n]{4,200})"/g,
  },
  {
    // The text that a test of a web page types into a field.
    marks: ['.type(', '.fill(', '.sendkeys(', '.send_keys(', '.setvalue(', '.presssequentially('],
    pattern:
      /(?:passw(?:or)?d|passwort|passphrase|passcode|pwd)[\w-]{0,20}\\?["'`]?\]?\\?["'`]?[ \t]{0,2}(?:,[^()\n]{0,60})?\)\.(?:type|fill|sendKeys|send_keys|setValue|pressSequentially)\([ \t]{0,2}\\?["'`](?<value>[^\s"'`\\{}]{6,200})/gi,
    isSecret: isMixed,
  },
  {
    marks: ['expect'],
    pattern:
      /\bexpect\b[^\n"']{0,30}(?:\n[ \t]{0,16})?["'{][^\n"']{0,40}ass(?:word|phrase|code)[^\n"']{0,20}["'}][^\n{]{0,10}(?:\n[ \t]{0,16}|\{\s{0,20})(?:\w{1,20}\.)?send(?:line)?[ \t(]{1,4}(?:--[ \t]{1,4})?["'](?<value>[^\s"'\\$]{4,200})/gi,
  },
  {
    // A line of /etc/shadow or of .htpasswd: a hashed password can be cracked offline.
    marks: ':$1$ :$2a$ :$2b$ :$2y$ :$5$ :$6$ :$7$ :$y$ :$gy$ :$apr1$ :!$6$ :!$y$'.split(' '),
    pattern:
      /^[ \t>]{0,8}[a-z_][\w.-]{0,31}:!{0,2}\$(?:1|2[aby]|[567]|g?y\$[\w./]{1,16}|apr1)\$(?<value>[\w./$,=+-]{20,200})(?=[:\s]|$)/gim,
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

/** For places that hold nothing but passwords; one that equals the user is a throw-away. */
export const isCommandSecret = (value: string, user: string): boolean =>
  value.length >= 4 &&
  !isPlaceholder(value) &&
  !isThrowAway(value, user) &&
  !/^-|^\/dev\/|^@/.test(value) &&
  !/^\d{1,5}(?::\d{1,5})?$/.test(value);

/** `"auth": "dXNlcjpwYXNz"` in a registry's settings, `_auth=` in npm's. */
const encodedAuth =
  /(?<=(?<![A-Za-z])|_)(?<keep>auth\\*["']?[ \t]{0,4}[:=][ \t]{0,4}\\*["']?)[A-Za-z0-9+/_-]{8,4096}={0,2}/y;
const isDockerAuth = (value: string): SecretKind | undefined => (isEncodedPair(value) ? 'docker-auth' : undefined);

export const statementMarks = statements.flatMap(({ marks }) => marks);

const findStatements = (text: string, seen: FoundWords): readonly Span[] => {
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
