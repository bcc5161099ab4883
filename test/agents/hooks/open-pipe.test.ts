/** Clients that leave a hook's pipe open, or write slowly. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from '../../cli/support.js';
import { keptProgram } from '../../support/built-program.js';

let home: TestHome;
beforeAll(async () => {
  home = openHome();
  await home.json(['write', 'We deploy with make ship', '--body', 'Run make ship on the main branch.']);
});
afterAll(() => home.remove());

/** Runs a hook that gets these pieces, `pauseMs` apart, and never the end of its input. */
const runOpen = async (event: string, pieces: readonly (string | Buffer)[], pauseMs = 0) => {
  const child = spawn(process.execPath, [keptProgram, 'hook', event], { cwd: home.work, env: home.env });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const closed = once(child, 'close');
  for (const piece of pieces) {
    child.stdin.write(piece);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  const written = Date.now();
  const [code] = await closed;
  child.stdin.destroy();
  return { code, stdout, ms: Date.now() - written };
};
const payloadOf = (session: string): string =>
  JSON.stringify({
    session_id: session,
    transcript_path: '/no/such.jsonl',
    cwd: home.work,
    prompt: 'how do we deploy',
  });

describe('a hook whose input stays open', () => {
  it('prints what it has for a prompt as soon as the object is complete', async () => {
    const { code, stdout } = await runOpen('UserPromptSubmit', [payloadOf('open')]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain('make ship');
  });
  it('queues the end of a session', async () => {
    expect(await runOpen('Stop', [`${payloadOf('queued')}\n`])).toMatchObject({ code: 0, stdout: '' });
    expect(readdirSync(join(home.store, 'spool')).filter((name) => name.includes('queued'))).toHaveLength(1);
  });
  it('waits for a slow pipe', async () => {
    const pieces = payloadOf('slow').match(/.{1,12}/gs) ?? [];
    const { stdout } = await runOpen('UserPromptSubmit', pieces, 100);
    expect(stdout).toContain('make ship');
  });
  it.each([
    ['nothing', []],
    ['half an object', ['{"session_id":"half","cwd":"/w"']],
  ])('gives up 2 seconds after it got %s', async (_, pieces) => {
    const { code, stdout, ms } = await runOpen('UserPromptSubmit', pieces);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(ms).toBeGreaterThan(1500);
    expect(ms).toBeLessThan(8000);
  });
});
