/** What a person does to the files of a store while no process of ours is at work. */
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newUlid } from '../../../src/events/ids.js';
import { pathOfNote } from '../../../src/events/paths.js';
import { isNote, listFiles } from './kill-files.js';
import { absent, bodyText, handLine, type Model, type Slot } from './kill-model.js';
import type { Planner } from './kill-plan.js';
import type { Random } from './machines-random.js';

/** Edits, removes or makes a file now and then. */
export const actByHand = (home: string, random: Random, model: Model, planner: Planner): void => {
  const slot = planner.pick();
  const file = listFiles(home).find((one) => isNote(one) && one.path.endsWith(`${slot?.id}.md`));
  if (slot !== undefined && file !== undefined && random.chance(0.35)) {
    model.handActs += 1;
    const text = `${handLine}${slot.name} ${random.below(1e9)}`;
    appendFileSync(file.full, `${text}\n`);
    model.texts.add(text);
    touch(slot);
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
    touch(made);
  }
};

const touch = (slot: Slot): void => {
  slot.isPlain = false;
  slot.hasHandEdit = true;
};
