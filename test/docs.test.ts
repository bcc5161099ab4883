/** Links, anchors and paths in README and docs/ lead somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = process.cwd();
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);
const textOf = new Map(pages.map((page) => [page, readFileSync(join(root, page), 'utf8')]));
const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');

/** As GitHub makes them of headings. */
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

it.each(pages)('%s links to pages and headings that are there', (page) => {
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

it.each(pages)('%s names source files that are there', (page) => {
  const named = [...(textOf.get(page) ?? '').matchAll(/(?<![\w./-])(?:src|test|scripts)\/[\w./-]*\w/g)].map(
    ([path]) => path,
  );
  // Files that the reader of extending.md is about to write.
  const examples = /vouch|NAME|^src\/web|^scripts\/x\.sh/;
  expect(named.filter((path) => !examples.test(path) && !existsSync(join(root, path)))).toEqual([]);
});

it('docs/architecture.md names files of src that are there', () => {
  const folders = readdirSync(join(root, 'src')).join('|');
  const text = textOf.get('docs/architecture.md') ?? '';
  const named = [...text.matchAll(new RegExp(`(?<![\\w./-])(?:${folders})/[\\w./-]*\\.ts\\b`, 'g'))].map(
    ([path]) => path,
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(root, 'src', path)))).toEqual([]);
});
