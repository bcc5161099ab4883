/**
 * One hook of an agent: what comes in on standard input, what goes out. Never throws, and prints only what the client
 * understands. What most hooks need is loaded at once, SQLite only by those that recall.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { formatApproval, formatMessage } from './output.js';
import { type HookEvent, type HookPayload, parsePayload } from './payload.js';
import { isApproved } from './permission.js';
import { countExchanges, putItem, type SpoolEvent, type SpoolItem } from './spool.js';
import type { HookSurroundings } from './surroundings.js';
import { isSuspicious } from './suspicious.js';

/** Every so many exchanges the worker looks at them together. */
const exchangesPerPass = 5;

/** The line to print, or ''. What goes wrong is logged. */
export const runHook = async (event: HookEvent, input: string, around: HookSurroundings): Promise<string> => {
  try {
    const payload = parsePayload(input);
    if (payload === undefined) {
      around.log(`hook ${event}: standard input is not a JSON object (${input.length} units)`);
      return '';
    }
    return await handle(event, payload, around);
  } catch (error) {
    const { describeError, faultOf } = await import('../../state/environment-probe.js');
    around.log(await mask(`hook ${event} failed: ${describeError(error, around.settings.home)}`));
    const fault = faultOf(error, around.settings.home);
    // Once a session the person is told, or an upgrade of Node would end recall without a word.
    return event === 'SessionStart' && fault?.code === 'native-part-missing'
      ? formatMessage(`Anamnesis has no notes for this session: ${fault.message}; ${fault.next}`)
      : '';
  }
};

const handle = async (event: HookEvent, payload: HookPayload, around: HookSurroundings): Promise<string> => {
  const { config } = around;
  switch (event) {
    case 'SessionStart':
    case 'UserPromptSubmit':
    case 'SubagentStart': {
      const { recallFor } = await import('./recall-for.js');
      const text = await recallFor(event, payload, around);
      return text;
    }
    case 'PermissionRequest':
      return isApproved(payload.toolName, { server: around.server, approveWrite: config.approveWrite })
        ? formatApproval()
        : '';
    case 'Stop':
      if (config.learn && !payload.isContinued) await spool('exchange', event, payload, around);
      return '';
    case 'PreCompact': {
      if (!config.capture) return '';
      await spool('capture', event, payload, around);
      const { captureNow } = await import('./capture-now.js');
      await captureNow(payload, around);
      return '';
    }
    case 'PostCompact':
    case 'SessionEnd':
      if (config.capture && (await spool('capture', event, payload, around))) around.startWorker();
      return '';
    case 'SubagentStop':
      // Internal helpers, such as the one that compacts, have no type.
      if (config.capture && payload.agentType !== '') await spool('capture', event, payload, around);
      return '';
  }
};

/** False when the payload names no session or no transcript: there is nothing to come back to. */
const spool = async (
  kind: SpoolItem['kind'],
  event: SpoolEvent,
  payload: HookPayload,
  { settings, client, startWorker }: HookSurroundings,
): Promise<boolean> => {
  const { session, transcript, cwd } = payload;
  if (session === '' || transcript === '') return false;
  const folder = join(settings.home, 'spool');
  const said = event === 'PostCompact' ? payload.compactSummary : kind === 'exchange' ? payload.reply : '';
  const text = await maskEnd(said);
  const size = statSync(transcript, { throwIfNoEntry: false })?.size ?? -1;
  // The path of a file that is there is needed as it is; another one is a text like any other.
  const item = {
    kind,
    session: await mask(session),
    transcript: size === -1 ? await mask(transcript) : transcript,
    cwd: await mask(cwd),
    event,
    text,
    size,
    client,
  };
  putItem(folder, item);
  if (kind === 'exchange' && countExchanges(folder, item.session) >= exchangesPerPass) startWorker();
  return true;
};

const maxSpooledChars = 8_000;

/** The end of a text says how it came out. Masked as a whole, since the cut may take the first line of a key away. */
const maskEnd = async (text: string): Promise<string> => (await mask(text)).slice(-maxSpooledChars);

const mask = async (text: string): Promise<string> => {
  if (!isSuspicious(text)) return text;
  const { maskText } = await import('../../events/note/mask-text.js');
  return maskText(text);
};
