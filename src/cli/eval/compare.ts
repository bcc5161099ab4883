/** anamnesis eval compare: tells whether one report is better than another. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { compareFiles, type ModeComparison } from '../../eval/saved-reports-schema.js';
import type { JsonOption } from '../answer.js';
import { subcommand } from '../options.js';
import { cleanLine, counted, ink, print, printJson, type Style } from '../output.js';
import { formatTable, wrapText } from '../table.js';

export const compareCommand = (): Command =>
  subcommand('compare', 'Say whether one saved report is better than another, and how sure that is', [
    'eval compare before.json after.json',
    'eval compare monday.json today.json --json',
  ])
    .argument('<before>', 'a report of eval run --save or eval bench --save')
    .argument('<after>', 'a later one about the same cases')
    .action((before: string, after: string, { json }: JsonOption) => {
      const comparisons = compareFiles(before, after);
      if (json === true) printJson({ comparisons });
      else print(formatComparisons(comparisons, basename(after)));
    });

const formatComparisons = (comparisons: readonly ModeComparison[], after: string): string =>
  comparisons.map((one) => formatComparison(one, after, comparisons.length > 1)).join('\n');

const formatComparison = (one: ModeComparison, after: string, isOneOfSeveral: boolean): string => {
  const heading = isOneOfSeveral ? `${ink('bold', `Mode ${one.mode}`)}\n` : '';
  return [
    heading + verdictText(one, after),
    measureTable(one) + wrapText(measuresTold),
    leftOutText(one),
    changedText('Lost the most', one.losses, one.worsened),
    changedText('Gained the most', one.gains, one.improved),
  ]
    .filter((part) => part !== '')
    .join('\n');
};

/** For readers who have never heard of an interval. */
const verdictText = ({ verdict, cases, improved, worsened, measures }: ModeComparison, after: string): string => {
  const { changed, low, high } = measures['nDCG@10'];
  const among = `of ${counted(cases, 'question')}`;
  const same = cases - improved - worsened;
  const counts = `${improved} found their notes higher up in ${cleanLine(after)}, ${worsened} lower down, ${same} where they were`;
  const isSure = low > 0 || high < 0;
  const [head, rest] =
    verdict !== 'no difference'
      ? [upperFirst(verdict), `, and unlikely by chance: ${among}, ${counts}.`]
      : changed === 0
        ? ['No difference', `: ${counted(cases, 'question')}, and each found its notes where they were.`]
        : [
            'No difference',
            ` that would show: ${among}, ${counts}. ${isSure ? 'Too few changed to tell.' : 'That may be chance.'}`,
          ];
  return wrapText(`${head}${rest}${exceptions(measures, verdict)}`).replace(head, () => inkVerdict(verdict, head));
};

/** Names the measures whose verdict differs from that of nDCG@10. */
const exceptions = (measures: ModeComparison['measures'], verdict: ModeComparison['verdict']): string => {
  const told = (['better', 'worse'] as const)
    .filter((other) => other !== verdict)
    .flatMap((other) => {
      const names = Object.entries(measures).flatMap(([name, one]) => (one.verdict === other ? [name] : []));
      return names.length === 0 ? [] : [`${names.join(', ')}: ${other}`];
    });
  return told.length === 0 ? '' : ` But ${told.join('; ')}.`;
};

const measuresTold =
  'hit@k: the share of questions with a right note among the first k. Recall@8: the share of the right notes there. MRR@10, nDCG@10: how high they rank, 1 at the very top.';

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const measureTable = ({ measures }: ModeComparison): string =>
  formatTable(
    [
      { head: 'MEASURE', of: ([name]) => name },
      { head: 'BEFORE', align: 'right', of: ([, { before }]) => before.toFixed(4) },
      { head: 'AFTER', align: 'right', of: ([, { after }]) => after.toFixed(4) },
      { head: 'DIFFERENCE', align: 'right', of: ([, { difference }]) => signed(difference) },
      { head: '95 % INTERVAL', of: ([, { low, high }]) => `${signed(low)} to ${signed(high)}` },
      { head: 'CHANGED', align: 'right', of: ([, { changed }]) => String(changed) },
      { head: '', of: ([, { verdict }]) => verdict },
    ],
    Object.entries(measures),
  );

const leftOutText = ({ onlyBefore, onlyAfter }: ModeComparison): string =>
  onlyBefore + onlyAfter === 0
    ? ''
    : wrapText(
        `Left out: ${counted(onlyBefore, 'case')} only in the first report, ${counted(onlyAfter, 'case')} only in the second.`,
      );

const shownChanges = 5;

const changedText = (heading: string, changes: ModeComparison['losses'], total: number): string => {
  if (changes.length === 0) return '';
  const shown = changes.slice(0, shownChanges);
  const head = total > shown.length ? `${heading} (${shown.length} of ${total}):` : `${heading}:`;
  const rank = (at: number | null): string => (at === null ? 'not found' : `rank ${at}`);
  const lines = formatTable(
    [
      { head: 'BEFORE', of: ({ before }) => rank(before) },
      { head: 'AFTER', of: ({ after }) => rank(after) },
      { head: 'QUESTION', of: ({ query }) => query, cut: 'end', main: true },
      {
        head: 'IN',
        of: ({ set, project }) => [...new Set([set, project ?? ''])].filter((part) => part !== '').join(', '),
        cut: 'start',
        optional: true,
      },
    ],
    shown,
  );
  return `${head}\n${lines}`;
};

type Gain = ModeComparison['measures']['nDCG@10'];

/** `+0.0131 (+0.0060 to +0.0204) better`. */
export const gainText = ({ difference, low, high, verdict }: Gain): string =>
  `${signed(difference)} (${signed(low)} to ${signed(high)}) ${verdict}`;

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;

const styles: Readonly<Record<Gain['verdict'], Style>> = { better: 'green', worse: 'red', 'no difference': 'dim' };

const inkVerdict = (verdict: Gain['verdict'], text: string): string => ink(styles[verdict], text);
