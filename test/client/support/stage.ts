/** A home with Claude Code, its mocked model, and a store of Anamnesis that `init` has registered there. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Asked, type ClientHome, type Ended, makeClientHome, startClient } from './client.js';
import { findComplaints } from './complaints.js';
import { type MockAnthropic, type Step, startMockAnthropic } from './mock-anthropic.js';
import { fieldsOf, listOf, textOf } from './model-request.js';

export const cli = join(process.cwd(), 'dist', 'cli.js');

export type CliEnd = { readonly code: number; readonly stdout: string; readonly stderr: string };

export type StoredNote = {
  readonly id: string;
  readonly title: string;
  /** '' in a list. */
  readonly body: string;
  readonly project: string;
  readonly session: string;
  readonly tags: readonly string[];
};

export type Prompted = Asked & {
  readonly steps?: readonly Step[];
  readonly subagentSteps?: readonly Step[];
};

export type Stage = {
  readonly binary: string;
  readonly mock: MockAnthropic;
  readonly home: ClientHome;
  readonly store: string;
  /** Runs the command line as the owner of this home would. */
  anamnesis(...args: readonly string[]): Promise<CliEnd>;
  /** Runs one `claude -p`, which must end well, use all its steps and complain about nothing. */
  say(said: Prompted): Promise<Ended>;
  /** All notes, without their bodies. */
  notes(): Promise<readonly StoredNote[]>;
  show(id: string): Promise<StoredNote>;
  /** Waits up to 30 s for the background worker to capture a session. */
  captured(session: string, isThere?: (note: StoredNote) => boolean): Promise<StoredNote>;
  close(): Promise<void>;
};

export const openStage = async (binary: string): Promise<Stage> => {
  const mock = await startMockAnthropic();
  const home = makeClientHome(binary, mock.url);
  const store = join(home.folder, 'store');

  const anamnesis = (...args: readonly string[]): Promise<CliEnd> =>
    new Promise((resolve) => {
      const env = { ...home.environment, ANAMNESIS_HOME: store, NO_COLOR: '1' };
      execFile(process.execPath, [cli, ...args], { cwd: home.project, env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr }),
      );
    });

  const notes = async (): Promise<readonly StoredNote[]> => {
    const { code, stdout, stderr } = await anamnesis('list', '--json', '--limit', '200');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return listOf(fieldsOf(JSON.parse(stdout))['notes']).map((note) => readNote(fieldsOf(note)));
  };

  const show = async (id: string): Promise<StoredNote> => {
    const { code, stdout, stderr } = await anamnesis('show', id, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return readNote(fieldsOf(JSON.parse(stdout)));
  };

  return {
    binary,
    mock,
    home,
    store,
    anamnesis,
    notes,
    show,
    say: async ({ steps = [{ kind: 'text', text: 'Done.' }], subagentSteps = [], ...asked }) => {
      mock.lay(asked.session, steps);
      mock.lay(asked.session, subagentSteps, 'subagent');
      const ended = await startClient(binary, home, asked).ended;
      expect({ code: ended.code, complaints: findComplaints(ended), left: mock.left(asked.session) }).toEqual({
        code: 0,
        complaints: [],
        left: 0,
      });
      return ended;
    },
    captured: async (session, isThere = () => true) => {
      const until = Date.now() + 30_000;
      for (;;) {
        const all = await notes();
        const listed = all.find((note) => note.session === session && note.tags.includes('session'));
        const found = listed === undefined ? undefined : await show(listed.id);
        if (found !== undefined && isThere(found)) return found;
        if (Date.now() > until) {
          const titles = all.map(({ title }) => title).join(' | ');
          throw new Error(`session ${session} was not captured as expected: ${found?.body ?? `only ${titles}`}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },
    close: async () => {
      await waitForWorker(anamnesis);
      await mock.close();
      home.remove();
    },
  };
};

/** A running worker would recreate its folders while they are being removed. */
const waitForWorker = async (anamnesis: Stage['anamnesis']): Promise<void> => {
  for (const until = Date.now() + 30_000; Date.now() < until; ) {
    const { code, stdout } = await anamnesis('work', '--json');
    if (code !== 0 || fieldsOf(JSON.parse(stdout))['busy'] === false) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

const readNote = (note: Readonly<Record<string, unknown>>): StoredNote => ({
  id: textOf(note['id']),
  title: textOf(note['title']),
  body: textOf(note['body']),
  project: textOf(note['project']),
  session: textOf(note['prov_session']),
  tags: listOf(note['tags']).map(textOf),
});
