/** anamnesis list, projects and tags: what the store holds. */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { formatNotes } from '../note-view.js';
import { addFilterOptions, type FilterOptions, filterOf, parseCount, parseOffset, subcommand } from '../options.js';
import { print, printJson, say } from '../output.js';
import { projectAsked } from '../project-here.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';

export const listCommand = (): Command =>
  addFilterOptions(
    subcommand('list', 'List notes, most recently updated first', [
      'list --project github.com/acme/shop',
      'list --type procedural --tag deploy -n 10',
      'list --after "last monday"',
      'list --after 2026-06-01 --json',
    ]),
  )
    .option('-n, --limit <count>', 'maximum number of notes', parseCount, 50)
    .option('--offset <count>', 'number of notes to skip', parseOffset, 0)
    .action(async (options: JsonOption & FilterOptions & { readonly limit: number; readonly offset: number }) => {
      const filter = await filterOf(options);
      await withApp(async (app) => {
        const project = await projectAsked(app, filter.project);
        const { notes, total } = await app.notes.list({ ...filter, project }, options.limit, options.offset);
        if (options.json === true) return printJson({ notes, total });
        print(formatNotes(notes, options));
        const seen = options.offset + notes.length;
        if (total === 0) say('no notes');
        else if (notes.length === 0) say(`--offset ${options.offset} skips all of them: there are ${total}`);
        else if (seen < total) say(`${seen} of ${total}; more: --offset ${seen}`);
      });
    });

export const projectsCommand = (): Command =>
  subcommand('projects', 'List the projects that have notes, most recently changed first', [
    'projects',
    'projects --json',
  ]).action(({ json }: JsonOption) =>
    withApp(async ({ notes }) => {
      const projects = await notes.listProjects();
      if (json === true) return printJson({ projects, total: projects.length });
      print(
        formatTable(
          [
            { head: 'PROJECT', of: ({ key }) => key, cut: 'start' },
            { head: 'NOTES', of: ({ notes: count }) => String(count), align: 'right' },
            { head: 'LAST EVENT', of: ({ last_event: day }) => day ?? '-' },
          ],
          projects,
        ),
      );
      if (projects.length === 0) say('no projects');
    }),
  );

export const tagsCommand = (): Command =>
  subcommand('tags', 'List the tags that notes have, most common first', ['tags', 'tags --project shop --json'])
    .option('--project <key>', 'only tags of notes of this project')
    .action(({ json, project }: JsonOption & { readonly project?: string }) =>
      withApp(async (app) => {
        const tags = await app.notes.listTags(await projectAsked(app, project));
        if (json === true) return printJson({ tags, total: tags.length });
        print(
          formatTable(
            [
              { head: 'TAG', of: ({ tag }) => tag, cut: 'end' },
              { head: 'NOTES', of: ({ notes }) => String(notes), align: 'right' },
            ],
            tags,
          ),
        );
        if (tags.length === 0) say('no tags');
      }),
    );
