/** Finds passwords on a command line by the program and its option; the programs stand in a table. */
import { type Detector, matchAt, type Span, spanOf } from './span.js';
import { isCommandSecret } from './values.js';

/** A shell word, quoted or not. */
const word = String.raw`(?:\\?"(?<double>[^"\n\\]{1,300})|\\?'(?<single>[^'\n\\]{1,300})|(?<bare>[^\s"'\x60|<>()\\]{1,300}))`;
const pairWord = String.raw`\\?["']?(?<user>[\w.@+-]{1,100})[:%,/](?<value>[^\s"'\x60|<>\\]{1,300})`;
const option = (names: string): RegExp => new RegExp(String.raw`(?<=[\s"'])(?:${names})${word}`, 'g');
const pairOption = (names: string): RegExp => new RegExp(String.raw`(?<=\s)(?:${names})${pairWord}`, 'g');

const blank = String.raw`[ \t]{1,8}`;
const glued = `(?:${blank}|=)`;
/** An option and its value in one word, as in `-psecret`: with a blank between them the program prompts for it. */
const attached = (name: string): RegExp => option(String.raw`${name}(?![ \t])`);

/** `needs` is a word that the command must contain too. */
export type Tool = { readonly values: () => readonly RegExp[]; readonly needs: string };
/** The patterns are compiled when the program is first seen: compiling all sixty would slow down every start. */
const tool = (names: string, makeValues: () => readonly RegExp[], needs = ''): readonly (readonly [string, Tool])[] => {
  let values: readonly RegExp[] | undefined;
  const made: Tool = {
    values: () => {
      values ??= makeValues();
      return values;
    },
    needs,
  };
  return names.split(' ').map((name) => [name, made]);
};

export const tools: ReadonlyMap<string, Tool> = new Map([
  ...tool(
    'mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlsh mycli mariadb mariadb-dump mariadb-admin',
    () => [attached('-p')],
  ),
  ...tool('mongo mongosh mongodump mongorestore mongoexport mongoimport', () => [option(`-p(?:${blank})?`)]),
  ...tool('sshpass', () => [option(`-p(?:${blank})?`)]),
  ...tool(
    'docker podman nerdctl buildah skopeo crane oras helm twine poetry heroku cf oc argocd rancher jfrog jf az vercel nx',
    () => [option(`(?:-p|--password|--creds)${glued}`)],
    'login',
  ),
  ...tool('twine poetry svn argocd pscp plink kinit ipmitool az psexec PsExec wmic', () => [
    option(`(?:-p|-pw|-P|--password|--admin-password)${glued}`),
  ]),
  ...tool('curl wget', () => [
    pairOption(`(?:-u(?:${blank})?|--user${glued}|--proxy-user${glued}|-U(?:${blank})?)`),
    option(`--(?:http-|ftp-)?password${glued}`),
  ]),
  ...tool('http https xh', () => [pairOption(`(?:-a(?:${blank})?|--auth${glued})`)]),
  ...tool('redis-cli valkey-cli', () => [option(`-a${blank}`), option(`--pass${blank}`)]),
  ...tool('sqlcmd bcp osql isql', () => [option(`-P(?:${blank})?`)]),
  ...tool('ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami', () => [option(`-[ws](?:${blank})?`)]),
  ...tool('openssl', () => [option(String.raw`-pass(?:in|out)?[ \t]{1,4}pass:`), option(`-k${blank}`)]),
  ...tool('keytool jarsigner apksigner', () => [
    option(`-{1,2}(?:store|key|ks-|deststore|srcstore|new)-?pass(?:${blank}(?:pass:)?|=)`),
  ]),
  ...tool('zip unzip', () => [option(`-P(?:${blank})?`)]),
  ...tool('7z 7za 7zz rar unrar', () => [attached('-h?p')]),
  ...tool('gpg gpg2', () => [option(`--passphrase${glued}`)]),
  ...tool('htpasswd', () => [
    new RegExp(String.raw`(?<=\s-\w{0,6}b\w{0,6}\s{1,8}(?:\S{1,200}\s{1,8}){1,2})${word}(?=\s*$)`, 'g'),
  ]),
  ...tool('smbclient rpcclient smbmap crackmapexec', () => [
    pairOption(`(?:-U(?:${blank})?|--user${glued})`),
    option(`-p${blank}`),
  ]),
  ...tool('xfreerdp rdesktop', () => [option('/p:'), option(`-p(?:${blank})?`)]),
  ...tool(
    'net',
    () => [
      new RegExp(String.raw`(?<=(?:\buser\s{1,8}\w{1,60}|\/u(?:ser)?:\S{1,60})\s{1,8})(?!\/)${word}`, 'gi'),
      // The password before the user; without a user, only one that can't be a word.
      new RegExp(
        String.raw`(?<=\buse\s{1,8}(?:(?:\w:|\*)\s{1,8})?\\\\\S{1,200}\s{1,8})(?!\/)(?=\S{1,200}\s{1,8}\/u(?:ser)?:|[^\s\d]{0,60}\d\S{0,60}\s{0,8}$)${word}`,
        'gi',
      ),
    ],
    'use',
  ),
  ...tool('wpa_passphrase', () => [new RegExp(String.raw`(?<=^wpa_passphrase\s{1,8}\S{1,60}\s{1,8})${word}`, 'g')]),
  ...tool('gh', () => [option(`(?:--body|-b)${glued}`)], 'secret set'),
  ...tool('lftp', () => [pairOption(`-u(?:${blank})?`)]),
  ...tool(
    'cqlsh cypher-shell clickhouse-client influx snowsql mosquitto_pub mosquitto_sub vsql impala-shell beeline',
    () => [option(String.raw`(?:-p|-P|-w|--?password)(?:${glued})?(?=\S)`)],
  ),
  ...tool('rabbitmqctl', () => [
    new RegExp(String.raw`(?<=\b(?:add_user|change_password)\s{1,8}\S{1,100}\s{1,8})${word}`, 'g'),
  ]),
  ...tool('nmcli', () => [option(`password${blank}`)]),
  ...tool('aws', () => [option(`--secret-string${glued}`)]),
  ...tool('ssh-keygen', () => [option(`-N${blank}`)]),
  ...tool('signtool', () => [option(`/p${blank}`)]),
  ...tool('etcdctl', () => [pairOption(`--user${glued}`)]),
  ...tool('sqlplus sqlldr expdp impdp', () => [/(?<=\s)(?<user>[\w$#]{1,60})\/(?<value>[^\s"'@/]{3,100})(?=@|\s|$)/g]),
  ...tool('wandb', () => [/(?<=\blogin\s{1,4}(?:--?\S{1,100}\s{1,4}){0,3})(?<value>[0-9a-f]{40})(?!\w)/g], 'login'),
  ...tool('vault', () => [new RegExp(String.raw`(?<=\blogin\s{1,8})${word}`, 'g')], 'login'),
]);
const maxCommand = 4000;

/** A quoted text, a redirection, a line continued by a backslash, a blank, or one character of a word. */
const pieceOfCommand =
  /"(?:[^"\\\n]|\\[\s\S]){0,1000}"|'[^'\n]{0,1000}'|\\\r?\n|\\[\s\S]|[<>]&|&>|[^\S\n]{1,200}|[^\s;|&`]/y;
/** Ends the part about the program in a sentence that mentions it; `Z:` is a drive. */
const endInSentence =
  /(?:,|(?<!(?:^|[ \t])[A-Za-z]):)[ \t]+$|[ \t](?:then|and|or|but|before|after|while|needs|uses)[ \t]+$/;

/** Returns where the command ends: at a line end, `;`, `|`, `&` or the quote around it. The rest has other options. */
const commandEnd = (text: string, start: number): number => {
  let at = start;
  while (at < text.length && at - start < maxCommand) {
    const piece = matchAt(pieceOfCommand, text, at)?.[0];
    if (piece === undefined) break;
    at += piece.length;
    if (isBlank(piece) && endInSentence.test(text.slice(Math.max(start, at - 20), at))) break;
  }
  return Math.min(at, start + maxCommand);
};
const isBlank = (piece: string): boolean => piece.startsWith(' ') || piece.startsWith('\t');

/** Compiled on first use: most processes redact nothing. */
let anyTool: RegExp | undefined;

export const findInCommands: Detector = (text) => {
  anyTool ??= new RegExp(String.raw`(?<![\w.-])(?:${[...tools.keys()].join('|')})(?=\s)`, 'g');
  const found: Span[] = [];
  /** Each tool is searched once per command. */
  const doneUntil = new Map<Tool, number>();
  let end = -1;
  for (const { index: at, 0: word } of text.matchAll(anyTool)) {
    const tool = tools.get(word);
    if (tool === undefined || (doneUntil.get(tool) ?? 0) > at) continue;
    if (end <= at) end = commandEnd(text, at);
    doneUntil.set(tool, end);
    const command = text.slice(at, end);
    if (command.includes(tool.needs)) findOptions(tool, command, at, found);
  }
  for (const { index, groups: { value = '' } = {}, 0: piped } of text.matchAll(pipedIn))
    if (isCommandSecret(value, '')) found.push(spanOf('command-password', index + piped.indexOf(value), value));
  return found;
};

/** `echo VALUE | docker login --password-stdin`, `echo "user:VALUE" | sudo chpasswd`. */
const pipedIn =
  /\b(?:echo|printf)[ \t]{1,4}(?:-[ne]{1,2}[ \t]{1,4})?["']?(?:[\w.-]{1,60}:)?(?<value>[^\s"'|]{4,200})["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-S\b|(?:sudo[ \t]{1,4})?chpasswd\b|[^|\n]{1,120}(?:--password-stdin|--data-file=-|--stdin)(?![\w-]))/g;

const findOptions = (tool: Tool, command: string, offset: number, found: Span[]): void => {
  const user = /(?:-u|--user(?:name)?|-U)[ =]?["']?([\w.@-]{1,60})/.exec(command)?.[1] ?? '';
  for (const pattern of tool.values()) {
    for (const part of command.matchAll(pattern)) {
      const { double, single, bare, value = double ?? single ?? bare ?? '', user: pairUser } = part.groups ?? {};
      const at = offset + part.index + part[0].lastIndexOf(value);
      if (isCommandSecret(value, pairUser ?? user)) found.push(spanOf('command-password', at, value));
    }
  }
};
