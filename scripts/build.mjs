/**
 * Builds dist/: CommonJS with shared chunks, so that a command loads only what it runs. Measured on Node 20, CommonJS
 * starts about 15 ms faster than the same chunks as modules, which is a third of what `search` may add to bare Node.
 */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { copyWordLists } from './word-lists.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);
/** Another folder, and code that can be read: for scripts/house.mjs, which counts what runs. */
const dist = process.env.ANAMNESIS_READABLE_DIST ?? 'dist';
const isReadable = process.env.ANAMNESIS_READABLE_DIST !== undefined;
rmSync(dist, { recursive: true, force: true });
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Where npm's install script puts it, whether built here or downloaded. */
const sqliteBinary = 'better-sqlite3/build/Release/better_sqlite3.node';

const lateCrypto = `const late = { get: (_, name) => process.getBuiltinModule('node:crypto')[name] };
export default new Proxy({}, late);`;

const settings = {
  platform: 'node',
  // piscina looks for its worker file beside itself, so it is installed instead of bundled. Of better-sqlite3 only the
  // native part has to be installed: its dozen small files and the search for the binary cost 5 ms at every start.
  external: ['piscina', sqliteBinary],
  plugins: [
    {
      name: 'sqlite-binary',
      resolveId: (source) => (source === 'bindings' ? '\0bindings' : undefined),
      load: (id) => (id === '\0bindings' ? `module.exports = () => require('${sqliteBinary}');` : undefined),
    },
    {
      // ulid needs randomness to make an id. Loading node:crypto takes 3 ms, and most commands make no id.
      name: 'chance-of-ulid',
      resolveId: (source, importer) =>
        source === 'node:crypto' && /[\\/]node_modules[\\/]ulid[\\/]/.test(importer ?? '')
          ? '\0late-crypto'
          : undefined,
      load: (id) => (id === '\0late-crypto' ? lateCrypto : undefined),
    },
    {
      // A JavaScript parser that js-yaml loads, if it can, for a type that no note may have. It would be more than half
      // of the code that reading a note loads.
      name: 'no-esprima',
      resolveId: (source) => (source === 'esprima' ? '\0no-esprima' : undefined),
      load: (id) => (id === '\0no-esprima' ? 'module.exports = undefined;' : undefined),
    },
  ],
  transform: { target: 'node20.19', define: { 'process.env.ANAMNESIS_VERSION': JSON.stringify(version) } },
  onLog: (level, log, handle) => {
    // gray-matter's JavaScript engine, which front-matter.ts replaces with one that refuses.
    if (log.code === 'EVAL' || log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') return;
    handle(level, log);
  },
};

// Shorter code loads faster; names of functions stay, because they appear in stack traces.
const compress = { target: 'node20.19', keepNames: { function: true, class: true } };
const minify = !isReadable && { mangle: { toplevel: false, keepNames: true }, compress, codegen: true };
/** Drops hints for bundlers, because no other bundler reads the output. */
const comments = { annotation: false };

/** Modules that an entry loads immediately, without those it imports later. */
const loadedAtOnce = async (entry) => {
  const bundle = await rolldown({ ...settings, input: entry });
  const { output } = await bundle.generate({ format: 'cjs' });
  await bundle.close();
  const chunkOf = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const pending = [output.find(({ isEntry }) => isEntry)];
  const modules = new Set();
  // Code that an entry shares with code loaded later is in a chunk beside it.
  for (const { moduleIds = [], imports = [] } of pending) {
    for (const id of moduleIds) modules.add(id);
    for (const name of imports) {
      const chunk = chunkOf.get(name);
      if (chunk !== undefined && !pending.includes(chunk)) pending.push(chunk);
    }
  }
  return modules;
};

// The code that hooks, `search` and `inject` load is in few files, since each further one costs up to a millisecond at
// start-up, and each file is for certain commands only, since reading 25 kB costs a millisecond too.
const entries = {
  // All that a hook needs if it only queues work.
  hook: ['src/cli/agents/hook.ts'],
  // Opens a store and injects. The rest of the command line shares only `base` with it, so that `--help` does not load
  // SQLite.
  inject: ['src/cli/quick.ts', 'src/app/app.ts', 'src/agents/hooks/recall-for.ts'],
  find: ['src/store/finding.ts', 'src/cli/notes/print-search.ts'],
  // A search with a static model.
  meaning: ['src/store/models/opening-modes.ts'],
  weigh: ['src/store/models/prompt-model.ts'],
  recall: ['src/store/recalling.ts'],
  // Commands that look at every file: one more file of the bundle takes longer to load than 10 kB more in one.
  tree: [
    'src/cli/machines/sync.ts',
    'src/cli/store/status.ts',
    'src/cli/notes/adopt.ts',
    'src/store/memory.ts',
    'src/commands/write-path/writer.ts',
    'src/commands/worktree/reconcile.ts',
  ],
  // A catch-up, a sync or a write.
  git: ['src/events/git/journal/git-calls.ts'],
  // Commander, and the commands that a session or a person waits for.
  full: ['src/cli/run.ts', 'src/cli/notes/write.ts', 'src/cli/notes/list.ts', 'src/cli/notes/show.ts'],
};
const loaded = {};
for (const [name, files] of Object.entries(entries)) {
  const modules = await Promise.all(files.map(loadedAtOnce));
  loaded[name] = new Set(modules.flatMap((one) => [...one]));
}
const { hook, inject, find, meaning, weigh, recall, tree, git, full } = loaded;
// A module goes to the first group that fits.
const groups = Object.entries({
  hook: (id) => hook.has(id),
  base: (id) => inject.has(id) && full.has(id),
  inject: (id) => inject.has(id),
  print: (id) => find.has(id) && full.has(id),
  words: (id) => find.has(id) && recall.has(id),
  find: (id) => find.has(id),
  model: (id) => meaning.has(id) && weigh.has(id) && !recall.has(id),
  meaning: (id) => meaning.has(id) && !recall.has(id),
  recall: (id) => recall.has(id),
  tree: (id) => tree.has(id) && !full.has(id),
  git: (id) => git.has(id) && !full.has(id),
}).map(([name, test], at) => ({ name, test, priority: 100 - at }));
const bundle = await rolldown({
  ...settings,
  input: {
    main: 'src/cli/main.ts',
    'model-host': 'src/embedding/sentence/host.ts',
  },
});
const { output } = await bundle.write({
  codeSplitting: { groups },
  dir: dist,
  format: 'cjs',
  exports: 'named',
  // Code that V8 kept from an earlier start may not use import(): builtins, too, are required when they are needed.
  dynamicImportInCjs: false,
  // A file that is found by its name has no hash in it.
  entryFileNames: ({ name }) => (name === 'main' ? '[name]-[hash].js' : '[name].js'),
  chunkFileNames: '[name]-[hash].js',
  minify,
  comments,
});
await bundle.close();

// A separate bundle: it starts while a replay waits for it, and would load four times as much of the shared files.
const threads = await rolldown({ ...settings, input: { thread: 'src/workers/thread.ts' } });
const { output: ofThreads } = await threads.write({
  dir: dist,
  format: 'cjs',
  exports: 'named',
  dynamicImportInCjs: false,
  entryFileNames: '[name].js',
  chunkFileNames: 'thread-[name]-[hash].js',
  minify,
  comments,
});
await threads.close();

const main = output.find(({ name, isEntry }) => isEntry && name === 'main').fileName;
const start = await rolldown({
  ...settings,
  input: { cli: 'src/cli/start/start.ts' },
  transform: { ...settings.transform, define: { 'process.env.ANAMNESIS_MAIN': JSON.stringify(main) } },
});
await start.write({ dir: dist, format: 'cjs', entryFileNames: '[name].js', minify, comments });
await start.close();
writeFileSync(`${dist}/package.json`, '{ "type": "commonjs" }\n');
copyWordLists(dist);
chmodSync(`${dist}/cli.js`, 0o755);

const packages = new Set();
for (const { moduleIds = [] } of [...output, ...ofThreads]) {
  for (const id of moduleIds) {
    const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(id.replaceAll('\\', '/'));
    if (found !== null) packages.add(found[0]);
  }
}
const notices = [...packages].sort().map((folder) => {
  const { name, version: its, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  const text = file === undefined ? `(${license})` : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${its}\n\n${text}\n`;
});
notices.push(readFileSync('src/projections/search/language/common-words-notice.txt', 'utf8'));
writeFileSync(
  `${dist}/THIRD-PARTY.txt`,
  `Packages bundled into this program and their licences.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`,
);
