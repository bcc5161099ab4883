/** Writing a text in the person's own editor. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { splitTitle, type TypedNote } from './body.js';
import { refused } from './errors.js';
import { say } from './output.js';

const textEmpty = {
  code: 'body-empty',
  message: 'the text is empty, so nothing was recorded',
  next: 'write something, or give --body',
};

/**
 * Opens $VISUAL or $EDITOR on the text in a file outside the store and hands what was written to `use`. The file stays
 * when `use` throws: nobody types a refused text twice. An empty text ends the command.
 */
export const withEditedText = async (before: string, use: (text: string) => Promise<void>): Promise<void> => {
  const file = join(mkdtempSync(join(tmpdir(), 'anamnesis-edit-')), 'note.md');
  writeFileSync(file, before);
  const remove = (): void => rmSync(dirname(file), { recursive: true, force: true });
  try {
    openEditor(file);
    const text = readFileSync(file, 'utf8');
    if (text.trim() === '') throw refused(textEmpty);
    await use(text);
  } catch (error) {
    const text = readFileSync(file, 'utf8');
    if (text.trim() === '' || text === before) remove();
    else say(`your text is kept in ${file}`);
    throw error;
  }
  remove();
};

/** The same for the title and the text of a note, with a hint that is not part of them. */
export const withEditedNote = (before: TypedNote, use: (note: TypedNote) => Promise<void>): Promise<void> =>
  withEditedText(formatTemplate(before), async (text) => {
    const typed = parseTemplate(text, before);
    if (typed.body.trim() === '') throw refused(textEmpty);
    await use(typed);
  });

const formatTemplate = ({ title, body }: TypedNote): string =>
  `# ${title}\n\n${body}${body === '' || body.endsWith('\n') ? '' : '\n'}${hint}`;

const hint = '\n<!-- The first line is the title, all below it the text. This comment goes. -->\n';

/** Where the title's line was taken away, the note keeps the title that it had. */
const parseTemplate = (text: string, before: TypedNote): TypedNote => {
  const content = text.replace(hint, '');
  const [line, title = ''] = /^# ?(.*)\n?/.exec(content) ?? [];
  const typed =
    line !== undefined
      ? { title: title.trim() || before.title, body: content.slice(line.length) }
      : before.title === ''
        ? splitTitle(content)
        : { title: before.title, body: content };
  const body = typed.body.replace(/^\s*\n/, '');
  // An editor ends every file with a line end, which is no change of the text.
  return { title: typed.title, body: before.body.endsWith('\n') ? body : withoutLastBreaks(body) };
};

const openEditor = (file: string): void => {
  const editor = process.env['VISUAL'] || process.env['EDITOR'];
  if (editor === undefined || editor === '') {
    throw refused({
      code: 'editor-missing',
      message: 'there is no text and no editor to write it in',
      next: 'give --body TEXT or --body-file FILE, or set EDITOR',
    });
  }
  // Through a shell, as git does it, because EDITOR may hold options.
  const { status, error } = spawnSync('sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit' });
  if (error !== undefined || status !== 0) {
    const why = error?.message ?? `it ended with ${status ?? 'a signal'}`;
    throw refused({
      code: 'editor-failed',
      message: `the editor ${editor} failed: ${why}`,
      next: 'set EDITOR to one that works, or give --body',
    });
  }
};

/** By hand: a pattern that ends in `$` takes a time in proportion to the square of the line ends inside the text. */
const withoutLastBreaks = (text: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
};
