import { beforeEach, describe, expect, it } from 'vitest';
import { type QueuedPrompts, startQueuedPrompts } from '../../../src/agents/transcript/queued-prompts.js';

let queued: QueuedPrompts;
beforeEach(() => {
  queued = startQueuedPrompts();
});
const enqueue = (text: string) => queued.operation('enqueue', text, 7, undefined);
const remove = (content?: string) => queued.operation('remove', content, 9, undefined);
const takenUp = () => queued.takeUp().map(({ text }) => text);

describe('a queued prompt', () => {
  it('is taken up once it is removed from the queue, with the offset of its text', () => {
    enqueue('check again');
    expect(queued.takeUp()).toEqual([]);
    remove();
    expect(queued.takeUp()).toEqual([{ text: 'check again', isSlashCommand: false, offset: 7, atMs: undefined }]);
    expect(queued.takeUp()).toEqual([]);
  });

  it('is not taken up after a person withdrew it', () => {
    enqueue('check again');
    queued.operation('popAll', undefined, 8, undefined);
    remove();
    expect(takenUp()).toEqual([]);
  });

  it('counts once when it also comes as an attachment before its removal', () => {
    enqueue('a');
    enqueue('b');
    expect(queued.shown('a', 'attachment')).toBe(true);
    remove();
    expect(takenUp()).toEqual([]);
    remove();
    expect(takenUp()).toEqual(['b']);
  });

  it('counts once when it also comes as an attachment after its removal', () => {
    enqueue('a');
    remove();
    expect(queued.shown('a', 'attachment')).toBe(true);
    expect(takenUp()).toEqual([]);
  });

  it('counts once when its attachment comes after the answer', () => {
    enqueue('a');
    remove();
    expect(takenUp()).toEqual(['a']);
    expect(queued.shown('a', 'attachment')).toBe(false);
    expect(queued.shown('a', 'attachment')).toBe(true);
  });

  it('counts once when it is dequeued and follows as a line', () => {
    enqueue('a');
    queued.operation('dequeue', undefined, 8, undefined);
    expect(queued.shown('a', 'line')).toBe(true);
    remove();
    expect(takenUp()).toEqual([]);
  });

  it('may be typed again', () => {
    enqueue('go on');
    remove();
    expect(takenUp()).toEqual(['go on']);
    expect(queued.shown('go on', 'line')).toBe(true);
  });

  it('is the one that the removal names', () => {
    enqueue('a');
    enqueue('b');
    remove('b');
    expect(takenUp()).toEqual(['b']);
  });
});

it('a notification from the program is not a prompt', () => {
  enqueue('<task-notification>\n<task-id>b1</task-id></task-notification>');
  enqueue('check again');
  remove();
  expect(takenUp()).toEqual(['check again']);
});

it('only the newest 50 queued prompts are kept', () => {
  for (let i = 0; i < 1000; i += 1) enqueue(`prompt ${i}`);
  remove();
  expect(takenUp()).toEqual(['prompt 950']);
});
