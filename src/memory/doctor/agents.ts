/** Checks of what runs around agents' sessions: the spool, the background worker, and whether sessions are captured. */
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { listItems, readItems } from '../../commands/hooks/spool.js';
import { readRecord, setupFolder } from '../../commands/setup/record.js';
import { listEvents } from '../../projections/history/query.js';
import { currentGeneration, openGeneration } from '../../projections/index/generation.js';
import { findTranscripts } from '../importing-transcripts.js';
import { type Check, countOf, type Examined, type Finding, type Fix, nameSome, ok, problem, spanOf, warning } from './check.js';
import { isFree } from './databases.js';
import { isStoreThere } from './folder.js';
import { askAgentState } from './state-file.js';
