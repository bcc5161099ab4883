/** Finds commands that let someone in, let a program out of its box, or change what others run. Pure, linear. */

import { sendsSecrets } from './sent-secrets.js';
import { shellLinesOf } from './shell-lines.js';
import { publicIndexes } from './untrusted-installs.js';

/**
 * True if a line gives a container access to the machine, writes a file that a shell or a login reads, makes git or a
 * package manager run or fetch something else from then on, or sends a file of secrets somewhere. Expects plain
 * letters.
 */
export const exposesMachine = (text: string): boolean => {
  const printed = withPrintedBreaks(text);
  return (
    shellLinesOf(text, hint).some(
      (line) =>
        [registry, registryVariable, registryLine].some((form) => form.test(line)) ||
        givesMachine(line) ||
        writesStartFile(line) ||
        changesGit(line) ||
        sendsSecrets(line),
    ) ||
    (printed !== text && shellLinesOf(printed, hint).some(writesStartFile))
  );
};

const hint =
  /docker|podman|nerdctl|authorized_keys|\.(?:bash|z(?:sh|prof|log)|ksh|prof)|config|registry|_index|goproxy|sshcommand|fsmonitor|hookspath|helper|\/etc\/|curl|wget|scp|rsync|sftp|ssh|\bnc\b|ncat|netcat|socat|\bhttps?\b|\bgist\b|\/dev\/(?:tc|ud)p|s3 /i;

const home = String.raw`(?:~|\$\{?HOME\}?|\/root|\/(?:home|Users)\/[\w.-]{1,40})["']?`;
/** Read-only access is enough for keys, and for the daemon's socket, which obeys whoever reaches it. */
const keys = String.raw`${home}\/\.(?:ssh|aws|gnupg|kube)\b`;
const socket = String.raw`\/?(?:\/var)?\/run\/(?:docker|podman\/podman|containerd\/containerd|crio\/crio)\.sock\b`;
/** The root, a folder of the system, a home or the folder above it, with any number of slashes and dots. */
const wholeFolder = String.raw`(?:\/[./]{0,8}(?:(?:etc|root|home|boot)\b[./]{0,4})?|${home}[./]{0,6})["']?`;
const anyOptions = String.raw`(?: -{1,2}\w[\w-]{0,30}(?:[ =][^\s|;&]{1,100})?){0,6}`;
const container = new RegExp(
  String.raw`(?<![\w.-])(?:docker|podman|nerdctl)${anyOptions}(?:[ -]compose${anyOptions})?(?: container)? (?:run|create)\b(?<given>[^|;&\n]{0,600})`,
  'gi',
);
/** Full rights on the machine, a disk or folder of the system, or a person's keys. */
const grant = new RegExp(
  String.raw` (?:--privileged(?!=false)|--pid[ =]host\b|--cap-add[ =]["']?(?:ALL|(?:CAP_)?SYS_(?:ADMIN|MODULE))\b|` +
    String.raw`(?:-[ditPq]{0,4}v|--volume)[ =]?["']?(?:${wholeFolder}:\/[^\s"']{0,80}|${keys}|${socket})|` +
    String.raw`--mount[ =]["']?[^\s]{0,80}(?:source|src)=["']?(?:${wholeFolder}(?![\w./~$*"'-])|${keys}|${socket}))`,
  'gi',
);
/** Exempts images of Amazon's own program, which needs its keys, and of monitors, which read the machine's files. */
const givesMachine = (line: string): boolean =>
  [...line.matchAll(container)].some(({ groups }) => {
    const given = groups?.['given'] ?? '';
    const image = imageOf(given);
    return [...given.matchAll(grant)].some(
      ([found]) =>
        !(/\/\.aws$/i.test(found) && amazon.test(image)) && !(/:ro\b[\w,]{0,20}$/i.test(found) && monitor.test(image)),
    );
  });
const tag = String.raw`(?::[\w.-]{1,60})?(?:@sha256:[0-9a-f]{64})?$`;
const amazon = new RegExp(String.raw`^(?:docker\.io\/)?amazon\/aws-cli${tag}`, 'i');
const monitor = new RegExp(
  String.raw`^(?:docker\.io\/)?(?:(?:gcr\.io\/|ghcr\.io\/google\/)?(?:cadvisor|google)\/cadvisor|(?:quay\.io\/prometheus|prom)\/node-exporter|grafana\/[\w-]{1,40}|(?:gcr\.io\/datadoghq|public\.ecr\.aws\/datadog|datadog)\/agent|newrelic\/infrastructure|netdata\/netdata)${tag}`,
  'i',
);
/** Returns the first word that is neither an option nor the value of one; '' after an option that may have a value. */
const imageOf = (given: string): string => {
  let isValue = false;
  for (const [word] of given.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)) {
    if (isValue) isValue = false;
    else if (!word.startsWith('-')) return word.replace(/[\x60"').,]{1,3}$/, '');
    else if (valuedOption.test(word)) isValue = true;
    else if (!word.includes('=') && !unvalued.test(word)) return '';
  }
  return '';
};
const valuedOption =
  /^(?:-[itdPq]{0,4}[veuwphlmac]|--(?:volume|mount|env|env-file|user|workdir|publish|name|network|net|hostname|label|memory|cpus|entrypoint|platform|pull|restart|device|pid|cap-add|security-opt))$/;
const unvalued =
  /^(?:-[itdPq]{1,4}|-[itdPq]{0,4}v\S{1,300}|--(?:rm|init|tty|interactive|detach|read-only|privileged|publish-all))$/;

/** Sets the source of all packages from then on. The packages of one scope may have their own. */
const registry = new RegExp(
  String.raw`(?<![\w/.-])(?:(?:npm|pnpm|yarn)(?: config)? set (?:-{1,2}[\w=-]{1,30} ){0,3}["']?(?:registry|npmRegistryServer)|(?:pip[\d.]{0,4}|python[\d.]{0,5} -m pip) config (?:-{1,2}[\w-]{1,20} ){0,3}set (?:-{1,2}[\w-]{1,20} ){0,3}["']?[\w-]{1,30}\.(?:extra-)?index-url)["']?[ =]["']?(?!${publicIndexes})(?:https?:|\$)`,
  'i',
);
const registryVariable = new RegExp(
  String.raw`(?<![\w$])(?:npm_config_registry|(?:pip|uv)_(?:(?:extra|default)_)?index(?:_url)?|yarn(?:_npm)?_registry(?:_server)?|goproxy)=["']?(?!${publicIndexes})https?:`,
  'i',
);
const registryLine = new RegExp(
  String.raw`(?:^|[\s"'])(?:registry|(?:extra-)?index-url) ?= ?(?!${publicIndexes})https?:[^|;&\n]{1,200}(?:>|\btee\b)[^|;&\n]{0,60}(?:npmrc|yarnrc|pip\.conf)\b`,
  'i',
);

const shellFile = String.raw`\.(?:(?:ba|z|k)shrc|profile|(?:bash_|z)profile|bash_(?:login|aliases)|zshenv|zlogin)\b`;
const startFile = String.raw`["']?(?:[\w.$~{}-]{0,60}\/){0,6}(?:${shellFile}|\.ssh\/authorized_keys2?\b|(?<=\/)authorized_keys\b)|["']?\/etc\/(?:profile|bash\.bashrc|zsh|sudoers|cron|ld\.so\.preload|pam\.d)`;
const written = new RegExp(String.raw`(?:(?<![=-])> ?|\btee (?:-{1,2}\w{1,8} )?)(?:${startFile})`, 'gi');
const fetchedInto = new RegExp(
  String.raw`(?<![\w-])(?:curl|wget2?|aria2c|scp|rsync)\b[^|;&\n]{0,300}? (?:-\w{0,8}o ?|-O ?|--output(?:-document)?[ =]|[\w.-]{1,60}:\S{1,120} )(?:${startFile})`,
  'i',
);

const letsIn =
  /(?<![\w./-])(?:cp|mv|ln|install)(?: [^\s|;&]{1,100}){1,6} ["']?[\w.$~{}/-]{0,80}\.ssh\/authorized_keys2?(?![\w./-])["'\x60]?(?! [\w./~-])/i;

/** `cp x ~/.bashrc`. Before a folder, the file is the one that is copied. */
const replacesFile = new RegExp(
  String.raw`(?<![\w./-])(?:cp|mv|ln|install)(?: -{1,2}\w[\w-]{0,20}(?:[ =]\d{3,4})?){0,5} (?<source>"[^"]{1,120}"|'[^']{1,120}'|(?!-|(?:the|my|your|our|an?|to|into|from|and|or) )[^\s|;&"']{1,120}(?<![,:])) ["']?${home}\/${shellFile}(?![\w/~-]|\.\w|["'\x60]? (?:[\w.~$-]{0,60}\/|(?:backup|bak|old|dotfiles)\b))`,
  'gi',
);
/** The person's own dotfiles, the defaults of the system, or a backup of the file. */
const ownSource = new RegExp(
  String.raw`^["']?(?:(?:${home}\/|\.\/)?(?:[\w.-]{1,40}\/){0,3}\.?dotfiles\/[\w./-]{1,80}|\$\{?DOT\w{0,20}\}?["']?\/[\w./-]{1,80}|\/etc\/skel\/[\w.-]{1,40}|${home}\/${shellFile}[.~_-](?:bak|backup|old|orig|save)[\w.-]{0,20})["']?$`,
  'i',
);
const replacesStartFile = (line: string): boolean =>
  [...line.matchAll(replacesFile)].some(({ groups }) => {
    const source = groups?.['source'] ?? '';
    return source.includes('/..') || !ownSource.test(source);
  });

/** Someone's key is let into this machine; a person may copy their own key to another one. */
const letsInHere =
  /(?<![\w./-])ssh-copy-id\b[^|;&\n]{0,80} -i\b[^|;&\n]{0,80}[@ ](?:localhost|127\.0\.0\.1)(?![\w.-])/i;

const writesStartFile = (line: string): boolean =>
  fetchedInto.test(line) ||
  letsIn.test(line) ||
  letsInHere.test(line) ||
  replacesStartFile(line) ||
  [...line.matchAll(written)].some(({ 0: found, index }) => {
    const before = line.slice(Math.max(0, index - longestSetting), index);
    return /authorized_keys/i.test(found) || before.includes('/..') || !harmless.test(before);
  });

const longestSetting = 300;

/** A line that `printf` or `echo` writes after a value is not part of that value: it is read as the next command. */
const withPrintedBreaks = (text: string): string => text.replace(lastBreaks, '').replace(printedSign, ' ; ');
const lastBreaks = /(?<!\\)(?:\\{1,2}[nr]){1,9}(?=["'] {0,3}[>|])/g;
/** Every character may also be written as a number. */
const printedSign = /\\{1,2}(?:[nrvf]|[0-7]{1,4}|x[\da-f]{1,2}|u[\da-f]{1,8})/gi;
const temporary = String.raw`\/(?:var\/)?tmp\b|\/dev\/shm\b`;
/** A program by its name, or in a folder where programs are installed. */
const installed = String.raw`(?:(?:~|\$\{?HOME\}?|\/(?:usr|opt|home|snap|nix))\/[\w./-]{1,60}\/)?[\w-][\w.-]{0,40}`;
/**
 * An entry of PATH, a value without a command from which neither a loader nor git reads code, or the line that a tool
 * gives to set up a shell.
 */
const harmless = new RegExp(
  String.raw`(?:\b(?:echo|printf)(?: -\w)? ?["']?(?:\[\[ ?-d [^\]]{1,80}\]\] ?&& ?)?(?:export )?(?:PATH=["']?(?:(?:\$\{?\w{1,40}\}?|~|\/(?:usr|opt|snap|Library)\b)[\w$\{}~./-]{0,100}:?){1,6}|` +
    String.raw`(?:(?!(?:LD|DYLD|GIT)_)\w{1,40}_(?:HOME|ROOT|DIR|PATH)|GOPATH|LANG|LC_\w{1,12}|TERM|TZ)=(?!["']?(?:${temporary}))(?:[^$\x60|;&()\s]|\$\{?\w){0,100}|` +
    String.raw`(?:EDITOR|VISUAL|PAGER)=["']?${installed}(?: --?[\w-]{1,20}){0,3}|` +
    String.raw`eval ["']?\$\(${installed} (?:[\w-]{0,20}init|hook|env|shellenv|activate)\b[\w ./-]{0,60}\)|source (?:<\([\w.-]{1,40} completion \w{1,12}\)|\/etc\/[\w./-]{1,60}))|(?:^|[\x60;&] ?)[\w.-]{1,40} completion(?: \w{1,12})?)["' ]{0,3}(?:>|\| ?)?$`,
  'i',
);

/** True for `git config core.sshCommand …`, `git -c core.fsmonitor=… status`: programs that git runs on its own. */
const changesGit = (line: string): boolean =>
  [...line.matchAll(gitSetting)].some(({ groups }) => {
    const { options = '', key = '', open = '', close = '', value: behind = '' } = groups ?? {};
    if (readingGit.test(options.replace(valuedGitOption, ''))) return false;
    const { value, isQuoted } = readValue(behind, close === '' ? open : '', groups?.['inCall'] !== undefined);
    // In quotes, all of it is the value; without them, a sentence may continue after it.
    const is = ({ quoted, bare }: ValueForm): boolean => (isQuoted ? quoted : bare).test(value);
    const isSentence = !isQuoted && sentence.test(value);
    switch (key.toLowerCase().split('.').at(-1)) {
      case 'sshcommand':
        return runsAnother(value) && !is(plainSsh) && !isSentence;
      case 'fsmonitor':
        return runsAnother(value) && !is(truth) && !isSentence;
      case 'hookspath':
        if (!/^[\w$~/.]/.test(value) || isSentence || is(nothing)) return false;
        return /--(?:global|system)\b/.test(options) || !is(ownHooks);
      default:
        return foreignHelper.test(value) && !is(ownHelper);
    }
  }) ||
  [...line.matchAll(gitVariable)].some(({ groups }) => {
    const { value, isQuoted } = readValue(groups?.['value'] ?? '', '', true);
    return runsAnother(value) && !(isQuoted ? plainSsh.quoted : plainSsh.bare).test(value);
  });
const runsAnother = (value: string): boolean => /^[\w$~/.!(]/.test(value);
/**
 * Returns a setting's value without its quotes; a quote that was opened before the key also ends it. Without quotes, it
 * is one word within a call of git.
 */
const readValue = (
  behind: string,
  open: string,
  isWord: boolean,
): { readonly value: string; readonly isQuoted: boolean } => {
  const text = behind.trimStart().replace(/^(?:to|as|=) ?/i, '');
  const quote = open === '' ? (/^["']/.exec(text)?.[0] ?? '') : open;
  if (quote === '') return { value: isWord ? (text.split(' ', 1)[0] ?? '') : text, isQuoted: false };
  const inner = open === '' ? text.slice(1) : text;
  return { value: (inner.split(quote, 1)[0] ?? '').trim(), isQuoted: true };
};
const word = String.raw`(?:"[^"]{0,80}"|'[^']{0,80}'|[^\s"']){1,100}`;
const valuedByConfig = '(?:-f|--(?:file|blob|type|default|comment|value))';
const gitSetting = new RegExp(
  String.raw`(?:(?<![\w-])(?<inCall>(?:-c|--config)[ =]?)(?=["']?[\w.:/*-]{1,120}["']?=)|` +
    String.raw`(?<![\w.-])git(?: (?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path)) ${word}| -{1,2}\w[\w-]{0,40}(?:=${word})?){0,8} config` +
    String.raw`(?<options>(?: ${valuedByConfig} ${word}| -{1,2}\w[\w-]{0,40}(?:=${word})?| (?:set|get|unset)){0,6}) )` +
    String.raw`(?<open>["']?)(?<key>core\.(?:sshcommand|fsmonitor|hookspath)|credential\.(?:[\w:/.*-]{1,80}\.)?helper)(?<close>["']?)(?=(?<value>[ =][^\n]{0,200})?)`,
  'gi',
);
const readingGit = / (?:--(?:get|unset|list|show)[\w-]{0,20}|get|unset)(?= |$)/i;
const valuedGitOption = new RegExp(` ${valuedByConfig} ${word}`, 'gi');
const gitVariable = /(?<![\w$])GIT_SSH(?:_COMMAND)?=(?=(?<value>[^\n]{0,200}))(?!["']?[A-Z]:)/g;

type ValueForm = { readonly quoted: RegExp; readonly bare: RegExp };
const makeForm = (form: string): ValueForm => ({
  quoted: new RegExp(`^(?:${form})$`, 'i'),
  bare: new RegExp(`^(?:${form})${behindValue}`, 'i'),
});
const behindValue = String.raw`(?:["'\x60](?=[.,;:)\x60]{0,2}(?:\s|$))|[.,;&|)]?(?: (?!-)|$))`;
const sentence = /^(?:is|was|are|if|and|or|when|in|on|for|only|here|again|before|after|should|must|can|does)\b/i;
/** ssh with a key, a port or checks, but no other program. */
const plainSsh = makeForm(
  String.raw`(?:\/usr\/bin\/)?ssh(?:(?: -(?:i ?'?[\w~/.$\{}-]{1,100}'?|p ?\d{1,5}|[46aqTvx]{1,4}|F ?\/dev\/null|o ?(?:IdentitiesOnly|IdentityFile|StrictHostKeyChecking|UserKnownHostsFile|AddKeysToAgent|ServerAlive\w{1,20}|BatchMode|ConnectTimeout|LogLevel|User|Port)[= ][\w~/.-]{1,80})){0,8})`,
);
const ownHooks = makeForm(String.raw`(?:\.\/)?(?!\.\.)(?:[\w-]{1,30}\/){0,3}[.\w-]{0,20}(?:hooks|husky)(?:\/_)?\/?`);
const ownHelper = makeForm(
  String.raw`!(?!${temporary})(?:[\w/.-]{0,60}\/)?(?:gh auth git-credential|glab auth git-credential|aws codecommit credential-helper(?: \$@)?)`,
);
const truth = makeForm('true|false|yes|no|on|off|[01]');
const nothing = makeForm(String.raw`\/dev\/null`);
const foreignHelper = new RegExp(`^(?:!|${temporary})`, 'i');
