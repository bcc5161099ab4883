/**
 * Completion scripts for bash, zsh and fish. Pure. Not @bomb.sh/tab 0.0.22: it offers no files, starts the program at
 * every Tab, and its bash script passes the line to `eval`: a Tab after `anamnesis log > notes.md` empties notes.md.
 */
import type { CompletedCommand, CompletedOption } from './completion-tree.js';

type Tree = readonly CompletedCommand[];

/** One function that finds the command among the words so far, then offers what that command accepts. */
export const formatBash = (tree: Tree): string => {
  const steps = tree
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `      '${path.join(' ')}') at='${path.join(' ')}' ;;`);
  const values = tree.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(
        (option) =>
          `    ${option.flags.map((flag) => `'${path.join(' ')}:${flag}'`).join(' | ')}) ${bashValues(option)} ;;`,
      ),
  );
  const words = tree.map(({ path, options, words, takesFiles }) => {
    const flags = options.flatMap((option) => option.flags).join(' ');
    const names = words.map(({ word }) => word).join(' ');
    return `    '${path.join(' ')}') flags='${flags}'; words='${names}'; files='${takesFiles ? 'yes' : ''}' ;;`;
  });
  return `# bash completion for anamnesis
_anamnesis() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' i flags='' words='' files=''
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${at:+$at }\${COMP_WORDS[i]}" in
${steps.join('\n')}
    esac
  done
  case "$at:$prev" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  elif [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -F _anamnesis anamnesis
`;
};

const bashValues = ({ values, isFile }: CompletedOption): string => {
  if (isFile) return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return`;
  return values.length === 0 ? 'return' : `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$cur")); return`;
};

/** One function per command; a parent calls its child's by name. */
export const formatZsh = (tree: Tree): string => {
  const functions = tree.map((command) => {
    const { path, options, words, takesFiles } = command;
    const specs = options.map((option) => `    ${zshOption(option)}`);
    const children = tree.filter(
      (other) => other.path.length === path.length + 1 && path.every((word, at) => other.path[at] === word),
    );
    if (children.length > 0) {
      const offered = children.map(
        ({ path: child, description }) => `    ${quote(`${child.at(-1)}:${zshText(description)}`)}`,
      );
      const cases = children.map(({ path: child }) => `        ${child.at(-1)}) ${functionName(child)} ;;`);
      return `${functionName(path)}() {
  local state line
  local -a commands=(
${offered.join('\n')}
  )
  _arguments -C \\
${[...specs, "    '1: :->command'", "    '*:: :->rest'"].join(' \\\n')}
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
${cases.join('\n')}
      esac ;;
  esac
}`;
    }
    const rest = takesFiles
      ? "'*:file:_files'"
      : words.length > 0
        ? `'1:value:(${words.map(({ word }) => word).join(' ')})'`
        : "'*: :'";
    return `${functionName(path)}() {\n  _arguments \\\n${[...specs, `    ${rest}`].join(' \\\n')}\n}`;
  });
  return `#compdef anamnesis\n\n${functions.join('\n\n')}\n\n_anamnesis "$@"\n`;
};

const functionName = (path: readonly string[]): string => ['_anamnesis', ...path].join('_').replaceAll('-', '_');

/** `'*--tag[only notes with this tag]:value:'`; always offered again, since some options repeat. */
const zshOption = ({ flags, description, takesValue, values, isFile }: CompletedOption): string => {
  const action = isFile ? '_files' : values.length > 0 ? `(${values.join(' ')})` : '';
  const value = takesValue ? `:value:${action}` : '';
  return flags.map((flag) => quote(`*${flag}[${zshText(description)}]${value}`)).join(' ');
};

const zshText = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

export const formatFish = (tree: Tree): string => {
  const lines = tree.flatMap((command) => {
    const here = fishCondition(command, tree);
    const words = command.words.map(
      ({ word, description }) =>
        `complete -c anamnesis -f -n ${here} -a ${quote(word)}${description === '' ? '' : ` -d ${quote(description)}`}`,
    );
    const files = command.takesFiles || command.words.length > 0 ? [] : [`complete -c anamnesis -f -n ${here}`];
    return [...words, ...files, ...command.options.map((option) => fishOption(option, here))];
  });
  return `# fish completion for anamnesis\n${lines.join('\n')}\n`;
};

/** True once all words of the command were typed and none of a child's. */
const fishCondition = ({ path, words }: CompletedCommand, tree: Tree): string => {
  const isParent = tree.some(
    (other) => other.path.length === path.length + 1 && path.every((word, at) => other.path[at] === word),
  );
  const typed = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const open = isParent ? [`not __fish_seen_subcommand_from ${words.map(({ word }) => word).join(' ')}`] : [];
  return quote([...typed, ...open].join('; and ') || 'true');
};

const fishOption = ({ flags, description, takesValue, values, isFile }: CompletedOption, here: string): string => {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ');
  const value = !takesValue ? '' : isFile ? ' -r -F' : values.length > 0 ? ` -x -a ${quote(values.join(' '))}` : ' -x';
  return `complete -c anamnesis -n ${here} ${names}${value} -d ${quote(description)}`;
};

/** Quotes text with single quotes, for any of these shells. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
