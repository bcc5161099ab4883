/** anamnesis edit: changes fields or text of a note. */
import { type Command, Option } from 'commander';
import type { App } from '../../app/app.js';
import type { NoteEdit } from '../../app/notes.js';
import { textPrivate } from '../../commands/refusals.js';
import type { NoteType, Scope } from '../../events/note/note.js';
import { type JsonOption, printAnswer } from '../answer.js';
import { type BodyOptions, describeLeftOut, readGivenBody, readPipedBody } from '../body.js';
import { withEditedNote } from '../editor.js';
import { answerOrThrow, doneOrThrow, refused } from '../errors.js';
import { noteArgument, nullIfNone, orNone, parseShare, repeatable, subcommand, typeOption } from '../options.js';
import { isTerminal, sayWarnings } from '../output.js';
import { projectToWrite } from '../project-here.js';
import { withApp } from '../session.js';
import { readExpiry } from '../typed-time.js';
import { idsToChange, idToChange } from './by-title.js';

type EditOptions = BodyOptions &
  JsonOption & {
    readonly title?: string;
    readonly type?: NoteType;
    readonly project?: string;
    readonly tag?: readonly string[];
    readonly clearTags?: true;
    readonly keyword?: readonly string[];
    readonly importance?: number | 'none';
    readonly confidence?: number;
    readonly expires?: string;
    readonly resolvedBy?: readonly string[];
    readonly ifVersion?: string;
  };

export const editCommand = (): Command =>
  subcommand('edit', 'Change fields of a note, or its text in $EDITOR', [
    "edit 01J9XK3V --title 'Deploys need the VPN since June'",
    'edit 01J9XK3V --body-file new.md --if-version 8f2c1d...',
    'edit 01J9XK3V --expires none --tag deploy --tag network',
    'edit 01J9XK3V --resolved-by 01JB2M7Q',
    'edit 01J9XK3V < new.md',
    'edit 01J9XK3V                (title and text in your editor)',
  ])
    .argument('<note>', noteArgument)
    .option('--title <text>', 'new title, one line')
    .addOption(typeOption('new type'))
    .addOption(new Option('--body <text>', 'new text').conflicts('bodyFile'))
    .option('--body-file <file>', 'file to take the new text from; - is standard input')
    .option('--project <key>', 'new project, or global')
    .addOption(
      new Option('--tag <tag>', 'new tags, replacing all of them; may be repeated')
        .argParser(repeatable)
        .conflicts('clearTags'),
    )
    .option('--clear-tags', 'remove all tags')
    .option('--keyword <word>', 'new keywords, replacing all of them; may be repeated', repeatable)
    .option('--importance <share>', 'how much it matters, 0 to 1, or none', orNone(parseShare))
    .option('--confidence <share>', 'how sure it is, 0 to 1', parseShare)
    .option('--expires <time>', 'when it stops being true: 2026-12-31, 30d, "next friday", or none')
    .option(
      '--resolved-by <note>',
      'note that says how this problem was solved, shown with it in a search; replaces those named before, may be repeated; or none',
      repeatable,
    )
    .option(
      '--if-version <blob>',
      'refuse the edit unless the note has this version; its first 7 characters or more will do',
    )
    .action((given: string, options: EditOptions) => editNote(given, options));

const editNote = async (given: string, options: EditOptions): Promise<void> => {
  const { project, resolvedBy, expires } = options;
  const body = readGivenBody(options);
  const fields: NoteEdit = {
    title: options.title,
    body,
    tags: options.clearTags === true ? [] : options.tag,
    type: options.type,
    importance: nullIfNone(options.importance),
    confidence: options.confidence,
    keywords: options.keyword,
    expiresAt: expires === undefined || expires === 'none' ? nullIfNone(expires) : await readExpiry(expires),
  };
  const isBlank = [project, resolvedBy, ...Object.values(fields)].every((value) => value === undefined);
  const { set, scope, leftOut } = isBlank ? await readPipedEdit() : { set: fields, scope: undefined, leftOut: [] };
  const warnings = describeLeftOut(leftOut, '--body-file -');
  sayWarnings(warnings);
  if (set.body?.trim() === '') throw refused(bodyEmpty);
  await withApp(async (app) => {
    const id = await idToChange(app.notes, given);
    if (isBlank && isTerminal('stdin')) return editText(app.notes, id, options);
    await refusePublishing(app.notes, id, { body: set.body, scope });
    const named = project === undefined ? undefined : await projectToWrite(app, project);
    const resolvers = resolvedBy === undefined ? undefined : await idsToChange(app.notes, withoutNone(resolvedBy));
    const asked = {
      set: { ...set, project: named?.key, resolvedBy: resolvers },
      expectedVersion: options.ifVersion,
    };
    const answer = doneOrThrow(await app.notes.edit(id, asked));
    const said = [...warnings, ...(named?.warnings ?? [])];
    await printAnswer(app.notes, answer, options, said, expires !== undefined);
  });
};

/** `none` has no effect beside other values. */
const withoutNone = (given: readonly string[]): readonly string[] => given.filter((one) => one !== 'none');

type NewText = {
  readonly set: NoteEdit;
  /** The scope that the text's own front matter states. */
  readonly scope: Scope | undefined;
  readonly leftOut: readonly string[];
};

/** Refuses text that states machine-local above it for a portable note, unless the note's own text shows that, too. */
const refusePublishing = async (
  notes: App['notes'],
  id: string,
  { body, scope }: Pick<NewText, 'scope'> & { readonly body: string | undefined },
): Promise<void> => {
  const { plainText } = await import('../../import/markdown/typed-text.js');
  const statesLocal = (text: string): boolean => plainText('', text).scope === 'machine-local';
  if (scope !== 'machine-local' && !statesLocal(body ?? '')) return;
  const note = answerOrThrow(await notes.show(id));
  if (note.scope === 'portable' && !statesLocal(note.body ?? '')) throw refused(textPrivate(id));
};

/** Front matter of the text sets the fields that it names, as in `write`. */
const readPipedEdit = async (): Promise<NewText> => {
  const text = readPipedBody();
  if (text === undefined) return { set: {}, scope: undefined, leftOut: [] };
  const { readNewText } = await import('../../import/markdown/typed-text.js');
  return readNewText(text);
};

const bodyEmpty = {
  code: 'body-empty',
  message: 'the new text is empty, so nothing was changed',
  next: 'give a text; anamnesis forget takes a note out of search and recall',
};

/** Only the version that the editor showed may be replaced: the note may change while a person types. */
const editText = async (notes: App['notes'], given: string, options: EditOptions): Promise<void> => {
  const { id, title, body = '', version } = answerOrThrow(await notes.show(given));
  await withEditedNote({ title, body }, async (edited) => {
    await refusePublishing(notes, id, edited);
    const set = { body: edited.body, ...(edited.title === title ? {} : { title: edited.title }) };
    const asked = { set, expectedVersion: options.ifVersion ?? version };
    await printAnswer(notes, doneOrThrow(await notes.edit(id, asked)), options);
  });
};
