import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePath, encodePath, escapePath, splitFields } from '../../../src/events/git/git-log.js';
import { processorMs } from '../../support/processor-time.js';

const anyBytes = fc.oneof(
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.oneof(fc.constantFrom('a', 'é', '😀', '/', '"', '\\\\'), fc.uint8Array({ maxLength: 3 })))
    .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))),
);

describe('a path', () => {
  it('is encoded as the bytes it was decoded from, whatever they are', () => {
    fc.assert(fc.property(anyBytes, (bytes) => encodePath(decodePath(bytes)).equals(bytes)));
  });

  it('is plain text when it is UTF-8', () => {
    expect(decodePath(Buffer.from('semantic/é😀'))).toBe('semantic/é😀');
    expect(escapePath('semantic/"é"')).toBe('"semantic/\\"é\\""');
  });

  it('is quoted with octal bytes when it is not UTF-8', () => {
    expect(escapePath(decodePath(Buffer.from('caf\xe9/😀', 'latin1')))).toMatch(/^"caf\\351/);
  });

  it('is read between other fields', () => {
    const output = Buffer.concat([Buffer.from('é\0'), Buffer.from([0xff]), Buffer.from('\0a')]);
    expect(splitFields(output)).toEqual(['é', '\udcff', 'a']);
  });

  it('is read quickly beside a long message that is not text', () => {
    const message = Buffer.alloc(3_000_000, 0xff);
    const before = processorMs();
    const [path, text = ''] = splitFields(Buffer.concat([Buffer.from([0xff, 0]), message]));
    expect(processorMs() - before).toBeLessThan(800);
    expect([path, text.slice(0, 2)]).toEqual(['\udcff', '\ufffd\ufffd']);
  });
});
