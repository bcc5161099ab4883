/** Checks that config.json can be read and has only known keys with valid values. */
import { configFile } from '../../config/config-file.js';
import { type ConfigName, isConfigName, trustedProjectsKey } from '../../config/config-keys.js';
import { listConfig, parseConfigValue } from '../../config/config-values.js';
import { listOf, readConfigFile, readSettings, type Settings } from '../../config/settings.js';
import { type Check, type CheckInput, type Finding, nameSome, ok, problem, warning } from './check.js';

export const configCheck: Check = {
  name: 'config',
  look: ({ home, environment }) => {
    const file = configFile(home);
    // Throws if the file can't be read, which is a finding as well.
    const read = readConfigFile(home);
    const rows = listConfig(home, environment);
    const ignored = rows.filter((row) => row.ignored !== null);
    // A blank value means that nothing is set.
    const settings = Object.entries(read).flatMap(([name, value]) =>
      isConfigName(name) && value !== null && value !== '' ? [[name, value] as const] : [],
    );
    const wrong = settings.flatMap(([name, value]) =>
      explain(
        name,
        value,
        ignored.some(({ key }) => key === name),
      ),
    );
    const findings: Finding[] = [];
    const [first, ...others] = wrong;
    if (first !== undefined) {
      const likewise = others.length === 0 ? '' : `; likewise ${nameSome(others.map(({ name }) => name))}`;
      const next = `run: anamnesis config set ${first.name} VALUE; until then it counts as not set`;
      findings.push(problem('config', `${file}: ${first.why}${likewise}`, { next }));
    }
    const variables = ignored.flatMap(({ ignored: where, variable }) =>
      where === 'environment' ? (variable ?? []) : [],
    );
    if (variables.length > 0) {
      const message = `environment variables with invalid values count as not set: ${nameSome(variables)}`;
      findings.push(
        problem('config', message, { next: 'correct them; anamnesis config list says what each one accepts' }),
      );
    }
    const unknown = Object.keys(read).filter((name) => !isConfigName(name) && name !== trustedProjectsKey);
    if (unknown.length > 0) {
      const next = 'anamnesis config list shows all names';
      findings.push(warning('config', `${file} has keys that nothing reads: ${nameSome(unknown)}`, { next }));
    }
    if (findings.length > 0) return findings;
    return [ok('config', 'every setting in config.json is valid')];
  },
};

/** Returns the store's settings, or undefined if config.json can't be read: the config check reports that once. */
export const settingsOf = ({ home, environment, config }: CheckInput): Settings | undefined =>
  config === undefined ? undefined : readSettings({ ...environment, ANAMNESIS_HOME: home });

/** Says what `config set` would say in refusing the value; never shows the value of a secret. */
const explain = (
  name: ConfigName,
  value: unknown,
  isIgnored: boolean,
): readonly { readonly name: ConfigName; readonly why: string }[] => {
  const text = Array.isArray(value)
    ? listOf(value)?.join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : value;
  const parsed = parseConfigValue(name, String(text));
  if (!parsed.ok) return [{ name, why: parsed.refusal.message }];
  return isIgnored ? [{ name, why: `${name} has a value of the wrong type` }] : [];
};
