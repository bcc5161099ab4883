/** Private keys, whole and cut, as files, logs, diffs, pages and editors show them. */
import { base64, type Random } from './random.js';

const wrap = (text: string, width: number): readonly string[] => text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];

type Shown = { readonly text: string; readonly hidden: readonly string[] };

export const pemText = (random: Random, { cut }: { readonly cut: boolean }): Shown => {
  const label = random.pick(['RSA ', 'EC ', 'OPENSSH ', '', 'ENCRYPTED ', 'DSA ']);
  const lines = wrap(
    `MII${random.chars(base64, random.int(3, 20) * 64 + random.int(4, 60))}=`,
    random.pick([64, 64, 64, 70, 76]),
  );
  const all = [`-----BEGIN ${label}PRIVATE KEY-----`, ...lines, `-----END ${label}PRIVATE KEY-----`];
  const kept = cut ? cutEnd(random, all) : all;
  const hidden = kept.filter((line) => !line.startsWith('---')).map((line) => line.replace('…', ''));
  const text = show(random, kept);
  return {
    text: `${random.pick(['The key:\n', '', 'Exit code 255\n', '```\n'])}${text}${cut ? random.pick(['', '\n\nand so on', '\n```\nThe log goes on']) : '\nafter'}`,
    hidden: hidden.filter((line) => line.length >= 8),
  };
};

/** Cuts after some whole lines, or inside a line. */
const cutEnd = (random: Random, all: readonly string[]): readonly string[] => {
  const whole = all.slice(0, random.int(2, all.length - 2));
  return random.pick([
    whole,
    [...whole, `${(all[whole.length] ?? '').slice(0, random.int(12, 60))}${random.pick(['…', ''])}`],
  ]);
};

const eachLine = (lines: readonly string[], prefix: (i: number) => string, suffix = ''): string =>
  lines.map((line, i) => `${prefix(i)}${line}${suffix}`).join('\n');

const show = (random: Random, lines: readonly string[]): string => {
  const number = random.int(1, 90);
  return random.pick([
    () => lines.join('\n'),
    () => lines.join('\r\n'),
    () => lines.join('\\n'),
    () => lines.join('\\r\\n'),
    () => lines.join('\\\\n'),
    () => lines.join('<br>'),
    () => lines.join('<br/>\n'),
    () => lines.join('%0A'),
    () => lines.join('&#10;'),
    () => eachLine(lines, (i) => `${number + i}`.padStart(6).concat('\t')),
    () => eachLine(lines, (i) => `${number + i}`.padStart(6).concat('→')),
    () => eachLine(lines, (i) => `${number + i}: `),
    () => eachLine(lines, (i) => `${number + i} | `),
    () => eachLine(lines, () => '// '),
    () => eachLine(lines, () => '# '),
    () => eachLine(lines, () => '-'),
    () => eachLine(lines, () => '+'),
    () => eachLine(lines, () => '- '),
    () => eachLine(lines, () => '│ ', ' │'),
    () => eachLine(lines, () => '> '),
    () => eachLine(lines, () => ' * '),
    () => eachLine(lines, () => '    '),
    () => eachLine(lines, () => '\t'),
    () => eachLine(lines, () => '"', '\\n" +'),
    () => eachLine(lines, () => "  '", "',"),
    () => eachLine(lines, () => '2026-05-06T07:08:09Z DEBUG tls: '),
    () => eachLine(lines, () => '| ', ' |'),
    () => eachLine(lines, () => ';; '),
    () => eachLine(lines, () => 'ssh.c:42: '),
    () => `key: |\n${eachLine(lines, () => '  ')}`,
  ])();
};
