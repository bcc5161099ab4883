/** Finds commands that install or start a program from an address of their own. Pure, linear. */
import { argumentsBehind, proseWords } from './shell-lines.js';

/** Expects a line in plain letters, without what a shell drops. */
export const installsFromUntrustedSource = (line: string): boolean =>
  [installer, otherRegistry, shorthand, systemInstaller, runner, loadsFromTemporary, ...clusterInstallers].some(
    (form) => form.test(line),
  ) ||
  clonesAndRuns(line) ||
  installsOfOthers(line);

/** Options and packages. */
const given = String.raw`(?: (?!(?:${proseWords}) )["']?[\w@./^~=+:,[\]-]{1,100}["']?){0,8}?`;
/** The public package indexes that everyone uses, and this machine. */
export const publicIndexes = String.raw`https?:\/\/(?:(?:[\w-]{1,40}\.)?(?:golang\.org|npmmirror\.com|pypi\.org|pythonhosted\.org|pytorch\.org|pypi\.nvidia\.com|pyg\.org|npmjs\.org|npmjs\.com|yarnpkg\.com|rubygems\.org|crates\.io|jsr\.io)|localhost|127\.0\.0\.1)(?:[:/,\s"'\x60]|$)`;
const address = String.raw`["']?(?:[\w@/.-]{1,60}@)?(?!${publicIndexes})(?:https?:\/\/|git\+|git:\/\/|git@|ssh:\/\/)`;
const index = '(?:--(?:extra-)?index-url|--(?:default-)?index|--find-links|--source|-i|-f|-s)[ =]';
const installer = new RegExp(
  String.raw`(?<![\w/.-])(?:(?:npm|pnpm|yarn|bun)(?: global)? (?:i|install|add)|(?:pip[\d.]{0,4}|uv pip|python[\d.]{0,5} -m pip) install|pipx install|(?:uv|poetry|pdm|pixi) add|uv tool install|gem install|brew install|go (?:run|install|get)|cargo (?:install|add))` +
    `${given} (?:${index}|--git[ =])?${address}`,
  'i',
);
const otherRegistry = new RegExp(
  String.raw`(?<![\w/.-])(?:npm|pnpm|yarn|bun)(?: global)? (?:i|ci|install|add|update|exec)\b[^;&|\n]{0,200}? --registry[ =]["']?(?!${publicIndexes})https?:`,
  'i',
);
/** A repository in npm's short form. */
const shorthand = new RegExp(
  String.raw`(?<![\w/.-])(?:npm|pnpm|yarn|bun)(?: global)? (?:i|install|add)${given} ["']?(?:@?[\w./-]{1,60}@)?(?:github|gitlab|bitbucket|gist):[\w-]`,
  'i',
);
/** Sources of the packages of the big distributions, and of common additions to them. */
const distributions = String.raw`https?:\/\/(?:[\w-]{1,40}\.){0,3}(?:fedoraproject\.org|rpmfusion\.org|postgresql\.org|docker\.com|microsoft\.com|nodesource\.com|debian\.org|ubuntu\.com|opensuse\.org)\/|github:nixos\/`;
const systemInstaller = new RegExp(
  String.raw`(?<![\w/.-])(?:rpm -{1,2}[\w-]{1,20}|(?:dnf|yum|zypper|apt|apt-get)(?: -{1,2}[\w=-]{1,30}){0,4} (?:install|in)|nix (?:run|shell|develop|profile install)|nix-env -\w{1,6}|nix-shell)(?: -{1,2}[\w=-]{1,30}){0,6} ["']?(?!${distributions})(?:https?:\/\/|git\+|(?:github|gitlab|sourcehut|tarball):)`,
  'i',
);
/** True for `git clone … && ./x/install.sh`, `gh repo clone … && cd x && make`: a build also runs what was cloned. */
const clonesAndRuns = (line: string): boolean =>
  [...line.matchAll(clone)].some(({ 0: found, index, groups }) => {
    if (!fromAfar.test(groups?.['what'] ?? '') && !/^gh /i.test(found)) return false;
    const behind = line.slice(index + found.length, index + found.length + 600);
    return behind
      .split(/&&|;|\|\||&|`,? (?:and|then|and then)(?: run)? `/, 12)
      .slice(1)
      .some((step) => builds.test(step.trim()) && !/--ignore-scripts\b/.test(step));
  });
const clone =
  /(?<![\w/.-])(?:git(?: -{1,2}\w[\w=.-]{0,60}){0,4} clone|gh repo clone|hg clone|svn (?:co|checkout))(?<what> [^;&|`]{1,300})/gi;
/** A remote address, not a folder, a file or this machine. */
const fromAfar =
  / ["']?(?:(?:https?|git|ssh|ftp):\/\/(?!(?:localhost|127\.0\.0\.1)[:/])|[\w.-]{1,60}@[\w.-]{1,80}:|[\w-]{2,60}(?:\.[\w-]{1,60}){1,4}[:/]|\$|<?(?:repo-?)?url\b)/i;
const builds = new RegExp(
  String.raw`^(?:sudo |time |env |\w{1,40}=\S{0,80} ){0,4}["'\x60]?(?:\.{1,2}\/[\w.]|[\w-]{1,80}\/[\w./-]{0,80}(?:\.sh|configure|install|setup|gradlew)\b|` +
    String.raw`(?:(?:ba|z|da)?sh|source|\.|node|ruby|perl|php|deno run|bun(?: run)?) (?!-)[\w./~"']|python[\d.]{0,4} (?:[\w./~"'-])|` +
    String.raw`g?make\b|cmake\b|ninja\b|meson\b|rake\b|just\b|task\b|tox\b|nox\b|pytest\b|mvnw?\b|gradlew?\b|` +
    String.raw`(?:npm|pnpm|bun)(?: -{1,2}\w[\w=-]{0,30}(?: [\w./-]{1,60})?)? (?:i|ci|install|add|run|start|test|link|exec)\b|yarn(?: (?:install|start|build|test|run|dev|--[\w-]{1,30})\b|["'\x60]?$)|npx\b|` +
    String.raw`(?:pip[\d.]{0,4}|uv pip) install\b|pipx install\b|(?:uv|poetry|pdm|pixi|hatch) (?:sync|install|run|build)\b|` +
    String.raw`cargo (?:run|build|install|test)\b|go (?:run|test|generate)\b|bundle (?:install|exec)\b|composer (?:install|run)\b|(?:docker|podman)(?: |-)(?:build|compose)\b)`,
  'i',
);

/** Packages that a short name fetches from a repository: npm's `owner/name`, Go's `host/path@version`, a brew tap. */
const installsOfOthers = (line: string): boolean => {
  const some = (command: RegExp, isForeign: (word: string) => boolean): boolean =>
    argumentsBehind(line, command).some((words) => words.some(isForeign));
  return (
    some(/(?<![\w/.-])(?:npm|pnpm|yarn|bun)(?: global)? (?:i|install|add)(?= )/gi, (word) => ownerAndName.test(word)) ||
    argumentsBehind(line, /(?<![\w/.-])go (?:run|install)(?= )/gi).some((words) =>
      words.slice(0, 1 + words.findIndex((word) => !word.startsWith('-'))).some(isForeignModule),
    ) ||
    some(
      /(?<![\w/.-])brew (?:tap|install|reinstall|upgrade)(?= )/gi,
      (word) => /^[\w-]{1,60}\/[\w-]{1,60}(?:\/[\w@.+-]{1,60})?$/.test(word) && !knownTap.test(word),
    )
  );
};
const ownerAndName = /^(?!and\/or$)[\w-]{1,60}\/[\w.-]{1,100}(?:#.*)?$/i;
const isForeignModule = (word: string): boolean =>
  /^[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}\/[^@]{1,200}@./.test(word) && !knownModule.test(word);
const knownModule =
  /^(?:(?:golang\.org\/x|google\.golang\.org|honnef\.co\/go\/tools|mvdan\.cc|gotest\.tools|(?:sigs\.)?k8s\.io|entgo\.io|go\.uber\.org|gorm\.io)\/|github\.com\/(?:golang|golangci|google|go-delve|air-verse|cosmtrek|sqlc-dev|pressly|golang-migrate|swaggo|bufbuild|grpc-ecosystem|vektra|securego|goreleaser|a-h|onsi|oapi-codegen|deepmap|99designs|spf13|cli|hashicorp|kubernetes-sigs)\/)/i;
const knownTap =
  /^(?:homebrew|hashicorp|aws|mongodb|github|cli|cloudflare|stripe|heroku|azure|microsoft|oven-sh|anchore|aquasecurity|goreleaser|golangci|bufbuild|dart-lang|supabase|planetscale|fluxcd|derailed|confluentinc|redpanda-data|pulumi|snyk|docker|ngrok|clickhouse|cockroachdb|elastic|minio|charmbracelet|dopplerhq|jandedobbeleer)\//i;

/** Well-known sources from which a cluster installs. */
const clusterSources = String.raw`(?:https?:\/\/(?:(?:www\.)?k8s\.io|kubernetes\.io|(?:raw\.githubusercontent|github)\.com\/kubernetes(?:-sigs)?|kubernetes\.github\.io|charts\.bitnami\.com|localhost|127\.0\.0\.1)[:/]|oci:\/\/(?:registry-1\.docker\.io\/bitnamicharts|localhost)[:/])`;
const clusterInstallers: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<![\w/.-])(?:kubectl|oc)(?: -{1,2}[\w=-]{1,40}(?: [\w./-]{1,60})?){0,5}? (?:apply|create|replace)\b[^;&|\n]{0,200}? (?:-f|--filename|-k|--kustomize)[ =]?["']?(?!${clusterSources})(?:https?:\/\/|git@|(?:github|gitlab)\.com\/)`,
    'i',
  ),
  new RegExp(
    String.raw`(?<![\w/.-])(?:curl|wget)\b(?![^|\n]{0,300}${clusterSources})[^|\n]{1,300}\|[^|\n]{0,200}\b(?:kubectl|oc) (?:-{1,2}[\w=-]{1,40} (?:[\w./-]{1,60} )??){0,5}(?:apply|create|replace) (?:[\w=-]{1,40} ){0,4}(?:-f|--filename)[ =]?-(?!\w)`,
    'i',
  ),
  new RegExp(
    String.raw`(?<![\w/.-])helm (?:install|upgrade)\b${given}(?: |--repo=)["']?(?!${clusterSources})(?:https?|oci):\/\/`,
    'i',
  ),
];

/** It runs the first word that is not an option; the words after that belong to the program. */
const runner = new RegExp(
  String.raw`(?<![\w/.-])(?:uv (?:tool )?run|uvx)(?: -{1,2}[\w=-]{1,30}(?: [\w@./-]{1,40})?){0,6}? (?:${index})?${address}`,
  'i',
);

/** Code that every later run of a program loads, from a folder where anyone may write, or from an address. */
const loadsFromTemporary =
  /\b(?:NODE_OPTIONS|LD_PRELOAD|DYLD_INSERT_LIBRARIES|BASH_ENV|PYTHONSTARTUP|PERL5OPT|RUBYOPT)=["']?(?:[\w=./-]{0,60} )?(?:(?:--(?:require|import|loader|experimental-loader)|-r|-M|-I)[ =]?)?["']?(?:\/(?:var\/)?tmp\/|\/dev\/shm\/|https?:|data:)/;
