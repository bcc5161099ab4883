/**
 * Whole processes with a static model, compared with keyword search and bare Node, each in turn within one run. The
 * model is the folder that ANAMNESIS_BENCH_MODEL names, or ../shared/models/potion-base-2M-int8, and is not part of the
 * repository.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { median, type Row, runProcess, timeProcess } from './measure.js';

const runs = 21;

export const measureWithModel = async (
  cli: string,
  size: number,
  environment: NodeJS.ProcessEnv,
  add: (row: Row) => void,
): Promise<void> => {
  const folder = process.env['ANAMNESIS_BENCH_MODEL'] ?? join(process.cwd(), '../shared/models/potion-base-2M-int8');
  if (!existsSync(folder)) {
    add({ what: 'search with a model', measured: Number.NaN, unit: 'NOT RUN', note: 'needs ANAMNESIS_BENCH_MODEL' });
    return;
  }
  await runProcess([cli, 'model', 'install', folder, '--name', 'bench'], environment);
  await runProcess([cli, 'model', 'use', 'bench'], environment);
  const question = 'how do we retry a failed webhook delivery';
  // As the prompt hook does, in a project that has notes.
  const recall = [cli, 'recall', '--project', 'github.com/harbor/payments-api', question];
  const bare: number[] = [];
  const times = { words: [] as number[], search: [] as number[], recall: [] as number[] };
  for (let at = 0; at < runs; at += 1) {
    bare.push(timeProcess(['-e', '0'], environment));
    times.words.push(timeProcess([cli, 'search', '--mode', 'keyword', question], environment));
    times.search.push(timeProcess([cli, 'search', question], environment));
    times.recall.push(timeProcess(recall, environment));
  }
  await runProcess([cli, 'model', 'use', 'none'], environment);
  const compare = (what: string, ours: readonly number[], other: readonly number[], limit?: number): void => {
    const note = `${median(ours).toFixed(0)} ms`;
    add({ what: `${what}, ${size}`, measured: median(ours) / median(other), unit: 'x', limit, note });
  };
  compare('search with a model / bare node', times.search, bare, 1.9);
  compare('search with a model / by words', times.search, times.words);
  compare('recall with a model / bare node', times.recall, bare, 1.9);
};
