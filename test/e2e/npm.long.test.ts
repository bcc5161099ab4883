import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/store.js';

const root = process.cwd();

describe('npm start', () => {
  it('does the main job on the sample notes and ends with what to type next', () => {
    const home = temporaryFolder();
    const result = spawnSync(process.execPath, ['scripts/start.mjs'], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home },
    });
    expect(result.stderr).toMatch(/^the report is in [^\n]*\n$/);
    expect(result.status).toBe(0);
    expect(result.stdout).toContain('The digests agree.');
    for (const word of [
      'hit@1',
      'hit@8',
      'Recall@8',
      'MRR@10',
      'nDCG@10',
      'hand.adopted',
      'note.superseded',
      'What to type next',
    ]) {
      expect(result.stdout).toContain(word);
    }
    expect(readdirSync(home)).toEqual([]);
    rmSync(home, { recursive: true });
  }, 120_000);
});

/**
 * Packs the installed native part of better-sqlite3 where its installation finds it. Compiling it takes a minute where
 * it cannot be downloaded.
 */
const packBinary = (folder: string): void => {
  const installed = join(root, 'node_modules', 'better-sqlite3');
  const { version }: { version: string } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const { arch, platform, versions } = process;
  const name = `better-sqlite3-v${version}-node-v${versions.modules}-${platform}-${arch}.tar.gz`;
  mkdirSync(folder);
  execFileSync('tar', ['-czf', join(folder, name), '-C', installed, 'build/Release/better_sqlite3.node']);
};

const inCi = process.env['CI'] !== undefined;

describe.skipIf(!inCi)(
  `the package of npm pack${inCi ? '' : ' (skipped: it asks the registry, so it runs only in CI)'}`,
  () => {
    const folder = temporaryFolder();
    const prefix = join(folder, 'prefix');
    const bin = join(prefix, 'bin', 'anamnesis');
    const env = { PATH: process.env['PATH'], HOME: folder, ANAMNESIS_HOME: join(folder, 'store') };
    let contents: string[] = [];
    beforeAll(() => {
      mkdirSync(prefix);
      const packed: unknown = JSON.parse(
        execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
          cwd: root,
          encoding: 'utf8',
        }),
      );
      const text = JSON.stringify(packed);
      contents = [...text.matchAll(/"path":"([^"]+)"/g)].map((found) => found[1] ?? '');
      const file = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
      const prebuilds = join(folder, 'prebuilds');
      packBinary(prebuilds);
      execFileSync('npm', ['install', '--global', '--prefix', prefix, '--loglevel=error', join(folder, file)], {
        env: { ...process.env, npm_config_prefix: prefix, npm_config_better_sqlite3_local_prebuilds: prebuilds },
        encoding: 'utf8',
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    }, 600_000);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('contains the program and its documents, but no sources or tests', () => {
      expect(contents).toContain('dist/cli.js');
      expect(contents).toContain('README.md');
      expect(contents.filter((path) => /^(?:src|test|node_modules|\.demo)\//.test(path))).toEqual([]);
    });

    it('installs into an empty prefix, and its binary writes, finds and replays there', () => {
      expect(existsSync(bin)).toBe(true);
      const run = (...args: string[]): string => execFileSync(bin, args, { env, encoding: 'utf8', cwd: folder });
      run('write', 'Packed pelican', '--body', 'found by its own package', '--project', 'global');
      expect(run('search', 'pelican')).toContain('Packed pelican');
      expect(JSON.parse(run('replay', '--workers', '2', '--json'))).toMatchObject({ notes: 1 });
    });
  },
);
