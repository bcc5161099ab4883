/** What a person does with files and git, what is done then, and what is recorded, in the files and shown by status. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStatus } from '../../../src/app/status.js';
import type { Command } from '../../../src/commands/handlers.js';
import type { Memory } from '../../../src/store/memory.js';
import { openStore, personsGit } from '../../support/store.js';
import { killedAt, more, replace, type Site, text, useSite } from './support/killed-command.js';

type NoteName = 'x' | 'y' | 'z';
type Deed = (site: Site, name: NoteName, other: NoteName) => unknown;

const runs = async ({ home }: Site, run: (memory: Memory) => Promise<unknown>): Promise<void> => {
  const { memory } = openStore({ home });
  try {
    await run(memory);
  } finally {
    await memory.finish();
  }
};
const performs =
  (commandFor: (id: string) => Command): Deed =>
  (site, name) =>
    runs(site, async (memory) => {
      const answer = await memory.perform(commandFor(site[name].id));
      if (answer.status === 'refused') throw new Error(answer.refusal.code);
    });
const adopts =
  (deletions: 'hold' | 'record' | 'put-back'): Deed =>
  (site) =>
    runs(site, (memory) => memory.adopt(deletions));
const rewrites =
  (change: (text: string) => string): Deed =>
  (site, name) =>
    writeFileSync(site[name].path, change(readFileSync(site[name].path, 'utf8')));
const gits =
  (...args: string[]): Deed =>
  ({ git }) =>
    git(...args);
const failingGit =
  (...args: string[]): Deed =>
  ({ git }) => {
    expect(() => git(...args)).toThrow();
  };
const marks = '<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> side\n';
const saved = new Map<string, string>();

/** Verbs with a note, and another one, as in `copy y over x`. */
const deeds: Readonly<Record<string, Deed>> = {
  // Files.
  type: (site, name) => replace(site[name].path, 'two', 'EDITED'),
  'type above': (site, name) => replace(site[name].path, 'one', 'ABOVE'),
  'type other': (site, name) => replace(site[name].path, 'two', 'OTHER'),
  'type again': (site, name) => replace(site[name].path, 'EDITED', 'AGAIN'),
  untype: (site, name) => replace(site[name].path, 'EDITED', 'two'),
  append: (site, name) => appendFileSync(site[name].path, 'four\n'),
  remove: (site, name) => rmSync(site[name].path),
  open: (site, name) => saved.set(name, readFileSync(site[name].path, 'utf8').replace('\ntwo', '\nEDITED')),
  save: (site, name) => {
    mkdirSync(dirname(site[name].path), { recursive: true });
    writeFileSync(site[name].path, saved.get(name) ?? '');
  },
  rename: (site) => site.renameX(),
  misname: (site, name) => renameSync(site[name].path, join(dirname(site[name].path), 'my-notes.md')),
  'copy over': (site, name, other) => copyFileSync(site[name].path, site[other].path),
  swap: (site, name, other) => {
    const { path } = site[name];
    renameSync(path, `${path}.tmp`);
    renameSync(site[other].path, path);
    renameSync(`${path}.tmp`, site[other].path);
  },
  spoil: rewrites((all) => all.replace('\ntitle: ', '\ntitle: [half ')),
  'say machine-local': rewrites((all) => all.replace('scope: portable', 'scope: machine-local')),
  'make a link': (site, name) => {
    renameSync(site[name].path, join(site.home, 'target.md'));
    symlinkSync(join(site.home, 'target.md'), site[name].path);
  },
  'touch all': (site) => {
    for (const { path } of [site.x, site.y, site.z]) utimesSync(path, 1e9, 1e9);
  },
  'lose the record': ({ home }) => rmSync(join(home, 'state.db')),
  'write marks': (site, name) => appendFileSync(site[name].path, marks),
  // Commands.
  tag: performs((id) => ({ kind: 'tag', id, add: ['t'], remove: [] })),
  edit: performs((id) => ({ kind: 'edit', id, set: { body: more } })),
  forget: performs((id) => ({ kind: 'forget', id })),
  adopt: adopts('hold'),
  'adopt deletions': adopts('record'),
  'adopt put-back': adopts('put-back'),
  'killed edit of': (site) => killedAt({ home: site.home }, 'put', site.edit),
  // A person's git.
  commit: gits('commit', '-aqm', 'mine'),
  amend: gits('commit', '-aq', '--amend', '--no-edit'),
  'amend without trailers': gits('commit', '-aq', '--amend', '-m', 'mine'),
  revert: gits('revert', '--no-edit', 'HEAD'),
  'reset --hard': gits('reset', '-q', '--hard', 'HEAD~1'),
  'reset --soft': gits('reset', '-q', '--soft', 'HEAD~1'),
  publish: gits('update-ref', 'refs/anamnesis/remote', 'main'),
  stash: gits('stash', '-q'),
  unstash: gits('stash', 'pop', '-q'),
  'unstash in conflict': failingGit('stash', 'pop', '-q'),
  'branch off': gits('switch', '-qc', 'side'),
  'back to main': gits('switch', '-q', 'main'),
  'merge side': gits('merge', '-q', '--no-edit', 'side'),
  'merge in conflict': failingGit('merge', '-q', 'side'),
  'rebase in conflict': failingGit('rebase', '-q', 'side'),
  'rebase onto side': gits('rebase', '-q', 'side'),
  'force to side': gits('reset', '-q', '--hard', 'side'),
  push: (site, name) => {
    const clone = join(site.home, 'clone');
    site.git('clone', '-q', site.folder, clone);
    replace(site[name].path.replace(site.folder, clone), 'two', 'PUSHED');
    personsGit(clone, 'commit', '-aqm', 'elsewhere');
    site.git('config', 'receive.denyCurrentBranch', 'ignore');
    personsGit(clone, 'push', '-q', 'origin', 'HEAD:main');
  },
};

/** Carries out `type x, commit, copy y over x`. */
const carryOut = async (site: Site, sentence: string): Promise<void> => {
  for (const part of sentence.split(', ').filter(Boolean)) {
    const [, before = '', first = 'x', over = '', second = 'x'] =
      /^(.*?)(?: ([xyz]))?(?: (over|with) ([xyz]))?$/.exec(part) ?? [];
    const deed = deeds[over === 'over' ? `${before} over` : before];
    if (deed === undefined) throw new Error(`no such deed: ${part}`);
    await deed(site, nameOf(first), nameOf(second));
  }
};
const nameOf = (name: string): NoteName => (name === 'y' || name === 'z' ? name : 'x');

type Then = {
  /** Kinds of the events since, oldest first. */
  readonly log?: string;
  /** Bodies in the journal that are not as they were written; `gone` for a note that was forgotten or removed. */
  readonly x?: string;
  readonly y?: string;
  /** The body in X's file, if it isn't that of the journal; `gone` if there is none, `<<<` for one with marks. */
  readonly file?: string;
  readonly edits?: string;
  /** What the reason says for which a file is left. */
  readonly left?: string;
  /** The code of the refusal or fault. */
  readonly refused?: string;
};

const edited = 'one\nEDITED\nthree\n';
const again = 'one\nAGAIN\nthree\n';
const both = 'one\nEDITED\nthree\nfour\n';

type Case = readonly [given: string, when: string, then: Then];

const byHand: readonly Case[] = [
  ['', 'adopt', {}],
  ['touch all', 'adopt', {}],
  ['type x', 'adopt', { log: 'hand.adopted', x: edited }],
  ['type x', 'tag x', { log: 'hand.adopted note.tagged', x: edited }],
  ['type x', 'tag y', { log: 'note.tagged', file: edited, edits: 'edited' }],
  ['type x', 'forget x', { log: 'hand.adopted note.forgotten', x: 'gone' }],
  ['killed edit of x', 'adopt', { log: 'note.edited', x: more }],
  ['killed edit of x, type above x', 'adopt', { log: 'note.edited hand.adopted', x: more.replace('one', 'ABOVE') }],
  ['killed edit of x, remove x', 'adopt', { log: 'note.edited', x: more }],
  ['killed edit of x, rename x', 'tag y', { log: 'note.edited note.tagged', x: more, edits: 'edited' }],
  ['open x, forget x, save x', 'adopt', { log: 'note.forgotten hand.adopted', x: edited }],
  ['open x, edit x, save x', 'adopt', { log: 'note.edited hand.adopted', x: edited }],
  ['remove x', 'adopt', { log: 'hand.adopted', x: 'gone' }],
  ['remove x', 'tag x', { log: 'note.tagged' }],
  ['remove x', 'tag y', { log: 'note.tagged', file: 'gone', edits: 'removed' }],
  ['remove x, remove y', 'adopt', { file: 'gone', edits: 'removed removed' }],
  ['remove x, remove y', 'adopt deletions', { log: 'hand.adopted', x: 'gone', y: 'gone' }],
  ['remove x, remove y', 'adopt put-back', {}],
  ['rename x', 'adopt', { log: 'hand.adopted', file: 'gone' }],
  ['type x, rename x', 'tag x', { log: 'hand.adopted note.tagged', x: edited, file: 'gone' }],
  ['misname x', 'adopt', { log: 'hand.adopted', x: 'gone', left: 'name' }],
  ['copy y over x', 'adopt', { left: 'it says it is note' }],
  ['copy y over x', 'tag x', { refused: 'file-blocked', left: 'it says it is note' }],
  ['copy y over x, type x', 'tag x', { refused: 'file-blocked', file: edited, left: 'it says it is note' }],
  ['swap x with y', 'adopt', { left: 'it says it is note' }],
  ['spoil x', 'adopt', { left: 'front matter' }],
  ['spoil x', 'tag x', { refused: 'file-blocked', left: 'front matter' }],
  ['spoil x', 'tag y', { log: 'note.tagged', left: 'front matter' }],
  ['make a link x', 'adopt', { left: 'link' }],
  ['make a link x', 'tag x', { refused: 'file-blocked', left: 'link' }],
  ['say machine-local x', 'adopt', { left: 'machine-local' }],
  ['edit x, lose the record', 'adopt', { log: 'note.edited', x: more }],
  ['open x, edit x, lose the record, save x', 'adopt', { log: 'note.edited hand.adopted', x: edited }],
];

const pushed = 'one\nPUSHED\nthree\n';
const other = 'one\nOTHER\nthree\n';

const withGit: readonly Case[] = [
  ['type x, commit', 'adopt', { log: 'commit', x: edited }],
  ['type x, commit, type again x', 'adopt', { log: 'commit hand.adopted', x: again }],
  ['type x, commit, untype x', 'adopt', { log: 'commit hand.adopted' }],
  ['type x, commit, revert', 'adopt', { log: 'commit commit' }],
  ['type x, commit, remove x', 'adopt', { log: 'commit hand.adopted', x: 'gone' }],
  ['type x, commit, open x, spoil x, adopt, save x, type again x', 'adopt', { log: 'commit hand.adopted', x: again }],
  ['adopt, push x', 'adopt', { log: 'commit', x: pushed }],
  ['adopt, push x, append x', 'adopt', { log: 'commit hand.adopted', x: more }],
  ['edit x, type x, amend', 'adopt', { log: 'note.edited', x: both }],
  ['edit x, type x, amend without trailers', 'adopt', { log: 'note.edited commit hand.adopted', x: both }],
  ['edit x, publish, type x, amend', 'adopt', { log: 'note.edited note.edited hand.adopted', x: both }],
  ['type x, commit, adopt, reset --hard', 'adopt', {}],
  ['type x, commit, adopt, publish, reset --hard', 'adopt', { log: 'commit hand.adopted' }],
  ['edit x, reset --hard', 'adopt', { log: 'note.edited hand.adopted' }],
  ['edit x, reset --hard', 'tag y', { log: 'note.edited hand.adopted note.tagged' }],
  ['edit x, reset --soft', 'adopt', { log: 'note.edited', x: more }],
  ['branch off, type x, commit, back to main, merge side', 'adopt', { log: 'commit', x: edited }],
  [
    'branch off, type x, commit, back to main, edit y, force to side',
    'adopt',
    { log: 'note.edited commit hand.adopted', x: edited },
  ],
  [
    'branch off, type x, commit, back to main, edit y, rebase onto side',
    'adopt',
    { log: 'commit note.edited', x: edited, y: more },
  ],
  ['branch off', 'tag y', { refused: 'head-elsewhere' }],
  [
    'branch off, type x, commit, back to main, type other x, commit, merge in conflict',
    'tag y',
    { log: 'commit', refused: 'head-elsewhere', x: other, file: '<<<', left: 'git could not finish' },
  ],
  [
    'branch off, type x, commit, back to main, type other x, commit, rebase in conflict',
    'adopt',
    { log: 'commit', refused: 'head-elsewhere', x: other, file: '<<<', left: 'git could not finish' },
  ],
  ['type x, stash, edit x, unstash', 'adopt', { log: 'note.edited hand.adopted', x: both }],
  [
    'type x, stash, type other x, commit, unstash in conflict',
    'adopt',
    { log: 'commit', refused: 'head-elsewhere', x: other, file: '<<<', left: 'git could not finish' },
  ],
  ['write marks x', 'adopt', { log: 'hand.adopted', x: `${text}${marks}` }],
];

/** A commit of the person's is `commit`. */
const kindsSince = ({ git }: Site): string => {
  const form = '--format=%(trailers:key=Kind,valueonly,separator=%x2C)!';
  const lines = git('log', '--reverse', '--topo-order', form, 'main').trim().split('\n');
  return lines
    .slice(3)
    .map((line) => line.slice(0, -1) || 'commit')
    .join(' ');
};

const bodyIn = (file: string): string =>
  existsSync(file) ? readFileSync(file, 'utf8').replace(/^---\n[\s\S]*?\n---\n+/, '') : 'gone';

describe.each([
  ['a person changes files', byHand],
  ["a person's git", withGit],
])('%s', (_, cases) => {
  const site = useSite();
  it.each(cases)('%s; then %s', async (given, when, then) => {
    await carryOut(site(), given);
    const done = await carryOut(site(), when).then(
      () => undefined,
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : String(error).slice(7)),
    );
    const { x, y, home } = site();
    const { memory } = openStore({ home });
    const { hand_edits: edits, left } = await readStatus(memory);
    const inJournal = async (id: string): Promise<string> => {
      const [place] = (await memory.store()).lookup.filesOf(id);
      if (place === undefined) return 'gone';
      const bytes = (await memory.journals.portable.blobs([place.blob])).get(place.blob);
      return bytes === undefined ? 'gone' : bytes.toString('utf8').replace(/^---\n[\s\S]*?\n---\n+/, '');
    };
    expect({
      refused: done,
      log: kindsSince(site()),
      x: await inJournal(x.id),
      y: await inJournal(y.id),
      file: bodyIn(x.path),
      edits: edits.map(({ change }) => change).join(' '),
      left: left.map(({ reason }) => reason).join(' '),
    }).toEqual({
      refused: then.refused,
      log: then.log ?? '',
      x: then.x ?? text,
      y: then.y ?? text,
      file: then.file === '<<<' ? expect.stringContaining('<<<<<<<') : (then.file ?? then.x ?? text),
      edits: then.edits ?? '',
      left: then.left === undefined ? '' : expect.stringContaining(then.left),
    });
    await memory.finish();
  });
});
