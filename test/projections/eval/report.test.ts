import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildReport, type EvalInput, formatReport, reportJson } from '../../../src/projections/eval/report.js';
import { anyCharacter } from '../../support/any-character.js';

const letters = [...'abcdefghijklm'];
const input: EvalInput = {
  cases: [
    { id: 'c1', query: 'why is the pool small', project: 'shop', relevant: ['b'], ranked: letters },
    { id: 'c2', query: 'how do we roll back', project: 'shop', relevant: ['l', 'zz'], ranked: letters },
    { id: 'c3', query: 'who owns\nthe \u001b[31mledger', project: undefined, relevant: ['zz'], ranked: letters },
    { id: 'c4', query: 'not judged yet', project: 'shop', relevant: [], ranked: letters },
  ],
  unapproved: 0,
  gone: 0,
  warnings: ['case c2: note zz is not in the store', 'note m.md cannot be parsed'],
  injections: [
    { project: 'shop', units: 4001 },
    { project: 'Zebra', units: 40 },
    { project: 'agent', units: 0 },
  ],
  corpusUnits: 90_000,
};

const golden = `\
Eval: 4 queries, 1 without a relevant note (left out of the means)

   hit@1   hit@3   hit@5   hit@8  Recall@8  MRR@10  nDCG@10
  0.0000  0.3333  0.3333  0.3333    0.3333  0.1667   0.2103

Missed: 2 of 3, no relevant note in the first 8

  rank 12    how do we roll back  [shop]
  not found  who owns the [31mledger

Injection: 3 projects, mean 337.0 tokens, median 10.0; all notes 22500

  tokens  project
      10  Zebra
       0  agent
    1001  shop

Warnings:

  case c2: note zz is not in the store
  note m.md cannot be parsed
`;

describe('buildReport', () => {
  it('counts four UTF-16 units as a token and a remainder as one more', () => {
    const sized = (units: number) =>
      buildReport({ ...input, injections: [{ project: 'shop', units }] }).injection.meanTokens;
    expect([0, 1, 4, 5].map(sized)).toEqual([0, 1, 1, 2]);
    expect(sized('🦊é'.length)).toBe(1);
  });

  it('sorts the projects by code units, whatever the locale', () => {
    const { perProject } = buildReport(input).injection;
    expect(perProject.map(({ project }) => project)).toEqual(['Zebra', 'agent', 'shop']);
  });

  it('keeps the cases in order and reports the rank of the first hit', () => {
    const { results } = buildReport(input);
    expect(results.map(({ firstHitRank }) => firstHitRank)).toEqual([2, 12, undefined, undefined]);
    expect(results[0]).toEqual({
      query: 'why is the pool small',
      project: 'shop',
      relevant: ['b'],
      ranked: letters,
      firstHitRank: 2,
    });
  });
});

describe('formatReport', () => {
  it('prints the golden text', () => {
    expect(formatReport(buildReport(input))).toBe(golden);
  });

  it('lists ten missed queries and counts the others', () => {
    const missed = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        id: `c${i}`,
        query: `question ${i}`,
        project: undefined,
        relevant: ['zz'],
        ranked: [],
      }));
    const twelve = formatReport(buildReport({ ...input, cases: missed(12) }));
    expect(twelve).toContain('  not found  question 9\n  and 2 more\n');
    expect(twelve).not.toContain('question 10');
    expect(formatReport(buildReport({ ...input, cases: missed(10) }))).not.toContain('more');
  });

  it('counts rank 8 as found and rank 9 as missed', () => {
    const only = (relevant: string) =>
      formatReport(
        buildReport({
          ...input,
          cases: [{ id: 'c', query: 'q', project: 'p', relevant: [relevant], ranked: letters }],
        }),
      );
    expect(only('h')).toContain('Missed: 0 of 1, no relevant note in the first 8\n\nInjection');
    expect(only('i')).toContain('Missed: 1 of 1, no relevant note in the first 8\n\n  rank 9     q  [p]\n');
  });

  it('says that nothing was measured rather than showing zeros', () => {
    const empty = { cases: [], unapproved: 0, gone: 0, warnings: [], injections: [], corpusUnits: 0 };
    expect(formatReport(buildReport(empty))).toBe(
      'Eval: 0 queries, 0 without a relevant note\n\n  nothing was measured\n\n' +
        'Injection: 0 projects, mean 0.0 tokens, median 0.0; all notes 0\n',
    );
  });

  it('says how many cases were left out because they were not approved', () => {
    const said = (unapproved: number) => formatReport(buildReport({ ...input, unapproved })).split('\n')[1];
    expect(said(0)).toBe('');
    expect(said(1)).toBe('left out 1 case that nobody has approved (--include-unreviewed counts them)');
    expect(said(3)).toMatch(/^left out 3 cases /);
  });

  it('says how many right notes are not in the store', () => {
    const said = (gone: number) => formatReport(buildReport({ ...input, gone })).split('\n')[1];
    expect(said(0)).toBe('');
    expect(said(1)).toBe('1 right note is not in the store (gone, or never there): counted as not found');
    expect(said(7)).toMatch(/^7 right notes are not in the store/);
  });

  it('strips control characters from queries, projects and warnings', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const printed = formatReport(
          buildReport({
            cases: [{ id: 'c', query: text, project: text, relevant: ['zz'], ranked: [] }],
            unapproved: 0,
            gone: 0,
            warnings: [text],
            injections: [{ project: text, units: 1 }],
            corpusUnits: 1,
          }),
        );
        expect(printed.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
        expect(printed.split('\n')).toHaveLength(18);
      }),
    );
  });
});

describe('reportJson', () => {
  it('prints the golden text', () => {
    const [first] = input.cases;
    const small = {
      ...input,
      cases: [{ ...first!, relevant: ['a', 'c', 'zz'], ranked: ['a', 'b', 'c'] }],
      warnings: [],
    };
    expect(reportJson(buildReport({ ...small, injections: [{ project: 'shop', units: 4001 }] }))).toBe(`\
{
  "metrics": {
    "cases": 1,
    "casesWithoutRelevant": 0,
    "hit": {
      "1": 1,
      "3": 1,
      "5": 1,
      "8": 1,
      "10": 1
    },
    "recall8": 0.666667,
    "mrr10": 1,
    "ndcg10": 0.703918
  },
  "results": [
    {
      "query": "why is the pool small",
      "project": "shop",
      "relevant": [
        "a",
        "c",
        "zz"
      ],
      "ranked": [
        "a",
        "b",
        "c"
      ],
      "firstHitRank": 1
    }
  ],
  "unapproved": 0,
  "gone": 0,
  "warnings": [],
  "injection": {
    "perProject": [
      {
        "project": "shop",
        "tokens": 1001
      }
    ],
    "meanTokens": 1001,
    "medianTokens": 1001,
    "corpusTokens": 22500
  }
}
`);
  });

  it('writes null for a missing project or rank', () => {
    const { results } = JSON.parse(reportJson(buildReport(input)));
    expect(results[2]).toMatchObject({ project: null, firstHitRank: null });
  });
});

const anyInput: fc.Arbitrary<EvalInput> = fc.record({
  cases: fc.array(
    fc.record({
      id: fc.string(),
      query: fc.string(),
      project: fc.option(fc.string(), { nil: undefined }),
      relevant: fc.subarray(letters, { maxLength: 3 }),
      ranked: fc.shuffledSubarray(letters),
    }),
  ),
  unapproved: fc.nat({ max: 3 }),
  gone: fc.nat({ max: 3 }),
  warnings: fc.array(fc.string()),
  injections: fc.array(fc.record({ project: fc.string({ maxLength: 2 }), units: fc.nat() })),
  corpusUnits: fc.nat(),
});
const bytesOf = (given: EvalInput): readonly string[] => {
  const report = buildReport(given);
  return [formatReport(report), reportJson(report)];
};

it('returns the same bytes twice, whatever the order of the injections', () => {
  const inAnyOrder = anyInput.chain((given) =>
    fc
      .shuffledSubarray([...given.injections], { minLength: given.injections.length })
      .map((injections) => [given, { ...given, injections }] as const),
  );
  fc.assert(
    fc.property(inAnyOrder, ([given, shuffled]) => {
      expect(bytesOf(structuredClone(given))).toEqual(bytesOf(given));
      expect(bytesOf(shuffled)).toEqual(bytesOf(given));
    }),
  );
});
