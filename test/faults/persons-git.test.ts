/**
 * Randomised: a person works on the notes with git, whichever way they like, and a command follows. It leaves each file as
 * they left it, but for the note that it is about. A failure is repeated with SEED=… STEPS=… KEEP=1 npx vitest run test/faults/persons-git.test.ts.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { noteTypes } from '../../src/events/note/note.js';
import {
  noteOf,
  openStore,
  personsGit,
  type TestStore,
  temporaryFolder,
  writeCommand,
  writeNote,
} from '../support/store.js';
import { type Random, seededRandom } from './support/machines-random.js';
import { reportLine } from './support/report.js';

const isLong = process.env['ANAMNESIS_TEST_FAULTS'] === '1';
const given = process.env['SEED'];
const seeds = given === undefined ? [1, 2] : [Number(given)];
const steps = Number(process.env['STEPS'] ?? (isLong ? 400 : 40));

type Person = {
  readonly random: Random;
  readonly folder: string;
  readonly git: (...args: string[]) => boolean;
  readonly read: (...args: string[]) => string;
  readonly files: () => readonly string[];
  words: number;
};

const notesBelow = (folder: string): readonly string[] =>
  noteTypes
    .flatMap((type) =>
      existsSync(join(folder, type))
        ? readdirSync(join(folder, type), { recursive: true, encoding: 'utf8' }).map((name) => join(type, name))
        : [],
    )
    .filter((name) => /[0-9A-Z]{26}\.md$/.test(name))
    .sort();

const newPerson = (folder: string, random: Random, log: (line: string) => void): Person => ({
  random,
  folder,
  words: 0,
  git: (...args) => {
    try {
      personsGit(folder, ...args);
      log(`git ${args.join(' ')}`);
      return true;
    } catch {
      log(`git ${args.join(' ')}: refused`);
      return false;
    }
  },
  read: (...args) => personsGit(folder, ...args).trim(),
  files: () => notesBelow(folder),
});

const editLine = ({ random, folder, files }: Person, word: string): void => {
  const [path] = [join(folder, random.pick(files()))];
  const lines = readFileSync(path, 'utf8').split('\n');
  const from = lines.indexOf('---', 1) + 1;
  lines.splice(from + random.below(Math.max(1, lines.length - from)), random.below(2), word);
  writeFileSync(path, lines.join('\n'));
};

const isClean = ({ read }: Person): boolean => read('status', '--porcelain') === '';

/** How many of the last commits are the person's own: those of the program are not theirs to rewrite. */
const ownCommits = ({ read }: Person): number => {
  const events = read('log', '-8', '--first-parent', '--format=%(trailers:key=Event,valueonly,separator=%x2C)x');
  const at = events.split('\n').findIndex((line) => line !== 'x');
  return at === -1 ? 0 : at;
};

const rewrite = (person: Person, change: (hash: string) => void): void => {
  const { random, git, read } = person;
  const own = ownCommits(person);
  if (own === 0 || !isClean(person)) return;
  const count = 1 + random.below(own);
  const hashes = read('rev-list', '--first-parent', '--reverse', `-${count}`, 'HEAD').split('\n');
  if (read('rev-list', '--merges', `-${count}`, 'HEAD') !== '') return;
  const [first = '', ...rest] = hashes;
  git('reset', '-q', '--hard', `${first}~1`);
  change(first);
  for (const hash of rest) if (!git('cherry-pick', '--allow-empty', hash)) git('cherry-pick', '--abort');
};

/** Each is something that people do; none leaves the git index behind their files. */
const deeds: Readonly<Record<string, (person: Person, word: string) => void>> = {
  edit: editLine,
  'edit more': editLine,
  commit: ({ git }, word) => git('commit', '-aqm', `mine ${word}`),
  'commit everything': ({ git }, word) => {
    git('add', '-A');
    git('commit', '-qm', `all ${word}`);
  },
  'commit one file': ({ git, read, random }, word) => {
    const changed = read('diff', '--name-only').split('\n').filter(Boolean);
    if (changed.length > 0) git('commit', '-qm', `one ${word}`, '--', random.pick(changed));
  },
  revert: (person) => {
    const own = ownCommits(person);
    if (own === 0 || !isClean(person)) return;
    const hash = person.read('rev-parse', `HEAD~${person.random.below(own)}`);
    if (person.read('rev-list', '--parents', '-1', hash).split(' ').length !== 2) return;
    if (!person.git('revert', '--no-edit', hash)) person.git('revert', '--abort');
  },
  amend: (person) => {
    if (ownCommits(person) > 0) person.git('commit', '-aq', '--amend', '--no-edit', '--allow-empty');
  },
  reword: (person, word) =>
    rewrite(person, (hash) => {
      person.git('cherry-pick', '--allow-empty', hash);
      person.git('commit', '-q', '--amend', '--allow-empty', '-m', `reworded ${word}`);
    }),
  drop: (person) => rewrite(person, () => undefined),
  'reset and keep': (person) => {
    if (ownCommits(person) > 0) person.git('reset', '-q', person.random.chance(0.5) ? '--soft' : '--mixed', 'HEAD~1');
  },
  'merge a branch': (person, word) => {
    if (!isClean(person)) return;
    const { git, random } = person;
    const own = ownCommits(person);
    git('switch', '-qc', 'side', `HEAD~${random.below(own + 1)}`);
    editLine(person, word);
    git('commit', '-aqm', `side ${word}`);
    const [from, to] = random.chance(0.5) ? ['main', 'side'] : ['side', 'main'];
    git('switch', '-q', to);
    if (!git('merge', '-q', '--no-edit', '--no-ff', from)) git('merge', '--abort');
    if (to === 'side') git('branch', '-f', 'main', 'side');
    git('switch', '-q', 'main');
    git('branch', '-D', 'side');
  },
  stash: (person, word) => {
    editLine(person, word);
    if (person.git('stash', 'push', '-q') && person.random.chance(0.7)) person.git('stash', 'pop', '-q');
  },
  move: ({ random, folder, files, git }) => {
    const path = random.pick(files());
    const target = join('semantic', `d${random.below(3)}`, path.slice(-29));
    if (existsSync(join(folder, target))) return;
    mkdirSync(join(folder, dirname(target)), { recursive: true });
    if (random.chance(0.5)) git('mv', path, target);
    else renameSync(join(folder, path), join(folder, target));
  },
  'add one': ({ random, folder, files }, word) => {
    const path = random.pick(files());
    const id = `01K0000000${String(word.length).padStart(2, '0')}${word.toUpperCase().padStart(14, '0')}`.slice(0, 26);
    const whole = readFileSync(join(folder, path), 'utf8').replace(/^id: .*$/m, `id: ${id}`);
    writeFileSync(join(folder, dirname(path), `${id}.md`), whole);
  },
  remove: ({ random, files, git }) => {
    if (files().length > 4) git('rm', '-qf', random.pick(files()));
  },
  'save half': ({ random, folder, files }) => {
    const path = join(folder, random.pick(files()));
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^title: (?!\[)/m, 'title: [half '));
  },
  finish: ({ folder, files }) => {
    for (const path of files()) {
      const text = readFileSync(join(folder, path), 'utf8');
      if (isHalf(text)) writeFileSync(join(folder, path), text.replace('\ntitle: [half ', '\ntitle: '));
    }
  },
  'edit and append': ({ random, folder, files }, word) =>
    appendFileSync(join(folder, random.pick(files())), `${word}\n`),
};

const isHalf = (text: string): boolean => text.includes('\ntitle: [half ');

const snapshot = (folder: string): ReadonlyMap<string, string> =>
  new Map(notesBelow(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

const takeSteps = async (store: TestStore, random: Random, log: (line: string) => void): Promise<void> => {
  const { memory } = store;
  for (let at = 0; at < 4; at += 1) await writeNote(memory, { title: `Note ${at}`, body: 'one\ntwo\nthree\nfour\n' });
  await memory.finish();
  const { folder } = memory.journals.portable;
  const person = newPerson(folder, random, log);
  for (let step = 0; step < steps; step += 1) {
    for (let left = random.below(5); left >= 0; left -= 1) {
      const name = random.pick(Object.keys(deeds));
      person.words += 1;
      log(`${step} ${name} w${person.words}`);
      deeds[name]?.(person, `w${person.words}`);
    }
    const left = snapshot(folder);
    const [path = '', text = ''] = random.pick([...left]);
    const id = /^id: (\w{26})$/m.exec(text)?.[1] ?? '';
    // A file that was added or put back by hand is not a note yet. Two files of one note are folded into one.
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

const bodyOf = (text: string): string => text.slice(text.indexOf('\n---\n', 4));

it.each(seeds)(
  'a command leaves every file as a person left it: seed %i',
  async (seed) => {
    const home = temporaryFolder();
    const store = openStore({ home });
    const lines: string[] = [];
    try {
      await takeSteps(store, seededRandom(seed), (line) => lines.push(line));
    } catch (error) {
      console.error([...lines.slice(-60), `the store: ${home}`].join('\n'));
      throw error;
    } finally {
      await store.close();
      if (process.env['KEEP'] !== '1') rmSync(home, { recursive: true, force: true });
    }
    reportLine(`a person's git: ${steps} steps, every file as it was left, seed ${seed}`);
  },
  1_800_000,
);
