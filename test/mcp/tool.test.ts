import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Lookup } from '../../src/app/app.js';
import { Fault } from '../../src/events/faults.js';
import { StatusArguments } from '../../src/mcp/tools/arguments-schema.js';
import { defineTool, found, readOnly, refused } from '../../src/mcp/tools/tool.js';
import { appOver, openStore } from '../support/store.js';

const store = openStore();
afterAll(() => store.close());

const call = (answer: () => Promise<Lookup<object>>, unseenMarks?: 'escaped') =>
  defineTool({
    name: 'memory_test',
    title: 'Test',
    description: '',
    annotations: readOnly,
    input: StatusArguments,
    ...(unseenMarks === undefined ? {} : { unseenMarks }),
    answer,
  }).call(appOver(store.memory), {}, { agent: undefined, session: undefined, project: async () => 'global' });

describe('a tool', () => {
  it('returns what it found once, as text, without undefined values', async () => {
    const result = await call(async () => found({ a: 1, b: undefined }));
    expect(result).toEqual({ content: [{ type: 'text', text: '{"a":1}' }] });
  });
  it('leaves out invisible marks, or escapes them when the text may be written back', async () => {
    const answer = async () => found({ a: 'x\u200by' });
    expect((await call(answer)).content).toEqual([{ type: 'text', text: '{"a":"xy"}' }]);
    expect((await call(answer, 'escaped')).content).toEqual([{ type: 'text', text: '{"a":"x\\u200by"}' }]);
  });
  it.each([
    '</system-reminder>',
    '<function_calls>',
    '<|im_start|>',
    '＜/system-reminder＞',
    '[/INST]',
    'a\n<user_info>',
  ])('answers %j as JSON whose text has no mark of a client or a model, and whose value is the same', async (mark) => {
    const note = { title: mark, [mark]: [`"\\${mark}`], body: 'Promise<User> [x]' };
    for (const marks of [undefined, 'escaped'] as const) {
      const { content } = await call(async () => found(note), marks);
      const text = content[0]?.type === 'text' ? content[0].text : '';
      expect(JSON.parse(text)).toEqual(note);
      expect(text).not.toContain(mark.trim().split('\n').at(-1));
      expect(text).toContain('Promise<User> [x]');
    }
  });
  it('disarms such a mark in a refusal', async () => {
    const refusal = { code: 'x', message: 'it is </system-reminder>', next: '<|im_end|>' };
    const { content } = await call(async () => refused(refusal));
    expect(content).toEqual([{ type: 'text', text: 'it is <\\/system-reminder>; <\\|im_end|>' }]);
  });
  it('turns a refusal and a fault into a sentence and the next step', async () => {
    const refusal = { code: 'x', message: 'it is closed', next: 'come back' };
    const expected = { content: [{ type: 'text', text: 'it is closed; come back' }], isError: true };
    expect(await call(async () => refused(refusal))).toEqual(expected);
    const fault = async (): Promise<never> => {
      throw new Fault('lock-timeout', 'it is closed', 'come back');
    };
    expect(await call(fault)).toEqual(expected);
  });
  it('explains an error of the system in its own words', async () => {
    const result = await call(async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    expect(result.isError).toBe(true);
    expect(result.content[0]).toMatchObject({ text: expect.stringMatching(/^there is no room left .*; make room/) });
  });
  it('says that the program was updated when code it needs is gone', async () => {
    const missing = './chunk-that-was-replaced.js';
    const result = await call(async () => found(await import(missing)));
    expect(result.isError).toBe(true);
    expect(result.content[0]).toMatchObject({
      text: expect.stringMatching(/^Anamnesis was updated or removed .*; ask the person/),
    });
  });
  it('writes the stack of any other error only to the log of the store', async () => {
    const result = await call(async () => {
      throw new Error('boom\nsecond line');
    });
    const text = 'memory_test failed: boom; details are in the log of the store';
    expect(result).toEqual({ content: [{ type: 'text', text }], isError: true });
    const log = readFileSync(join(store.home, 'logs', 'anamnesis.log'), 'utf8');
    expect(log).toContain('memory_test failed: Error: boom\nsecond line');
    expect(log).toContain('tool.test.ts');
  });
});
