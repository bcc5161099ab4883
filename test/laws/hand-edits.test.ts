/** Whatever a person does to note files, and whatever command follows, no text is lost silently. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openStore, personsGit, type TestStore, writeNote } from '../support/store.js';

const notes = 6;
const anyIndex = fc.nat({ max: notes - 1 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('over' as const), from: anyIndex, to: anyIndex }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('swap' as const), from: anyIndex, to: anyIndex }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('copy' as const), from: anyIndex, to: anyIndex }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), from: anyIndex, to: anyIndex }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('folder' as const), from: anyIndex, to: anyIndex }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('type' as const), from: anyIndex, to: anyIndex }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('tag' as const), from: anyIndex, to: anyIndex }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hold' as const), from: anyIndex, to: anyIndex }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('record' as const), from: anyIndex, to: anyIndex }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('put-back' as const), from: anyIndex, to: anyIndex }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(folder, 'semantic'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join(folder, 'semantic', path))
    .toSorted();
const bodyOf = (text: string): string => text.slice(text.indexOf('\n---\n') + 5);
const idOf = (text: string): string => /^id: (.*)$/m.exec(text)?.[1] ?? '';

/** The id of the note by line of its body. The lines must not get lost. */
type Lines = Map<string, string>;
const linesOf = (text: string): Lines =>
  new Map(
    bodyOf(text)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line, idOf(text)]),
  );

const run = async (store: TestStore, steps: readonly Step[]): Promise<void> => {
  const { folder } = store.memory.journals.portable;
  const written = [];
  for (let at = 0; at < notes; at += 1)
    written.push(await writeNote(store.memory, { title: `Note ${at}`, body: `text ${at}\n` }));
  const ids = written.map(({ id }) => id);
  const linesToKeep: Lines = new Map(ids.map((id, at) => [`text ${at}`, id]));
  const inTree = (): string =>
    filesIn(folder)
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
  /** Lines that the person removed from the last file that had them. */
  const taken = new Set<string>();
  const check = async (done: readonly Step[]): Promise<void> => {
    const tree = `${inTree()}\n`;
    const gone = [...linesToKeep].filter(([line]) => !tree.includes(`${line}\n`));
    const story = JSON.stringify(done);
    for (const [line] of gone) expect(taken.has(line), `${line} after ${story}`).toBe(true);
    for (const line of taken) if (tree.includes(`${line}\n`)) taken.delete(line);
    const head = gone.length === 0 ? '' : personsGit(folder, 'grep', '-h', '-e', '^text', '-e', '^typed', 'main');
    for (const [line, id] of gone) {
      if (`${head}\n`.includes(`${line}\n`)) continue;
      const events = await store.memory.events({ note: id, kind: 'hand.adopted' }, 50);
      expect(events.length, `${line} of ${id} after ${story}`).toBeGreaterThan(0);
    }
  };
  const live = async () => (await store.memory.list({}, 100)).notes.map(({ id }) => id as string);
  for (const [at, one] of steps.entries()) {
    const files = filesIn(folder);
    const from = files[one.from % Math.max(files.length, 1)];
    const to = files[one.to % Math.max(files.length, 1)];
    const isByHand = from !== undefined && to !== undefined;
    // A person may lose what they overwrite or remove themselves, unless the journal has it.
    const giveUpLines = (file: string): void => {
      const rest = filesIn(folder)
        .filter((other) => other !== file)
        .map((other) => readFileSync(other, 'utf8'))
        .join('\n');
      for (const line of linesOf(readFileSync(file, 'utf8')).keys()) {
        if (`${rest}\n`.includes(`${line}\n`)) continue;
        if (line.startsWith('typed')) linesToKeep.delete(line);
        else taken.add(line);
      }
    };
    const before = await live();
    const idsInFiles = new Set(files.map((file) => idOf(readFileSync(file, 'utf8'))));
    if (one.kind === 'tag')
      await store.memory.perform({ kind: 'tag', id: ids[one.from] ?? '', add: [`t${at}`], remove: [] });
    else if (one.kind === 'hold' || one.kind === 'record' || one.kind === 'put-back')
      await store.memory.adopt(one.kind);
    else if (!isByHand) continue;
    else if (one.kind === 'type') {
      const text = readFileSync(from, 'utf8');
      writeFileSync(from, `${text}typed ${at}\n`);
      linesToKeep.set(`typed ${at}`, idOf(text));
    } else if (one.kind === 'remove') {
      giveUpLines(from);
      rmSync(from);
    } else if (one.kind === 'folder') {
      const there = join(folder, 'semantic', `d${one.to}`, from.slice(-29));
      if (existsSync(there)) continue;
      mkdirSync(dirname(there), { recursive: true });
      renameSync(from, there);
    } else if (from === to) continue;
    else if (one.kind === 'over' || one.kind === 'copy') {
      giveUpLines(to);
      if (one.kind === 'over') renameSync(from, to);
      else copyFileSync(from, to);
    } else {
      renameSync(from, `${from}.aside`);
      renameSync(to, from);
      renameSync(`${from}.aside`, to);
    }
    await check(steps.slice(0, at + 1));
    const isSafe = one.kind === 'tag' || one.kind === 'put-back';
    const after = new Set(await live());
    const left = before.filter((id) => !after.has(id) && (isSafe || idsInFiles.has(id)));
    expect(left, `notes gone after ${JSON.stringify(steps.slice(0, at + 1))}`).toEqual([]);
  }
};

it('hand edits and commands in any order lose no text of a note, unless an event names the note as removed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
      const store = openStore();
      try {
        await run(store, steps);
      } finally {
        await store.close();
      }
    }),
    { seed: 7, numRuns: 6, endOnFailure: true },
  );
}, 60_000);
