/** A merge commit that a person made: its texts are decisions, whatever the commits that it merged say. Pure. */

import type { ImportedChange } from '../../events/journal.js';
import { type ContestedNote, type EventOnNote, type MergedEvent, mergeEvent } from './merge-event.js';
import { isWrite } from './places.js';

/**
 * The note as the merge commit left it, merged with upstream as one change from when the lines parted: what the commits
 * before it made of the note (`line`), a sibling too, gives way to that. All of it stays in history.
 */
export const mergeAnew =
  (line: ContestedNote, first: ContestedNote) =>
  (asked: EventOnNote): MergedEvent => {
    const changes = asked.changes.filter(({ before, after }) => before !== after);
    const result: MergedEvent =
      changes.length === 0
        ? { line: first, changes: [], merged: false, conflict: undefined }
        : mergeEvent({ ...asked, changes, line: first });
    const { files, made } = result.line;
    const paths = new Set([...line.files.keys(), ...files.keys()]);
    const turned = [...paths].flatMap((path): readonly ImportedChange[] => {
      const blob = files.get(path);
      if (blob === line.files.get(path)) return [];
      const bytes = blob === undefined ? undefined : (made?.get(blob) ?? asked.masked.get(blob));
      return [blob === undefined || bytes !== undefined ? { path, bytes } : { path, blob, mode: '100644' }];
    });
    // Paths that the note leaves are removed above; any other one may be another note's by now.
    const beside = result.changes.filter((change) => !paths.has(change.path) && isWrite(change));
    const dropped = [...line.siblings.values()].map(({ path }) => ({ path, bytes: undefined }));
    return { ...result, changes: [...dropped, ...turned, ...beside] };
  };
