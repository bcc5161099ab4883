/** Links, anchors, file paths and commands in README and docs/ exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { loadGroups } from '../src/cli/groups.js';
import { makeProgram } from '../src/cli/run.js';

const root = process.cwd();
const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
const pages = ['README.md', ...names.map((name) => `docs/${name.replaceAll('\\', '/')}`)].filter((name) =>
  name.endsWith('.md'),
);
const textOf = new Map(pages.map((page) => [page, readFileSync(join(root, page), 'utf8')]));
const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');

/** Returns the anchors of a page's headings, as GitHub derives them. */
const anchorsOf = (page: string): ReadonlySet<string> => {
  const text = withoutCode(textOf.get(page) ?? readFileSync(join(root, page), 'utf8'));
  const headings = [...text.matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((one) =>
      one
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
};

it.each(pages)('%s links only to pages and headings that exist', (page) => {
  const targets = [...withoutCode(textOf.get(page) ?? '').matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, target = '']) => target,
  );
  const broken = targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? page : join(dirname(page), file);
    if (!existsSync(join(root, linked))) return true;
    return anchor !== undefined && !anchorsOf(linked).has(anchor);
  });
  expect(broken).toEqual([]);
});

it.each(pages)('%s names only source files that exist', (page) => {
  const named = [...(textOf.get(page) ?? '').matchAll(/(?<![\w./-])(?:src|test|scripts)\/[\w./-]*\w/g)].map(
    ([path]) => path,
  );
  // Files that a reader of extending.md will write.
  const examples = /vouch|NAME|^src\/web|^scripts\/x\.sh/;
  expect(named.filter((path) => !examples.test(path) && !existsSync(join(root, path)))).toEqual([]);
});

it('docs/architecture.md names only files of src that exist', () => {
  const folders = readdirSync(join(root, 'src')).join('|');
  const text = textOf.get('docs/architecture.md') ?? '';
  const named = [...text.matchAll(new RegExp(`(?<![\\w./-])(?:${folders})/[\\w./-]*\\.ts\\b`, 'g'))].map(
    ([path]) => path,
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(root, 'src', path)))).toEqual([]);
});

const findChild = (command: Command, name: string): Command | undefined =>
  command.commands.find((child) => child.name() === name || child.aliases().includes(name));

/** The command that the words begin with. */
const findCommand = (command: Command, words: readonly string[]): Command => {
  const [first = '', ...rest] = words;
  const child = findChild(command, first);
  return child === undefined ? command : findCommand(child, rest);
};

it.each(pages)('%s names only subcommands and options that exist', async (page) => {
  const program = makeProgram(await loadGroups(undefined));
  const typed = [...(textOf.get(page) ?? '').matchAll(/(?:`|^ {4}|\$ )anamnesis ([a-z][^`\n#|]*)/gm)].map(
    ([, words = '']) => words.split(/[\s)]+/),
  );
  const unknown = typed.filter(([name = '']) => findChild(program, name) === undefined);
  const options = typed.flatMap((words) => {
    const command = findCommand(program, words);
    const known = new Set(command.options.map(({ long }) => long));
    return words.filter((word) => /^--[a-z]/.test(word) && !known.has(word)).map((word) => [command.name(), word]);
  });
  expect([...unknown, ...options]).toEqual([]);
});
