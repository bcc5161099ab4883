/** A person's random work on the notes, with git and an editor. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { noteTypes } from '../../../src/events/note/note.js';
import { personsGit } from '../../support/store.js';
import type { Random } from './machines-random.js';

export type Person = {
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

export const newPerson = (folder: string, random: Random, log: (line: string) => void): Person => ({
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
  const at = from + random.below(Math.max(1, lines.length - from));
  const removed = random.below(2);
  lines.splice(at, isOfKilled(lines[at] ?? '') ? 0 : removed, word);
  writeFileSync(path, lines.join('\n'));
};

/** Whether a killed command recorded this line: such lines are never removed, because the test checks for them. */
export const isOfKilled = (line: string): boolean => /\bk\d+$/.test(line);

const isClean = ({ read }: Person): boolean => read('status', '--porcelain') === '';

/** How many of the latest commits are the person's own: they don't rewrite those of the program. */
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

/** Things that people do; none leaves the git index behind their files. */
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
    const target = join('semantic', `folder${random.below(3)}`, path.slice(-29));
    if (existsSync(join(folder, target))) return;
    mkdirSync(join(folder, dirname(target)), { recursive: true });
    if (random.chance(0.5)) git('mv', path, target);
    else renameSync(join(folder, path), join(folder, target));
  },
  'move and commit': (person, word) => {
    deeds['move']?.(person, word);
    person.git('add', '-A');
    person.git('commit', '-aqm', `moved ${word}`);
  },
  'throw away': (person) => {
    if (ownCommits(person) > 0) person.git('reset', '-q', '--hard', 'HEAD~1');
  },
  'take back a line': ({ random, folder, files }) => {
    const path = join(folder, random.pick(files()));
    const lines = readFileSync(path, 'utf8').split('\n');
    const at = lines.findLastIndex((line) => /^w\d+$/.test(line));
    if (at !== -1) writeFileSync(path, lines.toSpliced(at, 1).join('\n'));
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

export const isHalf = (text: string): boolean => text.includes('\ntitle: [half ');

export const snapshot = (folder: string): ReadonlyMap<string, string> =>
  new Map(notesBelow(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** Does one to five of the deeds. */
export const doDeeds = (person: Person, log: (line: string) => void): void => {
  for (let left = person.random.below(5); left >= 0; left -= 1) {
    const name = person.random.pick(Object.keys(deeds));
    person.words += 1;
    log(`${name} w${person.words}`);
    deeds[name]?.(person, `w${person.words}`);
  }
};

export const bodyOf = (text: string): string => text.slice(text.indexOf('\n---\n', 4));
