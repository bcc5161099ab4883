/** Notes and events for tests: builders for examples, fast-check arbitraries for laws. */
import fc from 'fast-check';
import { claimedText } from '../../src/events/claims.js';
import {
  type ClaimedEvent,
  type EventKind,
  eventKinds,
  fieldsByKind,
  type JournalEvent,
  type KindFields,
  type KnownEvent,
  type Stamp,
  toJournalEvent,
  type UnknownEvent,
} from '../../src/events/event.js';
import { type Note, noteTypes, sources } from '../../src/events/note/note.js';
import { formatTime } from '../../src/events/time.js';
import { derivedUlid } from '../../src/events/ulid-form.js';
import { anyCharacter } from './any-character.js';

/** The `n`th of a series of ids that sort in order and differ in their last two characters. */
export const idOf = (n: number): string =>
  `01K${String(n).padStart(7, '0')}${derivedUlid(0, 'id', String(n)).slice(10, 24)}${derivedUlid(0, String(n)).slice(-2)}`;

export const makeNote = (overrides: Partial<Note> = {}): Note => ({
  id: '01J0000000000000000000000A',
  type: 'semantic',
  title: 'Use WAL mode for SQLite',
  project: 'shop',
  machineId: 'laptop',
  scope: 'portable',
  userId: 'self',
  workspaceId: 'personal',
  source: 'human',
  confidence: 1,
  model: undefined,
  session: undefined,
  supersedes: [],
  createdAt: '2026-06-24T18:33:07+00:00',
  updatedAt: '2026-06-24T18:33:07+00:00',
  tags: [],
  agent: undefined,
  importance: undefined,
  keywords: [],
  expiresAt: undefined,
  sensitive: false,
  sourceKey: undefined,
  proposes: [],
  body: 'Readers go on while one process writes.\n',
  ...overrides,
});

/** Makes an unknown event if the fields aren't those of the kind. */
export const makeEvent = (overrides: Partial<ClaimedEvent> = {}): JournalEvent =>
  toJournalEvent({
    id: '01J0000000000000000000000E',
    kind: 'note.written',
    at: '2026-06-24T18:33:07+00:00',
    machine: 'laptop',
    subject: 'Use WAL mode for SQLite',
    notes: ['01J0000000000000000000000A'],
    ...overrides,
  });

/** The stamp of a command: who asks, and when, a day after the notes of `makeNote`. */
export const makeStamp = (overrides: Partial<Stamp> = {}): Stamp => ({
  eventId: '01J1000000000000000000000E',
  commandId: '01J1000000000000000000000C',
  atMs: Date.UTC(2026, 5, 25, 18, 33, 7),
  machine: 'laptop',
  user: 'self',
  ...overrides,
});

/** Texts that YAML, git or SQLite could mistake for something else. */
export const oddTexts: readonly string[] = [
  ...[
    'yes',
    'No',
    'on',
    'y',
    'null',
    '~',
    'true',
    '1.0',
    '1e3',
    '0x1F',
    '0o17',
    '017',
    '12:30:45',
    '1_000',
    '.inf',
    '.nan',
  ],
  ...[
    '2026-01-02',
    '2026-01-02 03:04:05',
    '2026-01-02T03:04:05+00:00',
    '',
    '=',
    '<<',
    '-',
    '---',
    '...',
    '- item',
    '? key',
  ],
  ...[
    'a: b',
    'ends:',
    ': begins',
    'a #b',
    '#tag',
    "it's",
    "'quoted'",
    '"quoted"',
    '\\back\\',
    '[a, b]',
    '{a: b}',
    '&anchor',
  ],
  ...[
    '*alias',
    '!tag',
    '|',
    '>',
    '%percent',
    '@at',
    '`tick`',
    '  both ends  ',
    'tab\there',
    'line\nbreak',
    'cr\r\nlf',
    '\u0085',
  ],
  ...[
    'Grüße, naïve café',
    '日本語 メモ',
    'שלום',
    '👩‍👩‍👧 🚀',
    'e\u0301',
    '\u00a0nbsp\u00a0',
    '\u2028separator',
    '\ufeffmark',
    'a\u0000b',
    '\u007f',
  ],
];

/** Any text without half a surrogate pair, including control characters and odd white space. */
export const anyText = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...oddTexts) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...oddTexts), fc.constantFrom(...oddTexts)).map((two) => two.join(' ')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.stringMatching(/^[-+.:#'"0-9a-z_ ]{1,12}$/) },
);

/** Like anyText, without control characters and line separators, which are not accepted from a commit. */
export const anyLine = anyText.map((text) => claimedText(text));

/** Like anyText, but not empty: most keys read an empty value as a missing one. */
export const someText = anyText.filter((text) => text !== '');

/** A title that a command accepts: one line that is not blank. */
export const anyTitle = someText
  .map((text) => text.replace(/[\0\n\r\u2028\u2029]/g, ' ').trim())
  .filter((title) => title !== '');

/** Any body, with fences and front matter of its own, but without NUL, which a note file can't contain. */
export const anyBody = fc
  .array(fc.oneof(anyText, fc.constantFrom('---', '---js', '```yaml', 'id: x', '\r', '  trailing  ')), { maxLength: 8 })
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)))
  .map((body) => body.replaceAll('\0', ''));

export const anyTags = fc.uniqueArray(anyText, { maxLength: 5 });

/** A ULID of a year before 3100, so that its time can be written in a note. */
export const anyUlid = fc.ulid().map((id) => `01${id.slice(2)}`);

/** A time of the note format, of the years 1970 to 9999. */
export const anyTime = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => formatTime(date.getTime()));

export const anyShare = fc.oneof(
  fc.constantFrom(0, 0.1, 0.5, 0.85, 1, 1e-7),
  fc.double({ min: 0, max: 1, noNaN: true }),
);

const optional = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(values, { nil: undefined });

/** A note of the portable journal with every field that a file can have. */
export const anyNote: fc.Arbitrary<Note> = fc.record({
  id: anyUlid,
  type: fc.constantFrom(...noteTypes),
  title: anyText,
  project: someText,
  machineId: someText,
  scope: fc.constant('portable' as const),
  userId: someText,
  workspaceId: someText,
  source: fc.constantFrom(...sources),
  confidence: anyShare,
  model: optional(someText),
  session: optional(someText),
  supersedes: fc.uniqueArray(anyUlid, { maxLength: 3 }),
  createdAt: anyTime,
  updatedAt: anyTime,
  tags: anyTags,
  agent: optional(someText),
  importance: optional(anyShare),
  keywords: anyTags,
  expiresAt: optional(anyTime),
  sensitive: fc.boolean(),
  sourceKey: optional(someText),
  proposes: fc.uniqueArray(anyUlid, { maxLength: 2 }),
  body: anyBody,
});

/** The fields that every event may have. */
const anyHead = {
  id: anyUlid,
  at: anyTime,
  machine: fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
  subject: anySubject(),
  notes: fc.uniqueArray(anyUlid, { maxLength: 4 }),
  user: optional(anyLine),
  project: optional(anyLine),
  session: optional(anyLine),
  agent: optional(anyLine),
  commandId: optional(anyLine),
  lost: optional(
    fc.array(
      fc.tuple(anyUlid, fc.json()).map(([id, value]) => `${id} title ${value}`),
      { minLength: 1, maxLength: 3 },
    ),
  ),
};

const anyCommit = fc.constantFrom('ab', 'cd', 'ef').map((byte) => byte.repeat(20));

/** The fields that only some kinds have. */
const anyField: { readonly [Field in keyof KindFields]: fc.Arbitrary<KindFields[Field]> } = {
  by: anyUlid,
  reason: anyLine,
  move: anyUlid.map((id) => `memory ${'ab'.repeat(20)} semantic/${id.slice(-2)}/${id}.md`),
  adopted: fc.array(
    anyUlid.map((id) => `${'cd'.repeat(20)} semantic/a folder/${id}.md`),
    { minLength: 1, maxLength: 3 },
  ),
  undoes: anyUlid,
  base: fc.array(anyCommit, { minLength: 1, maxLength: 3 }),
  ours: anyCommit,
  theirs: anyCommit,
  returned: fc.array(anyUlid, { minLength: 1, maxLength: 3 }),
};

/** An event of this kind with the fields that the kind has. */
export const anyEventOf = (kind: EventKind): fc.Arbitrary<KnownEvent> => {
  const named: readonly string[] = fieldsByKind[kind];
  const field = <Field extends keyof KindFields>(name: Field): fc.Arbitrary<KindFields[Field] | undefined> => {
    if (named.includes(name)) return anyField[name];
    return named.includes(`${name}?`) ? optional(anyField[name]) : fc.constant(undefined);
  };
  return fc
    .record({
      ...anyHead,
      kind: fc.constant(kind),
      by: field('by'),
      reason: field('reason'),
      move: field('move'),
      adopted: field('adopted'),
      undoes: field('undoes'),
      base: field('base'),
      ours: field('ours'),
      theirs: field('theirs'),
      returned: field('returned'),
    })
    .map(toJournalEvent)
    .filter((event): event is KnownEvent => event.unknown === undefined);
};

/** An event of one of our kinds, as we record it. */
export const anyKnownEvent: fc.Arbitrary<KnownEvent> = fc.oneof(...eventKinds.map(anyEventOf));

/** An event of a kind that a newer version has, or of one of our kinds with any fields. */
export const anyUnknownEvent: fc.Arbitrary<UnknownEvent> = fc
  .record({
    ...anyHead,
    kind: fc.oneof(fc.constantFrom('note.dreamt', 'note.linked', 'notes.merged'), fc.constantFrom(...eventKinds)),
    by: optional(anyField.by),
    reason: optional(anyField.reason),
    move: optional(anyField.move),
    adopted: optional(anyField.adopted),
    undoes: optional(anyField.undoes),
    base: optional(anyField.base),
    ours: optional(anyField.ours),
    theirs: optional(anyField.theirs),
    returned: optional(anyField.returned),
  })
  .map(toJournalEvent)
  .filter((event): event is UnknownEvent => event.unknown === true);

export const anyEvent: fc.Arbitrary<JournalEvent> = fc.oneof(
  { weight: 3, arbitrary: anyKnownEvent },
  { weight: 1, arbitrary: anyUnknownEvent },
);

/** A subject that fits: one line of at most 100 characters, without white space at its ends. */
function anySubject(): fc.Arbitrary<string> {
  return anyText.map((text) => [...text.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()].slice(0, 40).join('').trim());
}
