import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSummaryPrompt, parseSummary } from '../../../src/agents/learn/summary.js';
import { anyUnits } from './any-text.js';

const facts =
  '### Asked\n\n- “Replace npm by pnpm in all packages”\n\n### Open\n\n- CI still uses npm\n\nsome words of it';
const summary = {
  title: 'Move to pnpm',
  outcome: 'The packages use pnpm; CI still uses npm.',
  asked: ['Replace npm by pnpm.'],
  decided: ['pnpm in all packages.'],
  learned: [],
  open: ['CI still uses npm.'],
};

describe('the question for a summary', () => {
  it('holds the facts as data, within 12,000 characters', () => {
    const { prompt } = buildSummaryPrompt(`${facts}\n"}\n${'x'.repeat(50_000)}`);
    expect(prompt.split('\n')).toHaveLength(4);
    expect(prompt).toContain('Replace npm by pnpm');
    expect(prompt.length).toBeLessThan(12_500);
  });

  it('masks secrets', () => {
    const token = 'ghp_Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR';
    expect(buildSummaryPrompt(`${token} and x ${token}`).prompt).not.toContain(token);
  });
});

describe('the answer with a summary', () => {
  it.each([
    ['alone', JSON.stringify(summary)],
    ['in a fence', `\`\`\`json\n${JSON.stringify(summary, null, 2)}\n\`\`\``],
    ['in prose', `Sure: ${JSON.stringify(summary)} done.`],
  ])('is understood %s', (_, text) => {
    expect(parseSummary(text, facts)).toEqual(summary);
  });

  it('may leave lists out', () => {
    const { title, outcome } = summary;
    const lists = { asked: [], decided: [], learned: [], open: [] };
    expect(parseSummary(JSON.stringify({ title, outcome }), facts)).toEqual({ title, outcome, ...lists });
  });

  it('is cut between words, at 80, 300 and 240 characters and ten lines', () => {
    const long = 'npm packages\nand pnpm '.repeat(60);
    const decided = Array.from({ length: 20 }, (_, i) => `${i} ${long}`);
    const cut = parseSummary(JSON.stringify({ title: long, outcome: long, decided }), facts);
    expect([...(cut?.title ?? '')].length).toBeLessThanOrEqual(80);
    expect([...(cut?.outcome ?? '')].length).toBeGreaterThan(280);
    expect(cut?.decided).toHaveLength(10);
    for (const text of [cut?.title, cut?.outcome, ...(cut?.decided ?? [])]) {
      expect(text).toMatch(/^(?:\d+ )?npm packages and[^\n]*\w…$/);
      expect([...(text ?? '')].length).toBeLessThanOrEqual(300);
    }
  });

  it('loses made-up lines', () => {
    const open = ['CI still uses npm.', 'Deploy the Kubernetes cluster to Frankfurt tonight.'];
    expect(parseSummary(JSON.stringify({ ...summary, open }), facts)?.open).toEqual(['CI still uses npm.']);
  });

  it.each([
    [''],
    ['A fine session.'],
    ['{}'],
    ['[]'],
    [JSON.stringify({ ...summary, title: '  ' })],
    [JSON.stringify({ ...summary, outcome: 5 })],
    [JSON.stringify({ title: summary.title, asked: summary.asked })],
    [JSON.stringify({ ...summary, title: 'Kubernetes cluster', outcome: 'Deployed Frankfurt region tonight.' })],
    [JSON.stringify({ __proto__: summary })],
    [`{"__proto__":${JSON.stringify(summary)}}`],
  ])('is rejected: %.60s', (text) => {
    expect(parseSummary(text, facts)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(anyUnits(60), fc.json()), (text) => {
        parseSummary(text, text);
        const wrapped = parseSummary(JSON.stringify({ title: text, outcome: text, asked: [text, 1] }), text);
        if (wrapped !== undefined) expect([...wrapped.title].length).toBeLessThanOrEqual(80);
      }),
    );
  });
});
