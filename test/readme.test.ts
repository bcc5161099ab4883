import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceSection } from '../scripts/promises.mjs';

const root = process.cwd();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const readme = read('README.md');
const commands = read('docs/commands.md');
const help = (...args: string[]): string =>
  execFileSync(process.execPath, ['dist/cli.js', ...args, '--help'], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: root },
  });

describe('docs/commands.md', () => {
  it('names every subcommand', () => {
    const names = [...help().matchAll(/^ {2}([a-z][a-z-]*)(?:\|[a-z-]+)?(?: |$)/gm)].map((found) => found[1] ?? '');
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => name !== 'help' && !new RegExp(`\\b${name}\\b`).test(commands))).toEqual([]);
  });

  it('names every tool of the MCP server', () => {
    const tools = readdirSync(join(root, 'src/mcp/tools'))
      .flatMap((file) => [...readFileSync(join(root, 'src/mcp/tools', file), 'utf8').matchAll(/name: '(memory_\w+)'/g)])
      .map((found) => found[1] ?? '');
    expect(tools).toHaveLength(9);
    expect(tools.filter((tool) => !commands.includes(tool))).toEqual([]);
  });
});

describe('the README', () => {
  it('shows the two commands and has no placeholder left', () => {
    expect(readme).toContain('npm start');
    expect(readme).toContain('npm test');
    for (const text of [readme, commands]) expect(text).not.toMatch(/\{\{|TODO|TBD/);
  });

  it('links to every page of docs/', () => {
    const pages = readdirSync(join(root, 'docs')).map((name) => `docs/${name}`);
    expect(pages.filter((page) => !readme.includes(`](${page}`))).toEqual([]);
  });

  it('has a small, self-contained picture that loads nothing', () => {
    const picture = read('docs/demo.svg');
    expect(picture.length).toBeLessThan(40_000);
    expect(picture).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    expect(picture).not.toMatch(/<script|<image|@import|url\(|href/);
  });

  it('links only to files that exist, as the other documents do', () => {
    const files = [
      'README.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'SECURITY.md',
      ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
    ].filter((file) => file.endsWith('.md'));
    const broken = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map((found) => found[1] ?? '')
        .filter((target) => !existsSync(join(root, dirname(file), target)))
        .map((target) => `${file}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

describe('docs/promises.md', () => {
  it.each(['bench', 'faults'])('has a section for the results of %s', (name) => {
    const text = read('docs/promises.md');
    const written = replaceSection(text, name, ['new']);
    expect(written).toMatch(new RegExp(`<!-- ${name}: begin -->\n\nnew\n\n<!-- ${name}: end -->`));
    expect(replaceSection(written, name, ['other']).length).toBe(written.length + 'other'.length - 'new'.length);
    expect(() => replaceSection(text, 'none', [])).toThrow('no section none');
  });

  it.each(['bench', 'test-long'])('is not written by a partial run of %s', (script) => {
    const { status, stderr } = spawnSync(process.execPath, [`scripts/${script}.mjs`, '1000', '--write'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 2, stderr: '--write is for a whole run: leave out 1000\n' });
  });

  it('names only test files that exist', () => {
    const named = [...read('docs/promises.md').matchAll(/`(test\/[\w/.-]+)`/g)].map((found) => found[1] ?? '');
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
