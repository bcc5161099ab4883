/** The mock itself, without a client: the other tests are only as good as the mock. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anyCharacter } from '../support/any-character.js';
import { streamOf } from './support/message-stream.js';
import { type MockAnthropic, startMockAnthropic } from './support/mock-anthropic.js';
import { contextOf, fieldsOf, listOf, readRequest, textOf } from './support/model-request.js';

const session = '0b7c2a10-1111-4222-8333-944455556666';
const tools = [{ name: 'Bash' }];
const asking = (prompt: string) => ({ messages: [{ role: 'user', content: prompt }] });

describe('the mock of the Messages API', () => {
  let mock: MockAnthropic;
  beforeEach(async () => {
    mock = await startMockAnthropic();
  });
  afterEach(() => mock.close());

  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${mock.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: { 'x-claude-code-session-id': session, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const saidIn = async (response: Response): Promise<string> => {
    const [block] = listOf(fieldsOf(await response.json())['content']);
    return textOf(fieldsOf(block)['text']);
  };

  it('answers the steps of a session in order, each once, and keeps the requests', async () => {
    mock.lay(session, [{ kind: 'text', text: 'one' }]);
    mock.lay(session, [{ kind: 'text', text: 'two' }]);
    expect(mock.left(session)).toBe(2);
    expect(await saidIn(await post({ tools, ...asking('a') }))).toBe('one');
    expect(await saidIn(await post({ tools, ...asking('b') }))).toBe('two');
    expect(mock.left(session)).toBe(0);
    expect(mock.requests.map(({ kind, texts }) => [kind, texts[0]?.text])).toEqual([
      ['turn', 'a'],
      ['turn', 'b'],
    ]);
  });

  it('keeps the steps of subagents and of other sessions apart', async () => {
    mock.lay(session, [{ kind: 'text', text: 'main' }]);
    mock.lay(session, [{ kind: 'text', text: 'subagent' }], 'subagent');
    mock.lay('another', [{ kind: 'text', text: 'another' }]);
    expect(await saidIn(await post({ tools, ...asking('x') }, { 'x-claude-code-agent-id': 'a1' }))).toBe('subagent');
    expect(await saidIn(await post({ tools, ...asking('x') }, { 'x-claude-code-session-id': 'another' }))).toBe(
      'another',
    );
    expect(await saidIn(await post({ tools, ...asking('x') }))).toBe('main');
  });

  it('uses no step for a side call or a compaction', async () => {
    mock.lay(session, [{ kind: 'text', text: 'kept' }]);
    mock.answerSideCalls(({ texts }) => `a title for ${texts[0]?.text}`);
    const summarise = 'Your task is to create a detailed summary of … in a <summary> block.';
    const behind = { role: 'system', content: 'SessionStart hook additional context: notes' };
    expect(await saidIn(await post(asking('this')))).toBe('a title for this');
    const compacting = { tools, messages: [...asking('a').messages, ...asking(summarise).messages, behind] };
    expect(await saidIn(await post(compacting))).toContain('<summary>');
    expect(mock.requests.map(({ kind }) => kind)).toEqual(['side', 'compaction']);
    expect(mock.left(session)).toBe(1);
  });

  it('streams the events of a message in the order of the API', async () => {
    mock.lay(session, [{ kind: 'tool', name: 'Bash', input: { command: 'ls "ünï" 🎈' } }]);
    const response = await post({ stream: true, tools, ...asking('x') });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const lines = (await response.text()).split('\n\n').filter((one) => one !== '');
    const names = lines.map((one) => /^event: (\w+)\ndata: \{/.exec(one)?.[1]);
    expect([...new Set(names)]).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(lines.join('')).toContain('"stop_reason":"tool_use"');
  });

  it('answers requests other than messages, and lists the paths that it does not know', async () => {
    expect((await fetch(mock.url, { method: 'HEAD' })).status).toBe(200);
    const counted = await fetch(`${mock.url}/v1/messages/count_tokens`, { method: 'POST', body: '{"messages":[]}' });
    expect(await counted.json()).toEqual({ input_tokens: 4 });
    const unknown = await fetch(`${mock.url}/v1/files?x=1`);
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { type: 'not_found_error' } });
    expect(mock.unknownPaths).toEqual(['GET /v1/files']);
    expect(mock.requests).toEqual([]);
  });

  it.each(['', '{', '[]', 'null', '7', '"text"', '\u0000'])('refuses the body %j and continues', async (body) => {
    const refused = await post(body);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
    expect(mock.requests).toEqual([]);
  });

  it('reads what it can of a request in an unknown shape', async () => {
    await post('{"messages":[null,7,{"content":[{"type":"text"},{"type":"tool_result","content":"r"}]}],"tools":"no"}');
    await post(`{"__proto__":{"tools":[{"name":"x"}]},"messages":"${'x'.repeat(3_000_000)}"}`);
    expect(mock.requests.map(({ kind, texts }) => [kind, texts.map(({ text }) => text)])).toEqual([
      ['side', ['', 'r']],
      ['side', []],
    ]);
  });

  it('keeps a client waiting until it is closed', async () => {
    mock.lay(session, [{ kind: 'hold' }]);
    let isOver = false;
    const waiting = post({ tools, ...asking('x') }).finally(() => {
      isOver = true;
    });
    const ended = expect(waiting).rejects.toThrow();
    await expect.poll(() => mock.requests.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isOver).toBe(false);
    await mock.close();
    await ended;
  });
});

describe('writing and reading messages', () => {
  it('streams any text and any input in pieces that add up to the whole', () => {
    const join = (events: ReturnType<typeof streamOf>['events']): string =>
      events.map(({ delta }) => textOf(fieldsOf(delta)['text']) + textOf(fieldsOf(delta)['partial_json'])).join('');
    const frame = { id: 1, model: 'm', inputChars: 10 };
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(join(streamOf({ kind: 'text', text }, frame).events)).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        const text = JSON.stringify(input);
        expect(join(streamOf({ kind: 'tool', name: 't', input }, frame).events)).toBe(text);
      }),
    );
  });

  it('finds what one hook added among the additions of others', () => {
    const content =
      'SessionStart hook additional context: # Notes\n\nroped\n\nUserPromptSubmit hook additional context: fits\n\n# Environment\nYou';
    const messages = [
      { role: 'user', content: 'SubagentStart hook additional context: typed by a person' },
      { role: 'system', content: 'SessionStart hook additional context: older' },
      { role: 'system', content: [{ type: 'text', text: content }] },
    ];
    const request = readRequest({ messages }, {});
    expect(contextOf(request, 'SessionStart')).toBe('# Notes\n\nroped');
    expect(contextOf(request, 'UserPromptSubmit')).toBe('fits');
    expect(contextOf(request, 'SubagentStart')).toBe('');
  });

  it('takes the session from the header, else from the metadata', () => {
    const body = { metadata: { user_id: `{"session_id":"${session}"}` } };
    expect(readRequest(body, {}).session).toBe(session);
    expect(readRequest(body, { 'x-claude-code-session-id': 'h' }).session).toBe('h');
    expect(readRequest({ metadata: 'none' }, {}).session).toBe('');
  });
});
