import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isProgress, parseLine } from '../../../src/agents/transcript/json-lines.js';
import { processorMs } from '../../support/processor-time.js';

const parse = (text: string) => parseLine(Buffer.from(text));

describe('parsing a line', () => {
  it('returns its object, even after a byte-order mark and spaces', () => {
    expect(parse('{"a":1}')).toEqual({ objects: [{ at: 0, value: { a: 1 } }], isWhole: true });
    expect(parse('\ufeff  {"a":1}\r')).toEqual({ objects: [{ at: 0, value: { a: 1 } }], isWhole: true });
  });

  it('separates objects that were glued together', () => {
    const { objects, isWhole } = parse('{"a":"}{é"}{"b":{"c":"\\"}"}} {"parentUuid":1}');
    expect(objects).toEqual([
      { at: 0, value: { a: '}{é' } },
      { at: 12, value: { b: { c: '"}' } } },
      { at: 30, value: { parentUuid: 1 } },
    ]);
    expect(isWhole).toBe(true);
  });

  it('finds the conversation line after a truncated one', () => {
    const { objects, isWhole } = parse('{"parentUuid":"a","text":"brok{"parentUuid":null,"type":"user"}');
    expect(objects.map(({ value }) => value)).toEqual([{ parentUuid: null, type: 'user' }]);
    expect(isWhole).toBe(false);
  });

  it('does not take a part of a truncated line for a line', () => {
    const quoted = JSON.stringify({ type: 'progress', data: { type: 'user', text: '{"parentUuid":null}' } });
    for (let end = 1; end < quoted.length; end += 1) expect(parse(quoted.slice(0, end)).objects).toEqual([]);
  });

  it.each(['', ' ', 'null', '1', '"text"', '[{"a":1}]', '{', '}', '{"a":1', 'garbage', '\0\0\0', '{"a":1}garbage'])(
    'does not call %j whole',
    (text) => expect(parse(text).isWhole).toBe(false),
  );

  it('is fast for lines of nothing but opening brackets', () => {
    const started = processorMs();
    parse('{'.repeat(200_000));
    parse('{"parentUuid":'.repeat(18_000));
    parse('['.repeat(200_000));
    parse('{"a":'.repeat(40_000));
    expect(processorMs() - started).toBeLessThan(2000);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseLine(Buffer.from(bytes))));
  });
});

describe('progress', () => {
  const progress = '{"parentUuid":"p","isSidechain":false,"type":"progress","data":{"type":"hook_progress"}}';

  it('is recognised without parsing', () => {
    expect(isProgress(Buffer.from(progress))).toBe(true);
  });

  it.each([
    ['a person writes about it', JSON.stringify({ type: 'user', message: { content: progress } })],
    ['another line is glued to it', `${progress}{"parentUuid":null,"type":"user"}`],
  ])('is not recognised when %s', (_, line) => {
    expect(isProgress(Buffer.from(line))).toBe(false);
  });
});
