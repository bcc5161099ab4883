import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBlobStream, readBlobs, readSizes, type StreamedObject } from '../../../src/events/git/blob-stream.js';
import type { GitJournal } from '../../../src/events/git/git-journal.js';
import { runGit } from '../../../src/events/git/git-process.js';
import { readInBatches } from '../../../src/events/read-in-batches.js';
import { newJournal } from '../../support/journals.js';

const put = async ({ folders }: GitJournal, content: Buffer | string): Promise<string> =>
  (await runGit(folders, ['hash-object', '-w', '--stdin'], [content])).toString('latin1').trim();

describe('the stream of git cat-file', () => {
  type Printed = { readonly text: Buffer; readonly object: StreamedObject };
  const maxBytes = 50;
  const id = 'a'.repeat(40);
  const print = (kind: string, content: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${id} ${kind} ${content.length}\n`), content, Buffer.from('\n')]);
  const anyContent = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes));
  const anyPrinted: fc.Arbitrary<Printed> = fc.oneof(
    anyContent.map((content) => ({
      text: print('blob', content),
      object: { id, bytes: content.length > maxBytes ? undefined : content, size: content.length },
    })),
    anyContent.map((content) => ({ text: print('tree', content), object: { id, bytes: undefined, size: 0 } })),
    fc.constant({ text: Buffer.from(`${id} missing\n`), object: { id, bytes: undefined, size: 0 } }),
  );

  it('yields the same objects however it is cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(anyPrinted), fc.array(fc.nat({ max: 40 })), (printed, cuts) => {
        const text = Buffer.concat(printed.map((one) => one.text));
        const found: StreamedObject[] = [];
        const push = parseBlobStream(maxBytes, (object) => found.push(object));
        let at = 0;
        for (const length of cuts) {
          push(text.subarray(at, at + length));
          at += length;
        }
        push(text.subarray(at));
        expect(found).toEqual(printed.map(({ object }) => object));
      }),
    );
  });
});

describe('contents read from a journal', () => {
  it('are read once for an id that is named a hundred thousand times', async () => {
    const { journal } = await newJournal();
    const id = await put(journal, 'x'.repeat(1000));
    const found = await journal.blobs(Array.from({ length: 100_000 }, () => id));
    expect([...found]).toEqual([[id, Buffer.from('x'.repeat(1000))]]);
  });

  it('leave out those that are too large, but none around them', async () => {
    const { journal } = await newJournal();
    const small = await put(journal, 'small');
    const large = await put(journal, Buffer.alloc(5000, 'a'));
    const larger = await put(journal, Buffer.alloc(500_000, 'b'));
    const last = await put(journal, 'last');
    const found = await readBlobs(journal.folders, [small, large, larger, last], { maxBytes: 1000 });
    expect([...found].map(([id, bytes]) => [id, bytes.toString()])).toEqual([
      [small, 'small'],
      [last, 'last'],
    ]);
    expect([...(await readSizes(journal.folders, [large, larger, last]))]).toEqual([
      [large, 5000],
      [larger, 500_000],
      [last, 4],
    ]);
  });

  it('skip an object of 256 MiB without loading it into memory', async () => {
    const { journal } = await newJournal();
    // Streamed in equal pieces, so that git stores few bytes on disk for a large file.
    const piece = Buffer.alloc(1024 * 1024);
    const huge = await put(journal, Buffer.alloc(0)).then(async () => {
      const command = ['-c', 'core.bigFileThreshold=1m', 'hash-object', '-w', '--stdin'];
      const stream = {
        *[Symbol.iterator]() {
          for (let at = 0; at < 256; at += 1) yield piece;
        },
      };
      return (await runGit(journal.folders, command, stream)).toString('latin1').trim();
    });
    const small = await put(journal, 'small');
    const before = process.memoryUsage.rss();
    const found = await journal.blobs([huge, small]);
    expect([...found.keys()]).toEqual([small]);
    expect((await journal.sizes([huge])).get(huge)).toBe(256 * 1024 ** 2);
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 1024 ** 2);
  });

  it('leave out ids that git does not have, and objects that are not files', async () => {
    const { journal } = await newJournal();
    const file = await put(journal, 'text');
    const tree = (await runGit(journal.folders, ['mktree'], [`100644 blob ${file}\ta\n`])).toString('latin1').trim();
    const missing = 'f'.repeat(40);
    expect([...(await journal.blobs([missing, tree, file])).keys()]).toEqual([file]);
    expect([...(await journal.sizes([missing, tree, file])).keys()]).toEqual([file]);
  });

  it('are read in batches, in the order asked, when they do not fit into memory together', async () => {
    const { journal } = await newJournal();
    const contents = Array.from({ length: 7 }, (_, at) => Buffer.alloc(20 * 1024 * 1024, String(at)));
    const entries: { blob: string; at: number }[] = [];
    for (const [at, content] of contents.entries()) entries.push({ blob: await put(journal, content), at });
    const huge = { blob: await put(journal, Buffer.alloc(33 * 1024 * 1024)), at: -1 };
    const missing = { blob: 'f'.repeat(40), at: -2 };
    const repeated = [...entries.slice(0, 4), huge, missing, ...entries.slice(3), ...entries.slice(0, 1)];
    const seen: (number | undefined)[][] = [];
    for await (const { entry, bytes, size } of readInBatches(journal, repeated)) {
      seen.push([entry.at, size]);
      if (entry.at >= 0) expect(bytes?.equals(contents[entry.at] ?? Buffer.alloc(0))).toBe(true);
      else expect(bytes).toBeUndefined();
    }
    const each = 20 * 1024 * 1024;
    expect(seen).toEqual([
      ...[0, 1, 2, 3].map((at) => [at, each]),
      [-1, 33 * 1024 * 1024],
      [-2, undefined],
      ...[3, 4, 5, 6, 0].map((at) => [at, each]),
    ]);
  });
});
