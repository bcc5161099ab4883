/**
 * Keeps the code that V8 compiled for a command: compiling takes a third of the time that `search` adds to bare Node,
 * and more than half of what `inject` adds. It runs as the program, so it is kept in the bundle's own folder: whoever
 * can write it may write the program. A store may come from elsewhere.
 */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';

/** V8 rejects code from another version or with other flags, and checks little else. */
type CachedCode = {
  readonly madeMs: number;
  readonly codes: ReadonlyMap<string, Buffer>;
};

/** Runs a file of the bundle with what it requires. `name` is the command; `requireOther` loads what isn't bundled. */
export const runWithCodeCache = (folder: string, main: string, name: string, requireOther: NodeJS.Require): void => {
  const place = join(folder, placeName);
  const file = join(place, `${process.version}-${process.arch}-${main}-${name}`);
  const kept = readKept(file);
  const scripts = new Map<string, Script>();
  const modules = new Map<string, NodeJS.Module['exports']>();
  const load = (chunk: string): unknown => {
    if (modules.has(chunk)) return modules.get(chunk).exports;
    const filename = join(folder, chunk);
    const module = { exports: {} };
    modules.set(chunk, module);
    const script = new Script(`${before}${readFileSync(filename, 'utf8')}${after}`, {
      filename,
      cachedData: kept?.codes.get(chunk),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    scripts.set(chunk, script);
    script.runInThisContext()(module.exports, requireAny, module, filename, folder);
    return module.exports;
  };
  const requireAny = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : requireOther(id));
  process.on('exit', () => {
    const isKnown = [...scripts].every(
      ([chunk, script]) => kept?.codes.has(chunk) === true && script.cachedDataRejected === false,
    );
    if (kept === undefined || !isKnown || Date.now() - kept.madeMs > renewMs) keep(place, file, scripts, kept?.codes);
  });
  load(main);
};

const placeName = 'compiled';
/** Renewed code includes functions that have run for the first time since. */
const renewMs = 24 * 3_600_000;

/** Wraps a chunk as Node wraps a CommonJS module. */
const before = '(function (exports, require, module, __filename, __dirname) {';
const after = '\n})';

/** The first line of the file, as JSON. The code of each chunk follows, in order. */
type Head = {
  readonly madeMs: number;
  readonly sample: number;
  readonly lengths: Readonly<Record<string, number>>;
};

/** Finds a file that a power cut damaged, which V8 would run. Four words of each page: more would delay an agent. */
const sampleOf = (bytes: Buffer): number => {
  let sample = bytes.length;
  for (let at = 0; at + 4 <= bytes.length; at += sampledBytes)
    sample = (Math.imul(sample, 31) + bytes.readInt32LE(at)) | 0;
  return sample;
};
const sampledBytes = 1024;

const readKept = (file: string): CachedCode | undefined => {
  try {
    const bytes = readFileSync(file);
    const end = bytes.indexOf('\n');
    const { madeMs, sample, lengths }: Head = JSON.parse(bytes.toString('latin1', 0, end));
    if (sample !== sampleOf(bytes.subarray(end + 1))) return undefined;
    const codes = new Map<string, Buffer>();
    let at = end + 1;
    for (const [chunk, length] of Object.entries(lengths)) {
      codes.set(chunk, bytes.subarray(at, at + length));
      at += length;
    }
    return at === bytes.length ? { madeMs, codes } : undefined;
  } catch {
    return undefined;
  }
};

/** Never fails: if the code can't be written, as in an installation by root, the program runs without it. */
const keep = (
  place: string,
  file: string,
  scripts: ReadonlyMap<string, Script>,
  known: ReadonlyMap<string, Buffer> = new Map(),
): void => {
  const written = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(place, { mode: 0o700, recursive: true });
    const handle = openSync(written, 'wx', 0o600);
    try {
      const codes = new Map(known);
      for (const [chunk, script] of scripts) codes.set(chunk, script.createCachedData());
      const lengths = Object.fromEntries([...codes].map(([chunk, { length }]) => [chunk, length]));
      const body = Buffer.concat([...codes.values()]);
      const head: Head = { madeMs: Date.now(), sample: sampleOf(body), lengths };
      const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`, 'latin1'), body]);
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    } finally {
      closeSync(handle);
    }
    renameSync(written, file);
  } catch {
    try {
      rmSync(written, { force: true });
    } catch {
      // The folder is no longer writable.
    }
  }
};
