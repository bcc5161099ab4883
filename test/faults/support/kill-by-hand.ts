/** A person's changes to the files of a store while no process of ours is running. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ulidGenerator } from '../../../src/events/ids.js';
import { pathOfNote } from '../../../src/events/note/paths.js';
import { personsGit } from '../../support/store.js';
import { findLostTexts, isNote, listFiles } from './kill-files.js';
import { absent, bodyText, handLine, type Model, type Slot } from './kill-model.js';
import type { Planner } from './kill-plan.js';
import type { Random } from './machines-random.js';

const newUlid = ulidGenerator();

/** Steps of a person other than editing, removing and making a file; KINDS lists those to take, with commas. */
export const handKinds = ['unfinished', 'renamed'] as const;
const wanted = process.env['KINDS'] ?? 'all';
const isWanted = (kind: (typeof handKinds)[number]): boolean => wanted === 'all' || wanted.split(',').includes(kind);

/** Files that can't be parsed until the person finishes them, by path. */
export type Unfinished = Map<string, { readonly slot: Slot; readonly broken: string; readonly text: string }>;

const halfTitle = 'title: [half';

/** Saves a line of text in a file and leaves its front matter unfinished. */
const leaveUnfinished = (path: string, slot: Slot, text: string, unfinished: Unfinished): void => {
  const whole = readFileSync(path, 'utf8');
  if (unfinished.has(path) || !/^title: /m.test(whole)) return;
  const broken = `${whole.replace(/^title: .*$/m, (title) => `${halfTitle}${title.slice('title: '.length)}`)}${text}\n`;
  writeFileSync(path, broken);
  unfinished.set(path, { slot, broken, text });
  slot.isUnfinished = true;
};

/** Finishes the files. Returns the texts that are lost: they are in no file and no commit any more. */
export const finishFiles = (home: string, model: Model, unfinished: Unfinished): readonly string[] => {
  const lost: string[] = [];
  for (const [path, { slot, broken, text }] of unfinished) {
    slot.isUnfinished = false;
    if (existsSync(path) && readFileSync(path, 'utf8') === broken) {
      writeFileSync(path, broken.replace(halfTitle, 'title: '));
      model.handActs += 1;
      markEdited(slot);
      // If a killed command had forgotten the note but not yet removed its file, the text brings the note back.
      model.began(slot, (state) => ({ ...state, alive: true }));
    } else if (findLostTexts(home, [text]).length > 0 && !isInAFile(home, text))
      lost.push(`"${text}" was saved in ${path} while that was not a note, and is in no file and no commit`);
    model.texts.add(text);
  }
  unfinished.clear();
  return lost;
};

const isInAFile = (home: string, text: string): boolean =>
  listFiles(home).some(({ full }) => readFileSync(full, 'utf8').includes(text));

/** Whether the problem is a file of a machine-local note that a killed move left in memory/ and a person edited. */
export const isLeftPrivate = (problem: string): boolean => /: its note (?:is|was) machine-local/.test(problem);

/** Removes such files if git no longer has their notes there, and expects no text that was in those files alone. */
export const removeLeft = (home: string, model: Model): void => {
  const memory = join(home, 'memory');
  const hasEvents = (folder: string): boolean =>
    existsSync(join(folder, '.git')) && personsGit(folder, 'branch', '--list', 'main') !== '';
  if (!hasEvents(memory) || !hasEvents(join(home, 'local'))) return;
  const idsOf = (folder: string): ReadonlySet<string> =>
    new Set(
      personsGit(folder, 'log', '--format=', '--name-only', 'main')
        .split('\n')
        .map((path) => path.slice(-29, -3)),
    );
  const inHead = personsGit(memory, 'ls-tree', '-r', '--name-only', 'main');
  const wasLocal = idsOf(join(home, 'local'));
  for (const { journal, path, full } of listFiles(home).filter(isNote)) {
    const id = path.slice(-29, -3);
    if (journal !== 'portable' || !wasLocal.has(id) || inHead.includes(id)) continue;
    const text = readFileSync(full, 'utf8');
    rmSync(full);
    for (const line of model.texts)
      if (text.includes(line) && findLostTexts(home, [line]).length > 0) model.texts.delete(line);
  }
};

/** Now and then edits, removes, renames or makes a file, or leaves one unfinished. */
export const actByHand = (
  home: string,
  random: Random,
  model: Model,
  planner: Planner,
  unfinished: Unfinished,
): void => {
  editRemoveOrMake(home, random, model, planner, unfinished);
  if (isWanted('unfinished') && random.chance(0.15)) {
    const slot = planner.pick();
    const file = fileOf(home, slot);
    // A text that is purged in the meantime is rightly gone, and changes of another machine are not known.
    if (slot !== undefined && file !== undefined && !slot.hasHandEdit && !slot.isShared && !slot.isPurging)
      leaveUnfinished(file.full, slot, `${handLine}${slot.name} ${random.below(1e9)}`, unfinished);
  }
  if (isWanted('renamed') && random.chance(0.08)) {
    const slot = planner.pick();
    const file = fileOf(home, slot);
    if (slot === undefined || file === undefined || unfinished.has(file.full)) return;
    const folder = join(dirname(dirname(file.full)), `d${random.below(100)}`);
    mkdirSync(folder, { recursive: true });
    renameSync(file.full, join(folder, basename(file.full)));
    model.handActs += 1;
    markEdited(slot);
  }
};

const fileOf = (home: string, slot: Slot | undefined) =>
  slot === undefined ? undefined : listFiles(home).find((one) => isNote(one) && one.path.endsWith(`${slot.id}.md`));

const editRemoveOrMake = (
  home: string,
  random: Random,
  model: Model,
  planner: Planner,
  unfinished: Unfinished,
): void => {
  const slot = planner.pick();
  const found = listFiles(home).find((one) => isNote(one) && one.path.endsWith(`${slot?.id}.md`));
  const file = found === undefined || unfinished.has(found.full) ? undefined : found;
  if (slot !== undefined && file !== undefined && random.chance(0.35)) {
    model.handActs += 1;
    const text = `${handLine}${slot.name} ${random.below(1e9)}`;
    appendFileSync(file.full, `${text}\n`);
    model.texts.add(text);
    markEdited(slot);
  } else if (slot !== undefined && file !== undefined && !slot.hasHandEdit && random.chance(0.05)) {
    model.handActs += 1;
    rmSync(file.full);
    slot.byHand = { ...(slot.states[0] ?? absent), alive: false };
    model.began(slot, (state) => ({ ...state, alive: false }));
    slot.isPlain = false;
  } else if (existsSync(join(home, 'memory', '.git')) && random.chance(0.06)) {
    model.handActs += 1;
    const name = planner.newName('h');
    const id = newUlid(Date.now());
    const title = `made by hand ${name}`;
    const body = bodyText(name, 1);
    const state = { alive: true, body: body.trimEnd(), title, tags: [], scope: 'portable', supersedes: [] };
    const made = model.add(name, state);
    made.id = id;
    made.byHand = state;
    model.began(made, () => state);
    const path = join(home, 'memory', pathOfNote('semantic', id));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `---\nid: ${id}\ntype: semantic\ntitle: ${title}\nproject: p\n---\n${body}`);
    markEdited(made);
  }
};

const markEdited = (slot: Slot): void => {
  slot.isPlain = false;
  slot.hasHandEdit = true;
};
