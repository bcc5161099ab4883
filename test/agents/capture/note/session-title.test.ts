import { expect, it } from 'vitest';
import { titleOf } from '../../../../src/agents/capture/note/session-title.js';
import type { Session } from '../../../../src/agents/capture/session.js';
import { session, subagent, turn } from './sessions.js';

const titled = (fields: Partial<Session>): string => titleOf(session(fields));
const asked = (...prompts: readonly string[]) => prompts.map((prompt, i) => turn({ number: i + 1, prompt }));

it('the title is the name that the session was given', () => {
  expect(titled({ title: 'Speed', turns: asked('Make the checkout faster') })).toBe('Speed');
});

it('the title is the longest request that is no question', () => {
  const turns = asked(
    'fix it',
    'please can you make the checkout page faster. It takes 4 s.',
    'why is it slow in the first place, tell me?',
  );
  expect(titled({ turns, branch: 'feat/checkout-speed' })).toBe('please can you make the checkout page faster.');
});

it('the title is the branch when nothing was requested, unless the branch says nothing', () => {
  const turns = asked('why does it take so long to load?');
  expect(titled({ turns, branch: 'feat/checkout-speed' })).toBe('checkout speed');
  expect(titled({ turns, branch: 'main' })).toBe('why does it take so long to load?');
});

it('the title is the commit with the most files when neither says anything, the last one if equal', () => {
  const commit = (subject: string, files: number) => ({ hash: '', subject, files });
  const turns = [turn({ prompt: 'ok go', commits: [commit('Add the cart', 9), commit('Fix a typo', 1)] })];
  expect(titled({ turns, branch: 'main' })).toBe('Add the cart');
  expect(titled({ turns: [turn({ prompt: 'ok go', commits: [commit('One', 1), commit('Two', 1)] })] })).toBe('Two');
});

it('the title is one line of at most 80 units, cut at a word', () => {
  const title = titled({ turns: asked(`# Please\n\nmake the checkout ${'very '.repeat(30)}fast`) });
  expect(title).toMatch(/checkout very .*very…$/);
  expect(title).not.toContain('\n');
  expect(title.length).toBeLessThanOrEqual(80);
});

it('the title is preferably neither pasted text nor a command that did nothing', () => {
  expect(titled({ turns: asked('Why does the build fail?\n\nnpm ERR! code 1') })).toBe('Why does the build fail?');
  const clear = turn({ prompt: '/clear', isSlashCommand: true });
  expect(titled({ turns: [clear, turn()] })).toBe('Make it fast');
  expect(titled({ turns: [clear] })).toBe('/clear');
});

it('the title is never empty', () => {
  expect(titled({})).toBe('Session session-1');
  expect(titled({ turns: [turn({ prompt: '---', outcome: 'Said so.' })] })).toBe('Said so.');
  expect(titled({ subagents: [subagent()] })).toBe('Find dead code');
});
