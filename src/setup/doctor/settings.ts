/** Checks of config.json, of the model that search compares meanings with, and of the project marker here. */
import { configFile } from '../../config/config-file.js';
import { type ConfigName, isConfigName, trustedProjectsKey } from '../../config/config-keys.js';
import { listConfig, parseConfigValue } from '../../config/config-values.js';
import { explainIgnored, findProject } from '../../config/project.js';
import { listOf, readConfigFile } from '../../config/settings.js';
import { endpointAddressOf } from '../../embedding/endpoint-embedder.js';
import { isRunModel } from '../../embedding/installed-models.js';
import { openModel } from '../../embedding/model-cache.js';
import { openSentenceModel } from '../../store/models/meaning.js';
import { type Check, nameSome, problem, verdictOf, warning } from './check.js';

/** Whether config.json can be read and has only known keys with valid values. */
export const configCheck: Check = {
  name: 'config',
  look: ({ home, environment }) => {
    const file = configFile(home);
    // Throws if the file can't be read, which is a finding as well.
    const read = readConfigFile(home);
    const ignored = listConfig(home, environment).filter((row) => row.ignored !== null);
    const wrong = Object.entries(read).flatMap(([name, value]) =>
      // A blank value means that nothing is set.
      isConfigName(name) && value !== null && value !== ''
        ? explain(
            name,
            value,
            ignored.some(({ key }) => key === name),
          )
        : [],
    );
    const [first, ...others] = wrong;
    const likewise = others.length === 0 ? '' : `; likewise ${nameSome(others.map(({ name }) => name))}`;
    const variables = ignored.flatMap((row) => (row.ignored === 'environment' ? (row.variable ?? []) : []));
    const unknown = Object.keys(read).filter((name) => !isConfigName(name) && name !== trustedProjectsKey);
    return verdictOf(
      [
        first &&
          problem(
            `${file}: ${first.why}${likewise}`,
            `run: anamnesis config set ${first.name} VALUE; until then it counts as not set`,
          ),
        variables.length > 0 &&
          problem(
            `environment variables with invalid values count as not set: ${nameSome(variables)}`,
            'correct them; anamnesis config list says what each one accepts',
          ),
        unknown.length > 0 &&
          warning(`${file} has keys that nothing reads: ${nameSome(unknown)}`, 'anamnesis config list shows all names'),
      ],
      'every setting in config.json is valid',
    );
  },
};

/** Says what `config set` would say in refusing the value; never shows the value of a secret. */
const explain = (
  name: ConfigName,
  value: unknown,
  isIgnored: boolean,
): readonly { readonly name: ConfigName; readonly why: string }[] => {
  const text = Array.isArray(value) ? listOf(value)?.join(',') : value;
  const parsed = parseConfigValue(name, typeof text === 'object' ? JSON.stringify(text) : String(text));
  if (!parsed.ok) return [{ name, why: parsed.refusal.message }];
  return isIgnored ? [{ name, why: `${name} has a value of the wrong type` }] : [];
};

export const searchModelCheck: Check = {
  name: 'meaning',
  look: async ({ settings }) => {
    const { home = '', searchModel, embedding } = settings ?? {};
    if (searchModel !== undefined) {
      const opened = isRunModel(home, searchModel)
        ? await openSentenceModel(home, searchModel)
        : openModel(home, searchModel);
      return opened.ok
        ? `search compares meanings with ${searchModel}, on this machine`
        : [problem(opened.problem.message, opened.problem.next)];
    }
    if (embedding === undefined) return undefined;
    const { url, model, keyVariable, key } = embedding;
    const address = endpointAddressOf(url);
    if (address === undefined) {
      const next = 'choose again: anamnesis model use --endpoint URL --model NAME';
      return [problem('embedding_url is not an allowed server address', next)];
    }
    const { host } = new URL(address);
    return keyVariable !== undefined && key === undefined
      ? [problem(`${keyVariable}, which should hold the key for ${host}, is not set`, `set ${keyVariable}`)]
      : `${model} at ${host} receives portable notes that are not sensitive, and search queries`;
  },
};

/** Whether the project marker of doctor's working folder is ignored. */
export const projectCheck: Check = {
  name: 'project',
  look: ({ settings, userHome }) => {
    if (settings === undefined) return undefined;
    const ignored = explainIgnored(findProject(process.cwd(), { userHome, trusted: settings.trustedProjects }));
    const next = 'until then, notes of this folder are kept under the project that is named here';
    return ignored === undefined ? undefined : [warning(ignored, next)];
  },
};
