/** anamnesis project: shows a folder's project, and trusts its marker. */
import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { type Refusal, valueInvalid } from '../../commands/refusals.js';
import { explainIgnored, type FoundProject, findProject } from '../../config/project.js';
import { userHome } from '../../config/settings.js';
import type { TrustChange } from '../../setup/trusting.js';
import type { JsonOption } from '../answer.js';
import { refused } from '../errors.js';
import { subcommand } from '../options.js';
import { cleanLine, ink, print, printJson, say } from '../output.js';
import { formatPairs } from '../table.js';

export const projectCommand = (): Command =>
  new Command('project')
    .description('Show the project of a folder, and trust a marker that names another one')
    .addHelpText(
      'after',
      '\nExamples:\n  $ anamnesis project\n  $ anamnesis project trust\n  $ anamnesis project untrust ~/work/shop\n\nWithout a subcommand: show.',
    )
    .addCommand(showProjectCommand(), { isDefault: true })
    .addCommand(
      changeCommand(
        'trust',
        "Trust the project that a folder's .anamnesis/project marker names now",
        async (...asked) => (await import('../../setup/trusting.js')).trustProject(...asked),
      ),
    )
    .addCommand(
      changeCommand('untrust', 'Withdraw that trust', async (...asked) =>
        (await import('../../setup/trusting.js')).untrustProject(...asked),
      ),
    );

const showProjectCommand = (): Command =>
  subcommand('show', 'Print the project key and where it comes from', ['project show', 'project show ~/work/shop'])
    .argument('[folder]', 'the folder (default: the current one)')
    .action(async (given: string | undefined, { json }: JsonOption) => {
      const folder = folderOf(given);
      const { readSettings } = await import('../../config/settings.js');
      const trusted = readSettings(process.env).trustedProjects;
      const found = findProject(folder, { userHome: userHome(), trusted });
      if (json === true) return printJson({ folder, ...asJson(found) });
      print(
        formatPairs([
          ['project', found.key],
          ['from', origins[found.from]],
          ['marker', found.marker?.file],
        ]),
      );
      sayIgnored(found);
    });

const changeCommand = (
  name: 'trust' | 'untrust',
  description: string,
  run: (...asked: Parameters<typeof import('../../setup/trusting.js').trustProject>) => Promise<TrustChange | Refusal>,
): Command =>
  subcommand(name, description, [`project ${name}`, `project ${name} ~/work/shop`])
    .argument('[folder]', 'a folder that the marker covers (default: the current one)')
    .action(async (given: string | undefined, { json }: JsonOption) => {
      const { readSettings } = await import('../../config/settings.js');
      const done = await run(readSettings(process.env), folderOf(given), userHome());
      if ('code' in done) throw refused(done);
      const { status, folder, named, project } = done;
      if (json === true) printJson({ status, folder, named, ...asJson(project) });
      else {
        print(`${ink(status === 'unchanged' ? 'dim' : 'green', status)} ${cleanLine(folder)}\n`);
        print(
          formatPairs([
            ['project', project.key],
            ['from', origins[project.from]],
          ]),
        );
      }
      if (status === 'unchanged') sayIgnored(project);
    });

const asJson = ({ key, from, marker, ignored }: FoundProject) => ({
  project: key,
  from,
  marker: marker?.file ?? null,
  ignored: ignored ?? null,
});

const sayIgnored = (found: FoundProject): void => {
  const ignored = explainIgnored(found);
  if (ignored !== undefined) say(`warning: ${ignored}`);
};

const origins: Readonly<Record<FoundProject['from'], string>> = {
  marker: '.anamnesis/project',
  remote: 'the origin remote',
  repository: "the repository's folder",
  folder: "the folder's name",
  home: 'the home folder',
};

/** Resolves links, as trusted folders are stored. */
const folderOf = (given: string | undefined): string => {
  const found = realFolder(resolve(given ?? '.'));
  if (found === undefined) throw refused(valueInvalid('folder', 'a folder that exists', given ?? process.cwd()));
  return found;
};

const realFolder = (path: string): string | undefined => {
  try {
    const found = realpathSync(path);
    return statSync(found).isDirectory() ? found : undefined;
  } catch {
    return undefined;
  }
};
