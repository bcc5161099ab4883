/** Hints that init prints besides what it wrote. Pure. */
import { isObject, openObject, readKey } from '../files/edited.js';
import { installCommand } from '../state/install-command.js';
import type { PlannedRegistration } from './register.js';
import type { Surroundings } from './surroundings.js';

export const notesOf = (
  planned: readonly PlannedRegistration[],
  { scriptPath }: Pick<Surroundings, 'scriptPath'>,
): readonly string[] => {
  const has = (client: string, part: string): PlannedRegistration | undefined =>
    planned.find(({ registration }) => registration.client === client && registration.part === part);
  const notes: string[] = [];
  const settings = has('claude-code', 'hooks');
  const opened = settings === undefined ? undefined : openObject(settings.edit.text, 'json');
  const value = opened?.ok === true ? opened.document.value : undefined;
  if (readKey(value, 'disableAllHooks') === true) {
    notes.push(`"disableAllHooks" is set in ${settings?.registration.file}: no hook runs until it is removed`);
  }
  const plugins = readKey(value, 'enabledPlugins');
  const isPluginOn =
    isObject(plugins) && Object.entries(plugins).some(([name, on]) => name.startsWith('anamnesis@') && on === true);
  if (isPluginOn)
    notes.push('the plugin is on too: its hooks do nothing, but its tools appear twice; disable one of the two');
  if (planned.some(({ registration }) => registration.part === 'server' && registration.change !== 'none')) {
    notes.push('sessions that are already open get the memory tools after a restart');
  }
  const codex = has('codex', 'hooks');
  if (codex !== undefined && codex.registration.change !== 'none') {
    notes.push('Codex runs new hooks only once you have trusted them: start it and type /hooks');
  }
  if (/[\\/]_npx[\\/]/.test(scriptPath)) {
    notes.push(`this copy is in npx's cache, which npm may empty: run ${installCommand}, then init again`);
  }
  return notes;
};
