import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '../support/built-program.js';
import { type Json, noteKeys, openHome, type TestHome, ulid } from './support.js';

let home: TestHome;
let vpn: Json;
let steps: Json;
beforeAll(async () => {
  home = openHome();
  vpn = await home.json([
    'write',
    'Deploys need the VPN',
    '--body',
    'The registry hangs without it.',
    '--tag',
    'deploy',
  ]);
  steps = await home.json([
    'write',
    'Release steps',
    '--body',
    'Tag, build, deploy.',
    '--type',
    'procedural',
    '--project',
    'global',
  ]);
});
afterAll(() => home.remove());

describe('search', () => {
  it('prints notes with their snippet, rank, score and reasons', async () => {
    const answer = await home.json(['search', 'why', 'does', 'the', 'registry', 'hang']);
    expect(Object.keys(answer)).toEqual(['hits', 'total', 'first']);
    expect(Object.keys(answer.hits[0])).toEqual(
      expect.arrayContaining([...noteKeys, 'snippet', 'rank', 'score', 'reasons']),
    );
    expect(answer.hits[0]).toMatchObject({ id: vpn.id, rank: 1, snippet: expect.stringContaining('registry') });
  });
  it('filters, and ends with 0 when nothing is found', async () => {
    expect((await home.json(['search', 'deploy', '--type', 'procedural'])).hits.map((hit: Json) => hit.id)).toEqual([
      steps.id,
    ]);
    expect((await home.json(['search', 'deploy', '--tag', 'deploy', '--project', 'shop'])).total).toBe(1);
    expect(await home.run(['search', 'zebra'])).toEqual({ code: 0, stdout: '', stderr: 'no note matches zebra\n' });
  });
  it.each([
    ['id', () => vpn.id],
    ['title', () => vpn.title],
  ])('says that no note is similar to one given by its %s', async (_, given) => {
    expect(await home.run(['similar', given(), '--project', vpn.project])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no other note shares words that say much about it\n',
    });
  });
  it('corrects a mistyped word and says so, unless it is told not to', async () => {
    const answer = await home.json(['search', 'regisrty', 'hangs']);
    expect(answer.hits[0].id).toBe(vpn.id);
    expect(answer.corrected).toEqual([{ typed: 'regisrty', instead: 'registry' }]);
    expect((await home.run(['search', 'regisrty'])).stderr).toBe('searched for registry instead of regisrty\n');
    expect(await home.run(['search', 'regisrty', '--no-fuzzy'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no note matches regisrty\n',
    });
  });
  it('says in one line that it searched for two words as one', async () => {
    const other = openHome();
    try {
      await other.json(['write', 'Retries', '--body', 'The webhook is called three times.']);
      expect((await other.run(['search', 'web', 'hook'])).stderr).toBe('searched for webhook instead of web hook\n');
    } finally {
      other.remove();
    }
  });
  it('names the words that it searched for instead, as the notes have them', async () => {
    const german = openHome();
    try {
      await german.json(['write', 'Lückenlose Zähler', '--body', 'Ein Lückentext.']);
      const { stderr } = await german.run(['search', 'lücken']);
      expect(stderr).toBe('searched for lückenlose, lückentext instead of lücken\n');
    } finally {
      german.remove();
    }
  });
  it('prints the same by the fast path and by the whole program', async () => {
    const quick = await home.run(['search', 'deploy', '-k', '1', '--project', 'global']);
    expect(await home.run(['search', 'deploy', '-k1', '--project=global'])).toEqual(quick);
    expect(quick.stdout).toContain(steps.id.slice(-6));
  });
  it('searches the past', async () => {
    const newer = await home.json([
      'write',
      'Registry moved',
      '--body',
      'The registry needs no VPN now.',
      '--supersedes',
      vpn.id,
    ]);
    expect((await home.json(['search', 'registry'])).hits.map((hit: Json) => hit.id)).toEqual([newer.id]);
    const past = await home.json(['search', 'registry', '--at', vpn.event.id]);
    expect(past.hits[0]).toMatchObject({ id: vpn.id, snippet: expect.stringContaining('hangs'), rank: 1 });
    expect(past.hits[0]).not.toHaveProperty('superseded_by');
    expect(await home.json(['show', vpn.id, '--at', vpn.event.id])).toMatchObject({ id: vpn.id, body: vpn.body });
    expect(await home.run(['show', newer.id, '--at', vpn.event.id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there was no note'),
    });
    expect(readdirSync(join(home.store, 'index', 'past'))).toEqual([]);
  });
});

describe('the other commands that read', () => {
  it('list prints notes and their total', async () => {
    const answer = await home.json(['list', '-n', '1']);
    expect(Object.keys(answer)).toEqual(['notes', 'total']);
    expect(answer.notes).toHaveLength(1);
    expect(answer.total).toBeGreaterThan(1);
    expect(Object.keys(answer.notes[0])).toEqual(expect.arrayContaining([...noteKeys]));
    expect((await home.json(['list', '--project', 'global', '--offset', '1'])).notes).toEqual([]);
  });
  it('search and list say what left the notes out of an empty answer', async () => {
    expect(await home.run(['search', 'vpn', '--tag', 'nosuch'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no note matches vpn and the options given\n',
    });
    expect((await home.run(['list', '--offset', '100'])).stderr).toMatch(
      /^--offset 100 skips all of them: there are \d+\n$/,
    );
  });
  it('show accepts the beginning of an id in upper or lower case', async () => {
    expect(await home.json(['show', steps.id.slice(0, 24).toLowerCase()])).toMatchObject({
      id: steps.id,
      body: 'Tag, build, deploy.',
    });
    expect((await home.run(['show', steps.id])).stdout).toMatch(
      /^Release steps\nid +[0-9A-Z]{26}\n[\s\S]*\n\nTag, build, deploy\.\n$/,
    );
    expect(await home.run(['show', 'ZZZZ'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no note has the id or the title "ZZZZ"'),
    });
    expect((await home.run(['show', 'strassenbahn'])).stderr).toContain(
      'no note has the id or the title "strassenbahn"',
    );
    expect(await home.run(['show', 'not an id'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no note has the id or the title "not an id"; anamnesis search WORDS'),
    });
    expect(await home.run(['show', steps.id.slice(0, 4)])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/fits \d+ notes: [0-9A-Z]{6} \(/),
    });
  });
  it('inject prints the block as it is', async () => {
    const answer = await home.json(['inject', '--project', 'shop']);
    expect(Object.keys(answer)).toEqual(['project', 'text', 'units', 'warnings']);
    expect(answer).toMatchObject({ project: 'shop', units: answer.text.length });
    expect(answer.text).toMatch(/^# Anamnesis memory \(auto-injected\)\n/);
    expect((await home.run(['inject'])).stdout).toBe(answer.text);
    expect((await home.json(['inject', '--project', 'shop', '--budget', '200'])).units).toBeLessThanOrEqual(200);
  });
  it('log and history print events', async () => {
    const log = await home.json(['log', '--oldest', '-n', '1']);
    expect(log).toMatchObject({
      total: 1,
      events: [{ id: vpn.event.id, kind: 'note.written', machine: 'testbox', note_count: 1 }],
    });
    expect(Object.keys(log.events[0])).toEqual([
      'id',
      'short_id',
      'kind',
      'at',
      'machine',
      'subject',
      'note_count',
      'journal',
      'commit',
      'user',
      'project',
    ]);
    expect((await home.json(['log', '--kind', 'note.forgotten'])).events).toEqual([]);
    expect((await home.json(['log', '--before', '2000-01-01'])).events).toEqual([]);
    const history = await home.json(['history', vpn.id]);
    expect(history.events[0]).toMatchObject({ kind: 'note.superseded', by: expect.stringMatching(ulid) });
  });
  it('diff prints the notes, and the text when asked for', async () => {
    const answer = await home.json(['diff', vpn.event.id, 'HEAD']);
    expect(Object.keys(answer)).toEqual(['from', 'to', 'notes']);
    expect(answer.notes[0]).toMatchObject({
      id: steps.id,
      change: 'added',
      journal: 'memory',
      title: 'Release steps',
      before: null,
    });
    expect((await home.json(['diff', vpn.event.id, '--text'])).text).toContain('+Tag, build, deploy.');
    expect((await home.run(['diff', vpn.event.id])).stdout).toMatch(
      /^CHANGE +ID +JOURNAL +TITLE\nadded [\s\S]*\n\+Tag, build, deploy\.\n/,
    );
  });
});

describe('what a command loads', () => {
  /** Returns the chunks of the bundle that a run evaluated. */
  const loadedBy = (args: readonly string[], input?: string): string => {
    const folder = mkdtempSync(join(home.folder, 'coverage-'));
    const ran = home.spawn(args, {
      program,
      env: { NODE_V8_COVERAGE: folder },
      ...(input === undefined ? {} : { input }),
    });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/./) });
    const [file = ''] = readdirSync(folder);
    const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return result
      .map(({ url }) => url)
      .filter((url) => url.startsWith('file:'))
      .map((url) => `${basename(url)}\n${readFileSync(new URL(url), 'utf8')}`)
      .join('\n');
  };
  /** Whether the bundled text declares the name, perhaps as one of several in a declaration. */
  const declares = (text: string, name: string): boolean =>
    new RegExp(`(?:\\b(?:const|let|var|function) |,)${name}[=(]`).test(text);
  const heavy = /simple-git\/|node_modules\/zod|ZodType|class McpServer|["']piscina["']\)|modelcontextprotocol[./]/;

  it.each([['search', 'deploy'], ['inject'], ['list'], ['show', 'ID'], ['log'], ['status'], ['sync']])(
    '%s loads no zod, git, pool or SDK',
    (...words) => {
      const loaded = loadedBy(words.map((word) => (word === 'ID' ? steps.id : word)));
      expect(loaded).toContain('better-sqlite3');
      expect(heavy.exec(loaded)?.[0]).toBeUndefined();
    },
  );
  // An agent waits for these at each start, and 25 kB more take about a millisecond: raise a bound only on purpose.
  it.each([
    { words: ['inject'], most: 200, holds: ['selectInjection'] },
    { words: ['hook', 'SubagentStart'], most: 200, holds: ['selectInjection'] },
    { words: ['hook', 'UserPromptSubmit'], most: 257, holds: ['selectInjection', 'recallNotes', 'stemmer'] },
    { words: ['search', 'deploy'], most: 298, holds: ['selectInjection', 'searchNotes', 'parseQuery', 'stemmer'] },
  ])('$words loads at most $most kB, and no code of what it does not do', ({ words, most, holds }) => {
    const [command, event] = words;
    const payload = {
      hook_event_name: event,
      session_id: `loads-${event}`,
      cwd: home.work,
      agent_type: 'Explore',
      prompt: 'why does the registry hang when it deploys without the VPN',
    };
    const loaded = loadedBy(words, command === 'hook' ? JSON.stringify(payload) : undefined);
    const others = [
      'recallNotes',
      'searchNotes',
      'parseQuery',
      'stemmer',
      'formatFastImport',
      'noteIndex',
      'beginFold',
    ];
    const isIn = (name: string): boolean => declares(loaded, name);
    expect(['selectInjection', ...others].filter(isIn)).toEqual(holds);
    expect(Buffer.byteLength(loaded)).toBeLessThan(most * 1000);
  });
  describe('that looks at every file when none has changed', () => {
    // A file that changed less than two seconds before it was looked at is read again.
    beforeAll(async () => {
      await sleep(2100);
      expect((await home.run(['adopt'])).code).toBe(0);
    });
    it.each([['status'], ['adopt'], ['sync']])('%s loads no code that reads or writes notes', (command) => {
      const loaded = loadedBy([command, '--json']);
      const isIn = (name: string): boolean => declares(loaded, name);
      expect(['walkNotes', 'parseNoteFile', 'mergeNotes', 'performAll'].filter(isIn)).toEqual(['walkNotes']);
      expect(Buffer.byteLength(loaded)).toBeLessThan(495_000);
    });
  });
  it('--help loads no SQLite either', () => {
    expect(/better-sqlite3["']\)/.exec(loadedBy(['--help']))?.[0]).toBeUndefined();
  });
});

it('commands that only read create no store', async () => {
  const empty = openHome();
  try {
    for (const args of [
      ['search', 'x'],
      ['list'],
      ['log'],
      ['inject'],
      ['status'],
      ['verify'],
      ['search', 'x', '--at', '2026-01-01'],
    ]) {
      expect([args, (await empty.run(args)).code]).toEqual([args, 0]);
    }
    expect((await empty.run(['inject'])).stdout).toBe('');
    expect((await empty.run(['show', 'ABCD'])).code).toBe(1);
    expect((await empty.run(['diff', 'HEAD', 'HEAD'])).code).toBe(0);
    expect(existsSync(empty.store)).toBe(false);
  } finally {
    empty.remove();
  }
});
