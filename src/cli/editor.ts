/** Lets a person write a text in their own editor. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  plainText,
  readTypedText,
  splitTitle,
  type TitledText,
  type TypedText,
} from '../import/markdown/typed-text.js';
import { refused } from './errors.js';
import { say, streams } from './output.js';

const textEmpty = {
  code: 'body-empty',
  message: 'the text is empty, so nothing was recorded',
  next: 'write something, or give --body',
};

/** Opens $VISUAL or $EDITOR on a file outside the store; keeps it if `use` throws. An empty text ends the command. */
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

/** Does the same for the title and the text of a note, with a hint that is not part of them. */
export const withEditedNote = (before: TitledText, use: (note: TypedText) => Promise<void>): Promise<void> => {
  const template = formatTemplate(before);
  return withEditedText(template, async (text) => {
    const typed = parseTemplate(text, before);
    // A title alone makes a note, but not one that was given and left as it was.
    const isNothing = typed.body.trim() === '' && (before.body.trim() !== '' || text === template);
    if (isNothing || typed.title === '') throw refused(textEmpty);
    await use(typed);
  });
};

const formatTemplate = ({ title, body }: TitledText): string =>
  `# ${title}\n\n${body}${body === '' || body.endsWith('\n') ? '' : '\n'}${hint}`;

const hint = '\n<!-- The first line is the title, everything below it the text. This comment is removed. -->\n';

const parseTemplate = (text: string, before: TitledText): TypedText => {
  const content = text.replace(hint, '').replace(hint.trim(), '');
  // A template without a title begins with an empty heading, and front matter may be typed below it.
  const typed = before.title === '' ? readTypedText(content.replace(/^#?\s*\n/, '')) : parseEdited(content, before);
  const body = typed.body.replace(/^\s*\n/, '');
  // Front matter may be typed in place of everything, or below a new title.
  const [, ...below] = content.trimStart().split('\n');
  const places = [body, content.trimStart(), below.join('\n').trimStart()];
  const scope = typed.scope ?? places.map((place) => plainText('', place).scope).find((one) => one !== undefined);
  // An editor ends every file with a line break, which doesn't change the text.
  return { ...typed, scope, body: before.body.endsWith('\n') ? body : withoutLastBreaks(body) };
};

const parseEdited = (text: string, before: TitledText): TypedText => {
  const [line = '', ...rest] = text.trimStart().split('\n');
  if (line === `# ${before.title}`) return plainText(before.title, rest.join('\n'));
  const { title, body } = splitTitle(text);
  return plainText(title, body);
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
  // Through a shell, as git does, because EDITOR may contain options.
  const { status, error } = spawnSync('sh', ['-c', `${editor} "$@"`, editor, file], {
    stdio: [streams.stdin, streams.stdout, streams.stderr],
  });
  if (error !== undefined || status !== 0) {
    const why = error?.message ?? `it ended with ${status ?? 'a signal'}`;
    throw refused({
      code: 'editor-failed',
      message: `the editor ${editor} failed: ${why}`,
      next: 'set EDITOR to one that works, or give --body',
    });
  }
};

/** Uses no pattern: one that ends in `$` takes time quadratic in the number of line breaks inside the text. */
const withoutLastBreaks = (text: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
};
