/** All projections, in the order in which they are written. */
import { activity } from './activity/activity.js';
import { eventHistory } from './history/event-history.js';
import { noteIndex } from './index/note-index.js';
import { notePrints } from './prints/note-prints.js';
import type { Projection } from './projection.js';

export const projections: readonly Projection[] = [noteIndex, eventHistory, activity, notePrints];
