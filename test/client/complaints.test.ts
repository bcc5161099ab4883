/** The other tests rely on this: what the client rejects is seen, in the wording of the pinned version. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientHome, clientBinary, makeClientHome, startClient } from './support/client.js';
import { findComplaints, hooksThatRan } from './support/complaints.js';
import { type MockAnthropic, startMockAnthropic } from './support/mock-anthropic.js';

describe.skipIf(clientBinary === undefined)('what Claude Code rejects', () => {
  const binary = clientBinary ?? '';
  let mock: MockAnthropic;
  let home: ClientHome;

  beforeEach(async () => {
    mock = await startMockAnthropic();
    home = makeClientHome(binary, mock.url);
  });
  afterEach(async () => {
    await mock.close();
    home.remove();
  });

  const complaintsOf = async (settings: object): Promise<readonly string[]> => {
    writeFileSync(join(home.config, 'settings.json'), JSON.stringify(settings));
    const session = randomUUID();
    mock.lay(session, [{ kind: 'text', text: 'Well.' }]);
    const ended = await startClient(binary, home, { session, prompt: 'hello' }).ended;
    expect({ code: ended.code, left: mock.left(session) }).toEqual({ code: 0, left: 0 });
    if (Object.keys(settings).length === 0) expect(hooksThatRan(ended.events)).toEqual([]);
    return findComplaints(ended);
  };

  it('is nothing when nothing is registered', async () => {
    expect(await complaintsOf({})).toEqual([]);
  });

  it.each([
    ['a context under the name of another event', 'SessionStart', contextFor('Stop'), /incorrect event name/],
    ['half a line of JSON', 'UserPromptSubmit', '{"half":', /starts with \{ but is not/],
    ['a key that it does not know', 'Stop', '{"unknown":1}', /unrecognized keys/],
    ['a context where none is allowed', 'SessionEnd', contextFor('SessionEnd'), /^standard error: SessionEnd hook/],
  ])('is seen when a hook prints %s', async (_what, event, output, expected) => {
    const complaints = await complaintsOf({ hooks: { [event]: printing(output) } });
    expect(complaints).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
  });

  it('is seen when a hook fails, takes too long or writes to standard error', async () => {
    const complaints = await complaintsOf({
      hooks: {
        SessionStart: running('process.exitCode = 1'),
        UserPromptSubmit: running('setTimeout(() => undefined, 20000)', 1),
        Stop: running('process.stderr.write("oh")'),
      },
    });
    for (const name of ['SessionStart:startup', 'UserPromptSubmit', 'Stop']) {
      expect(complaints).toEqual(expect.arrayContaining([expect.stringMatching(new RegExp(`^${name}: `))]));
    }
  });

  it('is seen when a setting is not understood', async () => {
    const complaints = await complaintsOf({ hooks: { NoSuchEvent: printing('x') } });
    expect(complaints).toEqual([expect.stringMatching(/Invalid setting skipped.*NoSuchEvent/)]);
  });

  it('is seen when a server does not start', async () => {
    const servers = { mcpServers: { broken: { type: 'stdio', command: process.execPath, args: ['-e', '0'] } } };
    writeFileSync(join(home.config, '.claude.json'), JSON.stringify(servers));
    expect(await complaintsOf({})).toEqual(expect.arrayContaining([expect.stringMatching(/MCP server "broken"/)]));
  });
});

const running = (code: string, timeout = 10) => [
  { hooks: [{ type: 'command', command: process.execPath, args: ['-e', code], timeout }] },
];

const printing = (text: string) => running(`process.stdout.write(${JSON.stringify(text)})`);

function contextFor(hookEventName: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: 'x' } });
}
