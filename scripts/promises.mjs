/** Writes what a benchmark or a fault run measured into docs/promises.md, between the markers of its section. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root, say } from './setup.mjs';

const page = join(root, 'docs', 'promises.md');

/** Removes `--write` from the arguments. Only a whole run may write: part of one would look like all of it. */
export const takeWriteFlag = (args) => {
  const rest = args.filter((arg) => arg !== '--write');
  const writes = rest.length < args.length;
  if (writes && rest.length > 0) {
    say(`--write is for a whole run: leave out ${rest.join(' ')}`);
    process.exit(2);
  }
  return { rest, writes };
};

/** Rows of bench/results/latest.json; only those with a limit are promises. */
export const writeBench = (rows) => {
  const promised = rows.filter(({ limit }) => limit !== undefined);
  const held = promised.filter(holds).length;
  writeSection('bench', [
    `${stamp()}: ${held} of ${promised.length} limits held.`,
    '',
    '| What | Measured | Limit | Held |',
    '| --- | --- | --- | --- |',
    ...promised.map((row) =>
      formatCells([
        row.note === undefined ? row.what : `${row.what} (${row.note})`,
        `${formatNumber(row.measured)} ${row.unit}`,
        `${row.atLeast === true ? '>=' : '<='} ${formatNumber(row.limit)}`,
        holds(row) ? 'yes' : '**no**',
      ]),
    ),
  ]);
};

/** Lines that the fault tests reported, one run each. */
export const writeFaults = (lines, passed) =>
  writeSection('faults', [
    `${stamp()}: ${passed ? 'every test passed' : '**some tests failed**'}.`,
    '',
    ...lines.map((line) => `- ${line}`),
  ]);

/** The page with a section's old content replaced; throws when the page lacks the section's markers. */
export const replaceSection = (text, name, lines) => {
  const [begin, end] = [`<!-- ${name}: begin -->\n`, `\n<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`no section ${name}`);
  return `${text.slice(0, from + begin.length)}\n${lines.join('\n')}\n${text.slice(to)}`;
};

const writeSection = (name, lines) => {
  writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), name, lines));
  say(`written to docs/promises.md: ${name}`);
};

const stamp = () =>
  `Measured ${new Date().toISOString().slice(0, 10)} with Node ${process.version} on ${process.platform}, ${availableParallelism()} cores`;

const holds = ({ measured, limit, atLeast }) => (atLeast === true ? measured >= limit : measured <= limit);

const formatCells = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const formatNumber = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
