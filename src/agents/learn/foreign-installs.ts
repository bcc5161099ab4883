/** Commands that install or start a program from an address of their own, or let one out of its box. Pure, linear. */

/** The line is in plain letters, without what a shell drops. */
export const installsFromElsewhere = (line: string): boolean =>
  [installer, runner, opensHost, loadsFromTemporary].some((form) => form.test(line));

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
/** The first that is no option is what it runs; what follows that is the program's own business. */
const runner = new RegExp(
  String.raw`(?<![\w/.-])(?:uv (?:tool )?run|uvx)(?: -{1,2}[\w=-]{1,30}(?: [\w@./-]{1,40})?){0,6}? (?:${index})?${address}`,
  'i',
);

/** The whole disk of the machine for a container to write to. */
const opensHost =
  /(?<![\w/.-])(?:docker|podman|nerdctl)(?: container)? run\b[^|;&\n]{0,300}? (?:(?:-v|--volume)[ =]?["']?\/:\/(?![^\s"']{0,80}:ro\b)|--mount[ =]["']?[^\s"']{0,80}(?:source|src)=\/,)/i;

/** Code that every later run of a program loads, from where anybody may write, or from an address. */
const loadsFromTemporary =
  /\b(?:NODE_OPTIONS|LD_PRELOAD|DYLD_INSERT_LIBRARIES|BASH_ENV|PYTHONSTARTUP|PERL5OPT|RUBYOPT)=["']?(?:[\w=./-]{0,60} )?(?:(?:--(?:require|import|loader|experimental-loader)|-r|-M|-I)[ =]?)?["']?(?:\/(?:var\/)?tmp\/|\/dev\/shm\/|https?:|data:)/;
