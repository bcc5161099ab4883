/** Runs one hook of an agent. Never throws, prints only what the client understands, loads SQLite only to recall. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { HookContext } from './hook-context.js';
import { formatApproval, formatMessage } from './output.js';
import { type HookEvent, type HookPayload, parsePayload } from './payload.js';
import { isApproved } from './permission.js';
import { countExchanges, putItem, type SpoolEvent, type SpoolItem } from './spool.js';
import { isSuspicious } from './suspicious.js';

/** Once this many exchanges are queued, the worker judges them together. */
const exchangesPerPass = 5;

/** Returns the line to print, or ''. Logs errors. */
export const runHook = async (event: HookEvent, input: string, around: HookContext): Promise<string> => {
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
    // The person is told once per session; otherwise an upgrade of Node would end recall without a word.
    return event === 'SessionStart' && fault?.code === 'native-part-missing'
      ? formatMessage(`Anamnesis has no notes for this session: ${fault.message}; ${fault.next}`)
      : '';
  }
};

const handle = async (event: HookEvent, payload: HookPayload, around: HookContext): Promise<string> => {
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

/** Returns false when the payload names no session or no transcript: there is nothing for the worker to read. */
const spool = async (
  kind: SpoolItem['kind'],
  event: SpoolEvent,
  payload: HookPayload,
  { settings, client, startWorker }: HookContext,
): Promise<boolean> => {
  const { session, transcript, cwd } = payload;
  if (session === '' || transcript === '') return false;
  const folder = join(settings.home, 'spool');
  const said = event === 'PostCompact' ? payload.compactSummary : kind === 'exchange' ? payload.reply : '';
  const text = await maskEnd(said);
  const size = statSync(transcript, { throwIfNoEntry: false })?.size ?? -1;
  // The path of an existing file must stay as it is; any other is masked like other text.
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

/** Keeps the end, which says how it came out. Masks before cutting, which could remove the first line of a key. */
const maskEnd = async (text: string): Promise<string> => (await mask(text)).slice(-maxSpooledChars);

const mask = async (text: string): Promise<string> => {
  if (!isSuspicious(text)) return text;
  const { maskText } = await import('../../events/note/mask-text.js');
  return maskText(text);
};
