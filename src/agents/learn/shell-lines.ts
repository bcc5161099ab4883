/** The commands of a text, one a line, as a shell would read them. Pure, linear. */

/**
 * Lines that the hint is found in, without what a shell drops, pipes on one line each, the cells of tables apart. The text
 * is in plain letters.
 */
export const shellLinesOf = (text: string, hint: RegExp): readonly string[] => {
  const plain = withoutTricks(text);
  if (!hint.test(plain)) return [];
  return joinPipes(plain.split('\n'))
    .filter((line) => hint.test(line))
    .flatMap(commandsOf);
};

/**
 * The words behind each command that a global pattern finds, up to the end of the command or the first word of a
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

/** Words that follow a command in a sentence; the packages that it names don't read so. */
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

/** A pipe may stand at the end of a line or begin the next one; the rows of a table stay apart. */
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

/** The cells of a table are no stages of a pipe. */
const commandsOf = (line: string): readonly string[] =>
  /^\s{0,20}\|.*\|\s{0,20}$/.test(line)
    ? [...line.split(/(?<!\\) \| /), line.replace(/^\s*\||\|\s*$/g, '')].filter(isNoTable)
    : [line];

/** A row with a pipe inside of a cell has an address in it too. */
const isNoTable = (cell: string): boolean => !cell.includes(' | ') || /:\/\//.test(cell);
