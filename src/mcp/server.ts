/** MCP server over stdin and stdout: composes tools, resources and prompts, and ends when its client does. */

import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { App } from '../app/app.js';
import { projectOfFolder } from '../config/project.js';
import { type Settings, userHome } from '../config/settings.js';
import { faultOf } from '../state/environment-probe.js';
import { keepSynced } from './keep-synced.js';
import { completePrompt, getPrompt, listPrompts } from './prompts.js';
import { listProjects, listTemplates, readResource } from './resources.js';
import { invalidParams, RequestError, type RequestHandlers, Session } from './session.js';
import { LineTransport } from './stdio.js';
import type { Caller } from './tools/tool.js';
import { tools } from './tools/tools.js';

export type ServeOptions = { readonly input?: Readable; readonly output?: Writable };

/** Resolves when input, client or parent is gone or a signal comes, and requests are answered. Opens nothing before. */
export const serve = async (app: App, options: ServeOptions = {}): Promise<void> => {
  const { input = process.stdin, output = process.stdout } = options;
  keepHeapSmall();
  // The transport waits for 'drain' once per answer, and Node would warn about more than ten on standard error.
  output.setMaxListeners(0);
  const ending = new AbortController();
  const session: Session = new Session(
    handlersOf(app, () => ({
      agent: session.agent,
      session: nonEmpty(process.env['CLAUDE_CODE_SESSION_ID']),
      project: async () => projectOfSession(await session.listRoots(), app.settings),
    })),
    () => keepSynced(app, ending.signal),
  );
  session.onerror = (error) => {
    if (app.exists()) void app.log(`mcp: ${error.message.slice(0, maxLoggedChars)}`);
  };
  const ended = watchForEnd(session, input, output);
  await session.connect(new LineTransport(input, output));
  await ended;
  ending.abort();
  // Lets messages in the last bytes reach their handlers first.
  await nextTurn();
  await session.settled();
  await nextTurn();
  await flushed(output);
  await session.close();
};

const maxLoggedChars = 500;
/** Limit for a client's own word in an answer that says it is unknown. */
const maxShownChars = 100;

/**
 * A server mostly waits beside an agent for days. V8 would let its heap grow to save collections: after 1,000 searches
 * by 25 MB, for no speed. V8 checks this flag whenever the heap would grow, so it may be set late.
 */
const keepHeapSmall = (): void => setFlagsFromString('--optimize-for-size');

const handlersOf = (app: App, caller: () => Caller): RequestHandlers => {
  const answerOrLog = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof RequestError) throw error;
      const fault = faultOf(error, app.settings.home);
      if (fault !== undefined) throw new RequestError(internalError, `${fault.message}; ${fault.next}`);
      await app.log(`mcp: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      throw new RequestError(internalError, 'the request failed; details are in the log of the store');
    }
  };
  return {
    'tools/list': async () => ({ tools: tools.map((tool) => tool.list()) }),
    'tools/call': async (params) => {
      const { name, arguments: given } = asRecord(params);
      const tool = tools.find((one) => one.name === name);
      if (tool !== undefined) return tool.call(app, given, caller());
      const asked = typeof name === 'string' ? name.slice(0, maxShownChars) : 'without a name';
      throw invalidParams(`there is no tool ${asked}; there are ${tools.map((one) => one.name).join(', ')}`);
    },
    'resources/list': () => answerOrLog(listProjects(app)),
    'resources/templates/list': async () => listTemplates(),
    'resources/read': (params) => answerOrLog(readResource(app, params)),
    'prompts/list': async () => listPrompts(),
    'prompts/get': (params) => answerOrLog(getPrompt(app, params)),
    'completion/complete': (params) => answerOrLog(completePrompt(app, params)),
  };
};

const internalError = -32603;

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const nonEmpty = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text;

const parentCheckMs = 2000;
const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves at the first sign that the client is gone. */
const watchForEnd = (session: Session, input: Readable, output: Writable): Promise<void> =>
  new Promise((resolve) => {
    const parent = process.ppid;
    const watchdog = setInterval(() => {
      if (process.ppid !== parent) end();
    }, parentCheckMs);
    watchdog.unref();
    const end = (): void => {
      clearInterval(watchdog);
      for (const signal of endSignals) process.removeListener(signal, end);
      resolve();
    };
    for (const signal of endSignals) process.once(signal, end);
    for (const event of ['end', 'close', 'error']) input.once(event, end);
    // Never removed: a later EPIPE without a listener would end the process in the middle of a write.
    output.on('error', end);
    session.onclose = end;
  });

const flushed = (output: Writable): Promise<void> =>
  new Promise((resolve) => {
    if (output.destroyed || output.writableLength === 0) resolve();
    else output.write('', () => resolve());
  });

/** The project of the client's first root, else of the folder that the server started in. */
export const projectOfSession = (roots: readonly string[], { trustedProjects }: Settings): string =>
  projectOfFolder(roots.flatMap(folderOf)[0] ?? process.cwd(), userHome(), trustedProjects);

const folderOf = (uri: string): readonly string[] => {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
};
