/** Checks what clients start: that it is registered, that its paths exist, and that it answers. */
import { accessSync, constants, existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { isRefusal } from '../../files/settings-file.js';
import { installCommand } from '../../state/install-command.js';
import { homeArgsOf } from '../read-surroundings.js';
import {
  type CommandLine,
  type Entry,
  findRegistered,
  namedStoreOf,
  type RegisteredPart,
  wordsOf,
} from '../registered-parts.js';
import { quoteForShell } from '../shell-word.js';
import type { ClientName } from '../surroundings.js';
import {
  type Check,
  type CheckInput,
  countOf,
  type Finding,
  type Fix,
  messageOf,
  nameSome,
  ok,
  problem,
  surroundingsOf,
  warning,
} from './check.js';
import { probeHook, probeProgram, probeServer } from './probe.js';

export const registrationCheck: Check = {
  name: 'agents',
  look: async (examined) => {
    const parts = findRegistered(examined.home, surroundingsOf(examined));
    return Promise.all(parts.map((part) => lookAt(part, examined)));
  },
};

const lookAt = async (part: RegisteredPart, examined: CheckInput): Promise<Finding> => {
  const check = `${part.client} ${part.part}`;
  try {
    return (await firstProblem(check, part, examined)) ?? (await ask(check, part, examined));
  } catch (error) {
    return problem(check, `could not be checked: ${messageOf(error)}`, {
      next: `check that you can read ${part.file}`,
    });
  }
};

/** Returns the first problem visible without starting anything, or undefined. */
const firstProblem = async (
  check: string,
  part: RegisteredPart,
  examined: CheckInput,
): Promise<Finding | undefined> => {
  const { client, file, entries, unreadable } = part;
  const fix = register(part, examined);
  const next = `run: ${initOf(client, examined)}`;
  if (unreadable !== undefined) return problem(check, unreadable, { next: `fix that file, then ${next}` });
  if (entries.length === 0) return problem(check, `no longer in ${file}`, { next, fix });
  const lines = entries.map(({ line }) => line);
  const gone = new Set(lines.flatMap(pathsOf).filter((path) => !existsSync(path)));
  if (gone.size > 0) {
    const [path = ''] = gone;
    return problem(check, `${file} starts ${nameSome([...gone])}, which ${gone.size === 1 ? 'is' : 'are'} not there`, {
      next: `${next}, from where anamnesis is now${path.includes('_npx') ? ` (${installCommand})` : ''}`,
      fix,
    });
  }
  const [program] = lines.flatMap((line) => pathsOf(line).slice(0, 1)).filter((path) => !isExecutable(path));
  if (program !== undefined) return problem(check, `${file} starts ${program}, which can't be run`, { next, fix });
  const elsewhere = lines.map(namedStoreOf).find((home) => home !== undefined && resolve(home) !== examined.home);
  if (elsewhere !== undefined) {
    const look = `to look at that one: anamnesis doctor --home ${quoteForShell(elsewhere)}`;
    return problem(check, `${file} names another store: ${elsewhere}`, {
      next: `${look}; to use this one, ${next}`,
      fix,
    });
  }
  return lookAtEvents(check, part, { next, fix });
};

const lookAtEvents = (
  check: string,
  { file, part, entries, wanted }: RegisteredPart,
  more: { readonly next: string; readonly fix: Fix },
): Finding | undefined => {
  if (part === 'server') return undefined;
  const events = entries.map(({ event }) => event);
  const missing = wanted.filter((event) => !events.includes(event));
  if (missing.length > 0) return problem(check, `${file} has no hook of ours for ${nameSome(missing)}`, more);
  const twice = [...new Set(events.filter((event, at) => events.indexOf(event) !== at))];
  return twice.length === 0 ? undefined : warning(check, `${file} has our hook twice for ${nameSome(twice)}`, more);
};

/** Starts what is registered and checks the answer. */
const ask = async (check: string, part: RegisteredPart, examined: CheckInput): Promise<Finding> => {
  const { client, file, entries } = part;
  const next = `run it yourself to see what it prints; ${initOf(client, examined)} registers it again`;
  const fix = register(part, examined);
  const [first] = entries;
  if (first === undefined) return problem(check, `no longer in ${file}`, { next, fix });
  if (part.part === 'server') {
    const reached = await probeServer(first.line, examined);
    if (!reached.ok) return problem(check, `${show(first.line)}: ${reached.why}`, { next, fix });
    const wrongNode = await findWrongNode(first.line, examined);
    if (wrongNode !== undefined) return problem(check, wrongNode, { next: `run: ${initOf(client, examined)}`, fix });
    return ok(check, `answers in ${reached.ms} ms, version ${reached.said}${elsewhereOf(first.line, examined)}`);
  }
  const asked = entries.map(toPermission);
  const strange = entries.find((_, at) => asked[at] === undefined);
  if (strange !== undefined) {
    const message = `${file} has a hook with our mark that starts something else: ${show(strange.line)}`;
    return problem(check, message, { next: `run: ${initOf(client, examined)}`, fix });
  }
  const distinct = [...new Map(asked.flatMap((line) => (line === undefined ? [] : [[show(line), line]]))).values()];
  const answers = await Promise.all(distinct.map(async (line) => ({ line, reached: await probeHook(line, examined) })));
  for (const { line, reached } of answers) {
    if (!reached.ok) return problem(check, `${show(line)}: ${reached.why}`, { next, fix });
  }
  const slowest = Math.max(...answers.map(({ reached }) => (reached.ok ? reached.ms : 0)));
  return ok(check, `${countOf(entries.length, 'hook')}, answered in ${slowest} ms${elsewhereOf(first.line, examined)}`);
};

/**
 * Returns the same command line for the event PermissionRequest. Returns undefined unless it is a hook of ours: other
 * programs are not started, because their effects are unknown.
 */
const toPermission = ({ event, line }: Entry): CommandLine | undefined => {
  if (typeof line === 'string') {
    const verb = ` hook ${event}`;
    return line.includes(verb) ? line.replace(verb, ' hook PermissionRequest') : undefined;
  }
  const [program = '', script = '', verb, its, ...rest] = line;
  return verb === 'hook' && its === event ? [program, script, verb, 'PermissionRequest', ...rest] : undefined;
};

/** The native part of better-sqlite3 fits one version of Node, and the handshake does not load it. */
const findWrongNode = async (line: CommandLine, examined: CheckInput): Promise<string | undefined> => {
  const [node = '', script = ''] = pathsOf(line);
  if (node === examined.execPath || script !== examined.scriptPath) return undefined;
  const version = await probeProgram([node, '-p', 'process.versions.modules'], examined);
  if (version === undefined || version === process.versions.modules) return undefined;
  return `${node} is another version of Node than better-sqlite3 was installed with`;
};

/** Returns those of Node and script that are absolute paths. */
const pathsOf = (line: CommandLine): readonly string[] =>
  wordsOf(line)
    .slice(0, 2)
    .filter((word) => isAbsolute(word));

const elsewhereOf = (line: CommandLine, { scriptPath }: CheckInput): string => {
  const [, script] = pathsOf(line);
  return script === undefined || script === scriptPath ? '' : `, by ${script}`;
};

const show = (line: CommandLine): string => (typeof line === 'string' ? line : line.join(' '));

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Names the store's folder, without which init would set up the default store. */
const initOf = (client: ClientName, examined: CheckInput): string => {
  const homeArgs = homeArgsOf(examined.home, surroundingsOf(examined));
  return ['anamnesis init', ...homeArgs.map(quoteForShell), '--client', client].join(' ');
};

/** Registers this program and this Node in place of what is registered. */
const register = ({ client, name, part }: RegisteredPart, examined: CheckInput): Fix => ({
  plan: `register ${part === 'hooks' ? 'the hooks' : 'the MCP server'} with ${client} again, as anamnesis init does`,
  carryOut: async () => {
    const { runInit } = await import('../init.js');
    const surroundings = surroundingsOf(examined);
    const request = { storeHome: examined.home, clients: [client], parts: [part], name, changes: [], sync: false };
    const answer = await runInit(request, surroundings, { nowMs: examined.nowMs });
    if (isRefusal(answer)) throw new Error(answer.message);
    const changed = answer.registrations.filter(({ change }) => change !== 'none').map(({ file }) => file);
    return changed.length === 0 ? 'nothing needed changing' : `wrote ${nameSome(changed)}`;
  },
});
