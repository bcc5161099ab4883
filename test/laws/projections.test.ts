import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreAt, undoEvent } from '../../src/app/undoing.js';
import type { Command } from '../../src/commands/handlers.js';
import { journalNames } from '../../src/events/note/note.js';
import { allDigestsOf } from '../../src/projections/digest.js';
import { openGeneration } from '../../src/projections/generation.js';
import type { Memory } from '../../src/store/memory.js';
import { openPool, type Pool } from '../../src/workers/pool.js';
import { replay } from '../../src/workers/replay.js';
import { openStore, personsGit, reachableObjects, type TestStore, writeCommand } from '../support/store.js';

/** One step of a random history; numbers pick among the notes that are there. */
type Step =
  | {
      readonly do: 'write';
      readonly title: string;
      readonly body: string;
      readonly local: boolean;
      readonly supersedes: number | undefined;
      readonly proposes: number | undefined;
    }
  | { readonly do: 'edit'; readonly at: number; readonly body: string }
  | { readonly do: 'type'; readonly at: number; readonly type: 'semantic' | 'procedural' | 'episodic' }
  | { readonly do: 'supersede'; readonly at: number; readonly by: number }
  | { readonly do: 'forget' | 'restore' | 'scope' | 'confirm'; readonly at: number }
  | {
      readonly do: 'settle';
      readonly at: number;
      readonly older: number;
      readonly verdict: 'accept' | 'keep-both' | 'forget';
    }
  | { readonly do: 'capture'; readonly session: string; readonly body: string }
  | { readonly do: 'undo'; readonly event: number }
  | { readonly do: 'restore-at'; readonly at: number; readonly event: number }
  | { readonly do: 'tag'; readonly at: number; readonly tag: string }
  | { readonly do: 'hand-edit' | 'hand-delete' | 'commit'; readonly at: number }
  /** A half-edited file, one moved to another folder, a second file of a note, and an amended commit. */
  | { readonly do: 'unfinished' | 'rename' | 'copy' | 'amend'; readonly at: number }
  /** A commit with the message of an earlier one, on main or merged into it from the side. */
  | { readonly do: 'repeat' | 'repeat-aside'; readonly at: number }
  | { readonly do: 'adopt' };

const at = fc.nat({ max: 30 });
const words = fc.array(
  fc.constantFrom('wal', 'lock', 'index', 'naïve', '日本', 'retry', 'deploy', 'queue', 'C++', "don't"),
  {
    minLength: 1,
    maxLength: 8,
  },
);
const text = words.map((list) => list.join(' '));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      title: text,
      body: text,
      local: fc.boolean(),
      supersedes: fc.option(at, { nil: undefined, freq: 3 }),
      proposes: fc.option(at, { nil: undefined, freq: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), at, body: text }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      at,
      type: fc.constantFrom('semantic' as const, 'procedural' as const, 'episodic' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('supersede' as const), at, by: at }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('forget' as const, 'restore' as const, 'scope' as const, 'confirm' as const),
      at,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      at,
      older: at,
      verdict: fc.constantFrom('accept' as const, 'keep-both' as const, 'forget' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('capture' as const), session: fc.constantFrom('a', 'b', 'c'), body: text }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), event: at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore-at' as const), at, event: at }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('tag' as const), at, tag: fc.constantFrom('A', 'b', 'reflected') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('hand-edit' as const, 'hand-delete' as const, 'commit' as const), at }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('adopt' as const) }) },
);

/** People do more to files and commits than edit, remove and make them. */
const roughStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: step },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('unfinished' as const, 'rename' as const, 'copy' as const, 'amend' as const),
      at,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('repeat' as const, 'repeat-aside' as const), at }),
  },
);

const commandOf = (one: Step, ids: readonly string[]): Command | undefined => {
  const pick = (index: number): string => ids[index % ids.length] ?? '';
  if (one.do === 'write') {
    const named = (index: number | undefined): readonly string[] =>
      index === undefined || ids.length === 0 ? [] : [pick(index)];
    return writeCommand({
      title: one.title,
      body: one.body,
      scope: one.local ? 'machine-local' : 'portable',
      supersedes: named(one.supersedes),
      proposes: named(one.proposes),
    });
  }
  if (one.do === 'capture') {
    const { session, body } = one;
    return {
      kind: 'capture',
      session,
      title: body,
      body,
      project: 'shop',
      tags: ['session'],
      startedAtMs: 1_750_000_000_000,
    };
  }
  if (ids.length === 0) return undefined;
  switch (one.do) {
    case 'edit':
      return { kind: 'edit', id: pick(one.at), set: { body: one.body } };
    case 'type':
      return { kind: 'edit', id: pick(one.at), set: { type: one.type } };
    case 'supersede':
      return { kind: 'supersede', ids: [pick(one.at)], by: pick(one.by) };
    case 'forget':
      return { kind: 'forget', id: pick(one.at) };
    case 'confirm':
      return { kind: 'confirm', id: pick(one.at) };
    case 'settle':
      return { kind: 'settle-proposal', id: pick(one.at), older: pick(one.older), verdict: one.verdict };
    case 'restore':
      return { kind: 'restore', id: pick(one.at) };
    case 'scope':
      return { kind: 'move', id: pick(one.at), scope: one.at % 2 === 0 ? 'portable' : 'machine-local' };
    case 'tag':
      return { kind: 'tag', id: pick(one.at), add: [one.tag], remove: [] };
    default:
      return undefined;
  }
};

/** Runs the steps and returns every version that was ever acknowledged. */
const runSteps = async ({ memory }: TestStore, steps: readonly Step[]): Promise<readonly string[]> => {
  const ids: string[] = [];
  const versions: string[] = [];
  for (const one of steps) {
    const command = commandOf(one, ids);
    if (command !== undefined) {
      const answer = await memory.perform(command);
      if (answer.status === 'refused' || answer.note === undefined) continue;
      versions.push(answer.note.version);
      if (command.kind === 'write' || command.kind === 'capture') ids.push(answer.note.id);
    } else if (one.do === 'undo' || one.do === 'restore-at') {
      const events = await memory.events({}, 1000);
      const event = events[one.event % Math.max(1, events.length)];
      if (event === undefined || ids.length === 0) continue;
      const answer =
        one.do === 'undo'
          ? await undoEvent(memory, event.id).then((undone) => (undone.ok ? undone.answer.answer : undefined))
          : await restoreAt(memory, ids[one.at % ids.length] ?? '', event.id);
      if (answer !== undefined && answer.status !== 'refused' && answer.note !== undefined)
        versions.push(answer.note.version);
    } else if (one.do === 'adopt') {
      await memory.adopt('hold');
    } else if ('at' in one && ids.length > 0) {
      const shown = await memory.show(ids[one.at % ids.length] ?? '');
      if (!shown.ok || shown.answer.path === undefined) continue;
      const file = shown.answer.path;
      if (one.do === 'hand-delete') rmSync(file, { force: true });
      else if (one.do === 'repeat' || one.do === 'repeat-aside') repeatEvent(memory, file, one);
      else if (existsSync(file)) changeByHand(one.do, file, one.at);
      if (one.do === 'commit' || one.do === 'amend') {
        const more = one.do === 'amend' ? ['--amend', '--no-edit'] : ['-m', 'mine'];
        personsGit(memory.journals.portable.folder, 'add', '-A');
        // Amending takes a commit back on purpose, with the versions that it had.
        if (one.do === 'amend') versions.length = 0;
        // Before the first commit there is none to amend.
        if (memory.journals.portable.head() !== undefined || one.do === 'commit')
          personsGit(memory.journals.portable.folder, 'commit', '--allow-empty', '-q', ...more);
      }
    }
  }
  await memory.adopt('record');
  return versions;
};

const changeByHand = (what: Step['do'], file: string, at: number): void => {
  const text = `${readFileSync(file, 'utf8')}by hand ${at}\n`;
  const other = join(dirname(dirname(file)), `d${at}`, basename(file));
  if (what === 'rename' || what === 'copy') mkdirSync(dirname(other), { recursive: true });
  if (what === 'rename') renameSync(file, other);
  else if (what === 'copy') writeFileSync(other, text);
  else writeFileSync(file, what === 'unfinished' ? text.replace(/^title:/m, 'title: [half') : text);
};

const repeatEvent = ({ journals }: Memory, file: string, { do: what, at }: Step & { readonly at: number }): void => {
  const { folder } = journals.portable;
  if (journals.portable.head() === undefined) return;
  const git = (...args: string[]): string => personsGit(folder, ...args).trim();
  const commits = git('log', '--format=%H', 'main').split('\n');
  const commit = commits[at % commits.length] ?? '';
  if (what === 'repeat') {
    if (existsSync(file)) changeByHand('hand-edit', file, at);
    git('commit', '--quiet', '--allow-empty', '-a', '-C', commit);
    return;
  }
  const side = git(
    'commit-tree',
    'main^{tree}',
    '-p',
    commits.at(-1) ?? '',
    '-m',
    git('log', '-1', '--format=%B', commit),
  );
  git('update-ref', 'refs/heads/main', git('commit-tree', 'main^{tree}', '-p', 'main', '-p', side, '-m', 'merged'));
};

describe('projections', () => {
  const pools: Pool[] = [];
  beforeAll(() => {
    for (const threads of [1, 2, 4]) pools.push(openPool(threads));
  });
  afterAll(async () => {
    for (const pool of pools) await pool.close();
  });

  it.each([
    ['', step, 25],
    [', whatever people do to files and commits', roughStep, 8],
  ])(
    'give one digest by catch-up and by replay with 1, 2 and 4 workers, and lose no acknowledged text%s',
    async (_, steps, numRuns) => {
      await fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 22 }), async (steps) => {
          const store = openStore();
          try {
            await store.memory.initialise();
            const versions = await runSteps(store, steps);
            const caughtUp = await store.memory.liveIndex.ask(allDigestsOf);
            const journals = journalNames.map((name) => store.memory.journals[name]);
            for (const pool of pools) {
              const { file } = await replay({
                journals,
                indexFolder: join(store.home, 'beside'),
                publish: 'beside',
                pool,
                batchSize: 3,
              });
              const replayed = openGeneration(file);
              expect(allDigestsOf(replayed)).toEqual(caughtUp);
              replayed.close();
            }
            const reachable = new Set(
              journals
                .filter((journal) => journal.head() !== undefined)
                .flatMap(({ folder }) => [...reachableObjects(folder)]),
            );
            for (const version of versions) expect(reachable).toContain(version);
          } finally {
            await store.close();
          }
        }),
        { numRuns, endOnFailure: numRuns < 25 },
      );
    },
    300_000,
  );
});
