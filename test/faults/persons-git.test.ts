/**
 * Randomised: a person works on the notes with git in any way they like, then a command runs, or one is killed and
 * another runs. Each file stays as the person left it, except for the note that the command is about. To repeat a
 * failure, run SEED=… STEPS=… KEEP=1 npx vitest run test/faults/persons-git.test.ts.
 */
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/handlers.js';
import { blobIdOf } from '../../src/events/note/blob-id.js';
import type { Memory } from '../../src/store/memory.js';
import { byLength } from '../support/run-length.js';
import { noteOf, openStore, type TestStore, temporaryFolder, writeCommand, writeNote } from '../support/store.js';
import { type Random, seededRandom } from './support/machines-random.js';
import { bodyOf, doDeeds, isHalf, newPerson, type Person, snapshot } from './support/persons-git.js';
import { reportLine } from './support/report.js';

const given = process.env['SEED'];
const seeds = given === undefined ? [1, 2] : [Number(given)];
const steps = Number(process.env['STEPS'] ?? byLength(12, 30, 400));

type Log = (line: string) => void;

const begin = async (memory: Memory, random: Random, log: Log): Promise<Person> => {
  for (let at = 0; at < 4; at += 1) await writeNote(memory, { title: `Note ${at}`, body: 'one\ntwo\nthree\nfour\n' });
  await memory.finish();
  return newPerson(memory.journals.portable.folder, random, log);
};

const takeSteps = async ({ memory }: TestStore, random: Random, log: Log): Promise<void> => {
  const person = await begin(memory, random, log);
  const { folder } = person;
  for (let step = 0; step < steps; step += 1) {
    doDeeds(person, (line) => log(`${step} ${line}`));
    const left = snapshot(folder);
    const [path = '', text = ''] = random.pick([...left]);
    const id = idOf(text);
    // A file that was added or put back by hand is not a note yet. Two files of one note are merged into one.
    const isAlone = [...left.values()].filter((other) => other.includes(`\nid: ${id}\n`)).length === 1;
    const tags = random.chance(0.3) && isAlone && !isHalf(text) && (await memory.show(id)).ok;
    const answer = tags
      ? await memory.perform({ kind: 'tag', id, add: [`t${step}`], remove: [] })
      : await memory.perform(writeCommand({ title: `After ${step}` }));
    log(`${step} ${tags ? `tag ${path}` : 'write'}: ${answer.status}`);
    const touched = noteOf(answer).id;
    await memory.finish();
    const isOther = ([name]: readonly [string, string]): boolean => name !== path && !name.includes(touched);
    const found = snapshot(folder);
    expect([...found].filter(isOther), `after step ${step}`).toEqual([...left].filter(isOther));
    // A tag changes nothing below the front matter.
    expect(bodyOf(found.get(path) ?? ''), `after step ${step}`).toBe(bodyOf(text));
  }
};

/** Performs a command that fails at one of its steps, as if killed there. Returns whether it was recorded. */
const killCommand = async (home: string, person: Person, token: string, log: Log): Promise<boolean> => {
  const { random, folder } = person;
  let left = 1 + random.below(8);
  let last = '';
  const step = (name: string): void => {
    last = name;
    left -= 1;
    if (left <= 0) throw new Error('killed');
  };
  const [, text = ''] = random.pick([...snapshot(folder)]);
  const id = idOf(text);
  const { memory } = openStore({ home, step });
  const shown = await memory.show(id);
  if (!shown.ok) return false;
  const command: Command = random.chance(0.5)
    ? { kind: 'tag', id, add: [token], remove: [] }
    : { kind: 'edit', id, set: { body: `${token}\n${shown.answer.body ?? ''}` } };
  const answer = await memory.perform(command).then(
    ({ status }) => status,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  await memory.finish().catch(() => undefined);
  const isRecorded = person.git('grep', '-q', token, 'main', '--');
  log(
    `${command.kind} ${token} of ${id}: ${answer}${answer === 'killed' ? ` at ${last}` : ''}, recorded: ${isRecorded}`,
  );
  return isRecorded;
};

const idOf = (text: string): string => /^id: (\w{26})$/m.exec(text)?.[1] ?? '';
/** Finds files that match the head although state.db has another version of them as checked out. */
const rowsUnlikeHead = async (
  home: string,
  person: Person,
  found: ReadonlyMap<string, string>,
): Promise<readonly string[]> => {
  const { memory } = openStore({ home });
  const { state } = await memory.store();
  const inHead = person.read('ls-tree', '-r', 'main').split('\n');
  const unlike = inHead.flatMap((line) => {
    const [, blob = '', path = ''] = /^\S+ blob (\S+)\t(.*)$/.exec(line) ?? [];
    const text = found.get(path);
    if (text === undefined || blobIdOf(Buffer.from(text), blob) !== blob) return [];
    const row = state.checkedOut('portable', path)?.blob;
    return row === blob ? [] : [`${path}: ${row}, in the head ${blob}`];
  });
  await memory.finish();
  return unlike;
};

/** All that the files say, and all that any version, also of a head that was taken back, ever said. */
const everything = (person: Person): string =>
  `${[...snapshot(person.folder).values()].join('\n')}\n${person.read('log', '-p', '--format=', '--all', '-m')}`;

const takeKilledSteps = async ({ home, memory }: TestStore, random: Random, log: Log): Promise<void> => {
  const person = await begin(memory, random, log);
  const tokens: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    const say = (line: string): void => log(`${step} ${line}`);
    doDeeds(person, say);
    if (await killCommand(home, person, `k${step}`, say)) tokens.push(`k${step}`);
    doDeeds(person, say);
    const typed = [...snapshot(person.folder).values()].flatMap((text) => text.match(/^w\d+$/gm) ?? []);
    await memory.perform(writeCommand({ title: `After ${step}` }));
    await memory.finish();
    expect(await rowsUnlikeHead(home, person, snapshot(person.folder)), `rows after step ${step}`).toEqual([]);
    const all = new Set(everything(person).match(/\b[kw]\d+\b/g) ?? []);
    expect(
      [...tokens, ...typed].filter((token) => !all.has(token)),
      `lost after step ${step}`,
    ).toEqual([]);
  }
};

const laws: readonly (readonly [law: string, take: (store: TestStore, random: Random, log: Log) => Promise<void>])[] = [
  ['a command leaves every file as a person left it', takeSteps],
  [
    'a killed command loses nothing: what it recorded and what a person typed is in a file or a version',
    takeKilledSteps,
  ],
];

describe.each(laws)('%s', (law, take) => {
  it.each(seeds)(
    'seed %i',
    async (seed) => {
      const home = temporaryFolder();
      const store = openStore({ home });
      const lines: string[] = [];
      try {
        await take(store, seededRandom(seed), (line) => lines.push(line));
      } catch (error) {
        console.error([...lines.slice(-60), `the store: ${home}`].join('\n'));
        throw error;
      } finally {
        await store.close();
        if (process.env['KEEP'] !== '1') rmSync(home, { recursive: true, force: true });
      }
      reportLine(`a person's git: ${law}: ${steps} steps, seed ${seed}`);
    },
    1_800_000,
  );
});
