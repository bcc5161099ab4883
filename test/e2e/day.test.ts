import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NoteJson } from '../../src/store/note-json.js';
import { removeFolder } from '../support/remove-folder.js';
import { type Machine, makeMachine, openSession, type Session } from './support/agent.js';

/** A day of work: 3 projects and 12 sessions; each test continues from what the ones before it left. */
describe('a day of an agent', () => {
  let machine: Machine;
  let shop = '';
  let docs = '';
  let scripts = '';
  let all: Session[] = [];
  const open = (cwd: string): Session => {
    const session = openSession(machine, cwd);
    all.push(session);
    openedBy.set(session, expect.getState().currentTestName ?? '');
    return session;
  };
  const openedBy = new Map<Session, string>();
  // A test whose hook was too late on a busy machine is retried in new sessions: this forgets the first ones.
  beforeEach(() => {
    const name = expect.getState().currentTestName;
    all = all.filter((session) => openedBy.get(session) !== name);
  });
  const notesOf = (...filter: readonly string[]): readonly NoteJson[] =>
    machine.json<{ notes: readonly NoteJson[] }>('list', '-n', '200', ...filter).notes;
  const sessionNotes = (session: Session): readonly NoteJson[] =>
    notesOf('--tag', 'session').filter(({ prov_session }) => prov_session === session.id);
  const bodyOf = (session: Session): string =>
    machine.json<NoteJson>('show', sessionNotes(session)[0]?.id ?? 'none').body ?? '';

  beforeAll(() => {
    machine = makeMachine();
    shop = machine.project('shop', 'git@github.com:acme/shop.git');
    docs = machine.project('docs', 'https://github.com/acme/docs.git');
    scripts = machine.project('scripts');
    machine.anamnesis(['init', '--yes', '--local-only']);
  });
  // A background worker may still be ending.
  afterAll(() => removeFolder(machine.home));

  it('1: the first session begins with nothing and leaves a note', async () => {
    const session = open(shop);
    expect(await session.start()).toBe('');
    expect(await session.turn('Why do the refund webhooks time out?', 'The provider gives up after 10 seconds.')).toBe(
      '',
    );
    session.fails('npm test', 'Exit code 1: 2 failing');
    await session.turn('Then answer first and work afterwards', 'Done: the handler answers at once.', [
      'src/refund.ts',
    ]);
    await session.end();
    await machine.settled();
    const [note] = sessionNotes(session);
    expect(note).toMatchObject({ type: 'episodic', project: 'github.com/acme/shop', prov_source: 'session-end' });
    expect(bodyOf(session)).toContain('src/refund.ts');
    expect(bodyOf(session)).toContain('npm test');
  });

  it('2: the next session in that project begins with that note', async () => {
    const session = open(shop);
    expect(await session.start()).toContain('refund webhooks');
    await session.turn('Never push to main without a review.', 'Understood: I open a pull request first.');
    await session.turn('Add a retry with back-off', 'Added, with a test.', ['src/retry.ts']);
    await session.end();
    await machine.settled();
    expect(sessionNotes(session)).toHaveLength(1);
  });

  it('3: a rule that was stated is learned', () => {
    const learned = notesOf('--tag', 'learned');
    expect(learned.map(({ title, body }) => `${title}${body ?? ''}`.toLowerCase()).join('\n')).toContain(
      'push to main',
    );
    for (const note of learned) {
      expect(note.confidence).toBeLessThan(1);
      expect(note.prov_session).toBe(all[1]?.id);
    }
  });

  it('4: a session in another project sees nothing of it', async () => {
    const session = open(docs);
    expect(await session.start()).not.toContain('refund');
    await session.turn('Write the page about webhooks', 'Written.', ['pages/webhooks.md']);
    await session.end();
    await machine.settled();
  });

  it('5: a prompt gets the note that matches it, once', async () => {
    machine.anamnesis(
      ['write', 'The staging database is reset each Monday', '--project', 'github.com/acme/shop'],
      'A cron job restores the snapshot of Sunday night; keep no data of yours in staging.\n',
    );
    const session = open(scripts);
    await session.start();
    const other = open(shop);
    // SessionStart does not reach this session; its first prompt gets what the start would have given.
    const first = await other.turn('Where did my rows in the staging database go since Monday?', 'They were reset.');
    expect(first.split('The staging database is reset each Monday')).toHaveLength(2);
    expect(await other.turn('And the staging database reset on Monday, who does it?', 'A cron job.')).toBe('');
    await other.end();
    await session.turn('Where did my rows in the staging database go since Monday?', 'No idea.');
    await session.turn('list the scripts', 'a.sh', ['a.sh']);
    await session.end();
    await machine.settled();
  });

  it('6: after a compaction, what was captured comes back first', async () => {
    const session = open(docs);
    await session.start();
    await session.turn('Translate the glossary into French', 'The first half is done.', ['pages/glossaire.md']);
    const context = await session.compact('The glossary is half translated; the words from M on are missing.');
    expect(context.indexOf('this session so far')).toBeGreaterThan(-1);
    const [captured, injected] = ['Translate the glossary', 'auto-injected'].map((text) => context.indexOf(text));
    expect(captured).toBeGreaterThan(-1);
    expect(injected === -1 || (captured ?? 0) < (injected ?? 0)).toBe(true);
    await session.turn('Go on with M', 'All of it is translated now.', ['pages/glossaire.md']);
    await session.end();
    await machine.settled();
    expect(sessionNotes(session)).toHaveLength(1);
    // The session continued, so its next step is done.
    expect(bodyOf(session)).not.toContain('words from M on are missing');
    expect(bodyOf(session)).toContain('All of it is translated now');
    expect(bodyOf(session)).not.toContain('thinking aloud');
  });

  it('7: a session that never reports its end is captured when the next one starts', async () => {
    const killed = open(scripts);
    await killed.start();
    await killed.turn('Make the backup script stop on the first error', 'It has set -e now.', ['backup.sh']);
    await machine.settled();
    // No hook reports its end.
    const next = open(scripts);
    await next.start();
    await machine.settled();
    expect(sessionNotes(killed)).toHaveLength(1);
    expect(bodyOf(killed)).toContain('backup.sh');
    const command = '<command-name>/status</command-name>\n<command-message>status</command-message>';
    await next.turn(command, 'All is well.');
    await next.end();
    await machine.settled();
    // Too little was said for a note.
    expect(sessionNotes(next)).toHaveLength(0);
    await next.turn('Name the backups by their date', 'They are named by date.', ['backup.sh']);
    await next.end();
    await machine.settled();
  });

  it("8: a subagent gets the project's notes, and its work appears in its parent's note", async () => {
    const session = open(shop);
    await session.start();
    const given = await session.subagent('Find where refunds are booked', 'In ledger.ts, function book.', [
      'ledger.ts',
    ]);
    expect(given).toContain('staging database');
    await session.turn('Thanks, rename it', 'Renamed to record.', ['ledger.ts']);
    await session.end();
    await machine.settled();
    expect(sessionNotes(session)).toHaveLength(1);
    expect(bodyOf(session)).toContain('Find where refunds are booked');
  });

  it('9: two sessions at the same time do not get in each other’s way', async () => {
    const [one, two] = [open(shop), open(docs)];
    await Promise.all([one.start(), two.start()]);
    await Promise.all([
      one.turn('Cache the prices for an hour', 'Cached.', ['src/prices.ts']),
      two.turn('Explain the price cache', 'Explained.', ['pages/prices.md']),
    ]);
    await Promise.all([one.end(), two.end()]);
    await machine.settled();
    expect(sessionNotes(one)).toHaveLength(1);
    expect(sessionNotes(two)).toHaveLength(1);
    expect(bodyOf(one)).not.toContain('pages/prices.md');
  });

  it('10: a resumed session continues its note, and is not given the same notes twice', async () => {
    const session = open(scripts);
    const begun = await session.start();
    await session.turn('Compress the backups', 'They are gzipped.', ['backup.sh']);
    await session.end();
    await machine.settled();
    expect(begun).not.toBe('');
    expect(await session.start('resume')).toBe('');
    await session.turn('Use zstd instead', 'zstd it is.', ['backup.sh']);
    await session.end();
    await machine.settled();
    expect(sessionNotes(session)).toHaveLength(1);
    expect(bodyOf(session)).toContain('zstd it is');
    const { events } = machine.json<{ events: readonly { kind: string }[] }>('history', sessionNotes(session)[0]!.id);
    expect(events.filter(({ kind }) => kind === 'session.captured').length).toBeGreaterThanOrEqual(2);
  });

  it('at the end every session has exactly one note, and nothing is stored twice', () => {
    const captured = notesOf('--tag', 'session');
    const sessions = captured.map(({ prov_session }) => prov_session);
    expect(new Set(sessions).size).toBe(sessions.length);
    expect(sessions).toEqual(expect.arrayContaining(all.map(({ id }) => id)));
    expect(all).toHaveLength(12);
    const everything = notesOf().map(({ id }) => machine.json<NoteJson>('show', id).body?.trim());
    expect(new Set(everything).size).toBe(everything.length);
  });

  it('the next session of each project begins with the notes of that project', async () => {
    expect(await openSession(machine, shop).start()).toMatch(/staging database[\s\S]*price/i);
    expect(await openSession(machine, docs).start()).toMatch(/glossary|price cache/i);
    expect(await openSession(machine, scripts).start()).toMatch(/backup/i);
    await machine.settled();
  });

  it('nothing is left waiting or half done, and a replay agrees', () => {
    expect(readdirSync(join(machine.store, 'spool')).filter((name) => name.endsWith('.json'))).toEqual([]);
    expect(machine.anamnesis(['replay', '--verify'])).toContain('the same as before');
    expect(machine.anamnesis(['verify'])).not.toContain('wrong');
    const log = join(machine.store, 'logs', 'anamnesis.log');
    expect(existsSync(log) ? readFileSync(log, 'utf8') : '').not.toMatch(/(?:hook|worker).*(?:failed|refused)/);
  });
});
