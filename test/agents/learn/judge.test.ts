import { describe, expect, it } from 'vitest';
import { judgeExchanges } from '../../../src/agents/learn/judge.js';
import type { Exchange, RelatedNote } from '../../../src/agents/learn/learned.js';
import { summarise } from '../../../src/agents/learn/summary.js';
import type { Completion } from '../../../src/agents/providers/provider.js';
import { failureOf, makeModels } from '../../support/models.js';

const rule: Exchange = {
  uuid: 'turn-1',
  atMs: undefined,
  prompt: 'the packages of this repository should come from pnpm and not npm',
  reply: 'I will use pnpm instead.',
};
const stated: Exchange = { ...rule, uuid: 'turn-2', prompt: 'no, always use pnpm instead of npm for the packages' };
const text = 'Use pnpm instead of npm for the packages of this repository.';
const found = JSON.stringify({
  lessons: [{ kind: 'correction', title: 'pnpm', text, keywords: [], confidence: 0.85, exchange: 1 }],
});
const judge = async (
  answers: readonly (Completion | string)[],
  {
    exchanges = [rule],
    deep = false,
    related = [],
  }: { exchanges?: readonly Exchange[]; deep?: boolean; related?: readonly RelatedNote[] } = {},
) => {
  const { models, asked } = makeModels(answers);
  return { lessons: await judgeExchanges(exchanges, { deep, related, models }), asked };
};

describe('judging', () => {
  it('makes proposals of what the first model finds that answers', async () => {
    const proposal = { text, turn: 'turn-1', confidence: 0.85, judge: 'claude:m', isPlain: false };
    expect(await judge([failureOf('refused'), found])).toMatchObject({ lessons: [proposal] });
  });

  it('takes an empty list for an answer, and lessons that were all dropped', async () => {
    for (const answer of ['{"lessons":[]}', found.replace(text, `${text} ${'x'.repeat(1400)}`)]) {
      const { lessons, asked } = await judge([answer, found]);
      expect([lessons, asked.length]).toEqual([[], 1]);
    }
  });

  it.each(['', 'I can not help with that.', '{"lessons":"none"}', '[1,2]', '{"lessons":[{"kind'])(
    'goes on after an unusable answer: %j',
    async (answer) => {
      expect(await judge([answer, found])).toMatchObject({ lessons: [{ judge: 'claude:m' }] });
    },
  );

  it('has what was stated in so many words, whether a model answers, fails or is not there', async () => {
    const plain = { text: 'always use pnpm instead of npm for the packages.', judge: 'heuristic', isPlain: true };
    const exchanges = [stated];
    expect((await judge([failureOf('unavailable'), 'gibberish'], { exchanges })).lessons).toMatchObject([plain]);
    expect((await judge([], { exchanges })).lessons).toMatchObject([plain]);
    expect((await judge([found], { exchanges })).lessons).toMatchObject([plain, { text, judge: 'endpoint:m' }]);
  });

  it('allows longer answers in a deep pass', async () => {
    const [shallow, deep] = [await judge([found]), await judge([found], { deep: true })];
    expect(deep.asked[0]?.maxTokens).toBeGreaterThan(shallow.asked[0]?.maxTokens ?? 0);
  });

  it.each([
    ['an empty conversation', []],
    ['a word of consent', [{ ...rule, prompt: 'ok' }]],
    ['blanks', [{ ...rule, prompt: ' \n\t          ' }]],
    ['a command', [{ ...rule, prompt: '<command-name>/clear</command-name> always use pnpm instead of npm' }]],
    [
      'notes that we injected',
      [{ ...rule, prompt: '# Anamnesis memory (auto-injected)\n\nAlways use pnpm instead of npm.' }],
    ],
    ['our own question', [{ ...rule, prompt: 'Notes that exist already:\n(none)\n\nConversation to judge:' }]],
  ])('asks no model about %s', async (_, exchanges) => {
    expect(await judge([found], { exchanges })).toEqual({ lessons: [], asked: [] });
  });

  it('looks at what the agent found out after a short prompt only in a deep pass', async () => {
    const exchanges = [{ ...rule, prompt: 'go on', reply: `The error came from the proxy. ${'It did. '.repeat(40)}` }];
    expect((await judge(['{"lessons":[]}'], { exchanges })).asked).toHaveLength(0);
    expect((await judge(['{"lessons":[]}'], { exchanges, deep: true })).asked).toHaveLength(1);
  });

  it('lets a model replace a note only if it was shown that note', async () => {
    const note: RelatedNote = { id: '01HZZZZZZZZZZZZZZZZZZZZZZ1', title: 't', body: 'Use npm.', confidence: 1 };
    const replacedBy = async (label: string) => {
      const answer = found.replace('"exchange":1', `"exchange":1,"replaces":"${label}"`);
      return (await judge([answer], { related: [note] })).lessons[0]?.replaces;
    };
    expect(await replacedBy('N1')).toBe(note.id);
    expect(await replacedBy('N2')).toBeUndefined();
    expect(await replacedBy('01HZZZZZZZZZZZZZZZZZZZZZZ2')).toBeUndefined();
  });
});

describe('a summary of a session', () => {
  const lists = { asked: ['Replace npm by pnpm.'], decided: [], learned: [], open: ['CI still uses npm.'] };
  const summary = { title: 'Move to pnpm', outcome: 'Done; CI still uses npm.', ...lists };
  const facts = '### Asked\n\n- “replace npm by pnpm”\n\n### Open\n\n- CI still uses npm';

  it('is from the first model that gives one', async () => {
    const { models } = makeModels([failureOf('refused'), 'no summary', `Here: ${JSON.stringify(summary)}`]);
    expect(await summarise(models, facts)).toEqual({ value: summary, model: 'ollama:m' });
  });

  it('is left to rules when there are no facts', async () => {
    const { models, asked } = makeModels([JSON.stringify(summary)]);
    expect([await summarise(models, ''), asked]).toEqual([undefined, []]);
  });
});
