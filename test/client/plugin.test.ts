/** The plugin, installed from the marketplace file of this repository as a person would. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientBinary } from './support/client.js';
import { contextOf, fieldsOf, textOf } from './support/model-request.js';
import { cli, openStage, type Prompted, type Stage } from './support/stage.js';

const note = { title: 'Gondola doors open inwards', body: 'Outwards they are torn off by the wind.' };

describe.skipIf(clientBinary === undefined || process.platform === 'win32')('the plugin for Claude Code', () => {
  let stage: Stage;
  let environment: NodeJS.ProcessEnv;
  const repository = (): string => join(stage.home.folder, 'repository');
  const plugin = (...args: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const env = { ...stage.home.environment, ...environment };
      execFile(stage.binary, ['plugin', ...args], { cwd: stage.home.project, env }, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(`${stdout}${stderr}`, { cause: error })),
      );
    });
  const say = async (said: Omit<Prompted, 'environment' | 'session'>) => {
    const session = randomUUID();
    const ended = await stage.say({ ...said, session, environment });
    const requests = stage.mock.requests.filter((one) => one.session === session && one.kind === 'turn');
    return { session, ended, first: requests[0]!, last: requests.at(-1)! };
  };

  beforeAll(async () => {
    stage = await openStage(clientBinary ?? '');
    const bin = join(stage.home.folder, 'bin');
    mkdirSync(bin);
    symlinkSync(cli, join(bin, 'anamnesis'));
    environment = {
      PATH: `${bin}${delimiter}${stage.home.environment['PATH']}`,
      ANAMNESIS_HOME: stage.store,
    };
    for (const part of ['.claude-plugin', 'plugin']) cpSync(part, join(repository(), part), { recursive: true });
    expect((await stage.anamnesis('write', note.title, '--body', note.body, '--project', 'hangar')).code).toBe(0);
  });
  afterAll(() => stage?.close());

  it('is accepted, and so is the marketplace that lists it', async () => {
    expect(await plugin('validate', '--strict', join(repository(), 'plugin'))).toContain('Validation passed');
    expect(await plugin('validate', '--strict', repository())).toContain('Validation passed');
  });

  it('is installed, and injects and captures with nothing else registered', async () => {
    const marketplace = textOf(
      fieldsOf(JSON.parse(readFileSync(join(repository(), '.claude-plugin', 'marketplace.json'), 'utf8')))['name'],
    );
    await plugin('marketplace', 'add', repository());
    await plugin('install', `anamnesis@${marketplace}`);
    const { session, first, last, ended } = await say({
      prompt: 'How do the doors of the gondola open?',
      steps: [
        { kind: 'tool', name: 'mcp__plugin_anamnesis_anamnesis__memory_search', input: { query: 'gondola doors' } },
        { kind: 'text', text: 'They open inwards, against the wind.' },
      ],
    });
    expect(contextOf(first, 'SessionStart')).toContain(note.body);
    expect(last.texts.at(-1)?.text ?? '').toContain('Gondola doors open inwards');
    expect(ended.events.find(({ subtype }) => subtype === 'init')?.['mcp_servers']).toEqual([
      expect.objectContaining({ name: 'plugin:anamnesis:anamnesis', status: 'connected' }),
    ]);
    // A capture before the client has written the answer is followed by another one.
    await stage.captured(session, ({ body }) => body.includes('They open inwards, against the wind.'));
  });

  it('does nothing if init has registered the same hooks', async () => {
    const { code, stderr } = await stage.anamnesis('init', '--yes', '--home', stage.store, '--local-only', '--no-mcp');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { first } = await say({ prompt: 'And the windows of the gondola?' });
    const told = first.texts.map(({ text }) => text).join('\n');
    expect(told.split('# Anamnesis memory (auto-injected)')).toHaveLength(2);
  });

  it('is removed without a trace, and so are hooks whose marks the client has dropped', async () => {
    const settings = (): string => readFileSync(join(stage.home.config, 'settings.json'), 'utf8');
    expect(settings()).toContain('_managed_by');
    await plugin('uninstall', 'anamnesis');
    // The client drops unknown keys when it saves its settings.
    expect(settings()).not.toContain('_managed_by');
    expect((await stage.anamnesis('doctor')).stdout).toMatch(/✓ claude-code hooks .*✓ claude-code settings/s);
    const again = await stage.anamnesis('init', '--yes', '--home', stage.store, '--local-only', '--no-mcp');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(settings().match(/"SessionEnd",/g)).toHaveLength(1);
    await plugin('marketplace', 'remove', 'anamnesis');
    expect(settings()).not.toContain('_managed_by');
    expect((await stage.anamnesis('uninstall', '--yes')).code).toBe(0);
    expect(settings()).not.toContain('hook');
    const { first } = await say({ prompt: 'And the roof of the gondola?' });
    expect(JSON.stringify(first.body)).not.toMatch(/anamnesis/i);
  });
});
