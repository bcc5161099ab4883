/** A person saves or unstashes a text from before a command changed the note. */
import { appendFileSync, copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/commands/handlers.js';
import type { Memory } from '../../../src/store/memory.js';
import { newMachines } from '../../support/machines.js';
import { openStore, writeNote } from '../../support/store.js';
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

  it('is merged when it comes from a git stash', async () => {
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

  it('reverts the note if it is the unchanged older version', async () => {
    const before = readFileSync(site().x.path);
    await editNow();
    writeFileSync(site().x.path, before);
    const { memory } = openStore({ home: site().home });
    await memory.adopt('hold');
    expect(await bodyOf(memory, site().x.id)).toBe(text);
    await memory.finish();
  });
});

describe('a save from an editor that was already open', () => {
  const site = useSite();
  const run = async (...actions: ((memory: Memory) => Promise<unknown>)[]): Promise<void> => {
    const { memory } = openStore({ home: site().home });
    for (const action of actions) await action(memory);
    await memory.finish();
  };
  const tag = (one: Memory): Promise<unknown> =>
    one.perform({ kind: 'tag', id: site().x.id, add: ['kept'], remove: [] });
  const saveWith = (buffer: string): void => writeFileSync(site().x.path, buffer.replace('\ntwo\n', '\nMINE\n'));
  const adopt = (one: Memory): Promise<unknown> => one.adopt('hold');

  it('undoes neither a tag nor an edit that commands made since', async () => {
    const buffer = readFileSync(site().x.path, 'utf8');
    await run(tag, site().edit);
    saveWith(buffer);
    await run(adopt, async (one) => {
      expect(await one.show(site().x.id)).toMatchObject({ answer: { tags: ['kept'] } });
      expect(await bodyOf(one, site().x.id)).toBe(more.replace('two', 'MINE'));
    });
  });

  it('undoes no line that was typed in another editor before a command', async () => {
    const buffer = readFileSync(site().x.path, 'utf8');
    appendFileSync(site().x.path, 'by hand\n');
    await run(adopt, (one) => one.perform({ kind: 'edit', id: site().x.id, set: { body: `${text}by hand\nfour\n` } }));
    saveWith(buffer);
    await run(adopt, async (one) => expect(await bodyOf(one, site().x.id)).toBe('one\nMINE\nthree\nby hand\nfour\n'));
  });

  it('replaces a line that an earlier save added, if it is typed over', async () => {
    appendFileSync(site().x.path, 'first\n');
    await run(adopt);
    replace(site().x.path, 'first', 'second');
    await run(adopt, async (one) => expect(await bodyOf(one, site().x.id)).toBe(`${text}second\n`));
  });

  const lines = 'one\n\ntwo\n\nthree\n\nfour\n\nfive\n';
  const startMs = Date.parse('2026-03-01T10:00:00Z');
  const minuteMs = 60_000;

  it.each([
    ['our edit is later', minuteMs, 0],
    ['their edit is later', 0, minuteMs],
    ['both edits have the time of the note', 0, 0],
    ['their edit is older than the note by its clock, and ours has the time of the note', 0, -minuteMs],
    ['their edit is older than the note by its clock', minuteMs, -minuteMs],
  ])('keeps what a sync merged into the note when %s', async (_, oursMs, theirsMs) => {
    const machines = newMachines();
    let laterMs = 0;
    const one = await machines.open('one', { nowMs: () => startMs + laterMs });
    const two = await machines.open('two', { nowMs: () => startMs + theirsMs });
    const { id, path = '' } = await writeNote(one, { title: 'X', body: lines });
    await machines.sync(one, two);
    laterMs = oursMs;
    await two.perform({ kind: 'edit', id, set: { body: lines.replace('one', 'THEIRS') } });
    await one.perform({ kind: 'edit', id, set: { body: lines.replace('five', 'OURS') } });
    await machines.sync(two);
    const buffer = readFileSync(path, 'utf8');
    await machines.sync(one);
    writeFileSync(path, buffer.replace('\nthree\n', '\nMINE\n'));
    await one.adopt('hold');
    await machines.sync(one, two);
    for (const memory of [one, two]) expect(await bodyOf(memory, id)).toBe('THEIRS\n\ntwo\n\nMINE\n\nfour\n\nOURS\n');
  });

  it('keeps an edit that a sync fetched from a machine whose clock is behind', async () => {
    const machines = newMachines();
    const one = await machines.open('one', { nowMs: () => startMs });
    const two = await machines.open('two', { nowMs: () => startMs - minuteMs });
    const { id, path = '' } = await writeNote(one, { title: 'X', body: lines });
    await machines.sync(one, two);
    const buffer = readFileSync(path, 'utf8');
    await two.perform({ kind: 'edit', id, set: { body: lines.replace('one', 'THEIRS') } });
    await machines.sync(two, one);
    writeFileSync(path, buffer.replace('\nfive\n', '\nMINE\n'));
    await one.adopt('hold');
    expect(await bodyOf(one, id)).toBe('THEIRS\n\ntwo\n\nthree\n\nfour\n\nMINE\n');
  });
});

describe('the file of another note at the path of a note', () => {
  const site = useSite();
  const edits: readonly (readonly [string, (id: string) => Command])[] = [
    ['an edit', (id) => ({ kind: 'edit', id, set: { importance: 0.9 } })],
    ['an edit of the text', (id) => ({ kind: 'edit', id, set: { body: 'other\n' } })],
  ];

  it.each(edits)('does not count as its old version, when both have the same time and %s followed', async (_, edit) => {
    const startMs = Date.parse('2026-03-01T10:00:00Z');
    let laterMs = 0;
    const { memory, close } = openStore({ nowMs: () => startMs + laterMs });
    const [a, b] = [
      await writeNote(memory, { title: 'A', body: text }),
      await writeNote(memory, { title: 'B', body: 'B\n' }),
    ];
    const [atA = '', atB = ''] = [a.path, b.path];
    const saved = readFileSync(atB);
    laterMs = 60_000;
    await memory.perform(edit(a.id));
    renameSync(atB, atA);
    await memory.adopt('hold');
    expect(readFileSync(atA)).toEqual(saved);
    expect((await memory.list({}, 10)).notes.map(({ title }) => title)).toEqual(['B']);
    await close();
  });

  it('is not merged with what a killed command recorded for that note', async () => {
    const saved = readFileSync(site().y.path);
    await killedAt(site(), 'put', site().edit);
    copyFileSync(site().y.path, site().x.path);
    const { memory } = openStore({ home: site().home });
    await memory.adopt('hold');
    expect(readFileSync(site().x.path)).toEqual(saved);
    expect((await memory.list({}, 10)).notes.map(({ title }) => title)).not.toContainEqual(
      expect.stringContaining('('),
    );
    await memory.finish();
  });
});

describe('a file that a person edited and moved', () => {
  const site = useSite();
  it('is what readers see, so that an edit can build on it', async () => {
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
