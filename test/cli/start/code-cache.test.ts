/** Starts the bundle from the code that V8 compiled before. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookEvents } from '../../../src/agents/hooks/payload.js';
import { waitedFor } from '../../../src/cli/quick-names.js';
import { program } from '../../support/built-program.js';
import { programOf } from '../../support/children.js';
import { temporaryFolder } from '../../support/store.js';
import { openHome } from '../support.js';

const starter = programOf(
  'code-cache',
  `import { createRequire } from 'node:module';
   import { runWithCodeCache } from './src/cli/start/code-cache.js';
   runWithCodeCache(process.argv[2], 'main.js', 'command', createRequire(import.meta.url));`,
);

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const start = (): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [starter, folder], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
};
const kept = (): readonly string[] =>
  existsSync(join(folder, 'compiled')) ? readdirSync(join(folder, 'compiled')) : [];
const keptFile = (): string => join(folder, 'compiled', kept()[0] ?? '');

const withoutCode = (bytes: Buffer): Buffer => bytes.fill(0, bytes.indexOf('\n') + 1);

/** V8 compares only the length of a source, so that the word printed tells which code ran. */
const says = (word: 'one' | 'two'): string => `process.stdout.write('${word} ');`;

describe('compiled code of the bundle', () => {
  it('is kept at the first start and runs at the next', () => {
    write(
      'main.js',
      `${says('one')} exports.named = require('./other.js').named; process.stdout.write(exports.named);`,
    );
    write('other.js', "exports.named = require('node:path').basename(__filename);");
    expect(start()).toBe('one other.js');
    expect(kept()).toHaveLength(1);
    write('main.js', readFileSync(join(folder, 'main.js'), 'utf8').replace('one', 'two'));
    expect(start()).toBe('one other.js');
    rmSync(keptFile());
    expect(start()).toBe('two other.js');
  });

  it.each([
    ['cut short', () => truncateSync(keptFile(), readFileSync(keptFile()).length - 1)],
    ['empty', () => truncateSync(keptFile(), 0)],
    ['without the bytes that a power cut took', () => writeFileSync(keptFile(), withoutCode(readFileSync(keptFile())))],
    ['of something else', () => writeFileSync(keptFile(), '{}\n')],
  ])('is made again when its file is %s', (_, damage) => {
    write('main.js', says('one'));
    start();
    damage();
    write('main.js', says('two'));
    expect(start()).toBe('two ');
    write('main.js', says('one'));
    expect(start()).toBe('two ');
  });

  it('is completed by a start that loads more', () => {
    write('main.js', `${says('one')} if (process.env.MORE) require('./more.js');`);
    write('more.js', says('one'));
    start();
    process.env['MORE'] = '1';
    try {
      expect(start()).toBe('one one ');
      write('more.js', says('two'));
      expect(start()).toBe('one one ');
    } finally {
      delete process.env['MORE'];
    }
  });

  it.runIf(process.getuid?.() !== 0)('is skipped when it can’t be written', () => {
    write('main.js', says('one'));
    chmodSync(folder, 0o500);
    try {
      expect(start()).toBe('one ');
      expect(kept()).toEqual([]);
    } finally {
      chmodSync(folder, 0o700);
    }
  });

  it('is skipped when something else has its place', () => {
    write('main.js', says('one'));
    write('compiled', '');
    expect(start()).toBe('one ');
  });

  it('is readable by the user only', () => {
    write('main.js', `process.umask(0); ${says('one')}`);
    start();
    expect([statSync(join(folder, 'compiled')).mode & 0o077, statSync(keptFile()).mode & 0o077]).toEqual([0, 0]);
  });

  it('does not hide an error of the program', () => {
    write('main.js', "throw new Error('broken');");
    const ran = spawnSync(process.execPath, [starter, folder], { encoding: 'utf8' });
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain('Error: broken');
    expect(kept()).toHaveLength(1);
  });
});

describe('the program', () => {
  it('keeps the code of every hook', () => {
    expect(hookEvents.filter((event) => !waitedFor.has(`hook ${event}`))).toEqual([]);
  });

  it('has no dynamic import, which kept code can’t run', () => {
    const bundle = join(program, '..');
    const importing = readdirSync(bundle)
      .filter((name) => name.endsWith('.js') && name !== 'model-host.js')
      .filter((name) => /(?<![\w$.])import\(\s*[`'"]/.test(readFileSync(join(bundle, name), 'utf8')));
    expect(importing).toEqual([]);
  });

  it('answers the same with kept code and without', async () => {
    const home = openHome();
    try {
      await home.json(['write', 'Deploys need the VPN', '--body', 'The registry hangs without it.']);
      const asked = ['search', 'registry'];
      const without = home.spawn(asked, { program, env: { NODE_DISABLE_COMPILE_CACHE: '1' } });
      expect(without.code).toBe(0);
      for (let at = 0; at < 2; at += 1) expect(home.spawn(asked, { program })).toEqual(without);
      expect(readdirSync(join(program, '..', 'compiled')).some((name) => name.endsWith('-search'))).toBe(true);
    } finally {
      home.remove();
    }
  });
});
