/** A text that says `scope: machine-local` in its own front matter, given to write or edit. */
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
  it('makes a machine-local note when it is piped in', () => {
    const note = home.json(['write'], { input: text });
    expect(note).toMatchObject({ title: 'Mine', scope: 'machine-local', body: 'PRIVATE\n', warnings: told });
  });

  it.each([
    { way: 'as the text of a file', args: ['--body-file', '-'], input: text },
    { way: 'as an argument', args: ['--body', `${text}again\n`], input: undefined },
  ])('makes a machine-local note when it is given $way', ({ way, args, input }) => {
    const note = home.json(['write', `Kept whole ${way}`, ...args], input === undefined ? {} : { input });
    expect(note).toMatchObject({ scope: 'machine-local', body: expect.stringContaining(text), warnings: told });
  });

  it('makes a portable note when that is asked for', () => {
    const note = home.json(['write', '--scope', 'portable'], { input: text });
    expect(note).toMatchObject({ scope: 'portable', warnings: [] });
  });

  it('is refused for a portable note when it is piped in', () => {
    const { id } = home.json(['write', 'Portable', '--body', 'Said to all.']) as Json & { id: string };
    const { code, stderr } = home.run(['edit', id], { input: text });
    expect(code).toBe(1);
    expect(stderr).toContain('--scope machine-local, or take that line out');
    expect(home.json(['show', id])).toMatchObject({ scope: 'portable', body: 'Said to all.' });
  });

  it('may be edited when the note has such lines already', () => {
    const { id } = home.json(['write', 'Format', '--scope', 'portable', '--body', text]) as Json & { id: string };
    const more = `${text}And more.\n`;
    expect(home.json(['edit', id, '--body', more])).toMatchObject({ scope: 'portable', body: more });
  });
});
