/** Commands that fetch a program from somewhere and run it unseen. Pure, linear in the text. */

/**
 * True where a line pipes a download, or decoded bytes, into an interpreter; runs what a substitution fetches; fetches a
 * file and runs it; or has a package runner run what is not installed. `curl … | python3 -m json.tool` reads data and is
 * fine, as is a sentence that speaks of curl. The text is in plain letters.
 */
export const runsDownloadedCode = (text: string): boolean => {
  if (!hint.test(text)) return false;
  return withoutTricks(text)
    .split('\n')
    .filter((line) => hint.test(line))
    .flatMap(commandsOf)
    .some((line) => substitutions.some((form) => form.test(line)) || pipesIntoInterpreter(line) || runsPackage(line));
};

const hint =
  /curl|wget|fetch|aria2|lwp-|http|iwr|irm|iex|invoke-|webclient|downloadstring|encodedcommand|-enc?\b|base(?:64|32)|xxd|openssl|npx|npm|pnpm|yarn|bunx|uvx|pipx|deno|mshta|regsvr32|bitsadmin|certutil|scp|ftp|urlopen|urllib|requests\.get|b64decode|atob\(/i;

/** What a shell takes away before it looks for a command: escapes, empty quotes, `${IFS}`, line continuations. */
const withoutTricks = (text: string): string =>
  text
    .replace(/(?:\\|`|\^)[ \t]{0,8}\r?\n/g, ' ')
    .replace(/\r\n?/g, '\n')
    .replace(/\$\{?IFS\b[^}\s]{0,10}\}?/g, ' ')
    .replace(/(?<=\w)(?:''|"")(?=\w)|(?<=\w)["'](?=\w{1,8}["']\w)|\\(?=[\w|])|(?<=\w)\^(?=\w)/g, '')
    .replace(/[ \t\u00a0]+/g, ' ');

/** The cells of a table are no stages of a pipe. */
const commandsOf = (line: string): readonly string[] =>
  /^\s{0,20}\|.*\|\s{0,20}$/.test(line)
    ? [...line.split(/(?<!\\) \| /), line.replace(/^\s*\||\|\s*$/g, '')].filter(isNoTable)
    : [line];

/** A row with a pipe inside of a cell has an address in it too. */
const isNoTable = (cell: string): boolean => !cell.includes(' | ') || /:\/\//.test(cell);

const path = String.raw`(?:[\w./~$-]{0,80}\/)?`;
const shells = '(?:ba|z|da|k|c|tc|fi|a|mk)?sh|pwsh|powershell';
const languages = String.raw`python[\d.]{0,6}|pypy\d?|py|node|nodejs|deno|bun|perl|ruby|php|lua|tclsh|osascript|Rscript`;
const evaluators = 'iex|invoke-expression|source|eval';
const fetcher =
  /(?<![\w-])(?:curl|wget2?|aria2c|lwp-(?:download|request)|iwr|irm|invoke-(?:webrequest|restmethod)|fetch(?= (?:-|["']?https?:))|https?(?= \S{1,80}[.:]\S)|xh|scp|ftp|start-bitstransfer|downloadstring)(?:\.exe)?(?![\w-])/i;
const decoder =
  /(?<![\w-])(?:base(?:64|32)(?= -{1,2}d)|xxd(?= -)|openssl (?:enc|base64)|certutil(?= -decode)|uudecode)(?![\w])/i;

/** Words before a command that change who runs it or where. */
const prefix = String.raw`(?:${path}(?:sudo|doas|env|command|exec|builtin|nohup|time|nice|setsid|stdbuf|xargs|busybox|su|wsl|timeout(?: \d+\w?)?)(?: -{1,2}[\w=-]{1,30}(?: root\b)?){0,6} |\w{1,40}=[^\s|]{0,80} ){0,6}`;
const stage = new RegExp(
  String.raw`^&? ?${prefix}(?:${path}(?<name>${shells}|${languages})(?:\.exe)?|(?<evaluator>${evaluators}))(?![\w=/.-]*\w)(?<rest>.{0,200})`,
  'i',
);

const pipesIntoInterpreter = (line: string): boolean => {
  const sources = [fetcher, decoder].map((form) => form.exec(line)).filter((found) => found !== null);
  const first = sources.toSorted((a, b) => a.index - b.index)[0];
  if (first === undefined) return false;
  const behind = line.slice(first.index + first[0].length);
  const [given = '', ...stages] = behind.split(/(?<!\|)\|(?!\|)/, mostStages);
  if (stages.some((text, i) => (given.trim() !== '' || i > 0) && runsItsInput(text))) return true;
  return /(?:^|\s)-{1,2}(?:o|O|outfile|output)|>|\.(?:sh|py|ps1|js|exe)\b/i.test(given) && thenRuns.test(behind);
};

const mostStages = 40;

/** What is fetched into a file and run in the same line. */
const thenRuns = new RegExp(
  String.raw`(?:&&|;) ?${prefix}(?:${path}(?:${shells}|${languages}) (?:-\w{1,6} )?[\w./~$-]*\.(?:sh|py|js|pl|rb|ps1|php)\b|\.\/[\w.-]|source [\w./~])`,
  'i',
);

/** True for an interpreter that takes its program from the pipe, not one that is given a program to read data with. */
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
    if (word === '' || word === '-' || word === '/dev/stdin') return true;
    if (/^-(?:-|\w*s$)/.test(word) && isShell) return true;
    if (givenProgram.test(word) && !(isShell && !/c/.test(word))) return false;
    if (/^-/.test(word)) continue;
    // A file to run, which reads the pipe as data.
    return !/\.\w{1,5}$|\//.test(word);
  }
  return true;
};
const shellName = new RegExp(`^(?:${shells})$`, 'i');
/** `-c`, `-m`, `-e`, `-ne`, `-p`, `-r` with the program behind. */
const givenProgram = /^-(?:-(?:eval|print|command|module)|\w*[cmenpr])$|^-[ce]\W/i;

const opened = String.raw`(?:(?:< )?<\(|\$\(|\x60|<<< ?["']?(?:\$\(|\x60))`;
const run = String.raw`(?:${path}(?:${shells}|${languages})(?:\.exe)?|source|eval|exec|\.)`;
const substitutions: readonly RegExp[] = [
  // `bash <(curl …)`, `sh -c "$(curl …)"`, `. <(wget …)`, `eval "$(curl …)"`.
  new RegExp(
    String.raw`(?<![\w/.-])${run}(?: -{1,2}[\w-]{1,20}){0,6} ?["']{0,2}(?:${opened} ?["']?){1,2}${prefix}(?:[^)\n]{0,120}\| ?)?${fetcher.source}`,
    'i',
  ),
  /\b(?:iex|invoke-expression)\b.{0,80}(?:new-object|webclient|downloadstring|invoke-(?:web|rest)|\b(?:iwr|irm|curl|wget)\b)/i,
  /\bdownloadstring\b.{0,200}\| ?(?:iex|invoke-expression)\b/i,
  /\[scriptblock\]::create\(.{0,60}(?:\b(?:irm|iwr|curl|wget)\b|webclient|invoke-)/i,
  /\b(?:powershell|pwsh)(?:\.exe)?\b.{0,80} -e(?:nc?|ncodedcommand|c)? [A-Za-z0-9+/=]{20}/i,
  /\b(?:exec|eval|compile)\(.{0,80}(?:urlopen|urllib|requests\.get|httpx\.get|fetch\(|https?\.get|b64decode|atob\()/i,
  /\bmshta(?:\.exe)? ["']?(?:https?|javascript|vbscript):|\bregsvr32\b.{0,60}\/i:https?:|\bbitsadmin\b.{0,40}\/transfer\b/i,
  /(?<![\w-])(?:deno|bun)(?: run)?(?: -{1,2}[\w=,.:/-]{1,60}){0,8} ["']?https?:/i,
  /(?<![\w-])node\b.{0,40}--(?:import|require)[ =]["']?https?:/i,
  /(?<![\w-])(?:pip3?|uv pip) install(?: -{1,2}[\w=-]{1,30}){0,6} ["']?(?:git\+|https?:)/i,
];

/** A runner that fetches what is not there and asks nobody. */
const packageRunner =
  /(?<![\w/.-])(?:npx(?: -{1,2}[\w=-]{1,30}(?: [@\w./-]{1,40})?){0,4}? (?:-y|--yes)|(?:npm|pnpm) exec|(?:pnpm|yarn|bun) dlx|bunx|uvx|uv tool run|pipx run)(?: -{1,2}[\w-]{1,30}(?:=[^\s]{1,60})?){0,6}(?: --)? (?<name>["']?[@\w][\w@./:+-]{0,100})/gi;

const runsPackage = (line: string): boolean =>
  [...line.matchAll(packageRunner)].some(({ groups }) => {
    const name = (groups?.['name'] ?? '').replace(/^["']/, '');
    return !knownTool.test(name) && !proseWord.test(name);
  });

/** What people tell an agent to run every day; a version may follow. */
const knownTool =
  /^(?:@(?:angular|babel|biomejs|changesets|commitlint|eslint|modelcontextprotocol|nestjs|playwright|prisma|sveltejs|tailwindcss|types|vitejs|vue|anthropic-ai|openai)\/[\w.-]+|biome|black|c8|create-[\w-]+|cypress|drizzle-kit|esbuild|eslint|flake8|husky|isort|jest|knip|lerna|lint-staged|mocha|mypy|next|nx|nyc|playwright|poetry|pre-commit|prettier|prisma|pylint|pyright|pytest|rimraf|rollup|ruff|semantic-release|serve|shadcn|sqlfluff|storybook|stylelint|svgo|tailwindcss|tox|tsc|tsup|tsx|ts-node|turbo|twine|typedoc|typescript|vite|vitest|webpack|wrangler|yamllint)(?:@[\w.^~-]+)?$/i;
const proseWord =
  /^(?:and|or|to|for|is|as|in|with|from|the|a|an|when|if|instead|rather|can|will|should|does|not|it|on|here)$/i;
