/**
 * The benchmark: deterministic stores of several sizes, and each promised number with its limit beside it. Ratios are
 * taken within one run, because machines differ and are noisy. Sizes: `node scripts/bench.mjs 1000 10000`; the hooks
 * alone: `node scripts/bench.mjs --hooks`, and likewise `--sync`, `--tree`, `--replay` and `--model`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { formatFastImport } from '../src/events/git/fast-import.js';
import { runGit } from '../src/events/git/git-process.js';
import { importPath } from '../src/import/importing.js';
import { percentile } from '../src/projections/eval/metrics.js';
import { searchNotes } from '../src/projections/search/search.js';
import { Memory } from '../src/store/memory.js';
import { corpus, corpusQueries } from './corpus.js';
import { measureHooks } from './hooks.js';
import { formatRows, holds, median, type Row, runProcess, timeEach, timeProcess } from './measure.js';
import { measureReplayFloor } from './replay.js';
import { measureSync } from './sync.js';
import { measureWholeTree } from './whole-tree.js';
import { measureWithModel } from './with-model.js';

const root = process.cwd();
const cli = join(root, 'dist', 'cli.js');
const work = mkdtempSync(join(tmpdir(), 'anamnesis-bench-'));
const args = process.argv.slice(2);
const sizes = args.map(Number).filter(Number.isFinite);
const chosen = sizes.length > 0 ? sizes : [1000, 10_000, 100_000];
const rows: Row[] = [];
const add = (row: Row): void => {
  rows.push(row);
  if (args[0] !== '--writes') process.stderr.write(`${formatRows([row])}\n`);
};
// The real environment: whatever it makes Node do at every start (NODE_EXTRA_CA_CERTS, say) is part of both sides.
const environmentOf = (home: string): NodeJS.ProcessEnv => ({ ...process.env, ANAMNESIS_HOME: home });
const bareEnvironmentOf = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: work,
  ANAMNESIS_HOME: home,
});
const open = (home: string): Memory => new Memory({ home, machine: 'bench', user: 'self' });

const buildStore = async (size: number): Promise<string> => {
  const home = join(work, `store-${size}`);
  const file = join(work, `notes-${size}.jsonl`);
  const lines: string[] = [];
  for (const note of corpus(size)) lines.push(JSON.stringify(note));
  writeFileSync(file, `${lines.join('\n')}\n`);
  const memory = open(home);
  const started = performance.now();
  const imported = await importPath(memory, file);
  if (!('answer' in imported) || imported.problems.length > 0) throw new Error(JSON.stringify(imported));
  await memory.finish();
  add({ what: `import ${size} notes, one event`, measured: performance.now() - started, unit: 'ms' });
  return home;
};

const buildEventStore = async (size: number): Promise<string> => {
  const home = join(work, `events-${size}`);
  const memory = open(home);
  const started = performance.now();
  let batch: Promise<unknown>[] = [];
  for (const note of corpus(size, 2)) {
    const { type, title, body, tags, project } = note;
    batch.push(
      memory.submit({
        kind: 'write',
        type,
        title: title.slice(0, 300),
        body,
        tags,
        project,
        scope: 'portable',
        keywords: [],
        supersedes: [],
      }),
    );
    if (batch.length === 500) {
      await Promise.all(batch);
      batch = [];
    }
  }
  await Promise.all(batch);
  await memory.finish();
  add({
    what: `write ${size} notes, ${size} events, 500 at once`,
    measured: (performance.now() - started) / size,
    unit: 'ms/write',
  });
  return home;
};

const measureReplay = async (home: string, name: string, limit: number | undefined): Promise<void> => {
  const times: number[] = [];
  for (let at = 0; at < 3; at += 1) {
    const started = performance.now();
    await runProcess([cli, 'replay', '--json'], environmentOf(home));
    times.push(performance.now() - started);
  }
  add({ what: `replay, whole process, ${name}`, measured: median(times), unit: 'ms', limit });
};

const measureFloor = async (home: string, size: number): Promise<void> => {
  const memory = open(home);
  await measureReplayFloor(cli, memory, environmentOf(home), size, add);
  await memory.finish();
};

const measureReading = async (home: string, size: number): Promise<void> => {
  const memory = open(home);
  const head = memory.journals.portable.head();
  const entries = head === undefined ? [] : await memory.journals.portable.notes(head);
  const times = await timeEach(3, () => {
    for (const { path } of entries) readFileSync(join(memory.journals.portable.folder, path));
  });
  add({ what: `only reading the files, ${size}`, measured: median(times), unit: 'ms' });
  await memory.finish();
};

const writeOne = (memory: Memory, at: number): Promise<unknown> =>
  memory.submit({
    kind: 'write',
    type: 'semantic',
    title: `Bench note ${at}`,
    body: `What was measured in run ${at}: the write path from the command to the acknowledgement.\n`,
    project: 'bench',
    scope: 'portable',
    tags: ['bench'],
    keywords: [],
    supersedes: [],
  });

const measureWrites = async (home: string, size: number): Promise<number> => {
  // The first fsync would also wait for what import and replays have not written to disk yet.
  spawnSync('sync');
  const memory = open(home);
  const journal = memory.journals.portable;
  await writeOne(memory, -1);
  const bare: number[] = [];
  const ours: number[] = [];
  for (let at = 0; at < 31; at += 1) {
    ours.push(...(await timeEach(1, () => writeOne(memory, at))));
    const head = journal.head();
    bare.push(
      ...(await timeEach(1, async () => {
        const bytes = Buffer.from(`---\nid: bare\n---\nbare ${at}\n`);
        const change = { journal: 'memory', path: `semantic/ZZ/bare-${at}.md`, bytes } as const;
        const commit = { message: 'bare\n', machine: 'bench', epochMs: Date.now(), changes: [change] };
        await runGit(
          journal.folders,
          ['fast-import', '--quiet', '--done', '--force', '--date-format=raw'],
          formatFastImport([commit], 'refs/heads/bare', head),
        );
      })),
    );
  }
  const single = median(ours);
  add({ what: `one bare fast-import commit, ${size}`, measured: median(bare), unit: 'ms' });
  add({
    what: `one acknowledged write, ${size}`,
    measured: single,
    unit: 'ms',
    note: `p95 ${percentile(ours, 95).toFixed(1)}`,
  });
  add({ what: `write / bare fast-import, ${size}`, measured: single / median(bare), unit: 'x', limit: 2.5 });
  const batches = await timeEach(5, (run) =>
    Promise.all(Array.from({ length: 100 }, (_, at) => writeOne(memory, run * 100 + at))),
  );
  add({
    what: `100 at once, per write / a single one, ${size}`,
    measured: median(batches) / 100 / single,
    unit: 'x',
    limit: 0.3,
  });
  await memory.finish();
  return single;
};

const measureProcesses = async (home: string, size: number): Promise<void> => {
  const child = join(root, 'dist', 'bench-writer.mjs');
  const children = Array.from({ length: 6 }, (_, at) =>
    spawn(process.execPath, [child, home, `box${at}`, '100'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: environmentOf(home),
    }),
  );
  const lines = children.map(({ stdout }) => createInterface({ input: stdout })[Symbol.asyncIterator]());
  for (const line of lines) await line.next();
  const started = performance.now();
  for (const { stdin } of children) stdin.write('go\n');
  const latencies: number[] = [];
  for (const line of lines) {
    const waits: readonly (readonly [beganMs: number, ms: number])[] = JSON.parse(String((await line.next()).value));
    latencies.push(...waits.map(([, ms]) => ms));
  }
  const seconds = (performance.now() - started) / 1000;
  await Promise.all(children.map((one) => (one.exitCode === null ? once(one, 'close') : undefined)));
  add({
    what: `6 processes x 100 writes, ${size}`,
    measured: 600 / seconds,
    unit: 'writes/s',
    limit: 120,
    atLeast: true,
    note: `p50 ${percentile(latencies, 50).toFixed(0)} ms, p99 ${percentile(latencies, 99).toFixed(0)} ms`,
  });
};

const measureSearch = async (home: string, size: number, limit: number | undefined): Promise<void> => {
  const memory = open(home);
  const queries = corpusQueries(120, size);
  const nowSeconds = Math.floor(Date.now() / 1000);
  const run = async (plain: boolean, times: number): Promise<readonly number[]> =>
    timeEach(times, (at) =>
      memory.liveIndex.ask((database) =>
        searchNotes(database, { text: queries[at % queries.length] ?? '', filter: {}, k: 8, nowSeconds, plain }),
      ),
    );
  await run(false, 20);
  const fast = await run(false, 120);
  const plain = await run(true, Math.min(120, size >= 100_000 ? 30 : 60));
  add({
    what: `search p50, 12 words, ${size}`,
    measured: percentile(fast, 50),
    unit: 'ms',
    limit,
    note: `p95 ${percentile(fast, 95).toFixed(1)}`,
  });
  add({ what: `plain OR-BM25 p50, ${size}`, measured: percentile(plain, 50), unit: 'ms' });
  const whole = await timeEach(60, (at) => memory.search(queries[at] ?? '', {}));
  add({ what: `search with files read back p50, ${size}`, measured: percentile(whole, 50), unit: 'ms' });
  await memory.finish();
};

const measureStartUp = (home: string, size: number): void => {
  const compare = (environment: NodeJS.ProcessEnv, limit: number | undefined, where: string): void => {
    const bare: number[] = [];
    const inject: number[] = [];
    const search: number[] = [];
    for (let at = 0; at < 21; at += 1) {
      bare.push(timeProcess(['-e', '0'], environment));
      inject.push(timeProcess([cli, 'inject', '--project', 'global'], environment));
      search.push(timeProcess([cli, 'search', 'how do we retry a failed webhook delivery'], environment));
    }
    const unit = 'x';
    add({ what: `bare node -e 0, ${where}`, measured: median(bare), unit: 'ms' });
    for (const [name, times] of [
      ['inject', inject],
      ['search', search],
    ] as const) {
      const note = `${median(times).toFixed(0)} ms`;
      add({
        what: `${name} / bare node, ${size}, ${where}`,
        measured: median(times) / median(bare),
        unit,
        limit,
        note,
      });
    }
  };
  compare(environmentOf(home), 1.6, "this machine's environment");
  // For comparison, without a limit: an empty environment.
  compare(bareEnvironmentOf(home), undefined, 'empty environment');
};

const measureCatchUp = async (home: string, size: number): Promise<void> => {
  const memory = open(home);
  const journal = memory.journals.portable;
  await memory.liveIndex.ask(() => undefined);
  const times: number[] = [];
  for (let at = 0; at < 15; at += 1) {
    const head = journal.head();
    const id = `01J${String(at).padStart(23, '0')}`;
    const bytes = Buffer.from(`---\nid: ${id}\ntype: semantic\ntitle: Foreign ${at}\n---\nfrom elsewhere\n`);
    const change = { journal: 'memory', path: `semantic/${id.slice(-2)}/${id}.md`, bytes } as const;
    const commit = { message: 'a person wrote this\n', machine: 'other', epochMs: Date.now(), changes: [change] };
    await runGit(
      journal.folders,
      ['fast-import', '--quiet', '--done', '--date-format=raw'],
      formatFastImport([commit], 'refs/heads/main', head),
    );
    times.push(...(await timeEach(1, () => memory.liveIndex.catchUp(journal))));
  }
  add({
    what: `catch-up after one foreign commit, ${size}`,
    measured: median(times),
    unit: 'ms',
    limit: 15,
    note: `p95 ${percentile(times, 95).toFixed(1)}`,
  });
  await memory.finish();
};

const measureServe = async (home: string, size: number): Promise<void> => {
  const child = spawn(process.execPath, [cli, 'serve'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: environmentOf(home),
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const ask = async (id: number, method: string, params: object): Promise<void> => {
    send({ id, method, params });
    for (;;) {
      const line = await lines.next();
      if (line.done === true) throw new Error('serve ended');
      const answer = JSON.parse(line.value);
      if (answer.id === id) {
        if (answer.error !== undefined || answer.result?.isError === true) throw new Error(line.value);
        return;
      }
    }
  };
  await ask(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  const queries = corpusQueries(1000, size);
  const started = performance.now();
  for (const [at, query] of queries.entries())
    await ask(at + 2, 'tools/call', { name: 'memory_search', arguments: { query } });
  const perSearch = (performance.now() - started) / queries.length;
  const status = `/proc/${child.pid}/status`;
  if (existsSync(status)) {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1];
    add({
      what: `peak resident memory of serve, 1,000 searches, ${size}`,
      measured: Number(peak) / 1024,
      unit: 'MiB',
      limit: 120,
      note: `${perSearch.toFixed(1)} ms a search`,
    });
  } else {
    add({ what: 'peak resident memory of serve', measured: Number.NaN, unit: 'NOT RUN', note: 'needs /proc' });
  }
  child.stdin.end();
  await once(child, 'close');
};

/**
 * Writes are measured in a separate process: this one has had whole corpora in memory, and starting a git child takes
 * longer the more memory its parent has.
 */
const measureWritesApart = async (home: string, size: number): Promise<number> => {
  const output = await runProcess([join(root, 'dist', 'bench.mjs'), '--writes', home, String(size)], process.env);
  const measured: readonly Row[] = JSON.parse(output);
  for (const row of measured) add(row);
  return measured.find(({ what }) => what.startsWith('one acknowledged write'))?.measured ?? Number.NaN;
};

const hookSizes = [100, 10_000, 100_000];

/** `node scripts/bench.mjs --hooks 100 10000`: only the hook table. */
const runHooks = async (): Promise<void> => {
  for (const size of sizes.length > 0 ? sizes : hookSizes) {
    const home = await buildStore(size);
    await measureHooks(cli, home, size, environmentOf(home), add);
  }
  process.stdout.write(`${formatRows(rows)}\n`);
};

/** `node scripts/bench.mjs --sync 10000`: only syncing. */
const runSync = async (): Promise<void> => {
  for (const size of sizes.length > 0 ? sizes : [10_000]) await measureSync(work, await buildStore(size), size, add);
  process.stdout.write(`${formatRows(rows)}\n`);
};

/** `node scripts/bench.mjs --tree 10000`: only the commands that look at every file. */
const runWholeTree = async (): Promise<void> => {
  for (const size of sizes.length > 0 ? sizes : [10_000, 100_000]) {
    const home = await buildStore(size);
    measureWholeTree(cli, home, size, environmentOf(home), add);
  }
  process.stdout.write(`${formatRows(rows)}\n`);
};

/** `node scripts/bench.mjs --model 10000`: only searches and prompts with a model. */
const runWithModel = async (): Promise<void> => {
  for (const size of sizes.length > 0 ? sizes : [10_000])
    await measureWithModel(cli, size, environmentOf(await buildStore(size)), add);
  process.stdout.write(`${formatRows(rows)}\n`);
};

/** `node scripts/bench.mjs --replay 10000`: only a replay beside its floor. */
const runReplay = async (): Promise<void> => {
  for (const size of sizes.length > 0 ? sizes : [10_000]) await measureFloor(await buildStore(size), size);
  process.stdout.write(`${formatRows(rows)}\n`);
};

const runAll = async (): Promise<void> => {
  if (sizes.length === 0) {
    const home = await buildStore(100);
    await measureHooks(cli, home, 100, environmentOf(home), add);
  }
  const singles = new Map<number, number>();
  for (const size of chosen) {
    const home = await buildStore(size);
    const limits =
      size === 10_000 ? { replay: 1000, search: 3 } : size === 100_000 ? { replay: 10_000, search: 15 } : undefined;
    await measureReplay(home, `${size} notes`, limits?.replay);
    await measureFloor(home, size);
    await measureReading(home, size);
    await measureSearch(home, size, limits?.search);
    if (size === 10_000) {
      measureStartUp(home, size);
      await measureWithModel(cli, size, environmentOf(home), add);
      await measureServe(home, size);
      await measureCatchUp(home, size);
    }
    measureWholeTree(cli, home, size, environmentOf(home), add);
    if (hookSizes.includes(size)) await measureHooks(cli, home, size, environmentOf(home), add);
    singles.set(size, await measureWritesApart(home, size));
    if (size === 10_000) {
      const copy = join(work, 'copy');
      cpSync(home, copy, { recursive: true });
      await measureProcesses(copy, size);
      rmSync(copy, { recursive: true, force: true });
      await measureSync(work, home, size, add);
    }
  }
  const [small, large] = [singles.get(1000), singles.get(100_000)];
  if (small !== undefined && large !== undefined) {
    add({ what: 'one write at 100000 / at 1000', measured: large / small, unit: 'x', limit: 1.5 });
  }
  if (chosen.includes(10_000)) {
    const home = await buildEventStore(10_000);
    await measureReplay(home, '10000 notes in 10000 events', 1000);
  }
  const results = join(root, 'bench', 'results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'latest.json'), `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
  process.stdout.write(
    `${formatRows(rows)}\n\n${rows.filter((row) => !holds(row)).length} of ${rows.filter(({ limit }) => limit !== undefined).length} limits exceeded; JSON in bench/results/latest.json\n`,
  );
};

try {
  if (args[0] === '--writes') {
    await measureWrites(args[1] ?? '', Number(args[2]));
    process.stdout.write(JSON.stringify(rows));
  } else if (args[0] === '--hooks') {
    await runHooks();
  } else if (args[0] === '--sync') {
    await runSync();
  } else if (args[0] === '--tree') {
    await runWholeTree();
  } else if (args[0] === '--replay') {
    await runReplay();
  } else if (args[0] === '--model') {
    await runWithModel();
  } else {
    await runAll();
  }
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
}
