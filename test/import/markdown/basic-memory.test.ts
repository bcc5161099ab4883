import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recogniseFormat } from '../../../src/import/formats.js';
import { parseBasicMemory } from '../../../src/import/markdown/basic-memory.js';
import { processorMs } from '../../support/processor-time.js';
import { folderWith, notesOf, problemsOf, readAll } from '../support.js';

const coffee = `---
title: Coffee Brewing
type: person
permalink: drinks/coffee-brewing
tags:
- coffee
- '#brewing'
created: 2026-02-03
modified: 2026-02-04T10:00:00+00:00
---

# Coffee Brewing

## Observations
- [method] Pour over is clearer #filter #taste/bright (tried for a week)
- [Method] Press for guests
  - [tip] Preheat the cup
- [ ] buy beans
- [x] buy a kettle
- [a link](https://example.com) is none
- [[Another page]] is none
\`\`\`
- [code] is none #either
\`\`\`

## Relations
- requires [[Grinder]]
`;

describe('import of a basic-memory folder', () => {
  it('turns a file into one note, with its categories and hashtags as tags', () => {
    expect(parseBasicMemory(coffee, 'kb', 'drinks/Coffee.md')).toEqual({
      sourceKey: 'basic-memory:kb/drinks/coffee-brewing',
      title: 'Coffee Brewing',
      body: coffee.slice(coffee.indexOf('# Coffee')),
      tags: ['coffee', 'brewing', 'kind:person', 'method', 'filter', 'taste/bright', 'tip'],
      keywords: [],
      project: undefined,
      type: undefined,
      createdAtMs: Date.UTC(2026, 1, 3),
      updatedAtMs: Date.UTC(2026, 1, 4, 10),
    });
  });

  it('uses the path when there is no permalink, and the text when there is no front matter', () => {
    expect(parseBasicMemory('- [idea] Use WAL', 'kb', 'a/b.md')).toMatchObject({
      sourceKey: 'basic-memory:kb/a/b.md',
      title: 'b',
      tags: ['idea'],
    });
  });

  it('keeps at most 64 tags, and reads a line of a megabyte quickly', () => {
    const many = Array.from({ length: 100 }, (_, n) => `- [c${n}] text`).join('\n');
    expect(parseBasicMemory(many, 'kb', 'a.md').tags).toHaveLength(64);
    for (const unit of ['- [', '[', '#a ', ' #', '- [a] ']) {
      const started = processorMs();
      parseBasicMemory(`- [a] ${unit.repeat(300_000)}`, 'kb', 'a.md');
      expect(processorMs() - started).toBeLessThan(2000);
    }
  });

  it('reads the whole folder and reports what it cannot read', async () => {
    const folder = folderWith({ 'drinks/coffee.md': coffee, 'empty.md': '', '.obsidian/x.md': coffee });
    expect(recogniseFormat(folder)).toBe('basic-memory');
    const items = await readAll(folder, 'basic-memory');
    expect(notesOf(items).map(({ title }) => title)).toEqual(['Coffee Brewing']);
    expect(problemsOf(items)).toEqual(['empty.md:1: the file is empty']);
    expect(notesOf(await readAll(join(folder, 'drinks/coffee.md'), 'basic-memory'))).toHaveLength(1);
  });

  it.each([
    ['without a permalink', '---\ntitle: T\ntype: note\n---\nB'],
    ['of a Jekyll site', '---\nlayout: post\ntype: post\npermalink: /a\n---\nB'],
    ['with a permalink in its text', 'type: note\npermalink: a'],
  ])('is not recognised in markdown %s', (_, text) => {
    expect(recogniseFormat(folderWith({ 'a.md': text }))).toBe('markdown');
  });
});
