/** Texts that bring a regular expression to one of its runs, and the text that the run repeats. */

/** `before` matches the pattern before the run, and `unit` is one repetition of the run. */
export type RunExample = { readonly before: string; readonly unit: string };

type Atom = { readonly source: string; readonly end: number };

/** Where the group or class that begins at `at` ends, taking escapes and inner brackets into account. */
const closingOf = (source: string, at: number): number => {
  let depth = 0;
  let inClass = false;
  for (let index = at; index < source.length; index += 1) {
    const sign = source[index];
    if (sign === '\\') index += 1;
    else if (inClass) inClass = sign !== ']';
    else if (sign === '[') inClass = true;
    else if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    if (depth === 0 && !inClass) return index + 1;
  }
  return source.length;
};

const atomAt = (source: string, at: number): Atom => {
  const sign = source[at];
  const escaped = /^\\(?:k<\w+>|[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|.)/su.exec(source.slice(at))?.[0];
  const end = sign === '(' || sign === '[' ? closingOf(source, at) : at + (escaped?.length ?? 1);
  return { source: source.slice(at, end), end };
};

const candidates = [
  ...'a1 _-.A\n\t"\'=:/,;|\u00e9',
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
];

/** Up to three characters that match the class, escape or literal; an empty text for an anchor. */
const samplesOf = (atom: string, flags: string): readonly string[] => {
  if (/^(?:\^|\$|\\[bB]|\\k<)/.test(atom)) return [''];
  const alone = new RegExp(`^(?:${atom})$`, flags.replace(/[gy]/g, ''));
  return [...new Set(candidates)].filter((text) => alone.test(text)).slice(0, 3);
};

const quantifier = /^(?:\*|\+|\?|\{(\d+)(,?)(\d*)\})\??/;

/** Finds every run of the pattern that may repeat without limit, or more than 100 times. */
export const runExamplesOf = ({
  source,
  flags,
}: {
  readonly source: string;
  readonly flags: string;
}): readonly RunExample[] => {
  const runs: RunExample[] = [];
  /** Returns a short text that matches the first alternative of the part; `before` is the text up to the part. */
  const walk = (part: string, before: string): string => {
    let text = '';
    let first: string | undefined;
    for (let at = 0; at < part.length; ) {
      if (part[at] === '|') {
        first ??= text;
        text = '';
        at += 1;
        continue;
      }
      const atom = atomAt(part, at);
      const found = quantifier.exec(part.slice(atom.end));
      const [all = '', least = '', comma = '', most = ''] = found ?? [];
      const isGroup = atom.source.startsWith('(');
      const isLook = /^\(\?<?[=!]/.test(atom.source);
      const inner = atom.source.replace(/^\((?:\?(?:<?[=!]|:|<\w+>))?/, '').slice(0, -1);
      const here = before + text;
      const turn = isGroup ? walk(inner, here) : '';
      const samples = isLook ? [''] : isGroup ? [turn] : samplesOf(atom.source, flags);
      const repeats = /^[*+]/.test(all) || (comma !== '' && (most === '' || Number(most) > 100));
      if (repeats) for (const unit of samples) if (unit !== '') runs.push({ before: here, unit });
      const turns = all === '' || all.startsWith('+') ? 1 : least === '' ? 0 : Number(least);
      text += (samples[0] ?? '').repeat(Math.min(turns, 200));
      at = atom.end + all.length;
    }
    return first ?? text;
  };
  walk(source, '');
  return runs;
};
