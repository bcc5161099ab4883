/** Appends a person's merge commit again: its texts are decisions, whatever the commits that it merged say. Pure. */

import type { ImportedChange } from '../../events/journal.js';
import { type ContestedNote, type EventOnNote, type MergedEvent, mergeEvent } from './merge-event.js';
import { isWrite } from './places.js';

/**
 * Merges the note as the merge commit left it with upstream, as one change since the lines diverged. The result
 * replaces what the commits before it made of the note (`line`), including siblings; all of that stays in history.
 */
export const mergeDecision =
  (line: ContestedNote, first: ContestedNote) =>
  (asked: EventOnNote): MergedEvent => {
    const changes = asked.changes.filter(({ before, after }) => before !== after);
    const result: MergedEvent =
      changes.length === 0
        ? { line: first, changes: [], merged: false, conflict: undefined }
        : mergeEvent({ ...asked, changes, line: first });
    const { files, made } = result.line;
    const paths = new Set([...line.files.keys(), ...files.keys()]);
    const replaced = [...paths].flatMap((path): readonly ImportedChange[] => {
      const blob = files.get(path);
      if (blob === line.files.get(path)) return [];
      const bytes = blob === undefined ? undefined : (made?.get(blob) ?? asked.masked.get(blob));
      return [blob === undefined || bytes !== undefined ? { path, bytes } : { path, blob, mode: '100644' }];
    });
    // Paths that the note leaves are removed above; any other one may be another note's by now.
    const beside = result.changes.filter((change) => !paths.has(change.path) && isWrite(change));
    const dropped = [...line.siblings.values()].map(({ path }) => ({ path, bytes: undefined }));
    return { ...result, changes: [...dropped, ...replaced, ...beside] };
  };
