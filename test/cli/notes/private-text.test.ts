/** A text that says `scope: machine-local` in its own front matter, given to write or edit. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openHome, type TestHome } from '../support.js';

let home: TestHome;
beforeAll(() => {
  home = openHome();
});
afterAll(() => home.remove());

const text = '---\ntitle: Mine\nscope: machine-local\n---\nPRIVATE\n';
const told = expect.arrayContaining([expect.stringContaining('so the note stays on this machine')]);

describe('a text that says it is machine-local', () => {
  it('makes a machine-local note when it is piped in', async () => {
    const note = await home.json(['write'], { input: text });
    expect(note).toMatchObject({ title: 'Mine', scope: 'machine-local', body: 'PRIVATE\n', warnings: told });
  });

  it.each([
    { way: 'as the text of a file', args: ['--body-file', '-'], input: text },
    { way: 'as an argument', args: ['--body', `${text}again\n`], input: undefined },
  ])('makes a machine-local note when it is given $way', async ({ way, args, input }) => {
    const note = await home.json(['write', `Kept whole ${way}`, ...args], input === undefined ? {} : { input });
    expect(note).toMatchObject({ scope: 'machine-local', body: expect.stringContaining(text), warnings: told });
  });

  it('makes a portable note when that is asked for', async () => {
    const note = await home.json(['write', '--scope', 'portable'], { input: text });
    expect(note).toMatchObject({ scope: 'portable', warnings: [] });
  });

  it.each([
    { way: 'piped in', args: [] as string[] },
    { way: 'given by an option', args: ['--body-file', '-'] },
  ])('is refused for a portable note when it is $way', async ({ args }) => {
    const { id } = (await home.json(['write', 'Portable', '--body', 'Said to all.'])) as Json & { id: string };
    const { code, stderr } = await home.run(['edit', id, ...args], { input: text });
    expect(code).toBe(1);
    expect(stderr).toContain('--scope machine-local, or take that line out');
    expect(await home.json(['show', id])).toMatchObject({ scope: 'portable', body: 'Said to all.' });
  });

  it('may be edited when the note has such lines already', async () => {
    const { id } = (await home.json(['write', 'Format', '--scope', 'portable', '--body', text])) as Json & {
      id: string;
    };
    const more = `${text}And more.\n`;
    expect(await home.json(['edit', id, '--body', more])).toMatchObject({ scope: 'portable', body: more });
  });
});

describe('this text saved in the editor', () => {
  const front = '---\\nscope: machine-local\\n---\\nTyped %s\\n';
  /** Makes an editor that saves the output of `line`, where `$top` is the first line of the template. */
  const saves = (line: string) => {
    const path = join(home.folder, `editor-${Math.random().toString(36).slice(2)}`);
    writeFileSync(path, `#!/bin/sh\ntop=$(head -1 "$1")\n${line} > "$1"\n`);
    chmodSync(path, 0o755);
    return { EDITOR: path };
  };
  const ways = [
    { way: 'in place of the whole template', line: (word: string) => `printf -- '${front}' ${word}` },
    { way: 'right below the title', line: (word: string) => `printf -- '%s\\n${front}' "$top" ${word}` },
    { way: 'below a new title', line: (word: string) => `printf -- '# New\\n${front}' ${word}` },
  ];

  it.each(ways)('is refused for a portable note when it stands $way', async ({ line }) => {
    const { id } = (await home.json(['write', 'Shared', '--body', `Said to all ${line('')}`])) as Json & { id: string };
    const { code, stdout } = await home.onTerminal(['edit', id], saves(line('edited')));
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('take that line out') });
    expect((await home.json(['show', id])).body).toContain('Said to all');
  });

  it.each([
    { command: 'write', args: ['write'] },
    { command: 'write TITLE', args: ['write', 'Given'] },
  ])('makes a machine-local note with $command, wherever it stands', async ({ command, args }) => {
    for (const [at, { line }] of ways.entries()) {
      const word = `${command.replace(' ', '').toLowerCase()}${at}`;
      expect((await home.onTerminal(args, saves(line(word)))).code).toBe(0);
      expect((await home.json(['search', word, '--mode', 'exact'])).hits).toMatchObject([{ scope: 'machine-local' }]);
    }
  });

  it('supersedes a portable note only with a machine-local one', async () => {
    const { id } = (await home.json(['write', 'Old', '--body', 'Old text.'])) as Json & { id: string };
    const [{ line }] = ways as [(typeof ways)[number]];
    expect((await home.onTerminal(['supersede', id, '--title', 'Newer'], saves(line('newer')))).code).toBe(0);
    expect((await home.json(['search', 'newer', '--mode', 'exact'])).hits).toMatchObject([{ scope: 'machine-local' }]);
  });
});
