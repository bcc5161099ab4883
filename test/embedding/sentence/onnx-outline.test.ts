import { describe, expect, it } from 'vitest';
import { readOutline } from '../../../src/embedding/sentence/onnx-outline.js';
import { tinyPairs, tinySentences } from './tiny-onnx.js';

const read = (file: Buffer) => readOutline((at, length) => file.subarray(at, at + length), file.length);

describe('the outline of an ONNX file', () => {
  it('names inputs and outputs, with the dimensions that do not depend on the texts', () => {
    const inputs = ['input_ids', 'attention_mask', 'token_type_ids'];
    expect(read(tinySentences())).toEqual({
      ok: true,
      value: { inputs, outputs: [{ name: 'last_hidden_state', shape: [undefined, undefined, 8] }] },
    });
    expect(read(tinySentences({ says: 'hidden' }))).toMatchObject({
      value: { outputs: [{ shape: [undefined, undefined, undefined] }] },
    });
    expect(read(tinyPairs())).toMatchObject({ value: { outputs: [{ name: 'logits', shape: [undefined, 1] }] } });
  });

  it('is refused if the file is cut off, at any byte', () => {
    const whole = tinySentences();
    for (let length = 0; length < whole.length; length += 1) {
      const cut = read(whole.subarray(0, length));
      // Without its last field, the version of the operators, it is a shorter file but not a damaged one.
      if (!cut.ok) expect(cut.problem.code).toMatch(/^model-damaged$/);
      else expect(whole.length - length).toBeLessThanOrEqual(6);
    }
  });

  it('is refused for any other file', () => {
    for (const file of [
      '',
      '{}',
      'version https://git-lfs.github.com/spec/v1\noid sha256:4b23\nsize 90\n',
      '\xff'.repeat(99),
    ])
      expect(read(Buffer.from(file, 'latin1'))).toMatchObject({ ok: false, problem: { code: 'model-damaged' } });
  });

  it('is refused if its numbers are in another file, which the file chooses', () => {
    expect(read(tinySentences({ elsewhere: '../../../etc/passwd' }))).toMatchObject({
      ok: false,
      problem: { code: 'model-unsupported', message: expect.stringContaining('in another file') },
    });
  });

  it('is refused if a tag is too long, because another reader takes it for another field', () => {
    // Field 7, with a bit that a reader of 32 bits drops.
    const graph = Buffer.from([0xba, 0x80, 0x80, 0x80, 0x10, 0x00]);
    expect(read(Buffer.concat([tinySentences(), graph]))).toMatchObject({
      ok: false,
      problem: { code: 'model-damaged' },
    });
  });

  it('is given up after more parts than a model has', () => {
    const parts = Buffer.alloc(4_000_000, Buffer.from([0x08, 0x01]));
    expect(read(parts)).toMatchObject({ ok: false, problem: { code: 'model-unsupported' } });
  });
});
