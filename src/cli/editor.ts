/** Writing a text in the person's own editor. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { refused } from './errors.js';
import { say } from './output.js';

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
    if (text.trim() === '') {
      throw refused({
        code: 'body-empty',
        message: 'the text is empty, so nothing was recorded',
        next: 'write something, or give --body',
      });
    }
    await use(text);
  } catch (error) {
    const text = readFileSync(file, 'utf8');
    if (text.trim() === '' || text === before) remove();
    else say(`your text is kept in ${file}`);
    throw error;
  }
  remove();
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
