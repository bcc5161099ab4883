import { describe, expect, it } from 'vitest';
import { decisionsIn } from '../../../../src/agents/capture/statements/decisions.js';

const textsIn = (prompt: string): readonly string[] => decisionsIn(prompt).map(({ text }) => text);

describe('a sentence that is kept as a decision', () => {
  it.each([
    ["Let's use Postgres for the queue."],
    ['We should log the request id everywhere.'],
    ["Don't touch the public API."],
    ['Never push to main directly.'],
    ['Use pnpm instead of npm.'],
    ['I want the API to stay backwards compatible.'],
    ['we do container-first.'],
    ["I'd rather keep it in one file than split it."],
    ['The cache must be off in tests, otherwise they flake.'],
    ['Wir nehmen SQLite, weil es keine Installation braucht.'],
    ['On utilise Redis au lieu de Memcached.'],
    ['Vamos a usar Tailwind en vez de CSS modules.'],
    ["let's go with postgres"],
    ['go with the second one'],
    ['nimm lieber sqlite, weil es ohne Server läuft'],
    ["I'd go for tailwind here"],
    ["we're sticking with npm"],
    ['second option sounds best'],
    ['no redux, plain react state is enough'],
    ['forget redis, we have postgres anyway'],
    ['scrap the plugin idea'],
    ['bleiben wir bei npm'],
    ['wir lassen das mit dem Cache'],
    ['no more than 3 retries'],
    ['I like option 2 better'],
    ['my vote goes to fastify'],
    ['going with option A then'],
    ['typescript it is'],
    ['the last one looks best'],
    ['get rid of the legacy flag'],
    ['no feature flags, just ship it'],
    ['keine Klassen, nur Funktionen'],
    ['nutzen wir halt die alte API'],
    ['just one file, not five'],
  ])('chooses, forbids or gives a reason: %s', (prompt) => {
    expect(textsIn(prompt)).toEqual([prompt]);
  });

  it('loses the words that tie it to the sentence before', () => {
    expect(textsIn('Hm. And so we use pnpm, not npm.')).toEqual(['we use pnpm, not npm.']);
  });

  it('weighs more if it says what it rules out and why', () => {
    const [plain, choice, reasoned] = decisionsIn(
      "Let's use Postgres here. Let's use Postgres instead of Redis. Let's use Postgres instead of Redis because it is durable.",
    ).map(({ weight }) => weight);
    expect(plain).toBeLessThan(choice ?? 0);
    expect(choice).toBeLessThan(reasoned ?? 0);
  });
});

describe('a sentence that is skipped', () => {
  it.each([
    ['Can we use Postgres instead of Redis?'],
    ['Why do we need to restart?'],
    ['please read the docs and tell me what you think'],
    ['Tell me where we should add the agent.'],
    ["I don't know for sure if we want a framework."],
    ['Fix the login page'],
    ['thanks, looks good'],
    ['ok'],
    ['I want you to fix the build'],
    ['no problem at all'],
    ['no idea why it does that'],
    ['no errors in the log'],
    ['what it is doing here'],
    ['the first test fails'],
    ['the second page is blank'],
    ['where do we go from here'],
    ['how is it going'],
    ['I would go home now'],
    ['the last commit is fine'],
    ["I don't see the button"],
    ['ich sehe den Fehler nicht'],
    ['das sieht gut aus'],
    ['the docs mention a plugin'],
    ['maybe we should split the module'],
  ])('asks, observes or only requests work: %s', (prompt) => {
    expect(textsIn(prompt)).toEqual([]);
  });

  it('stands in a fence', () => {
    expect(textsIn('```\nwe must use npm\n```')).toEqual([]);
  });
});
