/** Finds commands that fetch a program from somewhere and run it unseen. Pure, linear in the text. */

import { shellLinesOf } from './shell-lines.js';
import { installsFromUntrustedSource } from './untrusted-installs.js';

/**
 * True if a line pipes a download, or decoded bytes, into an interpreter; runs what a substitution fetches; fetches a
 * file and runs it; or has a package runner run a package that is not installed. `curl … | python3 -m json.tool` reads
 * data and is fine, as is a sentence that mentions curl. Expects plain letters.
 */
export const runsDownloadedCode = (text: string): boolean => {
  const lines = shellLinesOf(text, hint);
  if (keepsAndRuns(lines.join('\n'))) return true;
  return lines.some(
    (line) =>
      [...substitutions, ...shellsForOthers].some((form) => form.test(line)) ||
      pipesIntoInterpreter(line) ||
      readsDownload(line) ||
      installsFromUntrustedSource(line) ||
      evaluatesDownload(line) ||
      evaluatesOutput(line) ||
      runsPackage(line),
  );
};

const hint =
  /curl|wget|fetch|aria2|lwp-|http|iwr|irm|iex|invoke-|webclient|downloadstring|encodedcommand|-enc?\b|base(?:64|32)|xxd|openssl|npx|npm|pnpm|yarn|bunx?\b|uvx?\b|pipx?|cargo|gem |brew |nix|rpm|dnf|yum|zypper|apt|git clone|repo clone|hg clone|svn |kubectl|helm|go (?:run|install)|eval|docker|podman|nerdctl|ssh|_OPTIONS|_PRELOAD|_ENV|STARTUP|5OPT|RUBYOPT|deno|mshta|regsvr32|bitsadmin|certutil|scp|ftp|urlopen|urllib|requests\.get|b64decode|gist|gh api|aws s3|gsutil|gcloud|s5cmd|rclone|rsync|sh -i|-c ["']?\$|atob\(|\bnc\b|ncat|netcat|telnet|socat|lynx|w3m|\/dev\/(?:tc|ud)p\//i;

const path = String.raw`(?:[\w./~$-]{0,80}\/)?`;
const shells = '(?:r?ba|z|da|k|c|tc|fi|a|mk)?sh|pwsh|powershell';
const languages = String.raw`python[\d.]{0,6}|pypy\d?|py|node|nodejs|deno|bun|perl|ruby|php|lua|tclsh|osascript|Rscript`;
const evaluators = 'iex|invoke-expression|source|eval';
const fetcher =
  /(?<![\w-])(?:curl|wget2?|aria2c|lwp-(?:download|request)|iwr|irm|invoke-(?:webrequest|restmethod)|fetch(?= (?:-|["']?https?:))|https?(?= \S{1,80}[.:]\S)|xh|curlie|lynx(?= -)|w3m(?= -)|(?:nc|ncat|netcat|telnet)(?=(?: -\w{1,10}){0,4} [\w.-]{1,80}[ :]\d)|\/dev\/(?:tcp|udp)(?=\/)|scp|rsync(?=(?: -{1,2}[\w=-]{1,40}){0,8} ["']?(?:[\w.-]{1,60}@)?[\w.-]{2,80}:{1,2}[\w/~.])|ftp|certutil(?=(?:\.exe)?(?: [-/]\w{1,20}){1,6} ["']?https?:)|start-bitstransfer|downloadstring)(?:\.exe)?(?![\w-])/i;
/** Files stored elsewhere. They count only where they are run: `$(gh api user --jq .login)` is a name. */
const stored =
  /(?<![\w-])(?:gh (?:gist view|api)|(?:aws s3 cp|gsutil(?: -m)? (?:cp|cat)|gcloud storage (?:cp|cat)|s5cmd (?:cp|cat)|rclone (?:cat|copyto))(?=(?: -{1,2}[\w=-]{1,40}){0,6} ["']?[\w-]{1,40}:))(?![\w-])/i;
const decoder =
  /(?<![\w-])(?:base(?:64|32)(?= -{1,2}d)|xxd(?= -)|openssl (?:enc|base64)|certutil(?= -decode)|uudecode)(?![\w])/i;

/** Words before a command that change who runs it or where. */
const prefix = String.raw`(?:${path}(?:sudo|doas|env|command|exec|builtin|nohup|time|nice|setsid|stdbuf|xargs|busybox|su|wsl|start|timeout(?: \d+\w?)?)(?: -{1,2}[\w=-]{1,30}(?: root\b)?){0,6} |\w{1,40}=[^\s|]{0,80} ){0,6}`;
const stage = new RegExp(
  String.raw`^&? ?${prefix}(?:${path}(?<name>${shells}|${languages})(?:\.exe)?|(?<evaluator>${evaluators}))(?![\w=/.-]*\w)(?<rest>.{0,200})`,
  'i',
);

const pipesIntoInterpreter = (line: string): boolean => {
  const sources = [fetcher, decoder, stored].map((form) => form.exec(line)).filter((found) => found !== null);
  const first = sources.toSorted((a, b) => a.index - b.index)[0];
  if (first === undefined) return false;
  const behind = line.slice(first.index + first[0].length);
  const [given = '', ...stages] = behind.split(/(?<!\|)\|(?!\|)/, maxStages);
  if (stages.some((text, i) => (namesSomething.test(given) || i > 0) && runsItsInput(text))) return true;
  if (/(?:^|\s)-{1,2}(?:o|O|outfile|output)|>|\.(?:sh|py|ps1|js|exe)\b/i.test(given) && thenRuns.test(behind))
    return true;
  if (feedsBuilder.test(savesUnderItsName.test(first[0]) ? ` -O${behind}` : behind)) return true;
  return unpacksAndRuns.test(behind) || changesStart.test(behind) || runsItsFile(behind);
};

/** `curl … | sh` in a warning names nothing to run. */
const namesSomething = /[^\s.…]/;
const savesUnderItsName = /^(?:wget2?|aria2c|fetch)$/i;
/** `> Makefile && make`, `-O …/conftest.py && pytest`, `| make -f -`. */
const feedsBuilder =
  /(?:> ?| -\w{0,6}[oO] ?(?:-{1,2}[\w=-]{1,30} ){0,4}| --out[\w-]{0,20}[ =])["']?(?:https?:\/\/)?(?:[\w.~-]{1,60}\/){0,9}(?:makefile|[\w-]{1,40}\.mk|rakefile|justfile|taskfile\.ya?ml|package\.json|build\.gradle(?:\.kts)?|gradlew|setup\.py|conftest\.py)\b["']?[^|;&]{0,60}(?:&&|;) ?(?:sudo )?(?:g?make|rake|just|task|npm|pnpm|yarn|gradle|\.\/gradlew|pip3?|pytest|python3?)(?![\w.-])|\| ?(?:sudo )?(?:g?make|[gmn]?awk) (?:-\w{1,3} )?(?:-f|--file=?) ?(?:-(?!\w)|\/dev\/stdin)/i;
/** `ssh host cat x | sh`: the output of another machine. */
const remoteShell = /(?<![\w./-])ssh(?: -{1,2}\w{1,20}(?: [\w./@:=-]{1,60})??){0,6} [\w.@:-]{1,100} /i;

/** True if a program gets a download as a file, `make -f <(curl …)`, and does not just read it, or runs ssh output. */
const readsDownload = (line: string): boolean => {
  const far = remoteShell.exec(line);
  if (far !== null) {
    const [given = '', ...stages] = line.slice(far.index + far[0].length).split(/(?<!\|)\|(?!\|)/, maxStages);
    if (given.trim() !== '' && !given.includes(';') && stages.some(runsItsInput)) return true;
  }
  return [...line.matchAll(asFile)].some(
    ({ index }) => !onlyReads.test(line.slice(Math.max(0, index - 100), index).replace(/^.*[|;&`]/, '')),
  );
};
const asFile = new RegExp(String.raw`(?<!< ?)<\( ?${prefix}${fetcher.source} ["']?[\w.:/$-]`, 'gi');
const onlyReads =
  /\b(?:diff|[vs]?diff|colordiff|vimdiff|cmp|comm|cat|bat|jq|yq|sort|uniq|grep|e?grep|rg|wc|paste|join|head|tail|less|more|cut|sha\d{1,3}sum|md5sum|column|tee|read|mapfile|readarray|compares?|shows?|prints?)\b/i;

/** `| tar xz && cd x && ./install.sh`. */
const unpacksAndRuns = new RegExp(
  String.raw`\| ?(?:sudo )?(?:bsd)?(?:tar|cpio|funzip|unzip)\b[^|;&]{0,80}(?:(?:&&|;) ?(?:cd|chmod) [^;&|]{1,80}){0,3}(?:&&|;) ?(?:sudo )?(?:\./|(?:${shells}) )`,
  'i',
);
/** A write to a file that is run at the next login, or that lets someone in. */
const changesStart =
  /(?:> ?|\btee\b(?: -{1,2}\w{1,8})? )["']?[^\s|;&]{0,60}(?:\.(?:(?:ba|z|k)shrc|profile|(?:bash_|z)profile|bash_login|zshenv)\b|\.ssh\/|\.git\/hooks\/|\/etc\/(?:cron|profile|sudoers|ld\.so|init|rc\.)|\/cron|\/systemd\/)|\| ?(?:sudo )?crontab\b/i;

/** True for `curl -o x …; bash x`, whether the name is from the address or given. */
const runsItsFile = (behind: string): boolean => {
  const [fetched = '', ...later] = behind.split(/&&|;|\|\|/, maxStages);
  const names = new Set(fetched.split(/[\s>="']+/, maxStages).map(lastPart));
  const isSentence = !/ -|>/.test(fetched);
  return later.some((text) => {
    const { runner, file = '' } = runsFile.exec(text.trim())?.groups ?? {};
    const name = lastPart(file.replace(/^["']|(?<!["')`])["')`]+$/g, ''));
    return (
      names.has(name) &&
      name !== '' &&
      !(isSentence && proseWord.test(name)) &&
      (runner !== undefined || /^[./~$]|\.(?:exe|bat|cmd)$/i.test(file))
    );
  });
};
/** Also cuts off a host: `scp host:x .` fetches x. */
const lastPart = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1).replace(/^-o/, '');
const runsFile = new RegExp(
  String.raw`^${prefix}(?<runner>(?:${path}(?:${shells}|${languages})(?: -\w{1,6}){0,3}|source|\.) )?(?<file>["']?[\w./~$-]{1,120}["')\x60]{0,2})`,
  'i',
);

const maxStages = 40;

/** A download into a file that the same line runs. */
const thenRuns = new RegExp(
  String.raw`(?:&&|;) ?${prefix}(?:${path}(?:${shells}|${languages}) (?:-\w{1,6} )?[\w./~$-]*\.(?:sh|py|js|pl|rb|ps1|php)\b|\.\/[\w.-]|source [\w./~])`,
  'i',
);

/** True for an interpreter that reads its program from the pipe, not for one that is given a program to read data. */
const runsItsInput = (text: string): boolean => {
  const found = stage.exec(text.trimStart());
  if (found === null) return false;
  const { name = '', rest = '' } = found.groups ?? {};
  if (name === '') return true;
  const isShell = shellName.test(name);
  for (const word of rest
    .split(/[;&|)`"']|\s#/)[0]
    ?.trim()
    .split(/\s+/) ?? []) {
    if (/^-?$|^\/dev\/stdin$/.test(word)) return true;
    if (/^-(?:-|\w*s$)/.test(word) && isShell) return true;
    if (givenProgram.test(word) && !(isShell && !/c/.test(word))) return false;
    if (/^-/.test(word)) continue;
    // A file to run, which reads the pipe as data.
    return !/\.\w{1,5}$|\//.test(word);
  }
  return true;
};
const shellName = new RegExp(`^(?:${shells})$`, 'i');
/** `-c`, `-m`, `-e`, `-ne`, `-p`, `-r`, followed by the program. */
const givenProgram = /^-(?:-(?:eval|print|command|module)|\w*[cmenpr])$|^-[ce]\W/i;

const opened = String.raw`(?:(?:< )?<\(|\$\(|\x60|<<< ?["']?(?:\$\(|\x60))`;
const run = String.raw`(?:${path}(?:${shells}|${languages})(?:\.exe)?|source|eval|exec|\.)`;
const substitutions: readonly RegExp[] = [
  // `bash <(curl …)`, `sh -c "$(curl …)"`, `. <(wget …)`, `eval "$(curl …)"`.
  new RegExp(
    String.raw`(?<![\w/.-])${run}(?: -{1,2}[\w-]{1,20}){0,6} ?["']{0,2}(?:${opened} ?["']?){1,2}${prefix}(?:[^)\n]{0,120}\| ?)?(?:${fetcher.source}|${decoder.source})`,
    'i',
  ),
  /\b(?:iex|invoke-expression)\b.{0,80}(?:new-object|webclient|downloadstring|invoke-(?:web|rest)|\b(?:iwr|irm|curl|wget)\b)/i,
  /\bdownloadstring\b.{0,200}\| ?(?:iex|invoke-expression)\b/i,
  /\[scriptblock\]::create\(.{0,60}(?:\b(?:irm|iwr|curl|wget)\b|webclient|invoke-)/i,
  /\b(?:powershell|pwsh)(?:\.exe)?\b.{0,80} -e(?:nc?|ncodedcommand|c)? [A-Za-z0-9+/=]{20}/i,
  /\b(?:exec|eval|compile)\(.{0,80}(?:urlopen|urllib|requests\.get|httpx\.get|fetch\(|https?\.get|b64decode|atob\()/i,
  /\bmshta(?:\.exe)? ["']?(?:https?|javascript|vbscript):|\bregsvr32\b.{0,60}\/i:https?:|\bbitsadmin\b.{0,40}\/transfer\b/i,
  // `$(curl …)` in the place of a command; elsewhere it is a value.
  new RegExp(
    String.raw`(?:^|[;&|\x60{] ?|\b(?:sudo|then|do|else) )["']?\$\( ?(?:sudo )?${fetcher.source} ["']?\S`,
    'i',
  ),
  // Each line of a download is run: `curl … | while read -r l; do eval "$l"; done`.
  new RegExp(
    String.raw`${fetcher.source}.{0,300}\| ?while (?:\w{1,20}=\S{0,20} )?read\b.{0,80}\bdo ${prefix}(?:${path}(?:${shells}) -\w{0,4}c|eval|["']?\$\{?\w)`,
    'i',
  ),
  /\| ?(?:sudo )?xargs\b[^|]{0,80}\b(?:ba|z|da|k)?sh -\w{0,3}c ?(?:$|["']?[{%@$])/i,
  /(?<![\w-])(?:deno|bun)(?: run)?(?: -{1,2}[\w=,.:/-]{1,60}){0,8} ["']?https?:/i,
  /(?<![\w-])node\b.{0,40}--(?:import|require)[ =]["']?https?:/i,
];

/** A shell that is open to another machine. */
const shellsForOthers: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<![\w-])(?:nc|ncat|netcat)\b[^|;]{0,80} (?:-\w{0,5}[ec]|--(?:sh-)?exec) ?["']?${path}(?:${shells}|cmd)\b`,
    'i',
  ),
  new RegExp(
    String.raw`(?<![\w-])(?:${shells}) -i\b[^|\n]{0,80}\| ?${path}(?:nc|ncat|netcat|telnet|socat|openssl s_client)(?![\w-])`,
    'i',
  ),
  new RegExp(String.raw`(?<![\w-])socat\b.{0,120}\b(?:exec|system):["']?${path}(?:${shells})\b`, 'i'),
  new RegExp(String.raw`(?<![\w-])(?:${shells}) -i\b.{0,40}\/dev\/(?:tcp|udp)\/`, 'i'),
  new RegExp(String.raw`\bexec \d{1,3}<> ?\/dev\/(?:tcp|udp)\/.{0,200}\b(?:${shells})\b.{0,20}<&`, 'i'),
];

/** True for `x=$(curl …); eval "$x"`, on one line or several. */
const keepsAndRuns = (text: string): boolean => {
  const kept = new Set([...text.matchAll(keeps)].map(({ groups }) => groups?.['name'] ?? ''));
  if (kept.size === 0) return false;
  return (
    [...text.matchAll(runsVariable)].some(({ groups }) => kept.has(groups?.['name'] ?? '')) ||
    [...text.matchAll(pipesVariable)].some(
      ({ groups }) => kept.has(groups?.['name'] ?? '') && runsItsInput(groups?.['stage'] ?? ''),
    )
  );
};
const keeps = new RegExp(
  String.raw`(?<![\w$])(?<name>[a-z_]\w{0,39})=["']?(?:\$\(|\x60) ?${prefix}(?:[^)\n]{0,120}\| ?)?(?:${fetcher.source}|${stored.source}|${decoder.source})`,
  'gi',
);
const runsVariable = new RegExp(
  String.raw`(?:(?<![\w/.-])(?:eval|source|exec|(?:${shells}|${languages})(?: -\w{1,10}){0,4}(?: -\w{0,6}[ce]| ?<<<)) ?|^ ?|[;&|{\x60] ?)["']{0,2}\$\{?(?<name>\w{1,40})`,
  'gim',
);
const pipesVariable = /\$\{?(?<name>\w{1,40})\}?["']{0,2} ?\| ?(?<stage>[^|\n]{1,200})/g;

/** `perl -e "eval get(…)"`, `node -e "….on('data', eval)"`. */
const evaluatesDownload = (line: string): boolean => {
  const at = inlineCode.exec(line);
  const code = at === null ? '' : line.slice(at.index, at.index + 600);
  return evaluation.test(code) && download.test(code);
};
const inlineCode =
  /(?<![\w.-])(?:perl|ruby|php|node|nodejs|bun|deno|lua|python[\d.]{0,6})(?: -{1,2}[\w:-]{1,40}){0,6} (?:-\w{0,6}[ercp]|--eval|eval) ?["']/i;
const evaluation = /(?<![.\w])(?:eval|exec|Function|loadstring|instance_eval)\b|\b(?:os|subprocess)\.(?:system|run)\b/i;
const download =
  /https?:\/\/|['"]https?['"]|\bLWP\b|open-uri|URI\.open|urlopen|file_get_contents|fetch\(|\b(?:curl|wget)\b/i;

/**
 * True for `eval "$(ssh host cat x)"`, whatever that prints. Exempts programs that print settings for the shell, which
 * are known by their names or a few subcommands, and the project's own files and scripts.
 */
const evaluatesOutput = (line: string): boolean =>
  [...line.matchAll(evaluated)].some(({ groups }) => {
    const command = groups?.['command'] ?? '';
    return /[a-z]/i.test(command) && !command.split('|').every((part) => printsSettings.test(part.trim()));
  });
const evaluated = /(?<![\w/.-])eval ?["']{0,2}\$\((?<command>[^)\n]{1,300})/gi;
const printsSettings =
  /^(?:sudo )?(?:\w{1,40}=\S{0,80} ){0,3}(?:[\w./~${}-]{0,80}(?:ssh-agent|dircolors|keychain|gpg-agent|thefuck|lesspipe(?:\.sh)?|resize|tset|register-python-argcomplete)\b|(?:cat|sed|e?grep|awk|tr|cut|sort|head|tail|xargs|jq|yq|echo|printf|envsubst|export|declare)\b(?!.*(?:base64|https?:))|(?:(?:python[\d.]{0,4}|node|ruby|(?:ba|z)?sh) )?(?:\.{0,2}\/|~\/|[\w-]{1,40}\/)?[\w./-]{0,80}\.(?:sh|py|js|mjs|rb)\b|\.{1,2}\/|(?!ssh\b)[\w./~${}-]{1,80}(?: [\w=./"$-]{1,40}){0,4}? (?:--)?(?:(?:\w{1,20}-)?init|hook|env|(?:docker|podman|shell)-env|shell(?:env)?|activate|completions?|alias|exports?|export-credentials|printenv|path)\b|_\w{1,40}_COMPLETE=)/i;

/** A runner that fetches a missing package without asking. */
const packageRunner =
  /(?<![\w/.-])(?:npx(?: -{1,2}[\w=-]{1,30}(?: [@\w./-]{1,40})?){0,4}? (?:-y|--yes)|(?:npm|pnpm) exec|(?:pnpm|yarn|bun) dlx|bun x|bunx|uvx|uv tool run|pipx run)(?: -{1,2}[\w-]{1,30}(?:=[^\s]{1,60})?){0,6}(?: --)? (?<name>["']?[@\w][\w@./:+-]{0,100})/gi;
/** Without `-y` it asks no agent either. Any name counts in a command, in a sentence only one with `-`, `/` or `@`. */
const bareRunner =
  /(?:(?<=^|[\x60;&$(] ?)npx (?<first>[@\w][\w@./+-]{0,100})|(?<![\w/.-])npx (?<name>@?\w{1,40}[-/@][\w@./+-]{1,100}))/gi;

const runsPackage = (line: string): boolean =>
  [...line.matchAll(packageRunner), ...line.matchAll(bareRunner)].some(({ groups }) => {
    const name = (groups?.['name'] ?? groups?.['first'] ?? '').replace(/^["']|(?<![.:])[.:]+$/g, '');
    return !knownTool.test(name) && !proseWord.test(name);
  });

/** Tools that agents are told to run every day; a version may follow. */
const knownTool =
  /^(?:@(?:angular|babel|biomejs|changesets|commitlint|eslint|modelcontextprotocol|nestjs|playwright|prisma|sveltejs|tailwindcss|types|vitejs|vue|anthropic-ai|openai)\/[\w.-]+|biome|black|c8|cdk|changeset|commitlint|concurrently|cspell|create-[\w-]+|cypress|degit|depcheck|drizzle-kit|electron|esbuild|expo|firebase-tools|graphql-codegen|http-server|eslint|flake8|husky|isort|jest|jscodeshift|json-server|knex|knip|lighthouse|madge|markdownlint(?:-cli2?)?|lerna|lint-staged|mocha|mypy|netlify-cli|next|ng|nodemon|npm-check-updates|npm-run-all|nx|nyc|pm2|playwright|poetry|pre-commit|prettier|prisma|pylint|pyright|pytest|react-native|rimraf|rollup|ruff|semantic-release|sequelize-cli|serve|serverless|size-limit|shadcn|sqlfluff|storybook|stylelint|svgo|tailwindcss|tox|tsc|tsup|tsx|ts-node|turbo|twine|typedoc|typeorm|typescript|vercel|vite|vitest|vue-tsc|wait-on|webpack|wrangler|yamllint)(?:@[\w.^~-]+)?$/i;
const proseWord =
  /^(?:and|or|to|for|is|as|in|with|from|the|a|an|when|if|instead|rather|can|will|should|does|not|it|on|here)$/i;
