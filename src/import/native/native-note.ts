/** Converts a file of Claude Code's own memory to a note's fields. Pure; never fails. */

import {
  cleanList,
  cleanTitle,
  type ForeignNote,
  parseForeignTime,
  scopeOfFields,
} from '../../commands/foreign-note.js';
import type { NoteType } from '../../events/note/note.js';
import { type ForeignValues, readNested, readText, splitForeign } from '../markdown/markdown-front.js';
import { findHeading } from '../markdown/markdown-heading.js';
import { titleOfPath, trimBlankLines } from '../markdown/markdown-note.js';

/** `kind` is the file's own word for what it holds: user, feedback, project, reference or another one. */
export type NativeMemory = Pick<ForeignNote, 'title' | 'body' | 'keywords' | 'scope'> & {
  readonly kind: string | undefined;
  readonly type: NoteType;
  /** When the file was changed, according to its front matter. */
  readonly modifiedMs: number | undefined;
};

/** Front matter is flat in older files; in newer ones type and time are under `metadata`. */
export const parseNativeMemory = (text: string, name: string): NativeMemory => {
  const { values, body, prose } = splitForeign(text);
  const metadata = readNested(values, 'metadata');
  const kind = cleanKind(readText(metadata, 'type') ?? readText(values, 'type'));
  const ownName = readText(values, 'name');
  const description = readText(values, 'description');
  return {
    title: cleanTitle(description ?? ownName ?? findHeading(prose) ?? titleOfPath(name)),
    body: endWithLineFeed(trimBlankLines(body)),
    keywords: description === undefined || ownName === undefined ? [] : cleanList([cleanTitle(ownName)]),
    kind,
    type: kind === 'feedback' ? 'procedural' : 'semantic',
    modifiedMs: timeOf(metadata) ?? timeOf(values),
    scope: scopeOfFields(values),
  };
};

/** A tag is one short word. */
const cleanKind = (text: string | undefined): string | undefined => {
  const kind = text?.toLowerCase().replace(/[\s\p{Cc}]+/gu, '-');
  return kind === undefined || kind.length > 40 ? undefined : kind;
};

const timeOf = (values: ForeignValues): number | undefined => parseForeignTime(readText(values, 'modified') ?? '');

/** The Python program ends a body with a line feed: one without it would be rewritten back and forth. */
export const endWithLineFeed = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
