/** Checks Claude Code's settings for disabled hooks, hooks from two sources, or no agent at all. */
import { join } from 'node:path';
import { isHookEvent } from '../../agents/hooks/payload.js';
import { isObject, openObject, readKey } from '../../files/edited.js';
import { isRefusal, readFileState, textOf } from '../../files/settings-file.js';
import { installCommand } from '../../state/install-command.js';
import { claudeFolder } from '../clients.js';
import { isOurHook } from '../hooks-edit.js';
import { findStartable } from '../program.js';
import { readRecord, scriptsOf } from '../record.js';
import { findRegistered, lineOf, listOf } from '../registered-parts.js';
import { type Check, type CheckInput, type Finding, nameSome, ok, problem, surroundingsOf, warning } from './check.js';
import { probeHook } from './probe.js';

export const claudeSettingsCheck: Check = {
  name: 'claude-code settings',
  look: async (examined) => {
    const check = 'claude-code settings';
    const file = join(claudeFolder(surroundingsOf(examined)), 'settings.json');
    const registered = findRegistered(examined.home, surroundingsOf(examined));
    const ours = registered.filter(({ client }) => client === 'claude-code').map(({ part }) => part);
    const isRegistered = ours.length > 0;
    const settings = readSettingsFile(file);
    const isPluginOn = hasPlugin(settings);
    if (registered.length === 0 && !isPluginOn) {
      return [warning('agents', 'no agent is set up to use this store', { next: 'run: anamnesis init' })];
    }
    if (!isRegistered && !isPluginOn) return [];
    const findings: Finding[] = [];
    const hasHooks = ours.includes('hooks') || isPluginOn;
    if (hasHooks && readKey(settings, 'disableAllHooks') === true) {
      findings.push(
        problem(check, `"disableAllHooks" is set in ${file}: nothing is recalled and no session is captured`, {
          next: `remove it from ${file}`,
        }),
      );
    }
    if (isPluginOn && isRegistered) {
      findings.push(
        warning(check, `hooks or server are registered twice: in ${file} or .claude.json, and by the plugin`, {
          next: 'keep one: anamnesis uninstall, or /plugin uninstall anamnesis',
        }),
      );
    }
    const foreign = findForeign(settings, examined);
    if (foreign.length > 0) {
      findings.push(
        warning(check, `${file} has hooks that run anamnesis but were not written by init: ${nameSome(foreign)}`, {
          next: 'remove them by hand: each session is served and captured twice',
        }),
      );
    }
    if (isPluginOn && !isRegistered) findings.push(await lookAtPlugin(examined));
    if (findings.length > 0) return findings;
    return [ok(check, hasHooks ? 'hooks are on, and registered once' : 'no hooks are registered, as init was told')];
  },
};

/** Returns undefined if the file can't be read; the registration check reports that. */
const readSettingsFile = (file: string): unknown => {
  const state = readFileState(file);
  const read = isRefusal(state) ? state : textOf(state);
  const opened = isRefusal(read) ? undefined : openObject(read.text, 'json');
  return opened?.ok === true ? opened.document.value : undefined;
};

const hasPlugin = (settings: unknown): boolean => {
  const plugins = readKey(settings, 'enabledPlugins');
  return (
    isObject(plugins) && Object.entries(plugins).some(([name, on]) => name.split('@')[0] === 'anamnesis' && on === true)
  );
};

/** Events with two hooks of ours, or with one that init did not write but an older version or a person did. */
const findForeign = (settings: unknown, { home, scriptPath }: CheckInput): readonly string[] => {
  const scripts = [scriptPath, ...scriptsOf(readRecord(home), 'claude-code')];
  const hooks = readKey(settings, 'hooks');
  return Object.entries(isObject(hooks) ? hooks : {}).flatMap(([event, groups]) => {
    const handlers = listOf(groups).flatMap((group) => listOf(readKey(group, 'hooks')));
    const ours = handlers.filter((handler) => isOurHook(handler, scripts));
    const isThere = handlers.some((handler) => {
      if (ours.includes(handler)) return false;
      const line = lineOf(handler);
      const text = typeof line === 'string' ? line : line.join(' ');
      const [, program = '', its = ''] = /^(.*)\shook\s+(\w+)/s.exec(text) ?? [];
      return (
        isHookEvent(its) && (program.includes(scriptPath) || /(?:^|[\\/\s"'])anamnesis(?:["'\s.]|$)/.test(program))
      );
    });
    return isThere || ours.length > 1 ? [event] : [];
  });
};

/** The plugin runs the program that is on PATH. */
const lookAtPlugin = async (examined: CheckInput): Promise<Finding> => {
  const check = 'claude-code plugin';
  const program = findStartable('anamnesis', surroundingsOf(examined));
  if (program === undefined) {
    return problem(check, 'the plugin runs anamnesis, which is not on PATH', {
      next: `run: ${installCommand}`,
    });
  }
  const reached = await probeHook([program, 'hook', 'PermissionRequest', '--plugin'], examined);
  return reached.ok
    ? ok(check, `${program} answers in ${reached.ms} ms`)
    : problem(check, `${program}: ${reached.why}`, { next: `install anamnesis again: ${installCommand}` });
};
