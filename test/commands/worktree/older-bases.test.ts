/** A person saves, or takes out of a stash, a text that they had before a command changed the note. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../support/store.js';
import { bodyOf, killedAt, more, replace, text, useSite } from './support/killed-command.js';

describe('an edit of an older version', () => {
  const site = useSite();
  const editNow = async (): Promise<void> => {
    const { memory } = openStore({ home: site().home });
    await site().edit(memory);
    await memory.finish();
  };

  it('is merged with what a command recorded since', async () => {
    const before = readFileSync(site().x.path, 'utf8');
    await editNow();
    writeFileSync(site().x.path, before.replace('\none\n', '\nMINE\n'));
    const { memory } = openStore({ home: site().home });
    await memory.adopt('hold');
    expect(await bodyOf(memory, site().x.id)).toBe('MINE\ntwo\nthree\nfour\n');
    await memory.finish();
  });

  it('is merged where it was stashed before the command', async () => {
    await killedAt(site(), 'put', site().edit);
    replace(site().x.path, 'one', 'MINE');
    site().git('stash', '-q');
    expect(await site().bodyAfter(site().x.id)).toBe(more);
    site().git('stash', 'pop');
    await site().bodyAfter(site().y.id);
    const { memory } = openStore({ home: site().home });
    await memory.adopt('hold');
    expect(await bodyOf(memory, site().x.id)).toBe(more.replace('one', 'MINE'));
    await memory.finish();
  });

  it('is no edit where the older version itself is put back', async () => {
    const before = readFileSync(site().x.path);
    await editNow();
    writeFileSync(site().x.path, before);
    const { memory } = openStore({ home: site().home });
    await memory.adopt('hold');
    expect(await bodyOf(memory, site().x.id)).toBe(text);
    await memory.finish();
  });
});

describe('a file that a person has edited and moved', () => {
  const site = useSite();
  it('is what a reader shows, so that an edit stands on it', async () => {
    appendFileSync(site().x.path, 'MINE\n');
    site().renameX();
    const { memory } = openStore({ home: site().home });
    const shown = await bodyOf(memory, site().x.id);
    expect(shown).toBe(`${text}MINE\n`);
    await memory.perform({ kind: 'edit', id: site().x.id, set: { body: `${shown}four\n` } });
    expect(await bodyOf(memory, site().x.id)).toBe(`${text}MINE\nfour\n`);
    await memory.finish();
  });
});
