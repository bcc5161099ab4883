import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from '../support.js';

let home: TestHome;
const hook = (event: string, payload: object) =>
  home.spawn(['hook', event], { input: JSON.stringify({ session_id: 'abc-123', cwd: home.work, ...payload }) });

beforeAll(async () => {
  home = openHome();
  await home.run(['write', 'Deploys need the VPN', '--body', 'Open the VPN before a deploy.', '--project', 'shop']);
  await home.run(['write', '数据库迁移计划'.repeat(12), '--body', 'A plan.', '--project', 'shop']);
  hook('SessionStart', { source: 'startup' });
  hook('UserPromptSubmit', { prompt: 'paint the garden shed with password: hunter22' });
  const { id } = (await home.json(['search', 'vpn'])).hits[0];
  await home.run(['show', id]);
});
afterAll(() => home.remove());

describe('trace', () => {
  it('lists the sessions, latest first', async () => {
    expect((await home.json(['trace'])).sessions).toMatchObject([
      { session: null, asked: 1, given: 1, opened: 1 },
      { session: 'abc-123', agent: 'claude-code', project: 'shop', asked: 2, given: 2, opened: 0 },
    ]);
    expect((await home.run(['trace'])).stdout).toMatch(
      /^LAST \(UTC\) +SESSION +AGENT +ASKED +NOTES +OPENED +PROJECT\n/,
    );
  });

  it('shows what a session was given at its start and for each prompt, and why', async () => {
    const { stdout } = await home.run(['trace', 'abc']);
    expect(stdout).toMatch(/session start {2}shop\n/);
    expect(stdout).toMatch(/1 +\w{6,} +(?:Deploys|数据)/);
    expect(stdout).toContain('what a session of the project starts with');
    expect(stdout).toMatch(
      /prompt paint the garden shed with password: … {2}shop\n {2}nothing was given: no note that the session lacks fits/,
    );
    expect(stdout).not.toContain('hunter22');
    expect((await home.run(['trace', 'none'])).stdout).toMatch(
      /search vpn {2}shop[\s\S]*Deploys need the VPN +opened\n/,
    );
  });

  it('says when it knows nothing of a session', async () => {
    expect(await home.run(['trace', 'zzz'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no trace of a session'),
    });
    const other = openHome();
    try {
      expect(await other.run(['trace'])).toMatchObject({
        code: 0,
        stdout: '',
        stderr: expect.stringContaining('nothing was'),
      });
      expect((await other.run(['trace', 'last'])).stderr).toContain('no session of an agent has left a trace');
      expect(existsSync(other.store)).toBe(false);
    } finally {
      other.remove();
    }
  });

  it('has a line for each prompt, even one that was given nothing or not looked up', async () => {
    const session = 'each-prompt';
    const say = (prompt: string) => hook('UserPromptSubmit', { session_id: session, prompt });
    say('how do deploys need the VPN?');
    say('how do deploys need the VPN?');
    say('/compact');
    await home.run(['config', 'set', 'recall', 'false']);
    say('thanks');
    await home.run(['config', 'set', 'recall', 'true']);
    say('<task-notification>done</task-notification>');
    const entries: readonly { by: string; query: string | null }[] = (await home.json(['trace', session])).entries;
    expect(entries.map(({ by, query }) => [by, query])).toEqual([
      ['inject', null],
      ['recall', 'how do deploys need the VPN?'],
      ['recall', 'how do deploys need the VPN?'],
      ['recall', '…'],
      ['recall', 'thanks'],
    ]);
    const { stdout } = await home.run(['trace', session]);
    expect(stdout).toMatch(
      /VPN\? {2}shop\n {2}nothing was given: no note that the session lacks fits the prompt well enough\n/,
    );
    expect(stdout).toMatch(/prompt thanks {2}shop\n {2}nothing was looked for\n/);
  });

  it('says which notes were only named to a prompt', async () => {
    await home.run([
      'write',
      'Image uploads go directly to the bucket',
      '--body',
      'A presigned form, ten megabytes at most.',
      '--project',
      'pics',
    ]);
    expect((await home.json(['recall', 'upload avatars', '--project', 'pics', '--explain'])).maybe).toHaveLength(1);
    expect((await home.run(['trace', 'none'])).stdout).toMatch(
      /prompt upload avatars {2}pics\n[^\n]*\n[^\n]*Image uploads[^\n]*\n {2}told by id and title alone/,
    );
  });

  it('does not count opening a note by its title as a search', async () => {
    const env = { CLAUDE_CODE_SESSION_ID: 'opens' };
    await home.run(['show', 'nosuch'], { env });
    await home.run(['show', 'deploys', 'need', 'the', 'vpn'], { env });
    expect((await home.json(['trace', 'opens'])).entries).toMatchObject([{ by: 'open' }]);
  });

  it('names the session of an agent that searches from the command line', async () => {
    await home.json(['search', 'deploy'], { env: { CLAUDE_CODE_SESSION_ID: 'from-shell' } });
    expect((await home.json(['trace', 'from-shell'])).entries).toMatchObject([{ by: 'search', query: 'deploy' }]);
  });

  it('changes no answer when nothing can be stored', async () => {
    const folder = join(home.store, 'trace');
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'in the way');
    expect((await home.json(['search', 'vpn'])).hits).toHaveLength(1);
    expect(hook('SessionStart', { source: 'clear' })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('VPN'),
    });
    rmSync(folder);
  });

  it('is removed with --clear, and stores nothing once it is turned off', async () => {
    await home.json(['search', 'vpn']);
    expect((await home.run(['trace', '--clear'])).stdout).toBe('the trace is removed\n');
    await home.run(['config', 'set', 'trace', 'false']);
    await home.json(['search', 'vpn']);
    hook('SessionStart', { source: 'clear' });
    expect(await home.json(['trace'])).toEqual({ sessions: [] });
    expect((await home.run(['trace'])).stderr).toContain('anamnesis config set trace true');
  });
});
