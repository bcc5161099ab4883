/** Small tools for measuring: medians of repeated runs, child processes, a table. */
import { spawn, spawnSync } from 'node:child_process';
import { percentile } from '../src/projections/eval/metrics.js';

export type Row = {
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
  /** Undefined for a number that is only for comparison. */
  readonly limit?: number | undefined;
  /** True when the number must not fall below the limit. */
  readonly atLeast?: boolean | undefined;
  readonly note?: string | undefined;
};

export const holds = ({ measured, limit, atLeast }: Row): boolean =>
  limit === undefined || (atLeast === true ? measured >= limit : measured <= limit);

export const median = (values: readonly number[]): number => percentile(values, 50);

/** Milliseconds of each of `times` runs. */
export const timeEach = async (times: number, run: (at: number) => unknown): Promise<readonly number[]> => {
  const values: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const started = performance.now();
    await run(at);
    values.push(performance.now() - started);
  }
  return values;
};

/** Milliseconds that a whole process takes; its output is discarded. */
export const timeProcess = (args: readonly string[], environment: NodeJS.ProcessEnv, input = ''): number => {
  const started = performance.now();
  const result = spawnSync(process.execPath, args, { env: environment, input, stdio: ['pipe', 'ignore', 'pipe'] });
  if (result.status !== 0) throw new Error(`${args.join(' ')}: ${result.stderr.toString()}`);
  return performance.now() - started;
};

/** Runs a process to its end and returns its output. */
export const runProcess = (args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${args.join(' ')} ended with ${code}`)),
    );
  });

export const formatRows = (rows: readonly Row[]): string => {
  const cells = rows.map((row) => [
    row.what,
    formatNumber(row.measured),
    row.unit,
    row.limit === undefined ? '' : `${row.atLeast === true ? '>=' : '<='} ${formatNumber(row.limit)}`,
    row.limit === undefined ? '' : holds(row) ? 'holds' : 'EXCEEDED',
    row.note ?? '',
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => (column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const formatNumber = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
