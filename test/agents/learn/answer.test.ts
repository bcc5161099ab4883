import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnswerContext, parseLessons } from '../../../src/agents/learn/answer.js';
import { learnedKinds, maxLessonChars, maxLessonTitleChars } from '../../../src/agents/learn/learned.js';
import { processorMs } from '../../support/processor-time.js';
import { anyUnits } from './any-text.js';

const text = 'The staging server is rebuilt every night, so logs older than a day are gone.';
const entry = {
  kind: 'fact',
  title: 'Staging is rebuilt nightly',
  text,
  keywords: ['staging', 'logs'],
  confidence: 0.8,
  replaces: null,
  exchange: 2,
};
const context: AnswerContext = {
  deep: false,
  noteByLabel: new Map([
    ['N1', '01HZZZZZZZZZZZZZZZZZZZZZZ1'],
    ['N2', '01HZZZZZZZZZZZZZZZZZZZZZZ2'],
  ]),
  turnByNumber: new Map([
    [1, 'turn-1'],
    [2, 'turn-2'],
  ]),
  said: `user: the staging server is rebuilt every night, logs are gone then ${'filler words '.repeat(5)}`,
};
const parse = (answer: string, more: Partial<AnswerContext> = {}) => parseLessons(answer, { ...context, ...more });
const lessonsOf = (entries: unknown, more: Partial<AnswerContext> = {}) => {
  const lessons = parse(JSON.stringify({ lessons: entries }), more);
  expect(lessons).toBeDefined();
  return lessons ?? [];
};
const lesson = {
  kind: 'fact',
  title: 'Staging is rebuilt nightly',
  text,
  keywords: ['staging', 'logs'],
  confidence: 0.8,
  replaces: undefined,
  turn: 'turn-2',
};
const json = JSON.stringify({ lessons: [entry] });

describe('the answer of a judge', () => {
  it.each([
    ['alone', json],
    ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
    [
      'in a fence with words around it',
      `Here is what I found {roughly}:\n\n\`\`\`\n${json}\n\`\`\`\nI hope this helps [1].`,
    ],
    ['in prose', `Sure! ${json} Let me know.`],
    ['printed over many lines', JSON.stringify({ lessons: [entry] }, null, 2)],
    ['after thoughts', `<think>${json.replace('fact', 'decision')}? No: a fact.</think>${json}`],
    ['after an empty list that the prose mentions', `An empty list [] would do, but: ${json}`],
    ['as a bare list', JSON.stringify([entry])],
    ['as a bare lesson', JSON.stringify(entry)],
    ['with a byte order mark and spaces', `\ufeff  ${json}\n`],
  ])('is understood %s', (_, answer) => {
    expect(parse(answer)).toEqual([lesson]);
  });

  it.each([['{"lessons":[]}'], ['[]'], ['```json\n{"lessons": []}\n```'], ['Nothing to learn.\n{"lessons":[]}']])(
    'may be an empty list: %j',
    (answer) => {
      expect(parse(answer)).toEqual([]);
    },
  );

  it.each([
    [''],
    ['There is nothing to learn here.'],
    ['null'],
    ['42'],
    ['"lessons"'],
    ['{}'],
    ['{"lessons":"none"}'],
    ['{"lessons":{"0":{"kind":"fact","text":"x"}}}'],
    ['{"lessons":[1,2,"three",null,[]]}'],
    ['{"error":"overloaded"}'],
    ['{"__proto__":{"lessons":[]}}'],
    ['{"lessons":[{"kind":"fact","te'],
    ['{'.repeat(60_000)],
    ['{"a":'.repeat(60_000)],
  ])('is unusable if it is anything else: %.40s', (answer) => {
    expect(parse(answer)).toBeUndefined();
  });
});

describe('a lesson of an answer', () => {
  it('is dropped when its kind is unknown, or is one of a deep pass in a shallow one', () => {
    expect(
      lessonsOf([{ ...entry, kind: 'gossip' }, { ...entry, kind: 7 }, { ...entry, kind: '__proto__' }, entry]),
    ).toEqual([lesson]);
    expect(lessonsOf([{ ...entry, kind: 'operation' }])).toEqual([]);
    expect(lessonsOf([{ ...entry, kind: ' Operation ' }], { deep: true })).toEqual([{ ...lesson, kind: 'operation' }]);
  });

  it('is dropped, not cut, when its text is missing, too short or too long', () => {
    const bad = [undefined, null, 5, ['a'], {}, '', '   ', 'Too short.'];
    expect(lessonsOf([...bad.map((one) => ({ ...entry, text: one })), entry])).toEqual([lesson]);
    const long = `The staging server is rebuilt. ${'x'.repeat(maxLessonChars)}`.slice(0, maxLessonChars);
    expect(lessonsOf([{ ...entry, text: long }])[0]?.text).toBe(long);
    expect(lessonsOf([{ ...entry, text: `${long}x` }])).toEqual([]);
  });

  it('counts characters, not UTF-16 units', () => {
    const long = `The staging server 🚀 ${'🚀'.repeat(maxLessonChars)}`;
    const whole = [...long].slice(0, maxLessonChars).join('');
    expect(lessonsOf([{ ...entry, text: whole }])[0]?.text).toBe(whole);
    expect(lessonsOf([{ ...entry, text: `${whole}🚀` }])).toEqual([]);
  });

  it('has its secrets masked, and is dropped when little else is left', () => {
    const token = 'ghp_Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR';
    const [masked] = lessonsOf([
      { ...entry, text: `${text} The token is ${token}.`, title: `Token ${token}`, keywords: [token] },
    ]);
    expect(JSON.stringify(masked)).not.toContain(token);
    expect(masked?.text).toContain('[REDACTED:github-token]');
    expect(lessonsOf([{ ...entry, text: `token for staging: ${token}` }])).toEqual([]);
  });

  it('is dropped when the conversation says nothing of the kind', () => {
    expect(lessonsOf([{ ...entry, text: 'Bananas grow best beside rivers in warm valleys of the south.' }])).toEqual(
      [],
    );
  });

  it('replaces a note only if the judge was shown it', () => {
    const replaced = (replaces: unknown) => lessonsOf([{ ...entry, replaces }])[0]?.replaces;
    expect(replaced('N2')).toBe('01HZZZZZZZZZZZZZZZZZZZZZZ2');
    expect(replaced('n1')).toBe('01HZZZZZZZZZZZZZZZZZZZZZZ1');
    expect(replaced(['N1'])).toBe('01HZZZZZZZZZZZZZZZZZZZZZZ1');
    expect(replaced('01HZZZZZZZZZZZZZZZZZZZZZZ1')).toBe('01HZZZZZZZZZZZZZZZZZZZZZZ1');
    for (const other of ['N3', '01HZZZZZZZZZZZZZZZZZZZZZZ9', '', 'constructor', '__proto__', 1, {}, true]) {
      expect(replaced(other)).toBeUndefined();
    }
  });

  it('has a confidence above 0 and below 1, and is dropped if it is too low', () => {
    const confidence = (value: unknown) => lessonsOf([{ ...entry, confidence: value }])[0]?.confidence;
    expect(confidence(1)).toBe(0.9);
    expect(confidence(95)).toBe(0.9);
    expect(confidence('0.55')).toBe(0.55);
    for (const missing of [undefined, null, '', 'high', {}, []]) expect(confidence(missing)).toBe(0.7);
    for (const doubt of [0, 0.2, -3]) expect(confidence(doubt)).toBeUndefined();
  });

  it('gets a title of one line from its text when it has no usable one', () => {
    const title = (value: unknown, said = text) => lessonsOf([{ ...entry, title: value, text: said }])[0]?.title;
    expect(title(undefined)).toBe(text);
    expect(title('  \n ')).toBe(text);
    expect(title('One\nline\u2028and more')).toBe('One line and more');
    const long = title('word '.repeat(60));
    expect(long).toMatch(/word…$/);
    expect([...(long ?? '')].length).toBeLessThanOrEqual(maxLessonTitleChars);
  });

  it('keeps keywords that are short texts, each once', () => {
    const keywords = [
      'Logs',
      'logs',
      '',
      5,
      null,
      'a\nb',
      'x'.repeat(500),
      ...Array.from({ length: 40 }, (_, i) => `k${i}`),
    ];
    const kept = lessonsOf([{ ...entry, keywords }])[0]?.keywords ?? [];
    expect(kept.slice(0, 2)).toEqual(['Logs', 'a b']);
    expect(kept).toHaveLength(12);
    expect(kept.every((word) => [...word].length <= 60)).toBe(true);
    expect(lessonsOf([{ ...entry, keywords: 'logs' }])[0]?.keywords).toEqual([]);
  });

  it('is one of at most five, all different', () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ ...entry, text: `${text} Case ${i % 8}.` }));
    expect(new Set(lessonsOf(many).map((one) => one.text)).size).toBe(5);
    expect(lessonsOf([entry, entry])).toHaveLength(1);
  });

  it('comes from the only exchange when the judge does not name one', () => {
    const turnByNumber = new Map([[1, 'only']]);
    expect(lessonsOf([{ ...entry, exchange: undefined }], { turnByNumber })[0]?.turn).toBe('only');
    expect(lessonsOf([{ ...entry, exchange: 9 }])[0]?.turn).toBeUndefined();
  });
});

describe('parsing any answer', () => {
  const anyJson = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value));
  const anyEntry = fc.record(
    {
      kind: fc.oneof(fc.constantFrom<string>(...learnedKinds), fc.anything()),
      title: fc.oneof(anyUnits(300), fc.anything()),
      text: fc.oneof(
        fc.string({ unit: 'grapheme', minLength: 15, maxLength: 60 }),
        fc.integer({ min: 0, max: 3000 }).map((count) => `${text} ${'y'.repeat(count)}`),
        fc.anything(),
      ),
      keywords: fc.oneof(fc.array(fc.string()), fc.anything()),
      confidence: fc.oneof(fc.double(), fc.anything()),
      replaces: fc.oneof(fc.constantFrom('N1', 'N2', 'N9'), fc.anything()),
    },
    { requiredKeys: [] },
  );
  const toJson = (value: unknown): string =>
    JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? 'null';
  const anyAnswer = fc.oneof(
    anyUnits(400),
    fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', 'a', '\n', '```json\n', '```'),
      maxLength: 80,
    }),
    anyJson,
    fc.array(anyEntry, { maxLength: 8 }).map((lessons) => toJson({ lessons })),
    fc.tuple(fc.string(), anyJson, fc.string()).map((parts) => parts.join('')),
    fc
      .tuple(fc.array(anyEntry, { maxLength: 4 }), fc.nat(400))
      .map(([lessons, cut]) => toJson({ lessons }).slice(0, -cut)),
  );

  it('never throws, and every lesson stays within the limits', () => {
    fc.assert(
      fc.property(anyAnswer, fc.boolean(), (answer, deep) => {
        const lessons = parse(answer, { deep }) ?? [];
        expect(lessons.length).toBeLessThanOrEqual(5);
        for (const one of lessons) {
          expect([...one.text].length).toBeLessThanOrEqual(maxLessonChars);
          expect([...one.title].length).toBeLessThanOrEqual(maxLessonTitleChars);
          expect(one.title.trim()).not.toBe('');
          expect(one.title).not.toMatch(/[\n\r\u2028\u2029]/);
          expect(one.confidence).toBeGreaterThan(0);
          expect(one.confidence).toBeLessThan(1);
          expect([undefined, ...context.noteByLabel.values()]).toContain(one.replaces);
        }
      }),
    );
  });

  it('leaves the prototype of objects alone', () => {
    parse(
      '{"lessons":[{"__proto__":{"polluted":1},"kind":"fact","text":"x"}],"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['brackets', '[{'.repeat(500_000)],
    ['quotes', '{"'.repeat(500_000)],
    ['fences', '```json\n'.repeat(200_000)],
    ['pairs', '{}'.repeat(500_000)],
    ['one long text', JSON.stringify({ lessons: [{ ...entry, text: '!'.repeat(60_000) }] })],
    ['a long word', JSON.stringify({ lessons: [{ ...entry, title: 'w'.repeat(60_000) }] })],
  ])('is fast for an answer of %s', (_, answer) => {
    const startedMs = processorMs();
    parse(answer);
    expect(processorMs() - startedMs).toBeLessThan(1500);
  });
});
