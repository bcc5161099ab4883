/**
 * npm run house: how large the program is. Lines, code, files, long functions, types with participles for names; and
 * with `--paths`, the files and functions that run for a write, a search and a sync that merges one note, with the git
 * processes that we start (V8's coverage of a readable build). `--paths --files` lists a path's files, `--paths --list`
 * the main ones of each folder, and `--paths --list --write` puts these lists into docs/architecture.md.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { replaceSection } from './promises.mjs';
import { root } from './setup.mjs';

const options = new Set(process.argv.slice(2));
const filesBelow = (folder) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', folder], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path.endsWith('.ts'));
const read = (path) => readFileSync(join(root, path), 'utf8');
const lineCount = (text) => text.split('\n').length - 1;

/** Lines that are no comment, blank line or import. */
const codeLines = (text) => {
  const plain = text.replaceAll(/^\s*\/\*[\s\S]*?\*\/[ \t]*$/gm, '').replaceAll(/^import\s[\s\S]*?;$/gm, '');
  return plain.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
};

/** Names made of one word that says what was done to a thing instead of what it is. */
const participle =
  /^(?:[A-Z][a-z]*ed|Found|Told|Kept|Gone|Taken|Said|Made|Held|Left|Lost|Put|Sent|Undone|Known|Given|Written|Drawn|Shown|Chosen|Built|Seen|Once)$/;
const longest = 60;

const measureFile = (path, found) => {
  const text = read(path);
  const lineAt = (offset) => lineCount(text.slice(0, offset));
  const visit = (node, name) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const one of node) visit(one, name);
      return;
    }
    const own = node.id?.name ?? node.key?.name ?? name;
    if (/Function/.test(node.type ?? '') && node.body) {
      const lines = lineAt(node.end) - lineAt(node.start) + 1;
      if (lines > longest) found.long.push(`${path}:${lineAt(node.start) + 1} ${own} ${lines}`);
    }
    if (node.type === 'ExportNamedDeclaration' && /^TS(?:TypeAlias|Interface)/.test(node.declaration?.type ?? '')) {
      const type = node.declaration.id.name;
      if (participle.test(type)) found.participles.push(`${path} ${type}`);
    }
    for (const value of Object.values(node)) if (typeof value === 'object') visit(value, own);
  };
  visit(parseAst(text, { lang: 'ts' }), '');
};

const measureSource = () => {
  const found = { long: [], participles: [] };
  const sources = filesBelow('src');
  for (const path of sources) measureFile(path, found);
  const texts = sources.map(read);
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
  const docs = (folder) =>
    sum(
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => read(join(folder, name)).split(/\s+/).length),
    );
  say('source, lines', sum(texts.map(lineCount)));
  say('source, code', sum(texts.map(codeLines)));
  say('source, files', sources.length);
  say('tests, lines', sum(filesBelow('test').map((path) => lineCount(read(path)))));
  say('docs, words', docs('docs'));
  say(`functions over ${longest} lines`, found.long.length);
  for (const one of found.long) detail(one);
  say('exported types that are a participle', found.participles.length);
  for (const one of found.participles) detail(one);
};

const say = (what, number) => process.stdout.write(`${what.padEnd(40)} ${String(number).padStart(8)}\n`);
const detail = (line) => options.has('--files') && process.stdout.write(`    ${line}\n`);

/** Names of the functions that ran, by source file. */
const readCoverage = (folder, dist) => {
  const ran = new Map();
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(folder, name), 'utf8')).result) {
      if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(dist)) continue;
      const text = readFileSync(fileURLToPath(url), 'utf8');
      const regions = [...text.matchAll(/^\/\/ (?:#region )?(\S+\.[cm]?[jt]s)$/gm)].map(({ 1: path, index }) => ({
        path,
        index,
      }));
      // The bundler's getters of what a chunk exports follow its last file.
      const getters = text.search(/^Object\.defineProperty\(exports, "/m);
      if (getters !== -1) regions.push({ path: '', index: getters });
      for (const { functionName, ranges } of functions) {
        const [{ startOffset, endOffset, count }] = ranges;
        if (count === 0 || (startOffset === 0 && endOffset >= text.length - 1)) continue;
        const path = regions.findLast(({ index }) => index < startOffset)?.path ?? '';
        if (!path.startsWith('src/')) continue;
        ran.set(path, (ran.get(path) ?? new Set()).add(`${functionName}@${startOffset}`));
      }
    }
  }
  return ran;
};

/** In a folder's main files, at least this many functions run; more than these many files aren't listed. */
const leastFunctions = 4;
const mostFiles = 4;

/** Returns a line for each folder of which files run: the main ones, with the number of functions entered. */
const listSpine = (ran) => {
  const folders = new Map();
  for (const [file, { size }] of [...ran].sort())
    folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), { file: file.replace(/^src\//, ''), size }]);
  return [...folders.values()].flatMap((files) => {
    const main = files
      .filter(({ size }) => size >= leastFunctions)
      .sort((a, b) => b.size - a.size)
      .slice(0, mostFiles);
    const more = files.length - main.length;
    const named = main.map(({ file, size }) => `\`${file}\` ${size}`).join(', ');
    return main.length === 0 ? [] : [`- ${named}${more === 0 ? '' : `, and ${more} more`}`];
  });
};

const writeSpines = (lines) => {
  if (!options.has('--list')) return;
  process.stdout.write(`${lines.join('\n')}\n`);
  const page = join(root, 'docs', 'architecture.md');
  if (options.has('--write')) writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), 'paths', lines));
};

const measurePaths = () => {
  const spines = [];
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
  const work = realpathSync(mkdtempSync(join(root, 'node_modules', '.cache', 'house-')));
  const dist = join(work, 'dist');
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')], {
    cwd: root,
    env: { ...process.env, ANAMNESIS_READABLE_DIST: dist },
  });
  const counter = join(work, 'bin');
  const counted = join(work, 'git-processes');
  mkdirSync(counter);
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(
    join(counter, 'git'),
    `#!/bin/sh\necho "$*" >> '${counted}'\nPATH='${process.env.PATH}' exec '${git}' "$@"\n`,
  );
  chmodSync(join(counter, 'git'), 0o755);
  const run = (machine, args, coverage) => {
    const done = spawnSync(process.execPath, [join(dist, 'cli.js'), ...args], {
      encoding: 'utf8',
      env: {
        PATH: `${counter}${delimiter}${process.env.PATH}`,
        HOME: work,
        ANAMNESIS_HOME: join(work, machine),
        ANAMNESIS_MACHINE_ID: machine,
        ...(coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage }),
      },
    });
    if (done.status !== 0) throw new Error(`${args.join(' ')}: ${done.stderr}`);
    return done.stdout;
  };
  const path = (name, machine, args) => {
    const coverage = join(work, `coverage-${name}`);
    writeFileSync(counted, '');
    run(machine, args, coverage);
    const ran = readCoverage(coverage, dist);
    say(`${name}: files that run`, ran.size);
    say(
      `${name}: functions entered`,
      [...ran.values()].reduce((sum, { size }) => sum + size, 0),
    );
    const processes = readFileSync(counted, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    say(`${name}: git processes`, processes.length);
    spines.push('', `**${name}**: ${ran.size} files, ${processes.length} git processes`, '', ...listSpine(ran));
    for (const one of [...ran].sort().map(([file, { size }]) => `${String(size).padStart(4)} ${file}`)) detail(one);
    for (const one of processes) detail(`git ${one.slice(-100)}`);
  };
  const remote = join(work, 'remote.git');
  execFileSync(git, ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  const { id } = JSON.parse(run('one', ['write', 'Deploys need the VPN', '--body', 'a\n\nb\n\nc', '--json']));
  path('write', 'one', ['write', 'WAL mode', '--body', 'readers do not block the writer']);
  run('one', ['search', 'WAL']);
  path('search', 'one', ['search', 'WAL']);
  for (const machine of ['one', 'two']) {
    run(machine, ['remote', 'set', remote]);
    run(machine, ['sync']);
  }
  run('one', ['edit', id, '--body', 'A\n\nb\n\nc']);
  run('two', ['edit', id, '--body', 'a\n\nb\n\nC']);
  run('one', ['sync']);
  path('sync', 'two', ['sync']);
  rmSync(work, { recursive: true, force: true });
  writeSpines(spines.slice(1));
};

measureSource();
if (options.has('--paths')) measurePaths();
