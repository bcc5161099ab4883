import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePath, encodePath, escapePath, splitFields } from '../../../src/events/git/path-bytes.js';
import { processorMs } from '../../support/processor-time.js';

const anyBytes = fc.oneof(
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.oneof(fc.constantFrom('a', 'é', '😀', '/', '"', '\\\\'), fc.uint8Array({ maxLength: 3 })))
    .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))),
);

describe('a path', () => {
  it('is written as the bytes that were read, whatever they are', () => {
    fc.assert(fc.property(anyBytes, (bytes) => encodePath(decodePath(bytes)).equals(bytes)));
  });

  it('is text as it stands where it is UTF-8', () => {
    expect(decodePath(Buffer.from('semantic/é😀'))).toBe('semantic/é😀');
    expect(escapePath('semantic/"é"')).toBe('"semantic/\\"é\\""');
  });

  it('is quoted by bytes in octal where it is not', () => {
    expect(escapePath(decodePath(Buffer.from('caf\xe9/😀', 'latin1')))).toMatch(/^"caf\\351/);
  });

  it('is read between others', () => {
    const output = Buffer.concat([Buffer.from('é\0'), Buffer.from([0xff]), Buffer.from('\0a')]);
    expect(splitFields(output)).toEqual(['é', '\udcff', 'a']);
  });

  it('is read in no time beside a long message that is no text', () => {
    const message = Buffer.alloc(3_000_000, 0xff);
    const before = processorMs();
    const [path, text = ''] = splitFields(Buffer.concat([Buffer.from([0xff, 0]), message]));
    expect(processorMs() - before).toBeLessThan(800);
    expect([path, text.slice(0, 2)]).toEqual(['\udcff', '\ufffd\ufffd']);
  });
});
