/** anamnesis tags: lists the tags that notes have. */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { subcommand } from '../options.js';
import { print, printJson, say } from '../output.js';
import { projectAsked } from '../project-here.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';

type TagsOptions = JsonOption & { readonly project?: string };

export const tagsCommand = (): Command =>
  subcommand('tags', 'List the tags that notes have, most common first', ['tags', 'tags --project shop --json'])
    .option('--project <key>', 'only tags of notes of this project')
    .action(async ({ json, project: given }: TagsOptions) => {
      await withApp(async (app) => {
        const tags = await app.notes.listTags(await projectAsked(app, given));
        if (json === true) {
          printJson({ tags, total: tags.length });
          return;
        }
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
      });
    });
