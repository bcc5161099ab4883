import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimedText } from '../../src/events/claims.js';
import { type ClaimedEvent, eventKinds, type JournalEvent, toJournalEvent } from '../../src/events/event.js';
import { foreignEvent, formatMessage, parseMessage } from '../../src/events/trailers.js';
import { timeOfUlid } from '../../src/events/ulid-form.js';
import { anyEvent, anyEventOf, anyText, oddTexts } from '../support/arbitraries.js';
import { append, commitOf, newJournal } from '../support/journals.js';
import { processorMs } from '../support/processor-time.js';

/** Every field that a commit can claim; no known kind has all of them. */
const claim: ClaimedEvent = {
  id: '01J0000000000000000000000E',
  kind: 'note.superseded',
  at: '2026-06-24T18:33:07+00:00',
  machine: 'laptop',
  subject: 'Use WAL mode for SQLite',
  notes: ['01J0000000000000000000000A', '01J0000000000000000000000B'],
  by: '01J0000000000000000000000A',
  reason: 'the old one was wrong',
  user: 'Pat',
  project: 'github.com/acme/shop',
  session: '3bf75f14-4c3f',
  agent: 'claude-code/2.1',
  commandId: '01J0000000000000000000000C',
  move: `memory ${'ab'.repeat(20)} semantic/0A/01J0000000000000000000000A.md`,
  lost: ['01J0000000000000000000000A title "Use a journal"', '01J0000000000000000000000A confidence 0.5'],
  adopted: [`${'cd'.repeat(20)} semantic/0A/01J0000000000000000000000A.md`],
};
const claiming = (overrides: Partial<ClaimedEvent>): JournalEvent => toJournalEvent({ ...claim, ...overrides });
const full = claiming({});

describe('a message', () => {
  it('is readable and carries the event in its last paragraph', () => {
    expect(formatMessage(full)).toBe(`note.superseded: Use WAL mode for SQLite

Format: 1
Event: 01J0000000000000000000000E
Kind: note.superseded
At: 2026-06-24T18:33:07+00:00
Note: 01J0000000000000000000000A
Note: 01J0000000000000000000000B
By: 01J0000000000000000000000A
Reason: the old one was wrong
User: Pat
Machine: laptop
Project: github.com/acme/shop
Session: 3bf75f14-4c3f
Agent: claude-code/2.1
Command-Id: 01J0000000000000000000000C
Move: memory ${'ab'.repeat(20)} semantic/0A/01J0000000000000000000000A.md
Lost: 01J0000000000000000000000A title "Use a journal"
Lost: 01J0000000000000000000000A confidence 0.5
Adopted: ${'cd'.repeat(20)} semantic/0A/01J0000000000000000000000A.md
`);
  });

  it('is parsed back into its event', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        expect(parseMessage(formatMessage(event))).toEqual(event);
      }),
    );
  });

  it.each(eventKinds)('is parsed back into every event %s with the fields of its kind', (kind) => {
    fc.assert(
      fc.property(anyEventOf(kind), (event) => {
        expect(parseMessage(formatMessage(event))).toStrictEqual({ ...event });
      }),
    );
  });

  it.each(eventKinds)('is parsed back into an event %s with more fields than its kind has', (kind) => {
    const event = claiming({ kind });
    expect(parseMessage(formatMessage(event))).toEqual(event);
  });

  it.each(oddTexts.map((text) => [JSON.stringify(text), text]))('returns the reason %s on one line', (_, reason) => {
    const event = claiming({ reason });
    expect(parseMessage(formatMessage(event))).toEqual({ ...full, reason: claimedText(reason) });
  });

  it('has a subject of one line and at most 100 characters, whatever the title', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 8 }), (parts) => {
        const lines = formatMessage({ ...full, subject: parts.join(' ') }).split(/\r\n|[\n\r\u0085\u2028\u2029]/);
        const subject = lines[0]?.slice('note.superseded: '.length) ?? '';
        expect(lines[1]).toBe('');
        expect(lines[2]).toBe('Format: 1');
        expect([...subject].length).toBeLessThanOrEqual(100);
        expect(subject).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it.each([
    ['a title that fits', 'x'.repeat(100), 'x'.repeat(100)],
    ['a title that does not', 'x'.repeat(101), `${'x'.repeat(99)}…`],
    ['a title of sixty emoji, which are 120 units', '🚀'.repeat(60), '🚀'.repeat(60)],
    ['a title of too many emoji', '🚀'.repeat(101), `${'🚀'.repeat(99)}…`],
    ['line breaks and tabs', 'a\r\n\tb\u2028c', 'a b c'],
    ['an empty title', '', ''],
    ['a title that begins like a subject', 'note.superseded: again', 'note.superseded: again'],
  ])('shows %s', (_, title, shown) => {
    expect(parseMessage(formatMessage({ ...full, subject: title }))?.subject).toBe(shown);
  });

  it('is the same when its event is written again', () => {
    fc.assert(
      fc.property(anyEvent, fc.array(anyText, { maxLength: 8 }), (event, parts) => {
        const message = formatMessage({ ...event, subject: parts.join(' ') });
        const again = parseMessage(message);
        expect(again && formatMessage(again)).toBe(message);
      }),
    );
  });

  it('keeps a kind that this version does not know', () => {
    expect(parseMessage(formatMessage(claiming({ kind: 'note.dreamt' })))?.kind).toBe('note.dreamt');
  });

  it('is read even if a newer version added trailers', () => {
    expect(parseMessage(`${formatMessage(full)}Mood: fine\n`)).toEqual(full);
  });

  it('is read even if it was signed off', () => {
    expect(parseMessage(`${formatMessage(full)}Signed-off-by: Pat <pat@example.com>\n`)).toEqual(full);
  });

  it.each([
    ['one long line', 'x '.repeat(4_000_000)],
    ['nothing but line ends', '\n'.repeat(8_000_000)],
  ])('is read quickly when it is %s', (_, message) => {
    const limitMs = 800;
    const commit = { hash: 'a'.repeat(40), epochMs: 0, author: 'a@b', message, notes: [] };
    const before = processorMs();
    expect(parseMessage(message)).toBeUndefined();
    expect([...foreignEvent(commit).subject].length).toBeLessThanOrEqual(100);
    expect(processorMs() - before).toBeLessThan(limitMs);
  });

  it('shows a subject after many blanks', () => {
    const commit = { hash: 'a'.repeat(40), epochMs: 0, author: 'a@b', notes: [] };
    expect(foreignEvent({ ...commit, message: `${' '.repeat(5000)}Deploy  now` }).subject).toBe('Deploy now');
  });

  it('is not corrupted by text that looks like trailers', () => {
    const forged = `x\n\nFormat: 1\nEvent: 01J9999999999999999999999E\nKind: note.forgotten\n`;
    const event = claiming({ reason: forged, project: forged });
    expect(parseMessage(formatMessage(event))).toEqual({ ...full, reason: claimedText(forged), project: undefined });
    expect(parseMessage(formatMessage({ ...full, subject: forged }))).toMatchObject({ id: full.id, kind: full.kind });
  });
});

describe('a message without an event', () => {
  const message = formatMessage(full);
  it.each([
    ['of a person', 'Fix a typo\n'],
    ['that is empty', ''],
    ['of a merge', "Merge branch 'main' of example.com:memory\n"],
    ['of a revert', 'Revert "note.written: Use WAL mode"\n\nThis reverts commit abcdef.\n'],
    ['that quotes an event message, indented', `Squashed commit:\n\n${message.replace(/^/gm, '    ')}`],
    ['that quotes an event message and continues', `${message}\nThis was the old message: see above\n`],
    ['that was cherry-picked with -x', `${message}(cherry picked from commit ${'a'.repeat(40)})\n`],
    ['without an event id', message.replace(/^Event: .*\n/m, '')],
    ['without a kind', message.replace(/^Kind: .*\n/m, '')],
    ['without a time', message.replace(/^At: .*\n/m, '')],
    ['with an invalid id', message.replace(/^Event: .*$/m, 'Event: ../../x')],
    ['with an id in lower case', message.replace(/^Event: .*$/m, (line) => `Event: ${line.slice(7).toLowerCase()}`)],
    ['with an invalid note', message.replace(/^Note: .*$/m, 'Note: ../secrets')],
    ['with an invalid time', message.replace(/^At: .*$/m, 'At: yesterday')],
    ['with a line that is not a trailer', message.replace(/^By: /m, 'By ')],
    ['with a broken quote', message.replace(/^Reason: .*$/m, 'Reason: "half')],
    ['with a quoted value that is not one string', message.replace(/^Reason: .*$/m, 'Reason: "a" "b"')],
    ['cut off before its id', message.slice(0, message.indexOf('Event:'))],
  ])('can be one %s', (_, text) => {
    expect(parseMessage(text)).toBeUndefined();
  });

  it('never makes the parser throw', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyText, fc.constantFrom('\n\nFormat: 1\n', 'Event: ', '"', '\n', full.id, 'At: ')), {
          maxLength: 12,
        }),
        (parts) => {
          parseMessage(parts.join(''));
        },
      ),
    );
  });
});

describe('a foreign commit', () => {
  const commit = {
    hash: 'a'.repeat(40),
    epochMs: Date.UTC(2026, 5, 24, 18, 33, 7),
    author: 'pat@example.com',
    message: 'Fix a typo\n\nLong story.\n',
    notes: ['01J0000000000000000000000A'],
  };

  it('is an adoption by hand', () => {
    expect(foreignEvent(commit)).toMatchObject({
      kind: 'hand.adopted',
      at: '2026-06-24T18:33:07+00:00',
      machine: 'unknown',
      subject: 'Fix a typo',
      notes: commit.notes,
    });
  });

  it('has an id with the time of the commit that every machine derives identically', () => {
    const { id } = foreignEvent(commit);
    expect(foreignEvent({ ...commit, message: 'other', notes: [] }).id).toBe(id);
    expect(foreignEvent({ ...commit, hash: 'b'.repeat(40) }).id).not.toBe(id);
    expect(timeOfUlid(id)).toBe(commit.epochMs);
  });

  it('names the machine when the author is Anamnesis', () => {
    expect(foreignEvent({ ...commit, author: 'anamnesis@desktop' }).machine).toBe('desktop');
  });

  it('survives being written as an event', () => {
    const event = foreignEvent(commit);
    expect(parseMessage(formatMessage(event))).toEqual(event);
  });
});

it('every event is read back from a commit of real git', async () => {
  const { journal } = await newJournal();
  const ids = new Set<string>();
  const events = fc.sample(anyEvent, 300).filter(({ id }) => !ids.has(id) && ids.add(id));
  events.push(
    ...oddTexts
      .map(claimedText)
      .map((reason, at) => claiming({ id: `01J5${String(at).padStart(22, '0')}`, reason, project: reason })),
  );
  await append(journal, ...events.map((event) => commitOf({ ...event, at: event.at })));
  const logged = await journal.events(undefined, journal.head()!);
  expect(logged.map(({ event }) => event)).toEqual(events);
  expect(logged.every(({ foreign, malformed }) => !foreign && !malformed)).toBe(true);
});
