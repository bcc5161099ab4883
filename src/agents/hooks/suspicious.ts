/** A quick check whether a text could hold a secret: a superset of masking, which is loaded only then. Pure. */

/** True for every text that masking would change, and for many that it would not. */
export const isSuspicious = (text: string): boolean =>
  !plainId.test(text) && (longOrSigned.test(text) || marked.test(text) || (random.test(text) && named.test(text)));

const plainId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Most tokens have 16 word characters in a row, most settings a sign. Control characters may hide a secret. */
const longOrSigned = /[\w+-]{16}|[=@:"'`]|%3d|[^\x20-\x7e]/i;

/** Signs that a secret follows: an option, a program that takes a password without one, a token's beginning. */
const marked = new RegExp(
  String.raw`\s-{1,2}[a-z]|\s\/p|\b(?:net|wpa_passphrase|rabbitmqctl|sqlplus|sqlldr|expdp|impdp|vault|requirepass|masterauth|chpasswd)\s|` +
    String.raw`login\s|basic|bearer|PRIVATE|\b[sr]k_|whsec_|glc_|xox|bedrock|fm[12]|FlyV1|sntrys|ABSK|Q~|eyj`,
  'i',
);

/** A password has a digit, or letters in a combination that no word has. */
const random = /\d|[a-z][A-Z]|[A-Z]{2}[a-z]|[B-DF-HJ-NP-TV-Z][b-df-hj-np-tv-z]{4}/;

/** Names that appear beside passwords, parts of such names, and parts of addresses that are secrets themselves. */
const named = new RegExp(
  'pass|pwd|pw|psk|kennwort|wachtwoord|senha|contrase|identified|secret|token|cred|jwt|key|auth|signature|hmac|pat|pin|session|cookie|' +
    'sid|dsn|sas|salt|wi-?fi|log[ -]?in|logg|sign|acc|user(?!s)|hook|ifttt|hc-ping',
  'i',
);
