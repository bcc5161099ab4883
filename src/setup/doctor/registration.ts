/** Checks what clients start: that it is registered, that its paths exist, and that it answers. */
import { accessSync, constants, existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { installCommand } from '../../events/environment-faults.js';
import { isRefusal } from '../../files/settings-file.js';
import { homeArgsOf } from '../machine.js';
import { findRegistered, type RegisteredPart } from '../registered-parts.js';
import type { CommandLine, Entry } from '../server-edit.js';
import { type ClientName, quoteForShell } from '../surroundings.js';
import {
  type Check,
  type CheckInput,
  countOf,
  type Fix,
  messageOf,
  nameSome,
  problem,
  type Remark,
  surroundingsOf,
  type Verdict,
  warning,
} from './check.js';
import { probeHook, probeProgram, probeServer } from './probe.js';

export const registrationCheck: Check = {
  name: 'agents',
  look: async (examined) => {
    const parts = findRegistered(examined.home, surroundingsOf(examined));
    return (await Promise.all(parts.map((part) => lookAt(part, examined)))).flat();
  },
};

/** Each part is a check of its own. */
const lookAt = async (part: RegisteredPart, examined: CheckInput): Promise<readonly Remark[]> => {
  const check = `${part.client} ${part.part}`;
  try {
    const verdict = firstProblem(part, examined) ?? (await ask(part, examined));
    if (typeof verdict === 'string') return [{ check, state: 'ok', message: verdict }];
    return (verdict ?? []).map((remark) => ({ ...remark, check }));
  } catch (error) {
    return [problem(`could not be checked: ${messageOf(error)}`, `check that you can read ${part.file}`, { check })];
  }
};

/** Returns the first problem visible without starting anything, or undefined. */
const firstProblem = (part: RegisteredPart, examined: CheckInput): readonly Remark[] | undefined => {
  const { client, file, entries, unreadable, events: wanted } = part;
  const fix = register(part, examined);
  const next = `run: ${initOf(client, examined)}`;
  if (unreadable !== undefined) return [problem(unreadable, `fix that file, then ${next}`)];
  if (entries.length === 0) return [problem(`no longer in ${file}`, next, { fix })];
  const lines = entries.map(({ line }) => line);
  const gone = [...new Set(lines.flatMap(pathsOf).filter((path) => !existsSync(path)))];
  if (gone.length > 0) {
    const message = `${file} starts ${nameSome(gone)}, which ${gone.length === 1 ? 'is' : 'are'} not there`;
    const install = gone[0]?.includes('_npx') === true ? ` (${installCommand})` : '';
    return [problem(message, `${next}, from where anamnesis is now${install}`, { fix })];
  }
  const [program] = lines.flatMap((line) => pathsOf(line).slice(0, 1)).filter((path) => !isExecutable(path));
  if (program !== undefined) return [problem(`${file} starts ${program}, which can't be run`, next, { fix })];
  const elsewhere = lines.map(namedStoreOf).find((home) => home !== undefined && resolve(home) !== examined.home);
  if (elsewhere !== undefined) {
    const look = `to look at that one: anamnesis doctor --home ${quoteForShell(elsewhere)}`;
    return [problem(`${file} names another store: ${elsewhere}`, `${look}; to use this one, ${next}`, { fix })];
  }
  const events = entries.map(({ event }) => event);
  const missing = wanted.filter((event) => !events.includes(event));
  if (missing.length > 0) return [problem(`${file} has no hook of ours for ${nameSome(missing)}`, next, { fix })];
  const twice = wanted.filter((event) => events.indexOf(event) !== events.lastIndexOf(event));
  if (twice.length === 0) return undefined;
  return [warning(`${file} has our hook twice for ${nameSome(twice)}`, next, { fix })];
};

const ask = async (part: RegisteredPart, examined: CheckInput): Promise<Verdict> => {
  const { client, file, entries } = part;
  const again = initOf(client, examined);
  const next = `run it yourself to see what it prints; ${again} registers it again`;
  const fix = register(part, examined);
  const lines = new Map<string, CommandLine>();
  for (const entry of entries) {
    const line = part.part === 'server' ? entry.line : toPermission(entry);
    if (line === undefined) {
      const message = `${file} has a hook with our mark that starts something else: ${show(entry.line)}`;
      return [problem(message, `run: ${again}`, { fix })];
    }
    lines.set(show(line), line);
  }
  const probe = part.part === 'server' ? probeServer : probeHook;
  const answers = await Promise.all(
    [...lines.values()].map(async (line) => [line, await probe(line, examined)] as const),
  );
  let slowestMs = 0;
  for (const [line, reached] of answers) {
    if (!reached.ok) return [problem(`${show(line)}: ${reached.why}`, next, { fix })];
    slowestMs = Math.max(slowestMs, reached.ms);
  }
  const [[first, reached] = []] = answers;
  const by = first === undefined ? '' : elsewhereOf(first, examined);
  if (part.part === 'hooks') return `${countOf(entries.length, 'hook')}, answered in ${slowestMs} ms${by}`;
  const wrongNode = first === undefined ? undefined : await findWrongNode(first, examined);
  if (wrongNode !== undefined) return [problem(wrongNode, `run: ${again}`, { fix })];
  return `answers in ${slowestMs} ms, version ${reached?.ok === true ? reached.said : ''}${by}`;
};

/** The same line for PermissionRequest; undefined unless it's our hook: other programs' effects are unknown. */
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

/** The store that an entry names; undefined if it uses the default store. */
const namedStoreOf = (line: CommandLine): string | undefined => {
  const words = wordsOf(line);
  const at = words.indexOf('--home');
  return at === -1 ? undefined : words[at + 1];
};

/** Splits a shell command line into words; understands only the quoting that init writes. */
const wordsOf = (line: CommandLine): readonly string[] =>
  typeof line !== 'string'
    ? line
    : [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll(`'\\''`, `'`) ?? plain ?? '',
      );
