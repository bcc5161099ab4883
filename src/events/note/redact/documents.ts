/** Finds secrets by the form of a document: manifests, connection strings, the value beside an id. */
import { hasLettersAndDigits, isRandom, looksGenerated } from './generated.js';
import { isPlaceholder, isReadable, isThrowAway } from './harmless.js';
import { findInManifests } from './manifests.js';
import { type Detector, findAll, findAround, markerStart, type Span } from './span.js';

/** `Server=db;User Id=sa;Password=...;`, `host=db password=...`, `jdbc:oracle:thin:user/...@host`. */
const settingInString =
  /(?<keep>(?:^|[;?&"' ]|amp;)(?:password|pwd|passwd|accountkey|sharedaccesskey|accesskey|sharedsecret)[ \t]{0,2}=[ \t]{0,2}["'{]?)(?<value>[^\s;&"'}|<>\\]{4,400})/gi;
const connectionHint =
  /\b(?:server|data source|host|hostname|user(?: ?id|name)?|uid|endpoint(?:s?protocol)?|accountname|driver|jdbc:\w+|database|dbname)[ \t]{0,2}[=:]/i;
const oracle = /(?<keep>jdbc:oracle:\w+:(?<user>[\w$#]{1,60})\/)(?<value>[^@\s"']{3,100})(?=@)/g;
/** host:port:database:user:password */
const passwordFile =
  /^(?<keep>[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,60}:(?<user>[\w*.-]{1,60}):)(?<value>[^\s:]{4,100})$/gm;

export const settingNames = 'password pwd passwd accountkey accesskey sharedsecret'.split(' ');
const mayBePasswordFile = /:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w.*-]{1,60}:/;

const findConnections: Detector = (text, seen) => [
  ...(seen.settings.length > 0
    ? findAround(text, seen.settings, settingInString, (value, match) => {
        if (!isStringSecret(value, match[0])) return undefined;
        const line = match.input.slice(Math.max(0, match.index - 400), match.index + 400);
        return connectionHint.test(line) ? 'secret-value' : undefined;
      })
    : []),
  ...(text.includes('jdbc:oracle')
    ? findAll(text, oracle, (value, match) =>
        isThrowAway(value, match.groups?.['user']) || isPlaceholder(value) ? undefined : 'url-credentials',
      )
    : []),
  ...(mayBePasswordFile.test(text)
    ? findAll(text, passwordFile, (value, match) =>
        hasLettersAndDigits(value) &&
        value.length >= 6 &&
        !isThrowAway(value, match.groups?.['user']) &&
        !isReadable(value)
          ? 'url-credentials'
          : undefined,
      )
    : []),
];
/** ODBC puts a password with special characters in braces; other programs put a name there. */
const nameInBraces = /\{(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|\w+:.*)$/;
const isStringSecret = (value: string, setting: string): boolean =>
  !nameInBraces.test(setting) &&
  !isPlaceholder(value) &&
  !isThrowAway(value) &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  !/[()[\]]/.test(value) &&
  value.length >= 6;

/** A text shaped like an AWS secret key counts up to 300 characters before an access key id and 400 after its start. */
const awsId = /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])|\[REDACTED:aws-access-key\]/g;
const fortyCharacters = /(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
/** The ending of the examples in AWS's documentation. */
const awsExample = /EXAMPLE(?:KEY)?$/;
const isAwsSecret = (value: string): boolean =>
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  (/\d/.test(value) ? looksGenerated(value) : isRandom(value, 40)) &&
  !awsExample.test(value);

const findBesideAwsId = (text: string): readonly Span[] => {
  const found: Span[] = [];
  const search = (start: number, end: number): void => {
    for (const span of findAll(text.slice(start, end), fortyCharacters, (value) =>
      isAwsSecret(value) ? 'aws-secret-key' : undefined,
    ))
      found.push({ ...span, start: span.start + start, end: span.end + start });
  };
  let start = -1;
  let end = -1;
  for (const { index } of text.matchAll(awsId)) {
    // Overlapping windows are searched as one.
    if (start >= 0 && index - 300 > end) search(start, end);
    if (start < 0 || index - 300 > end) start = Math.max(0, index - 300);
    end = index + 400;
  }
  if (start >= 0) search(start, end);
  return found;
};

const awsSecretName = '(?:secret[_ .-]?access[_ .-]?key|aws[_ .-]?secret(?:[_ .-]?key)?)';
const awsSecretGap = String.raw`(?:\\?["'\x60*_\]]){0,4}[ \t]{0,4}(?:=>|:=|[=:,])?(?:[ \t*]{0,8}|[ \t]{0,4}\r?\n[ \t*>-]{0,8})(?:\\?["'\x60])?`;
const namedAwsSecret = new RegExp(
  String.raw`(?<!\[REDACTED:)(?<keep>${awsSecretName}${awsSecretGap})` +
    '(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])',
  'gi',
);
const findNamedAwsSecrets: Detector = (text, seen) =>
  findAround(text, seen.awsNames, namedAwsSecret, (secret) =>
    isRandom(secret, 40) && !awsExample.test(secret) ? 'aws-secret-key' : undefined,
  );

/** A Twilio account and, within 200 characters, 32 hexadecimal digits. */
const twilioSecret =
  /(?<keep>(?<![A-Za-z0-9])AC[0-9a-f]{32}[^A-Za-z0-9].{0,200}?(?<![A-Za-z0-9]))[0-9a-f]{32}(?![A-Za-z0-9])/gs;

/** The key file that Kaggle issues. */
const kaggleKey =
  /(?<keep>\\?"username\\?"\s{0,8}:\s{0,8}\\?"[^"\\\n]{1,100}\\?"\s{0,8},\s{0,8}\\?"key\\?"\s{0,8}:\s{0,8}\\?")[0-9a-f]{32}(?=\\?")/g;

/** Words that a match of `namedAwsSecret` can begin with. */
export const awsSecretNames = ['', '_', ' ', '-', '.'].flatMap((sign) => [`secret${sign}access`, `aws${sign}secret`]);

export const findInDocuments: Detector = (text, seen) => [
  ...(text.includes('Secret') && text.includes('kind') ? findInManifests(text) : []),
  ...findConnections(text, seen),
  ...(seen.prefixes.some(({ word }) => word === 'AKIA' || word === 'ASIA') || text.includes(`${markerStart}aws`)
    ? findBesideAwsId(text)
    : []),
  ...findNamedAwsSecrets(text, seen),
  ...(text.includes('"username') && text.includes('"key')
    ? findAll(text, kaggleKey, (value) => (isRandom(value, 32) ? 'api-key' : undefined))
    : []),
  ...(/AC[0-9a-f]{32}/.test(text)
    ? findAll(text, twilioSecret, (value) => (isRandom(value, 32) ? 'api-key' : undefined))
    : []),
];
