/**
 * Every regular expression of the program is timed on texts made to keep it busy: what an agent, a remote or a file
 * brings may be long, and one that takes the square of its length holds up a sync or a hook for many seconds.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { parseAst } from 'vitest/node';
import { runExamplesOf } from './support/pattern-examples.js';
import { processorMs } from './support/processor-time.js';
import { makeLookAlikes } from './support/secrets/look-alikes.js';
import { ordinaryTexts } from './support/secrets/ordinary.js';
import { makeSecrets } from './support/secrets/secrets.js';

type Pattern = { readonly file: string; readonly source: string; readonly flags: string };

const folder = join(process.cwd(), 'src');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'));

/** These make theirs in a call: of what the person asked to purge, or of a name of our own. Redaction is a case of its own. */
const madeInCalls: readonly string[] = [
  'purge/check-objects.ts',
  'purge/rule/asked.ts',
  'purge/rule/matcher.ts',
  'purge/rule/needle.ts',
  'setup/toml-edit.ts',
  'state/environment-probe.ts',
];

type Found = { readonly file: string; readonly patterns: readonly Pattern[]; readonly makesSome: boolean };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The literals, and whether the file makes others by `new RegExp`. */
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

/** Patterns that `new RegExp` makes while something runs. */
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
    // One that another file has loaded would make nothing more.
    vi.resetModules();
    return (await makingCalls[file]?.()) ?? (await import(join(folder, file)));
  });

/** Files that make their patterns when a text first needs them, and calls with such a text. */
const makingCalls: Readonly<Record<string, () => Promise<unknown>>> = {
  'events/note/plain-text.ts': async () => {
    const { withoutHidden, withoutUnseen } = await import('../src/events/note/plain-text.js');
    return [withoutHidden('a\u200bb'), withoutUnseen('a\u200bb')];
  },
  'projections/spaceless.ts': async () => {
    const { isSpaceless } = await import('../src/projections/spaceless.js');
    return isSpaceless('\u6771\u4eac') ? 'made' : 'none';
  },
};

/** Redaction makes its patterns when a text first needs them. */
const patternsOfRedaction = (): Promise<readonly Pattern[]> => {
  const texts = [...makeSecrets(1, 1000), ...makeLookAlikes(1, 200)].map(({ text }) => text);
  vi.resetModules();
  return patternsMadeIn('events/note/redact', async () => {
    const { redact }: typeof import('../src/events/note/redact.js') = await import('../src/events/note/redact.js');
    for (const text of [...texts, ...ordinaryTexts, 'a\u200bb']) redact(text);
    // No text above has a command of each program.
    const { tools } = await import('../src/events/note/redact/command-tools.js');
    for (const tool of new Set(tools.values())) tool.values();
  });
};

/** Parts of a pattern that stand for themselves, and characters of its classes: what its runs are made of. */
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

/** Milliseconds for each text; Infinity for one that was ended, and for the few after it. */
const timesOf = ({ source, flags }: Pattern, all: readonly string[]): readonly number[] => {
  const times: number[] = [];
  for (let from = 0; from < all.length; from += textsAtOnce) {
    const texts = all.slice(from, from + textsAtOnce);
    const taken: number[] = [];
    Object.assign(context, { source, flags, texts, taken });
    try {
      timed.runInContext(context, { timeout: endedAfterMs });
    } catch {
      // It was ended.
    }
    times.push(...texts.map((_, at) => taken[at] ?? Number.POSITIVE_INFINITY));
  }
  return times;
};
const textsAtOnce = 25;
const endedAfterMs = 3000;

/** The quickest of a few: others use the machine at the same time. */
const quickest = (pattern: Pattern, text: string): number => Math.min(...timesOf(pattern, [text, text, text]));

const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const kib = 1024;

/** The text that it takes too long for, undefined where there is none among those tried. */
const findSlow = (pattern: Pattern): string | undefined => {
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
  // A square shows at 4 KB already, in far less time than at 64; what takes seconds there grows faster still.
  const times = timesOf(
    pattern,
    makers.map(({ textOf }) => textOf(4 * kib)),
  );
  for (const [at, { unit, textOf }] of makers.entries()) {
    const first = times[at] ?? 0;
    if (first < 0.3) continue;
    if (first === Number.POSITIVE_INFINITY) return `${JSON.stringify(unit)}: more than 3 s for 4 KB`;
    const short = quickest(pattern, textOf(16 * kib));
    if (short < 2) continue;
    const long = quickest(pattern, textOf(64 * kib));
    if (long > 400 || long / short > 9) return `${JSON.stringify(unit)}: ${short.toFixed(0)} -> ${long.toFixed(0)} ms`;
  }
  return undefined;
};

/** Superlinear, and given only slices of 40 and of 160 characters. */
const boundedInput: readonly string[] = [String.raw`(?:^|[\n:,([]|[.!?])\s*$`];

describe('the regular expressions of the program', () => {
  it.each([
    [/a\s+b/, '\n', 'a'],
    [/^(?:x|y){2}[\w-]*!/, 'a', 'xx'],
    [/(?<name>url) = (?:\w+,)+$/, 'a,', 'url = '],
  ])('are tried where a run of theirs begins: %s', (pattern, unit, before) => {
    expect(runExamplesOf(pattern)).toContainEqual({ before, unit });
  });

  it('are found slow where only a text that begins as they do shows it', () => {
    expect(findSlow({ file: 'here', source: String.raw`url=\s*\s*\s*x`, flags: '' })).toContain('url=');
  });

  it('are all found', async () => {
    const makers = found.filter(({ makesSome }) => makesSome).map(({ file }) => file);
    const unseen: string[] = [];
    for (const file of makers) if ((await patternsMadeBy(file)).length === 0) unseen.push(file);
    expect(unseen.filter((file) => !file.startsWith('events/note/redact/')).toSorted()).toEqual(madeInCalls);
    expect(found.flatMap(({ patterns }) => patterns).length).toBeGreaterThan(300);
  });

  it('take no more than a time in proportion to 64 KB of repeated characters', { timeout: 600_000 }, async () => {
    const made = [];
    for (const { file, makesSome } of found) if (makesSome) made.push(...(await patternsMadeBy(file)));
    const redaction = await patternsOfRedaction();
    expect(new Set(redaction.map(({ source }) => source)).size).toBeGreaterThan(60);
    const everywhere = [...found.flatMap(({ patterns }) => patterns), ...made, ...redaction];
    const all = [...new Map(everywhere.map((pattern) => [`${pattern.flags}/${pattern.source}`, pattern])).values()];
    const slow = all
      .filter(({ source }) => !boundedInput.includes(source))
      .flatMap((pattern) => {
        // Slow once may be chance.
        const text = findSlow(pattern) && findSlow(pattern);
        return text === undefined ? [] : [`${pattern.file}: /${pattern.source}/${pattern.flags} on ${text}`];
      });
    expect(slow).toEqual([]);
  });
});
