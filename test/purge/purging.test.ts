import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PurgeReceipt } from '../../src/answers/store-schema.js';
import { undoEvent } from '../../src/app/undoing.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import { planPurge, purgeStore } from '../../src/purge/purging.js';
import type { PurgeRequest } from '../../src/purge/rule/request.js';
import { hasVectors, openVectorFile } from '../../src/state/vector-file.js';
import { readTrace, traceFolder } from '../../src/store/trace-file.js';
import { gitIndexCaughtUp, openStore, personsGit, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let memoryFolder = '';
beforeEach(async () => {
  store = openStore();
  await store.memory.initialise();
  memoryFolder = join(store.home, 'memory');
});
afterEach(() => store.close());

const secret = 'correct-horse-battery';
const literal = (text = secret): PurgeRequest => ({ what: { kind: 'literal', text } });

const purge = async (asked: PurgeRequest, expected: { clean: boolean } = { clean: true }): Promise<PurgeReceipt> => {
  const done = await purgeStore(store.memory, asked);
  if (!done.ok) throw new Error(`refused: ${done.refusal.message}`);
  expect(done.answer.checked.filter(({ found }) => found.length > 0).length === 0).toBe(expected.clean);
  expect(done.answer.clean).toBe(expected.clean);
  return done.answer;
};
const refusalOf = async (asked: PurgeRequest): Promise<{ code: string; message: string }> => {
  const done = await purgeStore(store.memory, asked);
  if (done.ok) throw new Error('it was not refused');
  return done.refusal;
};

/** Everything that git can show: messages and every version of every file. */
const everything = (folder: string): string =>
  personsGit(folder, 'log', '--all', '-p', '-m', '--format=%H %an %ae%n%B');
/** Ids of the events, oldest first, whatever their commits are called. */
const eventIds = async (): Promise<readonly string[]> =>
  (await store.memory.events({ oldestFirst: true }, 1000)).map(({ id }) => id);
const commits = (folder: string): readonly string[] =>
  personsGit(folder, 'rev-list', '--reverse', 'main').trim().split('\n');
const expectWhole = async (): Promise<void> => {
  expect((await verifyStore(store.memory)).problems).toEqual([]);
  for (const name of ['memory', 'local']) {
    expect(personsGit(join(store.home, name), 'status', '--porcelain', '--untracked-files=no')).toBe('');
    expect(personsGit(join(store.home, name), 'fsck', '--full', '--unreachable')).not.toMatch(
      /missing|broken|unreachable/,
    );
  }
  await writeNote(store.memory, { title: 'And on' });
  expect((await replayStore(store.memory, { verify: true })).verified).toBe(true);
};
/** The files of the store that contain the text, except for what git compresses. */
const rawFiles = (text: string): readonly string[] =>
  readdirSync(store.home, { recursive: true, encoding: 'utf8' }).filter((path) => {
    const file = join(store.home, path);
    return !/\.git\/objects\//.test(path) && existsSync(file) && isFile(file) && readFileSync(file).includes(text);
  });
const isFile = (file: string): boolean => {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
};

describe('a note that is purged', () => {
  it('is gone with every version, and its events stay without their words', async () => {
    const kept = await writeNote(store.memory, { title: 'Kept' });
    const note = await writeNote(store.memory, {
      title: 'Salaries of the team',
      body: 'Everybody earns the same amount.\n',
    });
    await store.memory.perform({ kind: 'edit', id: note.id, set: { title: 'Wages of the team' } });
    await store.memory.perform({ kind: 'forget', id: note.id, reason: 'Salaries of the team are private' });
    const before = await eventIds();
    const [first] = commits(memoryFolder);
    const receipt = await purge({ what: { kind: 'note', id: note.id }, reason: 'private' });
    expect(receipt).toMatchObject({ status: 'purged', notes: [{ id: note.id, versions: 2 }] });
    expect(everything(memoryFolder)).not.toMatch(/Salaries|Wages|earns/);
    expect(rawFiles('Salaries of the team')).toEqual([]);
    expect(commits(memoryFolder)[0]).toBe(first);
    expect(await eventIds()).toEqual([...before, receipt.purge]);
    const history = await store.memory.events({ note: note.id }, 10);
    expect(history.map(({ kind, subject, reason }) => `${kind}: ${subject} ${reason ?? ''}`.trim())).toEqual([
      `notes.purged: note ${note.id} private`,
      'note.forgotten: (purged) (purged)',
      'note.edited: (purged)',
      'note.written: (purged)',
    ]);
    expect((await store.memory.show(kept.id)).ok).toBe(true);
    await expectWhole();
  });
  it.each([
    ['portable', 'after it was forgotten', true],
    ['portable', 'while it was there', false],
    ['machine-local', 'while it was there', false],
  ] as const)(
    'is reported as purged, not as forgotten, by every command that asks for it: a %s one, %s',
    async (scope, _, isForgotten) => {
      const { id } = await writeNote(store.memory, { title: 'Gone', scope });
      if (isForgotten) await store.memory.perform({ kind: 'forget', id });
      await purge({ what: { kind: 'note', id } });
      const said = { refusal: { code: 'note-purged', message: expect.stringContaining(`note ${id} was purged`) } };
      expect(await store.memory.show(id)).toMatchObject(said);
      for (const kind of ['restore', 'confirm'] as const)
        expect(await store.memory.perform({ kind, id })).toMatchObject(said);
      expect(await store.memory.perform({ kind: 'edit', id, set: { body: 'x\n' } })).toMatchObject(said);
      expect(await store.memory.perform({ kind: 'forget', id })).toMatchObject({
        status: 'unchanged',
        warnings: [said.refusal.message],
      });
    },
  );
  it("can't be restored, and its command sent again writes nothing", async () => {
    const commandId = 'agent-1';
    const answer = await store.memory.perform(
      {
        kind: 'write',
        type: 'semantic',
        title: 'Gone',
        body: 'b\n',
        project: 'p',
        scope: 'portable',
        tags: [],
        keywords: [],
        supersedes: [],
      },
      { commandId },
    );
    const id = answer.status === 'refused' ? '' : (answer.note?.id ?? '');
    await purge({ what: { kind: 'note', id } });
    const again = await store.memory.perform(
      {
        kind: 'write',
        type: 'semantic',
        title: 'Gone',
        body: 'b\n',
        project: 'p',
        scope: 'portable',
        tags: [],
        keywords: [],
        supersedes: [],
      },
      { commandId },
    );
    expect(again).toMatchObject({ status: 'refused', refusal: { code: 'command-id-taken' } });
    expect((await store.memory.list({}, 10)).total).toBe(0);
    expect((await store.memory.perform({ kind: 'restore', id })).status).toBe('refused');
    expect((await store.memory.show(id)).ok).toBe(false);
  });
  it('leaves the events of other notes whole, and its title out of events that name it too', async () => {
    const old = await writeNote(store.memory, { title: 'The old way of deploying' });
    const other = await writeNote(store.memory, { title: 'The new way of deploying', supersedes: [old.id] });
    await purge({ what: { kind: 'note', id: other.id } });
    const history = await store.memory.events({ note: old.id }, 10);
    expect(history.map(({ kind, subject }) => `${kind}: ${subject}`)).toEqual([
      'note.superseded: [PURGED]',
      'note.written: The old way of deploying',
    ]);
    const shown = await store.memory.show(old.id);
    expect(shown.ok && shown.answer.superseded_by).toBeFalsy();
    await expectWhole();
  });
  it('is removed from the eval cases that ask about it, and the others stay as they are', async () => {
    const kept = await writeNote(store.memory, { title: 'Kept' });
    const note = await writeNote(store.memory, { title: 'Codes', body: 'Seventeen lanterns behind the granary.\n' });
    const cases = join(memoryFolder, 'eval', 'built.jsonl');
    mkdirSync(join(memoryFolder, 'eval'));
    const other = `{"query":"kept",  "relevant_ids":["${kept.id}"]}`;
    const about = JSON.stringify({
      query: 'lanterns granary',
      relevant_ids: [kept.id, note.id],
      note_titles: ['Codes'],
    });
    writeFileSync(cases, `${about}\n${other}\n`);
    await purge({ what: { kind: 'note', id: note.id } }, { clean: true });
    expect(readFileSync(cases, 'utf8')).toBe(`${other}\n`);
  });

  it('is refused when it was never written', async () => {
    await writeNote(store.memory);
    expect(await refusalOf({ what: { kind: 'note', id: '01J00000000000000000000000' } })).toMatchObject({
      code: 'note-unknown',
    });
  });
});

describe('a text that is purged', () => {
  it('is removed from titles, bodies, tags, subjects and reasons, and the notes stay', async () => {
    const note = await writeNote(store.memory, {
      title: `The key ${secret}`,
      body: `It is ${secret}.\n`,
      tags: [secret, 'keys'],
      keywords: [`x ${secret}`],
      project: `acme/${secret}`,
    });
    const gone = await writeNote(store.memory, { title: 'Other' });
    await store.memory.perform({ kind: 'forget', id: gone.id, reason: `because of ${secret}` });
    await writeNote(store.memory, { title: 'Local', body: `${secret}\n`, scope: 'machine-local' });
    await purge(literal());
    for (const name of ['memory', 'local']) expect(everything(join(store.home, name))).not.toContain(secret);
    const shown = await store.memory.show(note.id);
    expect(shown.ok && shown.answer).toMatchObject({
      title: 'The key [PURGED]',
      body: 'It is [PURGED].\n',
      tags: ['[PURGED]', 'keys'],
      project: 'acme/[PURGED]',
    });
    expect(rawFiles(secret)).toEqual([]);
    await expectWhole();
  });
  it('is removed from an old version, a forgotten note and a superseded one', async () => {
    const edited = await writeNote(store.memory, { title: 'Edited', body: `once ${secret}\n` });
    await store.memory.perform({ kind: 'edit', id: edited.id, set: { body: 'now without\n' } });
    const forgotten = await writeNote(store.memory, { title: 'Forgotten', body: `${secret}\n` });
    await store.memory.perform({ kind: 'forget', id: forgotten.id });
    const old = await writeNote(store.memory, { title: 'Old', body: `${secret}\n` });
    await writeNote(store.memory, { title: 'New', supersedes: [old.id] });
    const receipt = await purge(literal());
    expect([...receipt.changed_notes].sort()).toEqual([edited.id, forgotten.id, old.id].sort());
    expect(everything(memoryFolder)).not.toContain(secret);
    await expectWhole();
    await store.memory.perform({ kind: 'restore', id: forgotten.id });
    const shown = await store.memory.show(forgotten.id);
    expect(shown.ok && shown.answer.body).toBe('[PURGED]\n');
  });
  it('is found in another Unicode composition, across a line break, and in a subject that was cut', async () => {
    const word = 'señor-contraseña';
    const wordy = 'a pass phrase of some length';
    await writeNote(store.memory, { title: 'Composed', body: `${word.normalize('NFD')}\n` });
    await writeNote(store.memory, { title: 'Broken', body: 'it is a pass\n  phrase of\nsome length, or so\n' });
    await writeNote(store.memory, { title: `${'long '.repeat(16)}then ${wordy}`, body: 'x\n' });
    await purge(literal(word));
    await purge(literal(wordy));
    const all = everything(memoryFolder);
    expect(all.normalize('NFC')).not.toContain('contrase');
    expect(all).not.toMatch(/phrase|a pass/);
    await expectWhole();
  });
  it('leaves the histories of other notes, and the commits before its first place, as they are', async () => {
    const other = await writeNote(store.memory, { title: 'Other', body: 'one\n' });
    await store.memory.perform({ kind: 'edit', id: other.id, set: { body: 'two\n' } });
    await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
    await store.memory.perform({ kind: 'edit', id: other.id, set: { body: 'three\n' } });
    const history = await store.memory.events({ note: other.id }, 10);
    const before = commits(memoryFolder);
    await purge(literal());
    const after = commits(memoryFolder);
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]).not.toBe(before[2]);
    const ids = (rows: typeof history) =>
      rows.map(({ id, kind, at, machine, depth }) => ({ id, kind, at, machine, depth }));
    expect(ids(await store.memory.events({ note: other.id }, 10))).toEqual(ids(history));
  });
  it('is removed from a person’s commits, which keep their authors and times', async () => {
    await writeNote(store.memory, { title: 'First', body: `${secret}\n` });
    writeFileSync(join(memoryFolder, 'README.md'), `my notes ${secret}\n`);
    personsGit(memoryFolder, 'add', 'README.md');
    personsGit(memoryFolder, 'commit', '-q', '-m', `by hand ${secret}`, '-m', 'with a body');
    await writeNote(store.memory, { title: 'Second' });
    const author = personsGit(memoryFolder, 'log', '--format=%an %ae %at %ct', 'main');
    await purge(literal());
    expect(personsGit(memoryFolder, 'log', '--format=%an %ae %at %ct', 'main~1')).toBe(author);
    expect(readFileSync(join(memoryFolder, 'README.md'), 'utf8')).toBe('my notes [PURGED]\n');
    expect(everything(memoryFolder)).toContain('with a body');
    await expectWhole();
  });
  it('is removed from branches, tags, stashes, rescued heads and reflogs', async () => {
    await writeNote(store.memory, { title: 'First' });
    const { path = '' } = await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
    personsGit(memoryFolder, 'branch', 'mine', 'main');
    personsGit(memoryFolder, 'tag', '-a', '-m', `tagged ${secret}`, 'v1', 'main');
    personsGit(memoryFolder, 'update-ref', 'refs/anamnesis/rescue/1', 'main');
    personsGit(memoryFolder, 'update-ref', 'refs/remotes/origin/main', 'main');
    writeFileSync(path, `${readFileSync(path, 'utf8')}stashed ${secret}\n`);
    personsGit(memoryFolder, 'stash');
    await store.memory.adopt('hold');
    const receipt = await purge(literal());
    expect(everything(memoryFolder)).not.toContain(secret);
    expect(personsGit(memoryFolder, 'for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual(
      expect.arrayContaining([
        'refs/anamnesis/rescue/1',
        'refs/heads/main',
        'refs/heads/mine',
        'refs/stash',
        'refs/tags/v1',
      ]),
    );
    expect(receipt.dropped_refs).toEqual(['refs/remotes/origin/main']);
    await expectWhole();
  });
  it('unstages what a person staged, leaves the files, and names those that hold it', async () => {
    await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
    writeFileSync(join(memoryFolder, 'fine.txt'), 'fine\n');
    writeFileSync(join(memoryFolder, 'bad.txt'), `${secret}\n`);
    await gitIndexCaughtUp(memoryFolder);
    personsGit(memoryFolder, 'add', 'fine.txt', 'bad.txt');
    const receipt = await purge(literal(), { clean: false });
    expect(personsGit(memoryFolder, 'diff', '--cached', '--name-only').trim()).toBe('');
    expect(readFileSync(join(memoryFolder, 'fine.txt'), 'utf8')).toBe('fine\n');
    expect(receipt.checked.flatMap(({ found }) => found)).toEqual(['memory/bad.txt']);
  });
  it('is removed from logs, trace, spool, queue and agents.db, and other files that hold it are named', async () => {
    await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
    const opened = await store.memory.store();
    store.memory.log(`something about ${secret}`);
    writeFileSync(
      join(store.home, 'spool', 'exchange.s.1.json'),
      JSON.stringify({ v: 1, kind: 'exchange', text: `${secret} "quoted"` }),
    );
    mkdirSync(traceFolder(store.home));
    const line = { atMs: 1, by: 'search', query: `about ${secret} "quoted"`, notes: [] };
    writeFileSync(join(traceFolder(store.home), 'trace.jsonl'), `${JSON.stringify(line)}\n${JSON.stringify(line)}\n`);
    const { openAgentState } = await import('../../src/state/agent-state.js');
    const agents = openAgentState(join(store.home, 'agents.db'));
    agents.expectTranscript(`/home/pat/${secret}.jsonl`, 'session', 1);
    agents.close();
    mkdirSync(join(store.home, 'setup'), { recursive: true });
    writeFileSync(join(store.home, 'setup', 'settings.json'), JSON.stringify({ secret }));
    opened.state.setFact('note', secret);
    const receipt = await purge(literal(), { clean: false });
    expect(receipt.checked.flatMap(({ found }) => found)).toEqual(['setup/settings.json']);
    expect(rawFiles(secret)).toEqual(['setup/settings.json']);
    expect(JSON.parse(readFileSync(join(store.home, 'spool', 'exchange.s.1.json'), 'utf8'))).toMatchObject({
      text: '[PURGED] "quoted"',
    });
    expect(readTrace(store.home)).toEqual([]);
  });
  it('is removed together with the vectors of the notes', async () => {
    await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
    const index = join(store.home, 'index');
    openVectorFile(index, 'a model').close();
    expect(hasVectors(index)).toBe(true);
    await purge(literal());
    expect(hasVectors(index)).toBe(false);
  });
  it('is replaced by the mark wherever a pattern matches', async () => {
    await writeNote(store.memory, {
      title: 'Keys',
      body: 'AKIAAAAAAAAAAAAAAAA1 and KEYX-77777777 and KEYX-88888888.\n',
    });
    const receipt = await purge({ what: { kind: 'pattern', source: 'keyx-\\d{8}', ignoreCase: true } });
    expect(everything(memoryFolder)).not.toMatch(/KEYX|keyx/);
    expect(everything(memoryFolder)).toContain('[PURGED] and [PURGED].');
    expect(receipt.places).toBe(2);
    await expectWhole();
  });
  it.each([
    ['too short', literal('abc'), 'text-short'],
    ['what every note has', { what: { kind: 'pattern', source: 'semantic', ignoreCase: false } }, 'pattern-wide'],
    ['what every event has', { what: { kind: 'pattern', source: 'written', ignoreCase: false } }, 'pattern-wide'],
    ['not a valid expression', { what: { kind: 'pattern', source: '(', ignoreCase: false } }, 'pattern-invalid'],
    [
      'a pattern that matches empty text',
      { what: { kind: 'pattern', source: 'x*', ignoreCase: false } },
      'pattern-empty',
    ],
    ['the mark itself', { what: { kind: 'pattern', source: 'PURGED', ignoreCase: false } }, 'pattern-wide'],
  ] as const)('is refused when it is %s, and nothing changes', async (_, asked, code) => {
    await writeNote(store.memory, { title: 'Kept' });
    const before = everything(memoryFolder);
    expect(await refusalOf(asked)).toMatchObject({ code });
    expect(everything(memoryFolder)).toBe(before);
    await writeNote(store.memory, { title: 'And on' });
  });
  it('changes nothing when it is found nowhere', async () => {
    await writeNote(store.memory);
    const before = commits(memoryFolder);
    expect(await purge(literal())).toMatchObject({ status: 'unchanged', purge: null, places: 0 });
    expect(commits(memoryFolder)).toEqual(before);
  });
});

describe('a purge', () => {
  it('can be planned without changing anything', async () => {
    await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
    await writeNote(store.memory, { title: 'Later' });
    const before = everything(memoryFolder);
    const plan = await planPurge(store.memory, literal());
    expect(plan).toMatchObject({
      ok: true,
      answer: { places: 1, journals: [{ journal: 'memory', commits: 2, changed: 2 }] },
    });
    expect(plan.ok && plan.answer.files.some((file) => file.endsWith('.md'))).toBe(true);
    expect(everything(memoryFolder)).toBe(before);
    const refs = personsGit(memoryFolder, 'for-each-ref', '--format=%(refname)').trim();
    expect(refs.split('\n')).toEqual(['refs/anamnesis/head', 'refs/heads/main']);
  });
  it("can't be undone, and says so", async () => {
    await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
    const { purge: id } = await purge(literal());
    expect(await undoEvent(store.memory, id ?? '')).toMatchObject({ ok: false, refusal: { code: 'purge-stays' } });
    expect(await undoEvent(store.memory, undefined)).toMatchObject({ ok: false, refusal: { code: 'purge-stays' } });
  });
  it('changes nothing more when it is repeated', async () => {
    await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
    await purge(literal());
    const before = commits(memoryFolder);
    expect(await purge(literal())).toMatchObject({ status: 'unchanged' });
    expect(commits(memoryFolder)).toEqual(before);
  });
  it.each([['memory'], ['local'], ['memory', 'local']])(
    'succeeds after a killed one left the ref of its new history behind in %s %s',
    async (...names) => {
      await writeNote(store.memory, { title: 'Before' });
      await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
      await writeNote(store.memory, { title: 'Bad here', body: `${secret}\n`, scope: 'machine-local' });
      for (const name of names) personsGit(join(store.home, name), 'update-ref', 'refs/anamnesis/purging', 'main');
      expect(await purge(literal())).toMatchObject({ status: 'purged' });
      expect(await store.memory.events({ kind: 'notes.purged' }, 10)).toHaveLength(2);
      await expectWhole();
    },
  );
  it('finds a note whose file a person made in a journal that has no commit yet', async () => {
    await writeNote(store.memory, { scope: 'machine-local' });
    expect(store.memory.journals.portable.head()).toBe(undefined);
    const id = '01J2000000000000000000000A';
    mkdirSync(join(memoryFolder, 'semantic', '0A'), { recursive: true });
    writeFileSync(
      join(memoryFolder, 'semantic', '0A', `${id}.md`),
      `---\nid: ${id}\ntype: semantic\ntitle: by hand\nproject: p\n---\n${secret}\n`,
    );
    expect(await purge({ what: { kind: 'note', id } })).toMatchObject({ status: 'purged' });
    await expectWhole();
  });
  it('adopts hand edits first, and does not lose them', async () => {
    const { path = '', id } = await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
    writeFileSync(path, `${readFileSync(path, 'utf8')}by hand\n`);
    await purge(literal());
    const shown = await store.memory.show(id);
    expect(shown.ok && shown.answer.body).toBe('[PURGED]\nby hand\n');
    expect(readFileSync(path, 'utf8')).toContain('[PURGED]\nby hand\n');
  });
  it('is refused while a merge is under way or HEAD is on another branch', async () => {
    await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
    writeFileSync(join(memoryFolder, '.git', 'MERGE_HEAD'), `${commits(memoryFolder)[0]}\n`);
    await expect(purgeStore(store.memory, literal())).rejects.toMatchObject({ code: 'head-elsewhere' });
    execFileSync('rm', [join(memoryFolder, '.git', 'MERGE_HEAD')]);
    personsGit(memoryFolder, 'switch', '-q', '-c', 'elsewhere');
    await expect(purgeStore(store.memory, literal())).rejects.toMatchObject({ code: 'head-elsewhere' });
  });
  it('names every note that it changed in its event', async () => {
    const notes = [
      await writeNote(store.memory, { body: `${secret}\n` }),
      await writeNote(store.memory, { body: `${secret}\n` }),
    ];
    await purge(literal());
    const { portable } = store.memory.journals;
    const last = (await portable.events(undefined, portable.head() ?? '')).at(-1)?.event;
    expect(last).toMatchObject({ kind: 'notes.purged', notes: notes.map(({ id }) => id).sort() });
  });
  it('of memory/ removes a copy that a person committed there, and leaves the machine-local note', async () => {
    const scope = 'machine-local' as const;
    const note = await writeNote(store.memory, {
      title: 'Here and there',
      body: 'Travelling text of this note.\n',
      scope,
    });
    const copy = join(memoryFolder, 'semantic', 'copies', `${note.id}.md`);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, readFileSync(note.path ?? ''));
    personsGit(memoryFolder, 'add', '.');
    personsGit(memoryFolder, 'commit', '-qm', 'Here and there');
    await purge({ what: { kind: 'note', id: note.id }, journal: 'portable' });
    expect(everything(memoryFolder)).not.toMatch(/Here and there|Travelling/);
    const { notes } = await store.memory.list({}, 9);
    expect(notes).toMatchObject([{ title: 'Here and there', scope }]);
    expect(await store.memory.show(notes[0]?.id ?? '')).toMatchObject({
      answer: { body: 'Travelling text of this note.\n' },
    });
    await expectWhole();
  });
  it('gives the same commits on another machine with the same history', async () => {
    await writeNote(store.memory, { title: 'First' });
    const note = await writeNote(store.memory, { title: 'Bad', body: `${secret}\n` });
    await store.memory.perform({ kind: 'tag', id: note.id, add: ['x'], remove: [] });
    const other = openStore({ machine: 'other' });
    await other.memory.initialise();
    personsGit(join(other.home, 'memory'), 'pull', '-q', memoryFolder, 'main');
    await purge(literal());
    const done = await purgeStore(other.memory, literal());
    expect(done.ok && done.answer.clean).toBe(true);
    const withoutEvent = (folder: string): string => personsGit(folder, 'rev-list', 'main~1');
    expect(withoutEvent(join(other.home, 'memory'))).toBe(withoutEvent(memoryFolder));
    await other.close();
  });
});
