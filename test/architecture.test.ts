import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

type Import = { readonly file: string; readonly from: string; readonly typeOnly: boolean };

const root = process.cwd();
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name.replaceAll('\\', '/')}`);
const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

const importsOf = (file: string): Import[] => {
  const found = (textOf.get(file) ?? '').matchAll(
    /^(?:import|export)\s+(type\s+)?(?:[^;'"]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm,
  );
  return [...found].map(([, type, from, later]) => ({ file, from: from ?? later ?? '', typeOnly: type !== undefined }));
};
const imports = files.flatMap(importsOf);

/** The file that a relative import names. */
const targetOf = ({ file, from }: Import): string =>
  normalize(join(dirname(file), from))
    .replaceAll('\\', '/')
    .replace(/\.js$/, '.ts');

/** Folders of src/ from the inside out: each may import only those listed before it. */
const layers = [
  'events',
  'http',
  'embedding',
  'answers',
  'state',
  'projections',
  'commands',
  'workers',
  'files',
  'config',
  'store',
  'import',
  'purge',
  'sync',
  'maintenance',
  'agents',
  'setup',
  'eval',
  'app',
  'mcp',
  'cli',
];

/** Imports that the order would allow, but that are forbidden. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  // The write path queries the index through a port.
  commands: ['projections'],
};

/** Only these may use git itself; all others use the journal's port, src/events/journal.ts. */
const onRepository = [
  'src/commands/worktree/',
  'src/commands/write-path/',
  'src/store/',
  'src/purge/',
  'src/sync/',
  'src/maintenance/',
  'src/setup/doctor/',
  'src/state/environment-probe.ts',
];

/** Folders of use cases. The surfaces, src/cli and src/mcp, only compose: they may import these and a few helpers. */
const useCases = ['app', 'answers', 'agents', 'import', 'sync', 'purge', 'maintenance', 'eval'];

const surfaceHelpers =
  /^src\/(?:events\/(?:time|event|expiry|faults|note\/(?:note|plain-text|quoted-text))|commands\/(?:limits|refusals|source-keys)|files\/given-file|config\/(?:settings|project)|state\/environment-probe)\.ts$/;

const surfaceExceptions: readonly (readonly [RegExp, RegExp])[] = [
  // Setup acts on a machine, not on a store.
  [/^src\/cli\/setup\//, /^src\/(?:setup|config)\//],
  // An agent waits for its hooks, so they bypass the use cases.
  [
    /^src\/cli\/(?:main|agents\/(?:hook|agents))\.ts$/,
    /^src\/(?:agents\/hooks|agents\/providers\/guard|setup\/registered|store\/log|events\/note\/mask-text)\b/,
  ],
  // Typed text is parsed like an imported file, before any use case runs.
  [/^src\/cli\/(?:editor|notes\/(?:write|edit))\.ts$/, /^src\/import\/markdown\/typed-text\.ts$/],
  // A client states its name before any use case runs.
  [/^src\/mcp\/session\.ts$/, /^src\/events\/note\/mask-text\.ts$/],
  [/^src\/cli\/agents\/agents\.ts$/, /^src\/mcp\/server\.ts$/],
];

const layerOf = (file: string): string => file.split('/')[1] ?? '';

/** The only files that may import each library. */
const allowedImporters: Readonly<Record<string, RegExp>> = {
  'better-sqlite3':
    /^src\/(?:state\/(?:lock|state|agent-state|scrub-database|vector-file)|projections\/(?:new-)?generation|import\/databases\/sqlite)\.ts$/,
  'gray-matter': /^src\/events\/note\/front-matter\.ts$/,
  'js-yaml': /^src\/events\/note\/front-matter\.ts$/,
  'simple-git': /^src\/events\/git\/git-admin\.ts$/,
  'node-diff3': /^src\/events\/note\/(?:merge-lines|line-diff)\.ts$/,
  ulid: /^src\/events\/ids\.ts$/,
  piscina: /^src\/workers\/pool\.ts$/,
  commander: /^src\/cli\//,
  '@clack/prompts': /^src\/cli\//,
  'fast-string-width': /^src\/cli\/wrap\.ts$/,
  'chrono-node': /^src\/cli\/time-phrase\.ts$/,
  stemmer: /^src\/projections\/prints\/print\.ts$/,
  'fast-wrap-ansi': /^src\/cli\/agents\/review\.ts$/,
  'jsonc-parser': /^src\/files\//,
  'smol-toml': /^src\/setup\//,
  zod: /-schema\.ts$|^src\/mcp\//,
  '@modelcontextprotocol/sdk': /^src\/mcp\//,
};

/** Files whose first comment says that they are pure. */
const pureFiles = files.filter((file) => {
  const [head = ''] = /^(?:#!.*\n)?\/\*\*[\s\S]*?\*\//.exec(textOf.get(file) ?? '') ?? [];
  return /\bPure\b/.test(head);
});

/** Reads only word lists that ship with the program and never change while it runs. */
const readsItsOwnData = 'src/projections/search/language/word-list.ts';

const impurities = (file: string): readonly string[] => {
  const text = textOf.get(file) ?? '';
  const modules = [
    ...importsOf(file).flatMap(({ from, typeOnly }) => (typeOnly ? [] : [from])),
    ...[...text.matchAll(/getBuiltinModule\('(.*?)'\)/g)].map(([, name = '']) => name),
  ].filter((name) => /^node:(?!crypto$|buffer$|util$|path$)/.test(name));
  const uses = /Math\.random|Date\.now|new Date\(\)|\bprocess\.(?!getBuiltinModule)|performance\.now/.exec(text) ?? [];
  return [...(file === readsItsOwnData ? [] : modules), ...uses];
};

/** Returns a file and everything that it loads. */
const loadedWith = (file: string, seen: Set<string> = new Set()): ReadonlySet<string> => {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const one of importsOf(file)) if (!one.typeOnly && one.from.startsWith('.')) loadedWith(targetOf(one), seen);
  return seen;
};

/** Returns an import cycle through a file, or undefined. */
const cycleFrom = (start: string): readonly string[] | undefined => {
  const seen = new Set<string>();
  const pending: string[][] = [[start]];
  for (let trail = pending.pop(); trail !== undefined; trail = pending.pop()) {
    for (const one of importsOf(trail.at(-1) ?? '')) {
      if (!one.from.startsWith('.')) continue;
      const next = targetOf(one);
      if (next === start) return [...trail, next];
      if (seen.has(next)) continue;
      seen.add(next);
      pending.push([...trail, next]);
    }
  }
  return undefined;
};

describe('the sources', () => {
  it('import only in the direction that the design allows', () => {
    const wrong = imports
      .filter(({ from }) => from.startsWith('.'))
      .map((one) => ({ file: one.file, from: layerOf(one.file), target: targetOf(one) }))
      .filter(({ from, target }) => {
        const to = layerOf(target);
        if (from === to) return false;
        return (
          layers.indexOf(to) >= layers.indexOf(from) || !layers.includes(to) || forbidden[from]?.includes(to) === true
        );
      })
      .map(({ file, target }) => `${file} → ${target}`);
    expect(wrong).toEqual([]);
    expect(files.filter((file) => !layers.includes(layerOf(file)))).toEqual([]);
  });

  it('import git modules only where they work on the repository itself', () => {
    const wrong = imports
      .filter((one) => one.from.startsWith('.') && targetOf(one).startsWith('src/events/git/'))
      .filter(({ file }) => !file.startsWith('src/events/') && !onRepository.some((place) => file.startsWith(place)))
      .map((one) => `${one.file} → ${targetOf(one)}`);
    expect(wrong).toEqual([]);
  });

  it('reach the store from the CLI and the MCP server only through use cases', () => {
    const isAllowed = (file: string, target: string): boolean =>
      layerOf(target) === layerOf(file) ||
      useCases.includes(layerOf(target)) ||
      surfaceHelpers.test(target) ||
      surfaceExceptions.some(([from, to]) => from.test(file) && to.test(target));
    const wrong = imports
      .filter(({ file, from }) => /^src\/(?:cli|mcp)\//.test(file) && from.startsWith('.'))
      .filter((one) => !isAllowed(one.file, targetOf(one)))
      .map((one) => `${one.file} → ${targetOf(one)}`);
    expect(wrong).toEqual([]);
  });

  it('have no import cycle, not even of types', () => {
    expect(files.map(cycleFrom).filter((cycle) => cycle !== undefined)).toEqual([]);
  });

  it('have no two folders that import each other, unless one contains the other', () => {
    const needs = new Set(
      imports
        .filter(({ from }) => from.startsWith('.'))
        .map((one) => [dirname(one.file), dirname(targetOf(one))] as const)
        .filter(([from, to]) => from !== to && !from.startsWith(`${to}/`) && !to.startsWith(`${from}/`))
        .map(([from, to]) => `${from} ${to}`),
    );
    expect([...needs].filter((pair) => needs.has(pair.split(' ').reverse().join(' ')))).toEqual([]);
  });

  it('are at most 25 to a folder', () => {
    const countByFolder = new Map<string, number>();
    for (const file of files) countByFolder.set(dirname(file), (countByFolder.get(dirname(file)) ?? 0) + 1);
    expect([...countByFolder].filter(([, count]) => count > 25)).toEqual([]);
  });

  it('import each library only where it is allowed', () => {
    const wrong = imports
      .filter(({ from, typeOnly }) => !typeOnly && !from.startsWith('.') && !from.startsWith('node:'))
      .filter(({ file, from }) => {
        const allowed = Object.entries(allowedImporters).find(
          ([name]) => from === name || from.startsWith(`${name}/`),
        )?.[1];
        return allowed === undefined || !allowed.test(file);
      })
      .map(({ file, from }) => `${file} imports ${from}`);
    expect(wrong).toEqual([]);
  });

  it('prepare SQL only where the tables are', () => {
    const wrong = files
      .filter((file) => !/^src\/(?:projections|state|import\/databases)\//.test(file))
      .filter((file) => /\.prepare[<(]|from '[^']*\/prepared\.js'/.test(textOf.get(file) ?? ''));
    expect(wrong).toEqual([]);
  });

  it('use no I/O, clock or randomness in files marked pure, nor in anything that those load', () => {
    const impure = pureFiles.flatMap((file) =>
      [...loadedWith(file)].flatMap((loaded) => impurities(loaded).map((what) => `${file} → ${loaded}: ${what}`)),
    );
    expect(impure).toEqual([]);
    expect(pureFiles.length).toBeGreaterThan(100);
  });

  it('write to a terminal only through the module that sanitises its input', () => {
    // The server's standard output is its protocol.
    const terminals = ['src/cli/output.ts', 'src/mcp/server.ts'];
    const others = files
      .filter((file) => !terminals.includes(file))
      .filter((file) =>
        /process\.std(?:out|err)|process\[|console\.|writeSync\(\s*[12]\b|\/dev\/(?:tty|std|fd)/.test(
          textOf.get(file) ?? '',
        ),
      );
    expect(others).toEqual([]);
  });

  it('stay within 300 lines each', () => {
    expect(files.filter((file) => (textOf.get(file) ?? '').split('\n').length > 301)).toEqual([]);
  });

  it('never disable type checking', () => {
    const loose = files.filter((file) =>
      /:\s*any\b|\bas any\b|@ts-ignore|@ts-expect-error/.test(textOf.get(file) ?? ''),
    );
    expect(loose).toEqual([]);
  });
});
