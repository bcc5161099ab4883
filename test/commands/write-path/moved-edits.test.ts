/** Text typed into a note's file before a move makes the note machine-local. */
import { appendFileSync, existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../support/store.js';
import { bodyOf, killedAt, text, useSite } from '../worktree/support/killed-command.js';

describe('a hand edit of a note that a move makes machine-local', () => {
  const site = useSite();
  const portableHistory = (): string => site().git('log', '-p', '--all');
  const move = { kind: 'move', scope: 'machine-local' } as const;

  it('moves with the note and never enters the portable history', async () => {
    const { x, home } = site();
    appendFileSync(x.path, 'PRIVATE\n');
    const { memory } = openStore({ home });
    expect(await bodyOf(memory, x.id)).toBe(`${text}PRIVATE\n`);
    expect(await memory.perform({ ...move, id: x.id })).toMatchObject({ status: 'recorded' });
    expect(await bodyOf(memory, x.id)).toBe(`${text}PRIVATE\n`);
    await memory.finish();
    expect(existsSync(x.path)).toBe(false);
    expect(portableHistory()).not.toContain('PRIVATE');
  });

  it('is kept when a new title follows', async () => {
    const { x, home } = site();
    appendFileSync(x.path, 'PRIVATE\n');
    const { memory } = openStore({ home });
    await memory.perform({ ...move, id: x.id });
    await memory.perform({ kind: 'edit', id: x.id, set: { title: 'Y' } });
    expect(await memory.show(x.id)).toMatchObject({ answer: { title: 'Y', body: `${text}PRIVATE\n` } });
    await memory.finish();
  });

  it('stays in the file if the move is refused', async () => {
    const { x, home } = site();
    appendFileSync(x.path, 'PRIVATE\n');
    const { memory } = openStore({ home });
    expect(await memory.perform({ ...move, id: x.id, project: 'p'.repeat(10_000) })).toMatchObject({
      status: 'refused',
    });
    expect(await bodyOf(memory, x.id)).toBe(`${text}PRIVATE\n`);
    await memory.finish();
  });

  it.each(['commit', 'index', 'put', 'checkpoint'])('is not lost by a kill at %s', async (at) => {
    const { x, home } = site();
    appendFileSync(x.path, 'PRIVATE\n');
    await killedAt(site(), at, (one) => one.perform({ ...move, id: x.id }));
    expect(await site().bodyAfter(site().y.id)).toBe(text);
    const { memory } = openStore({ home });
    await memory.perform({ ...move, id: x.id });
    expect(await bodyOf(memory, x.id)).toBe(`${text}PRIVATE\n`);
    await memory.finish();
    expect(existsSync(x.path)).toBe(false);
    expect(portableHistory()).not.toContain('PRIVATE');
  });
});
