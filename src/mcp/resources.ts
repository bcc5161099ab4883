/** Notes and inject blocks as MCP resources, which a person attaches to a message by name. */
import {
  CompleteRequestParamsSchema,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ReadResourceRequestParamsSchema,
  type ReadResourceResult,
  type Result,
} from '@modelcontextprotocol/sdk/types.js';
import type { App } from '../app/app.js';
import type { NoteJson, Notes } from '../app/notes.js';
import { shownTitle } from '../events/note/note.js';
import { cutGiven, quoteField, quoteLines, quoteTitle } from '../events/note/quoted-text.js';
import { invalidParams, RequestError } from './session.js';

const noteTemplate = 'anamnesis://note/{id}';
const projectTemplate = 'anamnesis://project/{key}';
const mimeType = 'text/markdown';
/** Error code of the protocol up to 2025-11-25; the SDK has no name for it. */
const resourceNotFound = -32002;
/** The protocol's limit for one answer. */
const maxCompletions = 100;

export const listTemplates = (): ListResourceTemplatesResult => ({
  resourceTemplates: [
    { uriTemplate: noteTemplate, name: 'note', title: 'Note', description: 'One note by its id', mimeType },
    {
      uriTemplate: projectTemplate,
      name: 'project',
      title: 'Project memory',
      description: 'What a session in this project begins with: its notes and the global ones',
      mimeType,
    },
  ],
});

/** Lists projects in the order of their keys; notes are too many to list and are found by search. */
export const listProjects = async ({ notes }: App): Promise<ListResourcesResult> => ({
  resources: (await projectsByKey(notes)).map(({ key, notes: count }) => ({
    uri: `anamnesis://project/${encodeURIComponent(key)}`,
    name: quoteTitle(key),
    description: count === 1 ? '1 note' : `${count} notes`,
    mimeType,
  })),
});

export const readResource = async ({ notes }: App, params: unknown): Promise<ReadResourceResult> => {
  const parsed = ReadResourceRequestParamsSchema.safeParse(params);
  if (!parsed.success) throw invalidParams('uri must be the address of a resource');
  const { uri } = parsed.data;
  const [, kind, given = ''] = /^anamnesis:\/\/(note|project)\/([^?#]+)$/.exec(uri) ?? [];
  const value = decode(given);
  if (kind === undefined || value === undefined) {
    throw notFound(uri, `there is no resource ${cutGiven(uri)}: the forms are ${noteTemplate} and ${projectTemplate}`);
  }
  const text = await (kind === 'note' ? readNote : readProject)(notes, uri, value);
  return { contents: [{ uri, mimeType, text }] };
};

const readNote = async (notes: Notes, uri: string, id: string): Promise<string> => {
  const shown = await notes.show(id);
  if (!shown.ok) throw notFound(uri, `${shown.refusal.message}; ${shown.refusal.next}`);
  return renderNote(shown.answer);
};

const readProject = async (notes: Notes, uri: string, given: string): Promise<string> => {
  const project = await notes.resolveProject(given);
  if (!project.ok) throw notFound(uri, `${project.refusal.message}; the list of resources has all projects`);
  const { text } = await notes.inject(project.answer, { reader: 'agent' });
  if (text === '') throw notFound(uri, `nothing is known about the project ${cutGiven(project.answer)} yet`);
  return text;
};

const renderNote = (note: NoteJson): string => {
  const { title, type, project, updated_at: at, superseded_by: newer, contested = [], body = '' } = note;
  const heading = quoteTitle(shownTitle({ title, body }));
  const replaced = newer === undefined ? '' : ` | superseded by: ${newer}`;
  const undecided = contested.map((reason) => `_${reason}_\n`).join('');
  const date = `date: ${at.slice(0, 10)}`;
  return `# ${heading}\n_type: ${type} | project: ${quoteField(project)} | ${date} | ${originOf(note)}${replaced}_\n${undecided}${body.trim() === '' ? '' : `\n${quoteLines(body.trimEnd())}\n`}`;
};

/** Worded as in the inject block of a session. */
const originOf = ({ machine_id: machine, written_by: writer, claimed }: NoteJson): string =>
  claimed === true
    ? `committed with git, not by anamnesis; says it is from: ${quoteField(machine)}, ${quoteField(writer)}`
    : `origin: ${quoteField(machine)} | source: ${quoteField(writer)}`;

/** Completes ids by their beginning, or the newest if nothing is typed yet, and projects by any part of their key. */
export const complete = async ({ notes }: App, params: unknown): Promise<Result> => {
  const parsed = CompleteRequestParamsSchema.safeParse(params);
  if (!parsed.success) throw invalidParams('completion needs ref and argument');
  const { ref, argument } = parsed.data;
  const uri = ref.type === 'ref/resource' ? ref.uri : undefined;
  if (uri === noteTemplate && argument.name === 'id') return completion(await noteIds(notes, argument.value.trim()));
  if (uri === projectTemplate && argument.name === 'key') {
    const keys = (await projectsByKey(notes)).map(({ key }) => key);
    return completion(rankKeys(keys, argument.value));
  }
  throw invalidParams(`there are completions for id of ${noteTemplate} and for key of ${projectTemplate}`);
};

/** Returns the keys that contain the text, those that begin with it first. */
export const rankKeys = (keys: readonly string[], text: string): readonly string[] => {
  const part = text.trim().toLowerCase();
  const begins = (key: string): number => (key.toLowerCase().startsWith(part) ? 0 : 1);
  return keys.filter((key) => key.toLowerCase().includes(part)).toSorted((a, b) => begins(a) - begins(b));
};

export const completion = (all: readonly string[]): Result => ({
  completion: { values: all.slice(0, maxCompletions), hasMore: all.length > maxCompletions },
});

const noteIds = async (notes: Notes, beginning: string): Promise<readonly string[]> =>
  beginning === ''
    ? (await notes.list({}, maxCompletions + 1)).notes.map(({ id }) => id)
    : notes.idsBeginningWith(beginning.toUpperCase(), maxCompletions + 1);

const projectsByKey = async (notes: Notes) => (await notes.listProjects()).toSorted((a, b) => (a.key < b.key ? -1 : 1));

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const notFound = (uri: string, message: string): RequestError =>
  new RequestError(resourceNotFound, message, { uri: cutGiven(uri) });
