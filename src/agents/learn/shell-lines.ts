/** Splits a text into commands, one per line, as a shell would read them. Pure, linear. */

/**
 * Returns the lines that match the hint, without what a shell drops, each pipe on one line and table cells separate.
 * Expects plain letters.
 */
export const shellLinesOf = (text: string, hint: RegExp): readonly string[] => {
  const plain = withoutTricks(text);
  if (!hint.test(plain)) return [];
  return joinPipes(plain.split('\n'))
    .filter((line) => hint.test(line))
    .flatMap(commandsOf);
};

/**
 * Returns the words after each command that a global pattern finds, up to the end of the command or the first word of a
 * sentence, without quotes. Options that take a value are left out with it.
 */
export const argumentsBehind = (line: string, command: RegExp): readonly (readonly string[])[] =>
  [...line.matchAll(command)].map(({ 0: found, index }) => {
    const behind = line.slice(index + found.length, index + found.length + maxArgumentChars);
    const words = (behind.split(/[;&|`)]/, 1)[0] ?? '').trim().split(/\s+/);
    const end = words.findIndex((word) => sentenceWord.test(word));
    return words
      .slice(0, end === -1 ? words.length : end)
      .filter((word, at, all) => !valuedOption.test(word) && !valuedOption.test(all[at - 1] ?? ''))
      .map((word) => word.replace(/^["'(]+|(?<!["',.:])["',.:]+$/g, ''));
  });

const maxArgumentChars = 240;
const valuedOption = /^(?:--(?:prefix|workspace|dir|cwd|filter|cache|userconfig|tag|registry|cask-opts)|-[wCF])$/;

/** Words that follow a command in a sentence; packages don't have such names. */
export const proseWords =
  'and|then|or|to|from|at|in|see|open|per|via|with|on|is|as|for|if|before|after|like|which|the|a|an|visit|docs|docs:|using|first|it|behind|against|when|instead|does|will|needs?|uses?';
const sentenceWord = new RegExp(`^(?:${proseWords})$`, 'i');

/** Removes what a shell drops before it looks for a command: escapes, empty quotes, `${IFS}`, line continuations. */
const withoutTricks = (text: string): string =>
  text
    .replace(/(?:\\|`|\^)[ \t]{0,8}\r?\n/g, ' ')
    .replace(/\r\n?/g, '\n')
    .replace(/\$\{?IFS\b[^}\s]{0,10}\}?/g, ' ')
    .replace(/(?<=\w)(?:''|"")(?=\w)|(?<=\w)["'](?=\w{1,8}["']\w)|\\(?=[\w|])|(?<=\w)\^(?=\w)/g, '')
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/\$\{?(?:SHELL|BASH)\b\}?|(?<=\| ?)\$\{?0\b\}?/g, 'sh')
    .replace(/(?<=\| ?)["']([\w./-]{1,60})["']/g, '$1');

/** Joins lines if a pipe ends the one or begins the next; the rows of a table stay separate. */
const joinPipes = (lines: readonly string[]): readonly string[] => {
  const joined: string[][] = [];
  let before = '';
  for (const line of lines.map((one) => one.trim())) {
    const isRow = line.startsWith('|') && line.endsWith('|');
    const goesOn =
      (before.endsWith('|') && !before.startsWith('|') && line !== '') ||
      (line.startsWith('|') && !isRow && before !== '' && !(before.startsWith('|') && before.endsWith('|')));
    const last = joined.at(-1);
    if (goesOn && last !== undefined) last.push(line);
    else joined.push([line]);
    before = line;
  }
  return joined.map((parts) => parts.join(' '));
};

/** Splits a table row: its cells are not stages of a pipe. */
const commandsOf = (line: string): readonly string[] =>
  /^\s{0,20}\|.*\|\s{0,20}$/.test(line)
    ? [...line.split(/(?<!\\) \| /), line.replace(/^\s*\||\|\s*$/g, '')].filter(mayBeCommand)
    : [line];

/** A text that still contains ` | ` is taken for a pipe only if it contains an address too. */
const mayBeCommand = (cell: string): boolean => !cell.includes(' | ') || /:\/\//.test(cell);
