/** Formats notes for people: as a list, as search hits and in full. */
import type { SearchHit } from '../answers/note-schema.js';
import type { NoteFilter, NoteJson, NoteName, SearchAnswer } from '../app/notes.js';
import { localDay, localTime } from './local-time.js';
import { markedLine } from './marked-line.js';
import { nameLine } from './note-names.js';
import { cleanLine, cleanText, counted, ink } from './output.js';
import { cutTo, formatPairs, formatTable, terminalWidth, wrapText } from './table.js';
import { wrapWords } from './wrap.js';

/** Leaves the project out if all notes are of the one asked for. */
export const formatNotes = (notes: readonly NoteJson[], { project }: Pick<NoteFilter, 'project'>): string =>
  formatTable<NoteJson>(
    [
      { head: 'ID', of: ({ short_id: id }) => id, style: 'yellow' },
      { head: 'TYPE', of: ({ type }) => type, optional: true },
      ...(project === undefined ? [{ head: 'PROJECT', of: projectOf, cut: 'start' } as const] : []),
      { head: 'UPDATED', of: (note) => localDay(note.updated_at) },
      { head: 'TITLE', of: titleOf, cut: 'end', main: true },
    ],
    notes,
  );

const projectOf = ({ project }: NoteJson): string => project;

const titleOf = (note: NoteJson): string => {
  const marks = note.superseded_by === undefined ? '' : '(superseded) ';
  return `${marks}${note.title === '' ? '(untitled)' : note.title}`;
};

export const formatHits = (hits: readonly SearchHit[]): string => hits.map(formatHit).join('\n');

const formatHit = ({
  snippet,
  marks,
  rank,
  score,
  scores,
  contested = [],
  instead_of: replaced,
  resolves,
  ...note
}: SearchHit): string => {
  const number = (resolves === undefined ? `${rank}.` : '+').padEnd(4);
  const width = terminalWidth() - number.length;
  const about = [note.type, localDay(note.updated_at), note.project, ...note.tags.map((tag) => `#${tag}`)];
  const aboutLine = cutTo(about.map(cleanLine).join('  '), Math.max(20, width - note.short_id.length - 2));
  const why = scores === undefined ? [] : wrapWords(formatScores(score, scores), width);
  const lines = [
    `${ink('dim', number)}${ink('bold', cutTo(cleanLine(titleOf(note)), width))}`,
    `    ${ink('yellow', note.short_id)}  ${ink('dim', aboutLine)}`,
    ...(replaced === undefined ? [] : [`    ${ink('dim', `replaced ${replaced}, which has the words`)}`]),
    ...(resolves === undefined ? [] : [`    ${ink('dim', `resolves ${resolves}`)}`]),
    ...contested.map((reason) => `    ${ink('yellow', cutTo(cleanLine(reason), width))}`),
    ...why.map((line) => `    ${ink('dim', line)}`),
    ...(snippet === '' ? [] : [`    ${markedLine({ snippet, marks }, width)}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
};

const formatScores = (score: number, scores: NonNullable<SearchHit['scores']>): string => {
  const { bm25, nearness, prior = 1, project_weight: weight, keyword_rank: rank, cosine, cover, meaning } = scores;
  const words =
    bm25 === undefined
      ? []
      : [
          `words ${shown(bm25)}, nearness ${shown(nearness ?? 0)}, times ${shown(prior)} for importance, certainty and age`,
        ];
  const project = weight === undefined || weight === 1 ? '' : `, times ${weight} for its project`;
  const legs = [
    ...(rank === undefined ? [] : [`rank ${rank} by words`]),
    ...(cosine === undefined ? [] : [`nearest passage ${shown(cosine)}`]),
    ...(cover === undefined ? [] : [`cover ${shown(cover)}, meaning ${shown(meaning ?? 0)}`]),
  ];
  return `${shown(score)}: ${[...words, legs.join(', ')].filter((part) => part !== '').join('; ')}${project}`;
};

/** Two decimals, or one significant digit below 0.01: a word that every note has scores that low. */
const shown = (value: number): string =>
  value === 0 || Math.abs(value) >= 0.01 ? value.toFixed(2) : value.toPrecision(1);

export const formatExplanation = ({ match, words, dropped, left_out: out }: Explanation): string => {
  const counts = words
    .map(
      ({ word, notes, forms }) =>
        `${word} (in ${counted(notes, 'note')}${forms === undefined ? '' : `; also ${forms.join(', ')}`})`,
    )
    .join(', ');
  return formatPairs([
    ['words', counts === '' ? undefined : counts],
    ['dropped', dropped.length === 0 ? undefined : dropped.join(' ')],
    ['asked', match === '' ? undefined : match],
    [
      'not live',
      out.superseded + out.expired === 0 ? undefined : `${out.superseded} superseded, ${out.expired} expired`,
    ],
  ]);
};

type Explanation = NonNullable<SearchAnswer['about']['explain']>;

/** Returns the ids of other notes shown with a note, whose names `formatNote` needs. */
export const idsShown = ({ links = [], supersedes = [], superseded_by: by }: NoteJson): readonly string[] => [
  ...links.map((link) => link.slice(link.lastIndexOf(' ') + 1)),
  ...supersedes,
  ...(by === undefined ? [] : [by]),
];

export const formatNote = (note: NoteJson, names: ReadonlyMap<string, NoteName> = new Map()): string => {
  const lines = (key: string, ids: readonly string[] = []): readonly (readonly [string, string])[] =>
    ids.map((id, at) => [at === 0 ? key : '', nameLine(id, names)] as const);

  const certainty = note.confidence === 1 ? '' : ` (confidence ${note.confidence})`;
  const pairs = formatPairs([
    ['id', note.id],
    ['short id', note.short_id],
    ['type', note.type],
    ['project', note.project],
    ['tags', note.tags.join(', ')],
    ['keywords', note.keywords?.join(', ')],
    ['scope', note.scope],
    ['origin', `${note.machine_id}${note.agent === undefined ? '' : `, ${note.agent}`}`],
    ['source', `${note.written_by}${certainty}`],
    [
      'claimed',
      note.claimed === true ? 'committed with git, not by anamnesis: origin and source are what it says' : undefined,
    ],
    ...(note.contested ?? []).map((reason, at) => [at === 0 ? 'undecided' : '', reason] as const),
    ['source key', note.source_key],
    ['importance', note.importance],
    ...(note.links ?? []).map((link, at) => [at === 0 ? 'links' : '', nameLink(link, names)] as const),
    ...lines('supersedes', note.supersedes),
    ...lines('superseded by', note.superseded_by === undefined ? [] : [note.superseded_by]),
    ['created', localTime(note.created_at)],
    ['updated', localTime(note.updated_at)],
    ['expires', note.expires_at === undefined ? undefined : localTime(note.expires_at)],
    ['version', note.version],
    ['file', note.path],
    ['not shown', note.file_problem === undefined ? undefined : `the file as it is now: ${note.file_problem}`],
  ]);
  const body = cleanText(note.body ?? '');
  const end = body === '' || body.endsWith('\n') ? '' : '\n';
  return `${ink('bold', wrapText(titleOf(note)).trimEnd())}\n${pairs}${body === '' ? '' : '\n'}${body}${end}`;
};

/** `part-of 6DDRKK Deploys need the VPN`. */
const nameLink = (link: string, names: ReadonlyMap<string, NoteName>): string => {
  const end = link.lastIndexOf(' ') + 1;
  return link.slice(0, end) + nameLine(link.slice(end), names);
};
