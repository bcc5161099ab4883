import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Lesson,
  learnedKinds,
  noteTypeOfLesson,
  type RelatedNote,
  tagsOfLesson,
} from '../../../src/agents/learn/learned.js';
import { planLessons } from '../../../src/agents/learn/plan.js';

const lesson = (text: string, more: Partial<Lesson> = {}): Lesson => ({
  kind: 'preference',
  title: text.slice(0, 40),
  text,
  keywords: [],
  confidence: 0.6,
  replaces: undefined,
  judge: 'heuristic',
  isPlain: true,
  ...more,
});
const note = (id: string, body: string, more: Partial<RelatedNote> = {}): RelatedNote => ({
  id,
  title: '',
  body,
  confidence: 0.6,
  ...more,
});
const plan = (lessons: readonly Lesson[], notes: readonly RelatedNote[] = [], session?: string) =>
  planLessons(lessons, () => notes, { session });

const pnpm = lesson('Use pnpm instead of npm for all packages.');

describe('a lesson', () => {
  it('is written when no note says it', () => {
    expect(plan([pnpm], [note('A', 'The staging server is rebuilt every night.')])).toEqual([
      { kind: 'write', lesson: pnpm, proposes: [] },
    ]);
  });

  it('confirms the note that already says it, even in other words', () => {
    for (const body of [
      pnpm.text,
      'use pnpm rather than npm for all packages',
      `${pnpm.text} The lock file is shared.\n`,
    ]) {
      expect(plan([pnpm], [note('B', 'Deploy on Fridays.'), note('A', body)])).toEqual([
        { kind: 'confirm', id: 'A', lesson: pnpm },
      ]);
    }
    expect(
      plan([pnpm], [note('A', 'See the file.', { title: 'Use pnpm instead of npm for all packages' })]),
    ).toMatchObject([{ kind: 'confirm' }]);
  });

  it('confirms one of several notes that say it: the closest, then the surest, then the first by id', () => {
    const longer = note('A', `${pnpm.text} The lock file is shared with the docs.`);
    const equal = [note('C', pnpm.text), note('B', pnpm.text), note('D', pnpm.text, { confidence: 0.9 })];
    expect(plan([pnpm], [longer, ...equal])).toEqual([{ kind: 'confirm', id: 'D', lesson: pnpm }]);
    expect(plan([pnpm], [longer, ...equal.slice(0, 2)])).toEqual([{ kind: 'confirm', id: 'B', lesson: pnpm }]);
  });

  it('confirms a note once, however often it is said', () => {
    const again = lesson('The lock file of pnpm is shared. Use pnpm instead of npm for all packages.');
    const known = note('A', `${pnpm.text} The lock file of pnpm is shared.`);
    expect(plan([pnpm, again], [known])).toHaveLength(1);
  });

  it('neither confirms nor repeats a note that the same session taught', () => {
    const known = note('A', pnpm.text, { session: 's1' });
    expect(plan([pnpm], [known], 's1')).toEqual([]);
    expect(plan([pnpm], [known], 's2')).toHaveLength(1);
    expect(plan([pnpm], [note('A', pnpm.text)], undefined)).toHaveLength(1);
  });

  it('proposes to supersede what it contradicts and is written as well', () => {
    const notes = [
      note('B', 'Use npm instead of pnpm for all packages.'),
      note('C', 'Deploy on Fridays.'),
      note('A', 'Use npm for all packages.'),
    ];
    expect(plan([pnpm], notes)).toEqual([{ kind: 'write', lesson: pnpm, proposes: ['A', 'B'] }]);
  });

  it('that was plainly typed is kept before a surer one of a model', () => {
    const judged = lesson('use pnpm rather than npm for all packages', { confidence: 0.8, isPlain: false });
    for (const both of [
      [pnpm, judged],
      [judged, pnpm],
    ])
      expect(plan(both)).toEqual([{ kind: 'write', lesson: pnpm, proposes: [] }]);
  });

  it('that was plainly typed becomes a note beside a proposal that says the same', () => {
    const proposal = note('A', pnpm.text, { untrusted: true });
    expect(plan([pnpm], [proposal])).toEqual([{ kind: 'write', lesson: pnpm, proposes: [] }]);
    const judged = { ...pnpm, isPlain: false };
    expect(plan([judged], [proposal])).toEqual([{ kind: 'confirm', id: 'A', lesson: judged }]);
  });

  it('proposes to supersede what its judge says it replaces, once', () => {
    const judged = { ...pnpm, replaces: 'A' };
    expect(plan([judged], [note('A', 'We like npm.')])).toEqual([{ kind: 'write', lesson: judged, proposes: ['A'] }]);
    expect(plan([judged], [note('A', 'Use npm instead of pnpm for all packages.')])).toMatchObject([
      { proposes: ['A'] },
    ]);
    // A note that the judge was shown need not be among those found for the lesson.
    expect(plan([judged], [])).toMatchObject([{ proposes: ['A'] }]);
  });

  it('proposes to supersede a note that it nearly equals, and confirms one that it equals', () => {
    const judged = { ...pnpm, replaces: 'A' };
    expect(plan([judged], [note('A', 'Use pnpm, not npm, for all packages')])).toMatchObject([
      { kind: 'write', proposes: ['A'] },
    ]);
    expect(plan([judged], [note('A', `${pnpm.text}\n`)])).toMatchObject([{ kind: 'confirm', id: 'A' }]);
  });
});

describe('several lessons', () => {
  it('that say the same are reduced to the surest', () => {
    const surer = lesson('use pnpm rather than npm for all packages', { confidence: 0.8 });
    expect(plan([pnpm, surer])).toEqual([{ kind: 'write', lesson: surer, proposes: [] }]);
    expect(plan([surer, pnpm])).toEqual([{ kind: 'write', lesson: surer, proposes: [] }]);
  });

  it('that contradict each other are reduced to the last', () => {
    const npm = lesson('Use npm instead of pnpm for all packages.', { confidence: 0.3 });
    expect(plan([pnpm, npm])).toEqual([{ kind: 'write', lesson: npm, proposes: [] }]);
    expect(plan([npm, pnpm])).toEqual([{ kind: 'write', lesson: pnpm, proposes: [] }]);
  });
});

describe('planning any lessons', () => {
  const topics = [
    'pnpm',
    'npm',
    'yarn',
    'vitest',
    'jest',
    'staging',
    'port 8080',
    'port 9090',
    'src/a.ts',
    'the cache',
  ];
  const anySentence = fc
    .tuple(
      fc.constantFrom('Use', 'Never use', 'Do not use', 'Always run', 'Prefer', 'Deploy'),
      fc.constantFrom(...topics),
      fc.constantFrom('for', 'instead of', 'over', 'before', 'with', 'in'),
      fc.constantFrom(...topics),
      fc.constantFrom('', ' in tests', ' on the build server', ', because it is faster'),
    )
    .map(([verb, one, link, two, end]) => `${verb} ${one} ${link} ${two}${end}.`);
  const anyText = fc.oneof(
    { weight: 4, arbitrary: fc.array(anySentence, { minLength: 1, maxLength: 3 }).map((list) => list.join(' ')) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }) },
  );
  const anyLesson = fc
    .tuple(
      anyText,
      fc.constantFrom(...learnedKinds),
      fc.constantFrom(0.4, 0.6, 0.9),
      fc.constantFrom(undefined, 'N0', 'N1', 'X'),
    )
    .map(([text, kind, confidence, replaces]) => lesson(text, { kind, confidence, replaces }));
  const anyNotes = fc
    .array(anyText, { maxLength: 6 })
    .map((bodies) => bodies.map((body, i) => note(`N${i}`, body, { confidence: (i % 3) / 3 })));
  const anyLessons = fc.array(anyLesson, { maxLength: 5 });

  it('never writes what a note says word for word, whatever the other notes say', () => {
    fc.assert(
      fc.property(anyLesson, anyNotes, fc.constantFrom('', '\n', '  '), (one, notes, end) => {
        const steps = plan([one], [...notes, note('Z', one.text + end)]);
        expect(steps).toMatchObject([{ kind: 'confirm', lesson: one }]);
      }),
    );
  });

  it('gives the same steps again, whatever the order of the notes', () => {
    fc.assert(
      fc.property(
        anyLessons,
        anyNotes.chain((notes) =>
          fc.tuple(fc.constant(notes), fc.shuffledSubarray(notes, { minLength: notes.length })),
        ),
        (lessons, [notes, shuffled]) => {
          expect(plan(lessons, shuffled)).toEqual(plan(lessons, notes));
        },
      ),
    );
  });

  it('makes each step from a given lesson, confirms no note twice and records no lesson twice', () => {
    fc.assert(
      fc.property(anyLessons, anyNotes, (lessons, notes) => {
        const steps = plan(lessons, notes);
        const confirmed = steps.flatMap((step) => (step.kind === 'confirm' ? [step.id] : []));
        expect(new Set(confirmed).size).toBe(confirmed.length);
        expect(new Set(steps.map(({ lesson: one }) => one.text)).size).toBe(steps.length);
        for (const step of steps) {
          expect(lessons).toContain(step.lesson);
          if (step.kind === 'write') expect(step.proposes).toEqual([...new Set(step.proposes)].toSorted());
        }
      }),
    );
  });
});

it('lessons on how to work are procedural, the others semantic', () => {
  expect(Object.fromEntries(learnedKinds.map((kind) => [kind, noteTypeOfLesson({ kind })]))).toEqual({
    correction: 'procedural',
    preference: 'procedural',
    workaround: 'procedural',
    operation: 'procedural',
    decision: 'semantic',
    fact: 'semantic',
    debugging: 'semantic',
  });
  expect(tagsOfLesson({ kind: 'debugging' })).toEqual(['learned', 'debugging']);
});
