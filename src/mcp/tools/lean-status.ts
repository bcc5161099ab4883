/** The store's state as a model needs it: what is wrong, what needs a decision, and counts. Pure. */
import type { LeanStatus } from '../../answers/lean-schema.js';
import type { Status } from '../../answers/store-schema.js';
import { cut } from './lean-notes.js';

/** One line for each kind of trouble, with its first items; `anamnesis status --json` lists all of them. */
export const leanStatus = (status: Status, project: string): LeanStatus => {
  const { root, machine, total, live, by_type, by_project, agents, sync } = status;
  const state = sync.trouble === null ? sync.detail : `${sync.detail}; ${sync.trouble.next}`;
  const wrong = wrongOf(status);
  const waiting = waitingOf(status);
  const shown = shownProjects(by_project, project);
  const unshown = Object.keys(by_project).length - shown.length;
  return {
    state: cut(state, maxLine),
    ...(wrong.length === 0 ? {} : { wrong }),
    ...(waiting.length === 0 ? {} : { waiting }),
    root,
    machine,
    total,
    live,
    by_type,
    by_project: Object.fromEntries(shown),
    ...(unshown === 0 ? {} : { more_projects: unshown }),
    ...(sync.remote === null
      ? {}
      : { sync: { remote: sync.remote, last_sync: sync.last_sync, unpublished: sync.unpublished } }),
    ...(agents.last_capture === null ? {} : { last_capture: agents.last_capture }),
  };
};

const wrongOf = (status: Status): readonly string[] => [
  ...(status.lost_local === null ? [] : [`${status.lost_local.message}: ${status.lost_local.next}`]),
  ...about(status.skipped, ['file is not a readable note', 'files are not readable notes'], (file) => {
    return `${file.journal}/${file.path}:${file.line}: ${file.message}`;
  }),
  ...about(status.left, ['file was left alone', 'files were left alone'], ({ journal, path, reason }) => {
    return `${journal}/${path}: ${reason}`;
  }),
  ...about(status.repeated_ids, ['id is in more than one file', 'ids are in more than one file'], (id) => id),
];

const waitingOf = ({ hand_edits, conflicts, agents }: Status): readonly string[] => [
  ...about(
    hand_edits,
    [
      'change by hand that is not recorded (anamnesis adopt)',
      'changes by hand that are not recorded (anamnesis adopt)',
    ],
    ({ journal, path, change }) => `${change} ${journal}/${path}`,
  ),
  ...number(conflicts, ['conflict (anamnesis conflicts)', 'conflicts (anamnesis conflicts)']),
  ...number(agents.proposals, ['proposal to review (anamnesis review)', 'proposals to review (anamnesis review)']),
  ...number(agents.spool, ['item in the spool (anamnesis work)', 'items in the spool (anamnesis work)']),
];

/** The words for one and for several. */
type Words = readonly [one: string, many: string];

const number = (count: number, [one, many]: Words): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** The count and the first items, on one line. */
const about = <Item>(items: readonly Item[], words: Words, tell: (item: Item) => string): readonly string[] => {
  const first = items.slice(0, maxNamed).map((item) => cut(tell(item), maxNamedUnits));
  const more = items.length > maxNamed ? `; and ${items.length - maxNamed} more` : '';
  return number(items.length, words).map((line) => `${line}: ${first.join('; ')}${more}`);
};

const maxNamed = 2;
/** In characters, as the next one. A path or the reason why a file is unreadable may be long. */
const maxNamedUnits = 120;
const maxLine = 300;

/** Returns the projects with the most notes, and the one that the client is in. */
const shownProjects = (
  counts: Readonly<Record<string, number>>,
  project: string,
): readonly (readonly [string, number])[] => {
  const byCount = Object.entries(counts).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const most = byCount.slice(0, maxProjects);
  const here = most.some(([key]) => key === project) ? undefined : byCount.find(([key]) => key === project);
  return here === undefined ? most : [here, ...most.slice(0, maxProjects - 1)];
};

const maxProjects = 5;
