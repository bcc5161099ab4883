import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = process.cwd();
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const help = (...args: string[]): string =>
  execFileSync(process.execPath, ['dist/cli.js', ...args, '--help'], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: root },
  });

describe('the README', () => {
  it('names every subcommand', () => {
    const names = [...help().matchAll(/^ {2}([a-z][a-z-]*)(?:\|[a-z-]+)?(?: |$)/gm)].map((found) => found[1] ?? '');
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => name !== 'help' && !new RegExp(`\\b${name}\\b`).test(readme))).toEqual([]);
  });

  it('names every tool of the MCP server', () => {
    const tools = readdirSync(join(root, 'src/mcp/tools'))
      .flatMap((file) => [...readFileSync(join(root, 'src/mcp/tools', file), 'utf8').matchAll(/name: '(memory_\w+)'/g)])
      .map((found) => found[1] ?? '');
    expect(tools).toHaveLength(9);
    expect(tools.filter((tool) => !readme.includes(tool))).toEqual([]);
  });

  it('shows the two commands and leaves no blank to fill in', () => {
    expect(readme).toContain('npm start');
    expect(readme).toContain('npm test');
    expect(readme).not.toMatch(/\{\{|TODO|TBD/);
  });

  it('and the documents link only to files that are there', () => {
    const files = [
      'README.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
    ];
    const broken = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map((found) => found[1] ?? '')
        .filter((target) => !existsSync(join(root, dirname(file), target)))
        .map((target) => `${file}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});
