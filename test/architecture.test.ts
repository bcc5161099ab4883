import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

type Import = { readonly file: string; readonly from: string; readonly typeOnly: boolean };

const root = process.cwd();
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name.replaceAll('\\', '/')}`);

const importsOf = (file: string): Import[] => {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^;'"]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm);
  return [...found].map(([, type, from, later]) => ({ file, from: from ?? later ?? '', typeOnly: type !== undefined }));
};
const imports = files.flatMap(importsOf);

/** The part of the program that a file belongs to; the command line is a part of its own. */
const partOf = (file: string): string => (file.startsWith('src/commands/cli/') ? 'cli' : (file.split('/')[1] ?? ''));

/** Which parts a part may know: cli, mcp → memory → commands, workers → projections → events, and commands → events. */
const mayKnow: Readonly<Record<string, readonly string[]>> = {
  events: [],
  projections: ['events'],
  commands: ['events'],
  workers: ['projections', 'events'],
  memory: ['commands', 'workers', 'projections', 'events'],
  mcp: ['memory', 'commands', 'projections', 'events'],
  cli: ['mcp', 'memory', 'commands', 'projections', 'events'],
};

/** Each library has one door. */
const doors: Readonly<Record<string, RegExp>> = {
  'better-sqlite3':
    /^src\/(?:events\/(?:lock|state|agent-state|scrub-database)|projections\/index\/generation|commands\/import\/sqlite)\.ts$/,
  'gray-matter': /^src\/events\/front-matter\.ts$/,
  'js-yaml': /^src\/events\/front-matter\.ts$/,
  'simple-git': /^src\/events\/git-admin\.ts$/,
  'node-diff3': /^src\/events\/(?:merge-lines|line-diff)\.ts$/,
  ulid: /^src\/events\/ids\.ts$/,
  piscina: /^src\/workers\/pool\.ts$/,
  commander: /^src\/commands\/cli\//,
  '@clack/prompts': /^src\/commands\/cli\//,
  'jsonc-parser': /^src\/commands\/setup\//,
  'smol-toml': /^src\/commands\/setup\//,
  zod: /-schema\.ts$|^src\/mcp\//,
  '@modelcontextprotocol/sdk': /^src\/mcp\//,
};

/** Modules that take values and return values. */
const pure = [
  /^src\/events\/(?:note|event|claims|stream-form|trailers|merge|line-diff|conflict-link|lost-values|merge-lines|settle|redact(?:\/[\w-]+)?|environment-faults|git-version|yaml-text|plain-keys|fences|paths|time|fast-import|git-log|plain-text|quoted-text)\.ts$/,
  /^src\/commands\/(?:project-key|write|edit|supersede|forget|tag|move|import-notes|capture-session|confirm|settle-proposal|resolve-conflict|conflict-marks|undo|restore-at|bring-back|folded-texts|decide|limits|refusals|redact-fields|portable-words|command)\.ts$/,
  /^src\/commands\/capture\/(?:clip|compaction|entry|failures|json-lines|note-sections|note-text|prompts|relative-path|reply|session|session-note|turns)\.ts$/,
  /^src\/commands\/learn\/(?!judge|summarise).*\.ts$/,
  /^src\/commands\/purge\/(?:asked|fingerprint|matcher|message|needle|purge-event|record|rule)\.ts$/,
  /^src\/commands\/hooks\/(?:payload|output|permission|prompt)\.ts$/,
  /^src\/projections\/(?:search\/(?:words|expression|snippet|relevance)|inject\/render|index\/(?:row|visibility)|eval\/(?:metrics|report))\.ts$/,
];

describe('the sources', () => {
  it('import only in the direction that the design allows', () => {
    const wrong = imports
      .filter(({ from }) => from.startsWith('.'))
      .map(({ file, from }) => ({ file, part: partOf(file), target: partOf(normalize(join(file, '..', from))) }))
      .filter(({ part, target }) => part !== target && !(mayKnow[part] ?? []).includes(target))
      .map(({ file, target }) => `${file} → ${target}`);
    expect(wrong).toEqual([]);
  });

  it('reach each library through its one door', () => {
    const wrong = imports
      .filter(({ from, typeOnly }) => !typeOnly && !from.startsWith('.') && !from.startsWith('node:'))
      .filter(({ file, from }) => {
        const door = Object.entries(doors).find(([name]) => from === name || from.startsWith(`${name}/`))?.[1];
        return door === undefined || !door.test(file);
      })
      .map(({ file, from }) => `${file} imports ${from}`);
    expect(wrong).toEqual([]);
  });

  it('keep the pure modules free of input and output, of clocks and of chance', () => {
    const impure = files
      .filter((file) => pure.some((pattern) => pattern.test(file)))
      .filter((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        const reaches = importsOf(file).some(({ from }) => /^node:(?!crypto|buffer)/.test(from));
        return reaches || /Math\.random|Date\.now|new Date\(\)|process\./.test(text);
      });
    expect(impure).toEqual([]);
    expect(files.filter((file) => pure.some((pattern) => pattern.test(file))).length).toBeGreaterThan(25);
  });

  it('write to a terminal through one door, which cleans what it is given', () => {
    // The server's standard output is its protocol.
    const doors = ['src/commands/cli/output.ts', 'src/mcp/server.ts'];
    const others = files
      .filter((file) => !doors.includes(file))
      .filter((file) =>
        /process\.std(?:out|err)|process\[|console\.|writeSync\(\s*[12]\b|\/dev\/(?:tty|std|fd)/.test(
          readFileSync(join(root, file), 'utf8'),
        ),
      );
    expect(others).toEqual([]);
  });

  it('stay within 300 lines each', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 301);
    expect(long).toEqual([]);
  });

  it('switch no type off', () => {
    const loose = files.filter((file) =>
      /:\s*any\b|\bas any\b|@ts-ignore|@ts-expect-error/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(loose).toEqual([]);
  });
});
