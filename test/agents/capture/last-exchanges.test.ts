import { describe, expect, it } from 'vitest';
import { readLastExchanges } from '../../../src/agents/capture/read-session.js';
import { firstLineMs, putTranscript, Transcript } from '../../support/transcripts.js';

const last = (t: Transcript | string, count = 5, maxChars = 1000) =>
  readLastExchanges(putTranscript(t), { count, maxChars });

const transcriptWith = (fill: (t: Transcript) => void): Transcript => {
  const t = new Transcript();
  fill(t);
  return t;
};

describe('the last exchanges', () => {
  it('are the last prompts with everything said in reply, oldest first', async () => {
    const t = transcriptWith((one) => {
      one.prompt('one');
      one.reply('first');
      one.prompt('two');
      one.reply('I look.', 'I found it.');
      one.run('npm test');
      one.reply('It works.');
      one.prompt('three');
    });
    expect(await last(t, 2)).toMatchObject([
      {
        uuid: '00000001-0000-4000-8000-000000000003',
        atMs: firstLineMs + 2000,
        prompt: 'two',
        reply: 'I look.\n\nI found it.\n\nIt works.',
      },
      { uuid: '00000001-0000-4000-8000-000000000009', atMs: firstLineMs + 8000, prompt: 'three', reply: '' },
    ]);
    expect(await last(t, 9)).toHaveLength(3);
    expect(await last(t, 0)).toEqual([]);
  });

  it('keep the end of a long reply', async () => {
    const t = transcriptWith((one) => {
      one.prompt('ask');
      one.reply(`begin ${'word '.repeat(4000)}`);
      one.reply('the end 😀');
    });
    const [exchange] = await last(t, 1, 100);
    expect(exchange?.reply.length).toBeLessThanOrEqual(100);
    expect(exchange?.reply).toMatch(/^….*the end 😀$/s);
    expect((await last(t, 1, 0))[0]?.reply).toBe('');
  });

  it('leave out lines that are neither a prompt nor a reply', async () => {
    const t = transcriptWith((one) => {
      one.prompt('ask');
      one.prompt('meta', { isMeta: true });
      one.prompt('side', { isSidechain: true });
      one.line('assistant', { isApiErrorMessage: true, message: { content: [{ type: 'text', text: 'Overloaded' }] } });
      one.reply('Said.');
      one.command('clear');
      one.command('compact');
    });
    expect(await last(t)).toMatchObject([{ prompt: 'ask', reply: 'Said.' }]);
  });

  it('include answered slash commands and queued prompts', async () => {
    const t = transcriptWith((one) => {
      one.command('review', 'it');
      one.reply('Reviewed.');
      one.attachment({ type: 'queued_command', prompt: 'and test it', commandMode: 'prompt' });
      one.reply('Tested.');
    });
    expect(await last(t)).toMatchObject([
      { prompt: '/review it', reply: 'Reviewed.' },
      { prompt: 'and test it', reply: 'Tested.' },
    ]);
  });

  it('skip repeated lines and a truncated end', async () => {
    const t = transcriptWith((one) => {
      one.prompt('ask');
      one.reply('Said.');
    });
    const text = t.text();
    expect(await last(`${text}${text}${text.slice(0, 50)}`)).toMatchObject([{ prompt: 'ask', reply: 'Said.' }]);
  });

  it('are empty for a transcript without entries', async () => {
    expect(await last('')).toEqual([]);
    expect(await last('garbage\n')).toEqual([]);
  });
});

describe('the last exchanges of a long transcript', () => {
  const filler = (t: Transcript, bytes: number): void => {
    for (let i = 0; i < bytes / 10_000; i += 1) t.tool('Read', { file_path: '/a' }, { result: 'x'.repeat(9700) });
  };

  it('are read from its end, further back while there are too few prompts', async () => {
    const t = transcriptWith((one) => {
      for (let i = 1; i <= 6; i += 1) {
        one.prompt(`prompt ${i}`);
        filler(one, 800_000);
        one.reply(`reply ${i}`);
      }
    });
    const found = await last(t, 3);
    expect(found.map(({ prompt, reply }) => [prompt, reply])).toEqual([
      ['prompt 4', 'reply 4'],
      ['prompt 5', 'reply 5'],
      ['prompt 6', 'reply 6'],
    ]);
    const all = await last(t, 50);
    expect(all.at(-1)?.prompt).toBe('prompt 6');
    expect(all.length).toBeGreaterThan(3);
    expect(all.length).toBeLessThan(6);
  });

  it('use the line that repeats a prompt if the prompt itself is too far back', async () => {
    const t = transcriptWith((one) => {
      one.prompt('the long job');
      filler(one, 4_500_000);
      one.reply('Nearly done.');
      one.meta({ type: 'last-prompt', lastPrompt: 'the long job' });
    });
    expect(await last(t)).toMatchObject([
      { uuid: undefined, atMs: undefined, prompt: 'the long job', reply: 'Nearly done.' },
    ]);
  });
});
