/** Commands that install or start a program from an address of their own, or let one out of its box. Pure, linear. */

/** The line is in plain letters, without what a shell drops. */
export const installsFromElsewhere = (line: string): boolean =>
  [installer, shorthand, systemInstaller, runner, clonesAndRuns, opensHost, loadsFromTemporary].some((form) =>
    form.test(line),
  );

/** Words that follow a command in a sentence; the packages that it names don't read so. */
const prose =
  'and|then|or|to|from|at|in|see|open|per|via|with|on|is|as|for|if|before|after|like|which|the|a|an|visit|docs|docs:|using|first|it|behind|against|when|instead|does|will|needs?|uses?';
/** Options and packages. */
const given = String.raw`(?: (?!(?:${prose}) )["']?[\w@./^~=+:,[\]-]{1,100}["']?){0,8}?`;
/** The public package indexes that everybody uses, and this machine. */
const known = String.raw`https?:\/\/(?:(?:[\w-]{1,40}\.)?(?:pypi\.org|pythonhosted\.org|pytorch\.org|pypi\.nvidia\.com|pyg\.org|npmjs\.org|npmjs\.com|yarnpkg\.com|rubygems\.org|crates\.io|jsr\.io)|localhost|127\.0\.0\.1)(?:[:/\s"'\x60]|$)`;
const address = String.raw`["']?(?:[\w@/.-]{1,60}@)?(?!${known})(?:https?:\/\/|git\+|git:\/\/|git@|ssh:\/\/)`;
const index = '(?:--(?:extra-)?index-url|--(?:default-)?index|--find-links|--source|-i|-f|-s)[ =]';
const installer = new RegExp(
  String.raw`(?<![\w/.-])(?:(?:npm|pnpm|yarn|bun)(?: global)? (?:i|install|add)|(?:pip[\d.]{0,4}|uv pip|python[\d.]{0,5} -m pip) install|pipx install|uv (?:add|tool install)|gem install|brew install|go (?:run|install|get)|cargo (?:install|add))` +
    `${given} (?:${index}|--git[ =]|(?<!--registry ))${address}`,
  'i',
);
/** A repository in npm's short form. */
const shorthand = new RegExp(
  String.raw`(?<![\w/.-])(?:npm|pnpm|yarn|bun)(?: global)? (?:i|install|add)${given} ["']?(?:@?[\w./-]{1,60}@)?(?:github|gitlab|bitbucket|gist):[\w-]`,
  'i',
);
/** Where the packages of the big distributions and of what is often added to them come from. */
const distributions = String.raw`https?:\/\/(?:[\w-]{1,40}\.){0,3}(?:fedoraproject\.org|rpmfusion\.org|postgresql\.org|docker\.com|microsoft\.com|nodesource\.com|debian\.org|ubuntu\.com|opensuse\.org)\/|github:nixos\/`;
const systemInstaller = new RegExp(
  String.raw`(?<![\w/.-])(?:rpm -{1,2}[\w-]{1,20}|(?:dnf|yum|zypper|apt|apt-get)(?: -{1,2}[\w=-]{1,30}){0,4} (?:install|in)|nix (?:run|shell|develop|profile install)|nix-env -\w{1,6}|nix-shell)(?: -{1,2}[\w=-]{1,30}){0,6} ["']?(?!${distributions})(?:https?:\/\/|git\+|(?:github|gitlab|sourcehut|tarball):)`,
  'i',
);
/** `git clone … && ./x/install.sh`. */
const clonesAndRuns =
  /(?<![\w/.-])git clone [^;&|]{1,300}(?:(?:&&|;) ?(?:cd|chmod) [^;&|]{1,80}){0,3}(?:&&|;) ?(?:sudo )?(?:\.\/|(?:(?:ba|z|da)?sh|source|python[\d.]{0,4}|node) (?!-)[\w./~-])/i;
/** The first that is no option is what it runs; what follows that is the program's own business. */
const runner = new RegExp(
  String.raw`(?<![\w/.-])(?:uv (?:tool )?run|uvx)(?: -{1,2}[\w=-]{1,30}(?: [\w@./-]{1,40})?){0,6}? (?:${index})?${address}`,
  'i',
);

/** A container that gets all rights on the machine, or a disk or folder of the system to write to. */
const opensHost =
  /(?<![\w/.-])(?:docker|podman|nerdctl)(?: container)? run\b[^|;&\n]{0,300}? (?:--privileged(?!=false)|--pid[ =]host\b|(?:-v|--volume)[ =]?["']?\/(?:etc|root|home|boot)?\/?:\/(?![^\s"']{0,80}:ro\b)|--mount[ =]["']?[^\s"']{0,80}(?:source|src)=\/(?:etc|root|home|boot)?,)/i;

/** Code that every later run of a program loads, from where anybody may write, or from an address. */
const loadsFromTemporary =
  /\b(?:NODE_OPTIONS|LD_PRELOAD|DYLD_INSERT_LIBRARIES|BASH_ENV|PYTHONSTARTUP|PERL5OPT|RUBYOPT)=["']?(?:[\w=./-]{0,60} )?(?:(?:--(?:require|import|loader|experimental-loader)|-r|-M|-I)[ =]?)?["']?(?:\/(?:var\/)?tmp\/|\/dev\/shm\/|https?:|data:)/;
