/** Checks Claude Code's settings for disabled hooks, hooks from two sources, or no agent at all. */
import { join } from 'node:path';
import { installCommand } from '../../events/environment-faults.js';
import { isObject, openObject, readKey } from '../../files/edited.js';
import { isRefusal, readFileState, textOf } from '../../files/settings-file.js';
import { claudeFolder } from '../clients.js';
import { findStartable } from '../machine.js';
import { findRegistered } from '../registered-parts.js';
import { type Check, type CheckInput, problem, type Remark, surroundingsOf, verdictOf, warning } from './check.js';
import { probeHook } from './probe.js';

export const claudeSettingsCheck: Check = {
  name: 'claude-code settings',
  look: async (examined) => {
    const file = join(claudeFolder(surroundingsOf(examined)), 'settings.json');
    const registered = findRegistered(examined.home, surroundingsOf(examined));
    const ours = registered.filter(({ client }) => client === 'claude-code').map(({ part }) => part);
    const isRegistered = ours.length > 0;
    const settings = readSettingsFile(file);
    const isPluginOn = hasPlugin(settings);
    if (registered.length === 0 && !isPluginOn) {
      return [warning('no agent is set up to use this store', 'run: anamnesis init', { check: 'agents' })];
    }
    if (!isRegistered && !isPluginOn) return undefined;
    const hasHooks = ours.includes('hooks') || isPluginOn;
    return verdictOf(
      [
        hasHooks &&
          readKey(settings, 'disableAllHooks') === true &&
          problem(
            `"disableAllHooks" is set in ${file}: nothing is recalled and no session is captured`,
            `remove it from ${file}`,
          ),
        isPluginOn &&
          isRegistered &&
          warning(
            `hooks or server are registered twice: in ${file} or .claude.json, and by the plugin`,
            'keep one: anamnesis uninstall, or /plugin uninstall anamnesis',
          ),
        isPluginOn && !isRegistered && (await lookAtPlugin(examined)),
      ],
      hasHooks ? 'hooks are on, and registered once' : 'no hooks are registered, as init was told',
    );
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

/** The plugin runs the program that is on PATH. */
const lookAtPlugin = async (examined: CheckInput): Promise<Remark> => {
  const check = 'claude-code plugin';
  const program = findStartable('anamnesis', surroundingsOf(examined));
  if (program === undefined) {
    return problem('the plugin runs anamnesis, which is not on PATH', `run: ${installCommand}`, { check });
  }
  const reached = await probeHook([program, 'hook', 'PermissionRequest', '--plugin'], examined);
  return reached.ok
    ? { check, state: 'ok', message: `${program} answers in ${reached.ms} ms` }
    : problem(`${program}: ${reached.why}`, `install anamnesis again: ${installCommand}`, { check });
};
