import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NoteJson } from '../../src/store/note-json.js';
import { type Machine, makeMachine, openSession } from './support/agent.js';

const samples = join(process.cwd(), '../shared/transcripts');
const names = existsSync(samples) ? readdirSync(samples).filter((name) => name.endsWith('.jsonl')) : [];

type Counts = { readonly imported: number; readonly updated: number; readonly skipped: number };

describe.skipIf(names.length === 0)('real transcripts', () => {
  let machine: Machine;
  beforeEach(() => {
    machine = makeMachine();
  });
  afterEach(() => rmSync(machine.home, { recursive: true, force: true }));
  const sessions = (): readonly NoteJson[] =>
    machine.json<{ notes: readonly NoteJson[] }>('list', '--tag', 'session', '-n', '50').notes;
  /** Copies the samples to where Claude Code would have written them. */
  const copySamples = (): void => {
    const folder = join(machine.claude, 'projects', '-work');
    mkdirSync(folder, { recursive: true });
    for (const name of names) copyFileSync(join(samples, name), join(folder, name));
    const subagents = join(samples, 'v2.1-compaction-progress', 'subagents');
    cpSync(subagents, join(folder, 'v2.1-compaction-progress', 'subagents'), { recursive: true });
  };

  it('of every version become one note each when their session ends', async () => {
    for (const name of names) {
      const session = openSession(machine, machine.project(name.replace('.jsonl', '')));
      copyFileSync(join(samples, name), session.transcript);
      await session.hook('SessionEnd', { reason: 'other' });
      await session.hook('SessionEnd', { reason: 'other' });
    }
    await machine.settled();
    expect(sessions().length).toBe(new Set(sessions().map(({ prov_session }) => prov_session)).size);
    // A greeting and a file of placeholders get no note.
    expect(sessions()).toHaveLength(4);
    for (const { id, title } of sessions()) {
      const { body = '' } = machine.json<NoteJson>('show', id);
      expect([...title].length).toBeLessThanOrEqual(80);
      expect(body.length).toBeLessThanOrEqual(2500);
      expect(body).not.toMatch(/[\w.]+@(?:gmail|anthropic|users)\./);
    }
    expect(machine.anamnesis(['replay', '--verify'])).toContain('the same as before');
  });

  it('of the past are imported by one command, and only once', () => {
    copySamples();
    const first = machine.json<Counts>('import', 'transcripts');
    expect(first.imported).toBe(4);
    expect(machine.json<Counts>('import', 'transcripts')).toMatchObject({ imported: 0, updated: 0 });
    expect(sessions()).toHaveLength(first.imported);
  });

  it('are captured by hand in the same way', () => {
    copySamples();
    const file = join(machine.claude, 'projects', '-work', names[0] ?? '');
    const once = machine.json<{ status: string; note: NoteJson }>('capture', '--transcript', file);
    expect(once.status).toBe('recorded');
    expect(machine.json<{ status: string }>('capture', '--transcript', file).status).toBe('unchanged');
    expect(once.note.tags).toContain('manual');
  });
});
