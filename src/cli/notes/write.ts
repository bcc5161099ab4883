/** anamnesis write: records a new note. */
import { type Command, Option } from 'commander';
import type { Notes, NoteToWrite } from '../../app/notes.js';
import { staysHere } from '../../commands/limits.js';
import type { NoteType, Scope } from '../../events/note/note.js';
import { plainText, readBelowTitle, readTypedText, type TypedText } from '../../import/markdown/typed-text.js';
import { type JsonOption, printAnswer } from '../answer.js';
import { type BodyOptions, describeLeftOut, readGivenBody, readPipedBody } from '../body.js';
import { withEditedNote } from '../editor.js';
import { doneOrThrow, wrongUsage } from '../errors.js';
import { parseShare, repeatable, scopeOption, subcommand, typeOption } from '../options.js';
import { cleanLine, isTerminal, say, sayWarnings } from '../output.js';
import { withApp } from '../session.js';
import { readExpiry } from '../typed-time.js';
import { idsToChange } from './by-title.js';

export type NewNoteOptions = BodyOptions &
  JsonOption & {
    readonly title?: string;
    readonly type?: NoteType;
    readonly project?: string;
    readonly tag?: readonly string[];
    readonly keyword?: readonly string[];
    readonly scope?: Scope;
    readonly importance?: number;
    readonly confidence?: number;
    readonly expires?: string;
    readonly commandId?: string;
  };

export const addNewNoteOptions = (command: Command): Command =>
  command
    .option('--title <text>', 'title of the note, one line')
    .addOption(typeOption('procedural (how to), semantic (what is) or episodic (what happened); default: semantic'))
    .addOption(new Option('--body <text>', 'text of the note').conflicts('bodyFile'))
    .option('--body-file <file>', 'file to take the text from; - is standard input')
    .option(
      '--project <key>',
      "project of the note, or global (default: that of the notes it replaces, else the current folder's)",
    )
    .option('--tag <tag>', 'tag; may be repeated', repeatable)
    .option('--keyword <word>', 'extra word to find it by; may be repeated', repeatable)
    .addOption(
      scopeOption(
        'portable, or machine-local to keep it on this machine; default: that of the notes it replaces, else portable',
      ),
    )
    .option('--importance <share>', 'how much it matters, 0 to 1', parseShare)
    .option('--confidence <share>', 'how sure it is, 0 to 1', parseShare)
    .option('--expires <time>', 'when it stops being true: 2026-12-31, 30d, "next friday"')
    .option('--command-id <id>', 'id of this command: sent again, it records nothing new');

export const writeCommand = (): Command =>
  addNewNoteOptions(
    subcommand('write', 'Record a note', [
      "write 'Deploys need the VPN' --body 'Or the registry hangs.'",
      "write 'Release steps' --type procedural --body-file steps.md",
      "write 'Why the cache went' --project global < why.md",
      'write < why.md            (the first line is the title)',
      'write                     (title and text in your editor)',
    ])
      .aliases(['add', 'remember'])
      .argument(
        '[title]',
        'title of the note (or use --title; default: the first line of a text that is piped in, or the title in its front matter)',
      ),
  )
    .option('--supersedes <note>', 'note that this one replaces, by its id or its title; may be repeated', repeatable)
    .action(
      async (positional: string | undefined, options: NewNoteOptions & { readonly supersedes?: readonly string[] }) => {
        if (positional !== undefined && options.title !== undefined) {
          throw wrongUsage(
            'the title is given twice',
            'give it as an argument or with --title (quote a title of several words)',
          );
        }
        await recordNewNote(positional ?? options.title, options, options.supersedes ?? []);
      },
    );

/** Records a new note, wherever its text comes from. Shared with supersede. */
export const recordNewNote = async (
  title: string | undefined,
  options: NewNoteOptions,
  supersedes: readonly string[],
  inherit: Inherit = noInheritance,
): Promise<void> => {
  const { expires } = options;
  const expiresAt = expires === undefined ? undefined : await readExpiry(expires);
  const record = async (typed: TypedText): Promise<void> => {
    const { projectHere, projectToWrite } = await import('../project-here.js');
    const leftOut = [
      ...describeLeftOut(typed.leftOut, '--title TEXT --body-file -'),
      ...(options.scope === undefined && typed.scope === 'machine-local' ? [staysHere] : []),
    ];
    sayWarnings(leftOut);
    await withApp(async (app) => {
      const isNamed = options.project !== undefined;
      const { key, warnings } =
        options.project === undefined ? projectHere(app.settings) : await projectToWrite(app, options.project);
      const replaced = await idsToChange(app.notes, supersedes);
      const older = await inherit(app.notes, replaced);
      const ownTags = withMore(options.tag, typed.tags);
      const note: NoteToWrite = {
        type: options.type ?? typed.type ?? older.type ?? 'semantic',
        title: typed.title,
        body: typed.body,
        project: isNamed ? key : { here: key },
        scope: options.scope ?? typed.scope,
        tags: ownTags.length > 0 ? ownTags : (older.tags ?? []),
        keywords: withMore(options.keyword, typed.keywords),
        supersedes: replaced,
        importance: options.importance ?? older.importance,
        confidence: options.confidence,
        expiresAt,
      };
      const { commandId } = options;
      const answer = doneOrThrow(await app.notes.write(note, { commandId }));
      const went = answer.note?.project ?? key;
      if (went !== key) say(`project: ${cleanLine(went)}`);
      await printAnswer(app.notes, answer, options, [...leftOut, ...warnings], expiresAt !== undefined);
    });
  };
  if (title !== undefined && title.trim() === '')
    throw wrongUsage('the title is empty', "give one: anamnesis write 'TITLE' --body TEXT");
  const given = readGivenBody(options);
  if (given !== undefined && title === undefined)
    throw wrongUsage('the note has no title', "give one: anamnesis write 'TITLE' --body TEXT");
  const piped = given === undefined ? readPipedBody() : undefined;
  if (given !== undefined) await record(plainText(title ?? '', given));
  else if (piped !== undefined) await record(title === undefined ? readTypedText(piped) : readBelowTitle(title, piped));
  else if (isTerminal('stdin')) await withEditedNote({ title: title ?? '', body: '' }, record);
  else if (title === undefined)
    throw wrongUsage('the note has no title and no text', "give them: anamnesis write 'TITLE' --body TEXT");
  else throw wrongUsage('the note has no text', 'give --body TEXT or --body-file FILE, or pipe the text in');
};

/** Fields that a new note inherits from those it replaces, unless they are given. */
export type Inherit = (
  notes: Notes,
  replaced: readonly string[],
) => Promise<Partial<Pick<NoteToWrite, 'type' | 'tags' | 'importance'>>>;

const noInheritance: Inherit = async () => ({});

const withMore = (given: readonly string[] = [], more: readonly string[]): readonly string[] => {
  const known = new Set(given.map((word) => word.toLowerCase()));
  return [...given, ...more.filter((word) => !known.has(word.toLowerCase()))];
};
