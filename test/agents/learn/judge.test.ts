import { describe, expect, it } from 'vitest';
import { judgeExchanges } from '../../../src/agents/learn/judge.js';
import type { Exchange, RelatedNote } from '../../../src/agents/learn/learned.js';
import { summariseSession } from '../../../src/agents/learn/summarise.js';
import type { Completion, CompletionRequest, Provider } from '../../../src/agents/providers/provider.js';

type Asked = { readonly provider: string; readonly request: CompletionRequest };

/** Makes a provider for each answer, and a list of what they were asked. */
const makeProviders = (...answers: readonly (Completion | string)[]) => {
  const names = ['endpoint', 'claude', 'ollama'] as const;
  const asked: Asked[] = [];
  const providers = answers.map((answer, at): Provider => {
    const name = names[at] ?? 'ollama';
    return {
      name,
      model: 'm',
      complete: async (request) => {
        asked.push({ provider: name, request });
        return typeof answer === 'string' ? { ok: true, text: answer } : answer;
      },
    };
  });
  return { providers, asked };
};
const failure = (problem: 'unavailable' | 'refused' | 'timed-out' | 'unusable'): Completion => ({
  ok: false,
  problem,
  message: `is ${problem}`,
});

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
const related: readonly RelatedNote[] = [];
const judge = (
  providers: readonly Provider[],
  {
    exchanges = [rule],
    deep = false,
    mayCall = () => true,
  }: { exchanges?: readonly Exchange[]; deep?: boolean; mayCall?: () => boolean } = {},
) => judgeExchanges(exchanges, { deep, related, providers, mayCall });

describe('the chain of judges', () => {
  it('ends with the first usable answer', async () => {
    const { providers, asked } = makeProviders(found, found);
    const judgement = await judge(providers);
    const proposal = { text, turn: 'turn-1', confidence: 0.85, judge: 'endpoint:m', isPlain: false };
    expect(judgement.lessons).toMatchObject([proposal]);
    expect(judgement.calls).toEqual([{ provider: 'endpoint:m', ok: true, problem: undefined, message: '' }]);
    expect(asked).toHaveLength(1);
  });

  it('ends with an empty list, which counts as an answer', async () => {
    const { providers, asked } = makeProviders('{"lessons":[]}', found);
    expect(await judge(providers)).toEqual({
      lessons: [],
      calls: [expect.objectContaining({ provider: 'endpoint:m', ok: true })],
    });
    expect(asked).toHaveLength(1);
  });

  it('ends with lessons that were all dropped, which also count as an answer', async () => {
    const { providers, asked } = makeProviders(found.replace(text, `${text} ${'x'.repeat(1400)}`), found);
    expect(await judge(providers)).toEqual({
      lessons: [],
      calls: [expect.objectContaining({ provider: 'endpoint:m', ok: true })],
    });
    expect(asked).toHaveLength(1);
  });

  it.each(['unavailable', 'refused', 'timed-out', 'unusable'] as const)(
    'continues after a judge that is %s',
    async (problem) => {
      const { providers } = makeProviders(failure(problem), found);
      const judgement = await judge(providers);
      expect(judgement.lessons).toMatchObject([{ judge: 'claude:m' }]);
      expect(judgement.calls).toEqual([
        { provider: 'endpoint:m', ok: false, problem, message: `is ${problem}` },
        { provider: 'claude:m', ok: true, problem: undefined, message: '' },
      ]);
    },
  );

  it.each(['', 'I can not help with that.', '{"lessons":"none"}', '[1,2]', '{"lessons":[{"kind'])(
    'continues after an unusable answer: %j',
    async (answer) => {
      const { providers } = makeProviders(answer, found);
      expect(await judge(providers)).toMatchObject({
        lessons: [{ judge: 'claude:m' }],
        calls: [{ ok: false, problem: 'unusable' }, { ok: true }],
      });
    },
  );

  it('has what was stated in so many words, whether a judge answers, fails or is not there', async () => {
    const plain = { text: 'always use pnpm instead of npm for the packages.', judge: 'heuristic', isPlain: true };
    const { providers } = makeProviders(failure('unavailable'), failure('refused'), 'gibberish');
    const judgement = await judge(providers, { exchanges: [stated] });
    expect(judgement.lessons).toMatchObject([plain]);
    expect(judgement.calls).toHaveLength(3);
    expect(await judge([], { exchanges: [stated] })).toMatchObject({ lessons: [plain], calls: [] });
    const answered = await judge(makeProviders(found).providers, { exchanges: [stated] });
    expect(answered.lessons).toMatchObject([plain, { text, judge: 'endpoint:m' }]);
  });

  it('checks the limit before each call', async () => {
    const { providers, asked } = makeProviders(failure('refused'), found);
    let left = 1;
    const mayCall = (): boolean => {
      left -= 1;
      return left >= 0;
    };
    expect(await judge(providers, { mayCall })).toMatchObject({ lessons: [] });
    expect(asked).toHaveLength(1);
  });

  it('asks each judge the same question, and allows longer answers in a deep pass', async () => {
    const { providers, asked } = makeProviders(failure('refused'), failure('refused'));
    await judge(providers);
    expect(asked[0]?.request).toEqual(asked[1]?.request);
    expect(asked[0]?.request.timeoutMs).toBe(60_000);
    const deep = makeProviders('{"lessons":[]}');
    await judge(deep.providers, { deep: true });
    expect(deep.asked[0]?.request.maxTokens).toBeGreaterThan(asked[0]?.request.maxTokens ?? 0);
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
  ])('asks no judge about %s', async (_, exchanges) => {
    const { providers, asked } = makeProviders(found);
    expect(await judge(providers, { exchanges })).toEqual({ lessons: [], calls: [] });
    expect(asked).toEqual([]);
  });

  it('looks at what the agent found out after a short prompt only in a deep pass', async () => {
    const exchanges = [{ ...rule, prompt: 'go on', reply: `The error came from the proxy. ${'It did. '.repeat(40)}` }];
    const { providers, asked } = makeProviders('{"lessons":[]}');
    await judge(providers, { exchanges });
    expect(asked).toHaveLength(0);
    await judge(providers, { exchanges, deep: true });
    expect(asked).toHaveLength(1);
  });

  it('lets a judge replace a note only if it was shown that note', async () => {
    const note: RelatedNote = {
      id: '01HZZZZZZZZZZZZZZZZZZZZZZ1',
      title: 't',
      body: 'Use npm.',
      tags: [],
      confidence: 1,
      project: 'p',
    };
    const answer = (label: string) => found.replace('"exchange":1', `"exchange":1,"replaces":"${label}"`);
    const replacedBy = async (label: string) => {
      const { providers } = makeProviders(answer(label));
      const judgement = await judgeExchanges([rule], { deep: false, related: [note], providers, mayCall: () => true });
      return judgement.lessons[0]?.replaces;
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
    const { providers } = makeProviders(failure('refused'), 'no summary', `Here: ${JSON.stringify(summary)}`);
    expect(await summariseSession(facts, { providers, mayCall: () => true })).toEqual({
      summary,
      model: 'ollama:m',
      calls: [
        { provider: 'endpoint:m', ok: false, problem: 'refused', message: 'is refused' },
        { provider: 'claude:m', ok: false, problem: 'unusable', message: 'the answer contains no summary' },
        { provider: 'ollama:m', ok: true, problem: undefined, message: '' },
      ],
    });
  });

  it('is left to rules when no call is allowed, there are no facts or there is no model', async () => {
    const none = { summary: undefined, model: undefined };
    const { providers, asked } = makeProviders(JSON.stringify(summary));
    expect(await summariseSession(facts, { providers, mayCall: () => false })).toEqual({ ...none, calls: [] });
    expect(await summariseSession('', { providers, mayCall: () => true })).toEqual({ ...none, calls: [] });
    expect(await summariseSession(facts, { providers: [], mayCall: () => true })).toEqual({ ...none, calls: [] });
    expect(asked).toEqual([]);
  });
});
