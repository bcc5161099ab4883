import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Found } from '../../src/app/app.js';
import { Fault } from '../../src/events/faults.js';
import { StatusArguments } from '../../src/mcp/tools/arguments-schema.js';
import { defineTool, found, readOnly, refused } from '../../src/mcp/tools/tool.js';
import { appOver, openStore } from '../support/store.js';

const store = openStore();
afterAll(() => store.close());

const call = (answer: () => Promise<Found<object>>, unseenMarks?: 'escaped') =>
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
  it('answers what it found once, as text, without what is undefined', async () => {
    const result = await call(async () => found({ a: 1, b: undefined }));
    expect(result).toEqual({ content: [{ type: 'text', text: '{"a":1}' }] });
  });
  it('leaves marks that nobody sees out, or gives them as escapes where a text may be written back', async () => {
    const answer = async () => found({ a: 'x\u200by' });
    expect((await call(answer)).content).toEqual([{ type: 'text', text: '{"a":"xy"}' }]);
    expect((await call(answer, 'escaped')).content).toEqual([{ type: 'text', text: '{"a":"x\\u200by"}' }]);
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
  it('says what the machine denies, without the words of the system', async () => {
    const result = await call(async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    expect(result.isError).toBe(true);
    expect(result.content[0]).toMatchObject({ text: expect.stringMatching(/^there is no room left .*; make room/) });
  });
  it('says that a new version was installed when code it needs is gone', async () => {
    const missing = './chunk-that-was-replaced.js';
    const result = await call(async () => found(await import(missing)));
    expect(result.isError).toBe(true);
    expect(result.content[0]).toMatchObject({
      text: expect.stringMatching(/^Anamnesis was updated or removed .*; ask the person/),
    });
  });
  it('keeps the stack of anything else for the log of the store', async () => {
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
