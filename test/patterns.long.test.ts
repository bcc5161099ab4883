/**
 * Times every regular expression of the program on texts made to keep it busy: input from an agent, a remote or a file
 * may be long, and a pattern that takes quadratic time delays a sync or a hook by many seconds.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { parseAst } from 'vitest/node';
import { runExamplesOf } from './support/pattern-examples.js';
import { processorMs } from './support/processor-time.js';
import { byLength } from './support/run-length.js';
import { makeLookAlikes } from './support/secrets/look-alikes.js';
import { ordinaryTexts } from './support/secrets/ordinary.js';
import { makeSecrets } from './support/secrets/secrets.js';

type Pattern = { readonly file: string; readonly source: string; readonly flags: string };

const folder = join(process.cwd(), 'src');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'));

/** Files that build patterns in a call, from the text to purge or from a name of ours. Redaction is run separately. */
const madeInCalls: readonly string[] = [
  'purge/rule/matcher.ts',
  'purge/rule/request.ts',
  'setup/toml-edit.ts',
  'state/environment-probe.ts',
];

type Found = { readonly file: string; readonly patterns: readonly Pattern[]; readonly makesSome: boolean };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Returns a file's regex literals, and whether it builds others with `new RegExp`. */
const readFile = (file: string): Found => {
  const patterns: Pattern[] = [];
  let makesSome = false;
  const visit = (node: unknown): void => {
    if (!isRecord(node)) return;
    const { regex, type, callee } = node;
    if (isRecord(regex)) patterns.push({ file, source: String(regex['pattern']), flags: String(regex['flags']) });
    if (type === 'NewExpression' && isRecord(callee) && callee['name'] === 'RegExp') makesSome = true;
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(readFileSync(join(folder, file), 'utf8'), { lang: 'ts' }));
  return { file, patterns, makesSome };
};
const found = files.map(readFile);

/** Returns the patterns that `new RegExp` builds during `run`. */
const patternsMadeIn = async (file: string, run: () => Promise<unknown>): Promise<readonly Pattern[]> => {
  const made: Pattern[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, given) {
      const pattern = Reflect.construct(target, given);
      made.push({ file, source: pattern.source, flags: pattern.flags });
      return pattern;
    },
  });
  try {
    await run();
  } finally {
    globalThis.RegExp = original;
  }
  return made;
};

const patternsMadeBy = (file: string): Promise<readonly Pattern[]> =>
  patternsMadeIn(file, async () => {
    // A module that is already loaded would not build its patterns again.
    vi.resetModules();
    return (await makingCalls[file]?.()) ?? (await import(join(folder, file)));
  });

/** Files that build their patterns when a text first needs them, each with a call on such a text. */
const makingCalls: Readonly<Record<string, () => Promise<unknown>>> = {
  'events/note/plain-text.ts': async () => {
    const { withoutHidden, withoutUnseen } = await import('../src/events/note/plain-text.js');
    return [withoutHidden('a\u200bb'), withoutUnseen('a\u200bb')];
  },
  'projections/word-parts.ts': async () => {
    const { isSpaceless } = await import('../src/projections/word-parts.js');
    return isSpaceless('\u6771\u4eac') ? 'made' : 'none';
  },
};

/** Redaction builds its patterns when a text first needs them. */
const patternsOfRedaction = (): Promise<readonly Pattern[]> => {
  const texts = [...makeSecrets(1, 1000), ...makeLookAlikes(1, 200)].map(({ text }) => text);
  vi.resetModules();
  return patternsMadeIn('events/note/redact', async () => {
    const { redact }: typeof import('../src/events/note/redact.js') = await import('../src/events/note/redact.js');
    for (const text of [...texts, ...ordinaryTexts, 'a\u200bb']) redact(text);
    // The texts above don't include a command of every program.
    const { tools } = await import('../src/events/note/redact/commands.js');
    for (const tool of new Set(tools.values())) tool.values();
  });
};

/** Returns a pattern's literal parts and characters of its classes: the units that its runs may consist of. */
const unitsOf = ({ source }: Pattern): readonly string[] => {
  const plain = source
    .replace(/\\[dw]/g, '1')
    .replace(/\\s/g, ' ')
    .replace(/\\n/g, '\n')
    .replace(/\\r/g, '\r')
    .replace(/\\t/g, '\t')
    .replace(/\(\?(?:<?[=!]|:|<\w+>)/g, '(')
    .replace(/\\(.)/g, '$1');
  const signs = new Set(plain.replace(/[A-Za-z0-9]/g, ''));
  const words = plain.match(/[^()[\]{}|*+?^$\\]{2,}/g) ?? [];
  const singles = [...'aA1 \n\r\t\u00e9\u{1f600}', ...signs].filter((sign) => sign.length > 0);
  const pairs = [...signs]
    .slice(0, 24)
    .flatMap((sign) => [`a${sign}`, `${sign}1`, ` ${sign}`, `${sign}\n`, `${sign}${sign}a`]);
  const near = words.flatMap((word) => [word, `${word} `, `${word}a`, word.slice(0, -1)]);
  return [...new Set([...singles, ...pairs, ...near])].filter((unit) => unit !== '').slice(0, 400);
};

const context = createContext({ source: '', flags: '', texts: [], taken: [], now: processorMs });
const timed = new Script(`for (const text of texts) {
  const pattern = new RegExp(source, flags);
  const started = now();
  if (pattern.global) text.replace(pattern, '');
  else pattern.exec(text);
  taken.push(now() - started);
}`);

/** Returns the milliseconds for each text, ending with undefined at the first text that hit the timeout. */
const timesOf = ({ source, flags }: Pattern, all: readonly string[]): readonly (number | undefined)[] => {
  const times: number[] = [];
  for (let from = 0; from < all.length; from += batchSize) {
    const texts = all.slice(from, from + batchSize);
    const taken: number[] = [];
    Object.assign(context, { source, flags, texts, taken });
    try {
      timed.runInContext(context, { timeout: timeoutMs });
    } catch {
      return [...times, ...taken, undefined];
    }
    times.push(...taken);
  }
  return times;
};
const batchSize = 25;
const timeoutMs = 1500;

/** Returns the fastest of a few tries, since other processes share the machine. */
const quickest = (pattern: Pattern, text: string, tries = 3): number =>
  Math.min(...timesOf(pattern, Array<string>(tries).fill(text)).map((time) => time ?? Number.POSITIVE_INFINITY));

const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const kib = 1024;

/** Describes how the time grows if it grows faster than the text; returns undefined otherwise. */
const growthOf = (pattern: Pattern, first: number, textOf: (length: number) => string): string | undefined => {
  // Most patterns that take 0.3 ms take four times that for 16 KB: they are linear and need no run on 64 KB. A
  // quadratic part that is found below beside a linear one takes at least 5.8 times as long.
  const tiny = Math.min(first, quickest(pattern, textOf(4 * kib), 2));
  if (tiny < leastFor4) return undefined;
  const once = quickest(pattern, textOf(16 * kib), 1);
  if (once < 2 || (once < mostFor64 / 4 && once < 5 * tiny)) return undefined;
  const short = Math.min(once, quickest(pattern, textOf(16 * kib), 2));
  if (short < 2) return undefined;
  if (short > mostFor64 / 4) return `${short.toFixed(0)} ms for 16 KB`;
  const long = quickest(pattern, textOf(64 * kib));
  const isSlow = long > mostFor64 || long / short > 9 || long / tiny > 36;
  return isSlow ? `${tiny.toFixed(0)} -> ${short.toFixed(0)} -> ${long.toFixed(0)} ms` : undefined;
};
/** Milliseconds: a quadratic pattern that takes less needs no more than 80 for 64 KB. */
const leastFor4 = 0.3;
const mostFor64 = 400;

/** Describes the first of the texts tried on which a pattern is too slow; undefined if there is none. */
const findSlow = (pattern: Pattern, least = leastFor4): string | undefined => {
  const around = [
    { before: '', after: '\u0000' },
    { before: 'a', after: '!' },
  ];
  const repeated = unitsOf(pattern).flatMap((unit) => around.map((ends) => ({ unit, ...ends })));
  const led = runExamplesOf(pattern).map((run) => ({ ...run, after: '\u0000' }));
  const makers = [...repeated, ...led].map(({ before, unit, after }) => ({
    unit: before.length > 1 ? `${before}... ${unit}` : unit,
    textOf: (length: number) => `${before}${fill(unit, length)}${after}`,
  }));
  // Quadratic growth already shows at 4 KB, in far less time than at 64; one that needs seconds there is worse.
  const times = timesOf(
    pattern,
    makers.map(({ textOf }) => textOf(4 * kib)),
  );
  const ended = times.indexOf(undefined);
  if (ended !== -1) return `${JSON.stringify(makers[ended]?.unit)}: more than ${timeoutMs} ms for 4 KB`;
  for (const [at, { unit, textOf }] of makers.entries()) {
    const first = times[at] ?? 0;
    const growth = first < least ? undefined : growthOf(pattern, first, textOf);
    if (growth === undefined) continue;
    return `${JSON.stringify(unit)}: ${growth}`;
  }
  return undefined;
};

/** Superlinear, but run only on slices of 40 and 160 characters. */
const boundedInput: readonly string[] = [String.raw`(?:^|[\n:,([]|[.!?])\s*$`];

describe('the regular expressions of the program', () => {
  it.each([
    [/a\s+b/, '\n', 'a'],
    [/^(?:x|y){2}[\w-]*!/, 'a', 'xx'],
    [/(?<name>url) = (?:\w+,)+$/, 'a,', 'url = '],
  ])('yield an example of each run with the text before it: %s', (pattern, unit, before) => {
    expect(runExamplesOf(pattern)).toContainEqual({ before, unit });
  });

  it.each([
    ['with a run inside a run', /(?:x+,?)+$/],
    ['with two ways for each character', /(?:a|a)*b/],
    ['with two successive runs that begin anywhere', /\s*\s*x/],
    ['with two runs, shown only by a text with the same beginning', /url=\s*\s*x/],
    ['with two runs after a number of characters', /^(?:x|y){2}\w+\w+!/],
    ['with two runs after one of two names', /(?:ab|url):\s*\s*x/],
    ['with a run that begins anywhere', /\s+$/],
    ['with a run between two parts of a word', /\w*-\w*;/],
    ['that look for a missing end', /<b>.*?<\/b>/s],
    ['that look for an end from each of many beginnings', /\[[^\]]*\]\(/g],
    ['that look ahead to the end', /a(?=.*z)/g],
    ['that look back to the beginning', /(?<=q.*)=/],
    ['with a quadratic part beside a long linear part', /keys and values(?:[^!]{0,2000}!|[^?]{0,2000}\?|.*?#)/],
  ])('are reported as slow: %s', (_, { source, flags }) => {
    expect(findSlow({ file: 'here', source, flags })).toBeDefined();
  });

  it.each([
    ['that take long for each character', /keys and values(?:[^!]{0,500}!|[^?]{0,500}\?)/],
    ['that begin in one place', /^\s*\S*x/],
  ])('are not reported as slow: %s', (_, { source, flags }) => {
    expect(findSlow({ file: 'here', source, flags })).toBeUndefined();
  });

  it('are all found', async () => {
    const makers = found.filter(({ makesSome }) => makesSome).map(({ file }) => file);
    const unseen: string[] = [];
    for (const file of makers) if ((await patternsMadeBy(file)).length === 0) unseen.push(file);
    expect(unseen.filter((file) => !file.startsWith('events/note/redact/')).toSorted()).toEqual(madeInCalls);
    expect(found.flatMap(({ patterns }) => patterns).length).toBeGreaterThan(300);
  });

  it('take time at most proportional to the length of repeated characters', {
    timeout: 600_000,
  }, async () => {
    const made = [];
    for (const { file, makesSome } of found) if (makesSome) made.push(...(await patternsMadeBy(file)));
    const redaction = await patternsOfRedaction();
    // `npm test` follows the growth only of what is slow on 4 KB already.
    const least = byLength(5, 5, leastFor4);
    expect(new Set(redaction.map(({ source }) => source)).size).toBeGreaterThan(60);
    const everywhere = [...found.flatMap(({ patterns }) => patterns), ...made, ...redaction];
    const all = [...new Map(everywhere.map((pattern) => [`${pattern.flags}/${pattern.source}`, pattern])).values()];
    const slow = all
      .filter(({ source }) => !boundedInput.includes(source))
      // V8 stops optimising patterns after 16 MB of code, so those that gain most come first.
      .toSorted((a, b) => b.source.length - a.source.length)
      .flatMap((pattern) => {
        // One slow result may be chance.
        const text = findSlow(pattern, least) && findSlow(pattern, least);
        return text === undefined ? [] : [`${pattern.file}: /${pattern.source}/${pattern.flags} on ${text}`];
      });
    expect(slow).toEqual([]);
  });
});
