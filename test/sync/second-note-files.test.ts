/** A second file of a note, made or moved by hand on one machine while another edited the note. */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PathChange } from '../../src/events/journal.js';
import { blobIdOf } from '../../src/events/note/blob-id.js';
import { formatNoteFile, newNoteFile } from '../../src/events/note/note-file.js';
import type { Memory } from '../../src/store/memory.js';
import { mergeEvent } from '../../src/sync/reappend/merge-event.js';
import { makeEvent, makeNote } from '../support/arbitraries.js';
import { newMachines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';

const textOf = async (memory: Memory, id: string): Promise<string> => {
  const found = await memory.show(id);
  if (!found.ok) throw new Error(found.refusal.message);
  return found.answer.body ?? '';
};
const pathsOf = (memory: Memory): readonly string[] =>
  personsGit(memory.journals.portable.folder, 'ls-tree', '-r', '--name-only', 'main').split('\n').filter(Boolean);
const edit = (memory: Memory, id: string, set: object) => memory.perform({ kind: 'edit', id, set } as never);

const at = (memory: Memory, path: string): string => join(memory.journals.portable.folder, path);

const twoWithNote = startOnce(['one', 'two'], async ({ one, two }, machines) => {
  const { id } = await writeNote(one, { title: 'Ports', body: 'first\n' });
  await machines.sync(one, two);
  const usual = `semantic/${id.slice(-2)}/${id}.md`;
  const moved = `semantic/d1/${id}.md`;
  mkdirSync(dirname(at(one, moved)));
  return { id, usual, moved };
});

describe('a note’s file that a person put into another folder', () => {
  it.each(['one', 'two'])('stays there with what the other machine wrote, when %s syncs first', async (first) => {
    const { machines, one, two, id, usual, moved } = await twoWithNote();
    renameSync(at(one, usual), at(one, moved));
    await edit(two, id, { body: 'first\nNEW\n' });
    await machines.sync(...(first === 'one' ? [one, two, one] : [two, one, two]));
    for (const memory of [one, two]) {
      expect(await textOf(memory, id)).toBe('first\nNEW\n');
      expect(pathsOf(memory)).toEqual([moved]);
    }
  });

  it('loses no edit that was made before it is found and that meets another machine’s change', async () => {
    const { machines, one, two, id, usual, moved } = await twoWithNote();
    await two.perform({ kind: 'tag', id, add: ['x'], remove: [] });
    await machines.sync(two);
    renameSync(at(one, usual), at(one, moved));
    await edit(one, id, { body: 'first\nNEW\n' });
    await machines.sync(one, two, one);
    for (const memory of [one, two]) {
      expect(await textOf(memory, id)).toBe('first\nNEW\n');
      expect(pathsOf(memory)).toHaveLength(1);
      expect((await memory.list({}, 10)).notes).toMatchObject([{ id, tags: ['x'] }]);
    }
  });

  it('keeps the note when another machine copied the file and removed the original', async () => {
    const { machines, one, two, id, usual, moved } = await twoWithNote();
    renameSync(at(one, usual), at(one, moved));
    await machines.sync(one);
    const copy = `semantic/d2/${id}.md`;
    mkdirSync(dirname(at(two, copy)));
    cpSync(at(two, usual), at(two, copy));
    await two.adopt('record');
    rmSync(at(two, usual));
    await two.adopt('record');
    await machines.sync(two, one);
    for (const memory of [one, two]) expect(await textOf(memory, id)).toBe('first\n');
  });

  it('changes nothing when it is an older copy', async () => {
    const { machines, one, two, id, usual, moved } = await twoWithNote();
    const old = readFileSync(at(one, usual));
    await edit(one, id, { body: 'first\nNEW\n' });
    await machines.sync(one, two);
    await two.perform({ kind: 'tag', id, add: ['x'], remove: [] });
    await machines.sync(two);
    writeFileSync(at(one, moved), old);
    await machines.sync(one, two);
    for (const memory of [one, two]) {
      expect(await textOf(memory, id)).toBe('first\nNEW\n');
      expect(pathsOf(memory)).toEqual([usual]);
    }
  });

  it('stays beside the note when it says something else, and the next command keeps both texts', async () => {
    const { machines, one, two, id, usual, moved } = await twoWithNote();
    await edit(two, id, { body: 'first\nNEW\n' });
    await machines.sync(two);
    cpSync(at(one, usual), at(one, moved));
    writeFileSync(at(one, moved), readFileSync(at(one, moved), 'utf8').replace('first\n', 'first\nCOPY\n'));
    await machines.sync(one, two);
    expect(pathsOf(two)).toEqual([usual, moved].sort());
    await two.perform({ kind: 'tag', id, add: ['x'], remove: [] });
    await machines.sync(two, one);
    for (const memory of [one, two]) {
      const { notes } = await memory.list({}, 10);
      const texts = await Promise.all(notes.map((note) => textOf(memory, note.id)));
      expect(texts.sort()).toEqual(['first\nCOPY\n', 'first\nNEW\n']);
    }
  });
});

describe('merging an event of one note', () => {
  const note = makeNote();
  const paths = ['usual', 'd1', 'd2'].map((folder) => `semantic/${folder}/${note.id}.md`);
  const bytes = new Map<string, Buffer>();
  const put = (lines: readonly string[]): string => {
    const content = formatNoteFile(newNoteFile({ ...note, body: lines.map((line) => `${line}\n`).join('') }));
    const blob = blobIdOf(content);
    bytes.set(blob, content);
    return blob;
  };
  const linesAt = (blob: string | undefined): readonly string[] =>
    blob === undefined ? [] : (bytes.get(blob)?.toString('utf8').split('---\n')[2]?.split('\n') ?? []);
  const anyLines = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 4 });
  const anyFiles = fc
    .array(fc.option(anyLines, { nil: undefined }), { minLength: 3, maxLength: 3 })
    .map(
      (files) =>
        new Map(files.flatMap((lines, at) => (lines === undefined ? [] : [[paths[at] ?? '', put(lines)] as const]))),
    );

  it('loses no line that one side added, whichever files the note has', () => {
    fc.assert(
      fc.property(anyFiles, anyFiles, anyFiles, (base, mine, upstream) => {
        const changes = paths.flatMap((path): readonly PathChange[] => {
          const [before, after] = [base.get(path), mine.get(path)];
          return before === after ? [] : [{ path, before, after, afterMode: '100644' }];
        });
        fc.pre(changes.length > 0 && mine.size > 0);
        const {
          line,
          conflict,
          changes: written,
        } = mergeEvent({
          id: note.id,
          event: makeEvent(),
          epochMs: 0,
          changes,
          line: { files: upstream, own: base, siblings: new Map() },
          bytes,
          masked: new Map(),
          earlier: new Set(),
          eventUpstream: '',
        });
        const kept = new Set([...line.files.values()].flatMap((blob) => linesAt(blob)));
        for (const [blob, content] of line.made ?? []) bytes.set(blob, content);
        for (const blob of line.files.values()) for (const one of linesAt(blob)) kept.add(one);
        const beside = [
          ...(conflict?.siblings ?? []).map((one) => one.bytes),
          ...written.map((one) => ('bytes' in one ? one.bytes : undefined)),
        ];
        for (const content of beside) for (const one of content?.toString('utf8').split('\n') ?? []) kept.add(one);
        const old = new Set([...base.values()].flatMap((blob) => linesAt(blob)));
        for (const blob of [...mine.values(), ...upstream.values()])
          for (const one of linesAt(blob)) if (!old.has(one)) expect(kept).toContain(one);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the clashing texts of two files, each in a sibling that follows its own file', () => {
    const [one = '', two = ''] = paths;
    const [ofOne, ofTwo, again] = [put(['one', 'mine']), put(['two', 'mine']), put(['one', 'mine', 'again'])];
    const base = new Map([one, two].map((path) => [path, put([path])] as const));
    let line: Parameters<typeof mergeEvent>[0]['line'] = {
      files: new Map([one, two].map((path) => [path, put([path, 'theirs'])] as const)),
      own: base,
      siblings: new Map(),
    };
    const tree = new Map<string, string>();
    const edits = [
      { path: one, before: base.get(one), after: ofOne },
      { path: two, before: base.get(two), after: ofTwo },
      { path: one, before: ofOne, after: again },
    ];
    for (const [at, edit] of edits.entries()) {
      const merged = mergeEvent({
        id: note.id,
        event: { ...makeEvent(), id: `01J0000000000000000000000${at}` },
        epochMs: 0,
        changes: [{ ...edit, afterMode: '100644' }],
        line,
        bytes,
        masked: new Map(),
        earlier: new Set(),
        eventUpstream: '',
      });
      line = merged.line;
      for (const { path, bytes: content } of merged.conflict?.siblings ?? []) tree.set(path, content.toString('utf8'));
      for (const change of merged.changes)
        if ('bytes' in change && tree.has(change.path)) tree.set(change.path, change.bytes?.toString('utf8') ?? '');
    }
    const texts = [...tree.values()].map((text) => text.split('---\n')[2]?.trim());
    expect(texts.sort()).toEqual(['one\nmine\nagain', 'two\nmine']);
  });
});

describe('a second file of a machine-local note', () => {
  it('keeps its text when a move folds it into the note', async () => {
    const one = await newMachines().open('one');
    const { id, path = '' } = await writeNote(one, { title: 'Ports', body: 'first\n', scope: 'machine-local' });
    await one.finish();
    const copy = join(one.journals.local.folder, 'semantic', 'd1', `${id}.md`);
    mkdirSync(dirname(copy));
    writeFileSync(copy, readFileSync(path, 'utf8').replace('first\n', 'first\nTYPED\n'));
    await one.perform({ kind: 'move', id, project: 'elsewhere' });
    await one.adopt('record');
    await one.perform({ kind: 'move', id, project: 'further' });
    const { notes } = await one.list({}, 9);
    const texts = await Promise.all(notes.map((note) => textOf(one, note.id)));
    expect(texts.join('')).toContain('TYPED');
  });
});
