/** Machines whose clocks disagree by days. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importPath } from '../../src/import/importing.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import { Memory } from '../../src/store/memory.js';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { personsGit, temporaryFolder, writeNote } from '../support/store.js';

const dayMs = 86_400_000;

describe('a machine whose clock is two days ahead', () => {
  let folder = '';
  let remote = '';
  const opened: Memory[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
    remote = join(folder, 'remote.git');
    personsGit(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  });
  afterEach(async () => {
    for (const memory of opened.splice(0)) await memory.finish();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (machine: string, skewMs: number): Promise<Memory> => {
    const settings = { home: join(folder, machine), machine, user: 'self' };
    const memory = new Memory(settings, { nowMs: () => Date.now() + skewMs });
    opened.push(memory);
    await memory.initialise();
    await setRemote(memory, remote);
    return memory;
  };
  const eventsOf = ({ journals }: Memory): readonly string[] =>
    personsGit(journals.portable.folder, 'log', '--format=%(trailers:key=Event,valueonly,separator=%x20)', 'main')
      .split('\n')
      .filter(Boolean);

  it('publishes no event twice after others wrote several', async () => {
    const ahead = await open('ahead', 2 * dayMs);
    const right = await open('right', 0);
    await writeNote(ahead, { title: 'first' });
    expect(await syncStore(ahead)).toMatchObject({ outcome: 'synced', pushed: 1 });
    await syncStore(right);
    // A git walk by date gives up after a few commits older than the one it looks for.
    for (let count = 0; count < 10; count += 1) await writeNote(right, { title: `n${count}` });
    await syncStore(right);
    await writeNote(ahead, { title: 'last' });
    expect(await syncStore(ahead)).toMatchObject({ outcome: 'synced', pulled: 10, conflicted: 0 });
    const events = eventsOf(ahead);
    expect(new Set(events).size).toBe(events.length);
    // 12 notes and the merge of both heads.
    expect(events).toHaveLength(13);
  });

  it('publishes no event twice after a person merged what others wrote', async () => {
    const ahead = await open('ahead', 2 * dayMs);
    const [right, pulls] = [await open('right', 0), await open('pulls', 0)];
    await writeNote(ahead, { title: 'first' });
    for (const machine of [ahead, right, pulls]) await syncStore(machine);
    for (let count = 0; count < 10; count += 1) await writeNote(right, { title: `n${count}` });
    await syncStore(right);
    await writeNote(pulls, { title: 'own' });
    await pulls.finish();
    // The merged line forks before the newest common commit, and beyond the fork git meets older dates.
    personsGit(pulls.journals.portable.folder, 'pull', '-q', '--no-rebase', '--no-edit', remote, 'main');
    await writeNote(right, { title: 'last' });
    await syncStore(right);
    expect(await syncStore(pulls)).toMatchObject({ outcome: 'synced', pulled: 1, conflicted: 0 });
    const events = eventsOf(pulls);
    expect(new Set(events).size).toBe(events.length);
    expect(await replayStore(pulls, { verify: true })).toMatchObject({ verified: true });
  });

  it('does not import over what another machine has edited since', async () => {
    const ahead = await open('ahead', 2 * dayMs);
    const right = await open('right', 0);
    const source = join(folder, 'source');
    const read = async (memory: Memory, text: string): Promise<void> => {
      mkdirSync(source, { recursive: true });
      writeFileSync(join(source, 'topic.md'), `# Topic\n\n${text}\n`);
      await importPath(memory, source, { format: 'markdown', project: 'p' });
    };
    await read(ahead, 'As imported.');
    await syncStore(ahead);
    await syncStore(right);
    const [note] = (await right.list({}, 1)).notes;
    await right.perform({ kind: 'edit', id: note?.id ?? '', set: { body: 'As edited.\n' } });
    await syncStore(right);
    await syncStore(ahead);
    await read(ahead, 'As imported later.');
    const shown = await ahead.show(note?.id ?? '');
    expect(shown.ok && shown.answer.body).toBe('As edited.\n');
  });
});
