import { appendFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { journalNames } from '../../src/events/note.js';
import { replayStore } from '../../src/memory/replaying.js';
import { verifyStore } from '../../src/memory/verifying.js';
import { bundleChild, startChild } from '../support/children.js';
import { openStore, personsGit, reachableObjects, temporaryFolder } from '../support/store.js';

type Acknowledged = { readonly kind: string; readonly status: string; readonly id?: string; readonly version?: string };

const parseLines = (stdout: string): Acknowledged[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

const noteFiles = (home: string): string[] =>
  journalNames
    .map((name) => join(home, name))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)))
    .filter((path) => path.endsWith('.md') && !path.includes('.git/'));

const rounds = Number(process.env['ANAMNESIS_KILLS'] ?? 80);

describe('a process killed at any step of the write path', () => {
  let writer = '';
  let home = '';
  beforeAll(async () => {
    writer = await bundleChild('killed-writer');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('loses no acknowledged write and no hand edit, and no stale file is adopted', async () => {
    home = temporaryFolder();
    const acknowledged: Acknowledged[] = [];
    const handTexts: string[] = [];
    let killed = 0;
    for (let round = 0; round < rounds; round += 1) {
      const ids = [...new Set(acknowledged.flatMap(({ id }) => id ?? []))].slice(-12);
      const step = 1 + ((round * 7) % 23);
      const { ended } = startChild(writer, [home, String(round + 1), String(step), '4', JSON.stringify(ids)]);
      const result = await ended;
      expect(result.stderr).toBe('');
      if (result.signal === 'SIGKILL') killed += 1;
      acknowledged.push(...parseLines(result.stdout));
      const files = noteFiles(home);
      if (round % 3 === 0 && files.length > 0) {
        const text = `by hand in round ${round}`;
        appendFileSync(files[(round * 13) % files.length]!, `${text}\n`);
        handTexts.push(text);
      }
    }
    expect(killed).toBeGreaterThan(rounds / 2);

    const store = openStore({ home });
    const { memory } = store;
    await memory.adopt('record');
    const journals = journalNames.map((name) => memory.journals[name]);
    const reachable = new Set(journals.flatMap(({ folder }) => [...reachableObjects(folder)]));
    for (const { version } of acknowledged) if (version !== undefined) expect(reachable).toContain(version);
    const history = journals.map(({ folder }) => personsGit(folder, 'log', '-p', '--format=%H', 'main')).join('\n');
    for (const text of handTexts) expect(history).toContain(text);
    const adoptions = await memory.events({ kind: 'hand.adopted' }, 10_000);
    expect(adoptions.length).toBeLessThanOrEqual(handTexts.length);
    const verified = await verifyStore(memory);
    expect(verified.problems).toEqual([]);
    expect((await replayStore(memory, { verify: true })).verified).toBe(true);
    await memory.finish();
    for (const { folder } of journals) expect(personsGit(folder, 'status', '--porcelain', '--', '.')).toBe('');
  }, 300_000);
});
