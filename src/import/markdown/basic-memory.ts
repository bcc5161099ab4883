/** Reads a folder of basic-memory (basicmachines-co/basic-memory): markdown with a permalink and facts by category. */
import { join } from 'node:path';
import { cleanWords, type ForeignNote, type ImportItem } from '../../commands/foreign-note.js';
import { readBeginning } from '../files.js';
import { readMarkdownFiles, walkMarkdown } from './markdown.js';
import { readText, splitForeign } from './markdown-front.js';
import { parseMarkdown } from './markdown-note.js';
import { readWords } from './markdown-pages.js';

export async function* readBasicMemory(path: string): AsyncGenerator<ImportItem> {
  yield* readMarkdownFiles(path, parseBasicMemory);
}

/** Keeps the whole text in the note, and makes tags of the categories and hashtags of its facts. */
export const parseBasicMemory = (text: string, name: string, path: string): ForeignNote => {
  const { values, body } = splitForeign(text);
  const note = parseMarkdown(text, path);
  const kind = readText(values, 'type')?.toLowerCase();
  const key = readText(values, 'permalink') ?? path;
  const others = (note.otherKeys ?? []).filter(([one]) => one.toLowerCase() !== 'permalink');
  return {
    ...note,
    otherKeys: others.length === 0 ? undefined : others,
    sourceKey: `basic-memory:${name}/${key}`,
    tags: cleanWords([
      ...note.tags,
      ...(kind === undefined || kind === 'note' ? [] : [`kind:${kind}`]),
      ...listMarks(body),
      ...readWords(body).tags,
    ]),
  };
};

/** Returns the category and the hashtags of every line `- [category] text #tag (context)` outside code. */
const listMarks = (body: string): readonly string[] => {
  const marks = new Set<string>();
  let inCode = false;
  for (const line of body.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode;
    const found = inCode ? null : factLine.exec(line);
    if (found === null) continue;
    marks.add(found[1]?.trim() ?? '');
    for (const [, tag = ''] of line.matchAll(hashtag)) marks.add(tag);
  }
  return [...marks];
};

/** Neither a task (`[ ]`, `[x]`, `[-]`) nor a link (`[text](url)`, `[[page]]`). */
const factLine = /^\s*[-*][ \t]+\[(?![ xX-]?\])([^[\]()\n]{1,60})\][ \t]+\S/;
const hashtag = /(?<=\s)#([\p{L}\p{N}][\p{L}\p{N}_/-]{0,59})/gu;

/** Files checked before a folder counts as plain markdown. */
const maxLookedAt = 20;
const maxFrontBytes = 4096;

/** True when one of the first files has the front matter that basic-memory writes; Jekyll's has a `layout` too. */
export const isBasicMemory = (folder: string): boolean => {
  let left = maxLookedAt;
  for (const found of walkMarkdown(folder)) {
    if (found.kind !== 'file') continue;
    if (left === 0) return false;
    left -= 1;
    const front =
      /^---\r?\n([\s\S]*?)\r?\n---/.exec(
        readBeginning(join(folder, found.path), maxFrontBytes).toString('utf8'),
      )?.[1] ?? '';
    if (/^permalink:\s*\S/m.test(front) && /^type:\s*\S/m.test(front) && !/^layout:/m.test(front)) return true;
  }
  return false;
};
