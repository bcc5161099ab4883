import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printOf, wordsOfPrint } from '../../../src/projections/prints/print.js';
import { fitNotes } from '../../../src/projections/recall/prompt-fit.js';
import { type PromptWord, weighWords } from '../../../src/projections/recall/prompt-words.js';
import { wordsRule } from '../../../src/projections/recall/thresholds.js';

const { sure } = wordsRule.usual;
const topical = (word: string, notes = 2): PromptWord => ({ kind: 'topical', word, notes });
const everyday = (word: string, notes = 100): PromptWord => ({ kind: 'everyday', word, notes });
const words = (text: string, notes = 2): readonly PromptWord[] => text.split(' ').map((word) => topical(word, notes));

type Text = { readonly title: string; readonly body?: string; readonly tags?: string };

const fits = (prompt: readonly PromptWord[], texts: readonly Text[], total = 1000) =>
  fitNotes(
    weighWords(prompt, total),
    total,
    texts.map(({ title, body = '', tags = '' }) => ({ title, print: wordsOfPrint(printOf([title, body, tags])) })),
  );
const fitOf = (prompt: readonly PromptWord[], text: Text): number => fits(prompt, [text])[0]?.relevance ?? -1;

const filler = (count: number): string => Array.from({ length: count }, (_, at) => `filler${at}`).join(' ');

describe('fitNotes', () => {
  it('passes a note that contains what the prompt is about', () => {
    const prompt = [topical('pgbouncer'), topical('timeout', 20), everyday('fix')];
    expect(fitOf(prompt, { title: 'Pgbouncer in transaction mode', body: 'A timeout after 30 s' })).toBeGreaterThan(
      sure,
    );
  });

  it('passes a note that has the one rare word of a prompt in its title', () => {
    expect(fitOf([topical('pgbouncer')], { title: 'Pgbouncer runs in transaction mode' })).toBeGreaterThan(sure);
  });

  it('does not pass a note that mentions one word in passing', () => {
    const prompt = [topical('pgbouncer'), topical('restart', 0), topical('window', 0)];
    expect(fitOf(prompt, { title: 'Where logs go', body: `${filler(200)} pgbouncer ${filler(200)}` })).toBeLessThan(
      sure,
    );
  });

  it('does not pass a note for everyday words alone', () => {
    const prompt = ['run', 'test', 'again'].map((word) => everyday(word));
    expect(fitOf(prompt, { title: 'How to run it', body: 'Run the tests again after each change' })).toBe(0);
  });

  it('does not pass a note for corrected words, unless it has another topical word as typed', () => {
    const guessed = { ...topical('pgbouncer'), isCorrected: true };
    const note = { title: 'Pgbouncer in transaction mode', body: 'Pgbouncer restarts' };
    expect(fitOf([guessed], note)).toBe(0);
    expect(fitOf([guessed, everyday('restarts')], note)).toBe(0);
    expect(fitOf([guessed, topical('transaction')], note)).toBeGreaterThan(sure);
  });

  it('does not pass a note that has two words of a prompt about something else', () => {
    const prompt = [topical('got', 40), topical('amount', 60), ...words('mortgage fargo approved wells', 0)];
    expect(fitOf(prompt, { title: 'Refunds', body: 'The amount that a customer got back' })).toBeLessThan(sure);
  });

  it('is greater where the words are near each other, adjacent, in the title, or more frequent', () => {
    const prompt = words('lease heartbeat');
    const far = fitOf(prompt, { title: 'Workers', body: `lease ${filler(300)} heartbeat ${filler(20)}` });
    const near = fitOf(prompt, { title: 'Workers', body: `lease ${filler(10)} heartbeat ${filler(310)}` });
    const next = fitOf(prompt, { title: 'Workers', body: `lease heartbeat ${filler(320)}` });
    const titled = fitOf(prompt, { title: 'Lease heartbeat', body: filler(320) });
    const often = fitOf(prompt, { title: 'Workers', body: `lease heartbeat lease heartbeat ${filler(318)}` });
    expect(near).toBeGreaterThan(far);
    expect(next).toBeGreaterThan(near);
    expect(titled).toBeGreaterThan(next);
    expect(often).toBeGreaterThan(next);
  });

  it('is less where the prompt asks for more that the note lacks', () => {
    const note = { title: 'Lease renewal', body: 'The heartbeat renews it' };
    const asked = fitOf(words('lease heartbeat'), note);
    expect(fitOf([...words('lease heartbeat'), ...words('invoice rounding', 0)], note)).toBeLessThan(asked);
  });

  it('counts other forms of a word as the word', () => {
    expect(fitOf(words('leases renewed'), { title: 'A lease is renewing itself' })).toBeGreaterThan(sure);
  });

  it('finds a question before, among and after pasted lines', () => {
    const asked = words('lease heartbeat worker lost');
    const log = words(filler(30).replaceAll('filler', 'line'), 0);
    const note = { title: 'A worker holds a lease', body: 'It is lost when the heartbeat stops' };
    const alone = fitOf(asked, note);
    for (const prompt of [
      [...asked, ...log],
      [...log, ...asked],
      [...log.slice(15), ...asked, ...log.slice(0, 15)],
    ]) {
      const beside = fitOf(prompt, note);
      expect(beside).toBeGreaterThan(sure);
      expect(beside).toBeLessThanOrEqual(alone);
    }
  });

  it('does not pass a note for words scattered over a long prompt', () => {
    const prompt = Array.from({ length: 48 }, (_, at) =>
      at % 16 === 0 ? topical(`held${at}`) : topical(`other${at}`, 0),
    );
    expect(fitOf(prompt, { title: 'Notes', body: 'held0 held16 held32' })).toBeLessThan(sure);
  });

  it('lists the words that a note has, in the order of the prompt', () => {
    const [found] = fits(words('lease invoice heartbeat'), [{ title: 'Heartbeat', body: 'of a lease' }]);
    expect(found?.held).toEqual([0, 2]);
  });

  it('reads the tags, and a title without words', () => {
    expect(fitOf(words('lease heartbeat'), { title: 'Workers', tags: 'lease heartbeat' })).toBeGreaterThan(sure);
    expect(fitOf(words('lease heartbeat'), { title: '…', body: 'lease heartbeat' })).toBeGreaterThan(0);
  });

  it('is 0 without a word, for a note that has none of them, and without a print', () => {
    expect(fitOf([], { title: 'Lease' })).toBe(0);
    expect(fitOf(words('lease'), { title: 'Invoice' })).toBe(0);
    expect(fitNotes(weighWords(words('lease'), 10), 10, [{ title: 'Lease', print: undefined }])).toEqual([
      { relevance: 0, held: [] },
    ]);
    expect(fitNotes(weighWords(words('lease'), 10), 10, [])).toEqual([]);
  });

  it('is at least 0 and below 1 for any words and texts', () => {
    const anyWord = fc.record({
      kind: fc.constantFrom('topical' as const, 'everyday' as const),
      word: fc.constantFrom('lease', 'heartbeat', 'worker', 'renew', 'é', '数据库', '__proto__', ''),
      notes: fc.nat({ max: 60 }),
    });
    const anyText = fc.array(fc.constantFrom('lease', 'heartbeat', 'worker', 'renewal', 'x', 'y', '数据库', '…'), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(
        fc.array(anyWord, { maxLength: 30 }),
        anyText,
        anyText,
        fc.nat({ max: 50 }),
        (prompt, title, body, total) => {
          const [found] = fits(prompt, [{ title: title.slice(0, 12).join(' '), body: body.join(' ') }], total);
          expect(found?.relevance).toBeGreaterThanOrEqual(0);
          expect(found?.relevance).toBeLessThan(1);
        },
      ),
    );
  });
});
