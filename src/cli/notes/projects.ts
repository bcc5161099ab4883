/** anamnesis projects: lists the projects that have notes. */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { subcommand } from '../options.js';
import { print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';

export const projectsCommand = (): Command =>
  subcommand('projects', 'List the projects that have notes, most recently changed first', [
    'projects',
    'projects --json',
  ]).action(async ({ json }: JsonOption) => {
    await withApp(async ({ notes }) => {
      const projects = await notes.listProjects();
      if (json === true) {
        printJson({ projects, total: projects.length });
        return;
      }
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
    });
  });
