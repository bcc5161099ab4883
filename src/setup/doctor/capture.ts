/** Checks whether the agents' sessions were captured, and says which models read them. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findTranscripts, isGone, missingForMs } from '../../agents/transcript-files.js';
import { describeModels } from '../../config/model-choice.js';
import { currentGeneration, openGeneration } from '../../projections/generation.js';
import { listEvents } from '../../projections/history/query.js';
import { askAgentState, passOverDamage } from '../../state/state-file.js';
import { setupFolder } from '../record.js';
import { carryOutWork, lateMs } from './agents.js';
import { type Check, type CheckInput, countOf, type Finding, nameSome, ok, spanOf, warning } from './check.js';
import { isStoreThere } from './folder.js';

export const captureCheck: Check = {
  name: 'capture',
  look: async (examined) => {
    if (examined.sqliteProblem !== undefined || !isStoreThere(examined)) return [];
    if (examined.config?.capture === false) return [ok('capture', 'turned off in the settings')];
    const known = (await askAgentState(examined, (state) => state.transcripts()).catch(passOverDamage)) ?? [];
    const idle = examined.nowMs() - lateMs;
    const behind = known.filter(({ path, size }) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat?.isFile() === true && stat.size !== size && stat.mtimeMs < idle;
    });
    // A folder reached through a link has two paths, so sessions are compared by file name.
    const names = new Set(known.map(({ path }) => basename(path)));
    const missed = findSince(examined, idle).filter((path) => !names.has(basename(path)));
    const last = lastCapture(examined);
    const findings: Finding[] = [];
    const since = examined.nowMs() - missingForMs;
    const expected =
      (await askAgentState(examined, (state) => state.expectedTranscripts(since)).catch(passOverDamage)) ?? [];
    const absent = expected.filter(({ path }) => isGone(path));
    if (absent.length > 0) {
      const named = nameSome(absent.map(({ path }) => path));
      findings.push(
        warning('capture', `${countOf(absent.length, 'session')} without a transcript, so not captured: ${named}`, {
          next: 'each worker looks for it again; or give the file: anamnesis capture --transcript FILE',
        }),
      );
    }
    if (behind.length > 0) {
      findings.push(
        warning('capture', `${countOf(behind.length, 'session')} not fully captured; ${last}`, {
          next: 'run: anamnesis work',
          fix: carryOutWork(examined),
        }),
      );
    }
    if (missed.length > 0) {
      findings.push(
        warning('capture', `no hook ran in ${countOf(missed.length, 'session')} since init; ${last}`, {
          next: 'see the hook checks; anamnesis import transcripts imports these sessions',
        }),
      );
    }
    return findings.length > 0 ? findings : [ok('capture', last)];
  },
};

export const modelsCheck: Check = {
  name: 'models',
  look: ({ config }) => (config === undefined ? [] : [ok('models', describeModels(config))]),
};

/** Transcripts of Claude Code that were started after its hooks were registered and have been idle for a while. */
const findSince = ({ home, claudeHome }: CheckInput, idle: number): readonly string[] => {
  const record = statSync(join(setupFolder(home), 'record.json'), { throwIfNoEntry: false });
  if (record === undefined) return [];
  return findTranscripts(join(claudeHome, 'projects'))
    .filter(({ mtimeMs }) => mtimeMs > record.mtimeMs && mtimeMs < idle)
    .map(({ path }) => path)
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0) > record.mtimeMs);
};

/** Describes this machine's last capture, as far as the index knows it. */
const lastCapture = ({ home, machine, nowMs }: CheckInput): string => {
  const file = currentGeneration(join(home, 'index'));
  if (file === undefined) return 'no session captured yet';
  let index: ReturnType<typeof openGeneration> | undefined;
  try {
    index = openGeneration(file);
    const [event] = listEvents(index, { kind: 'session.captured', machine }, 1);
    if (event === undefined) return 'no session captured yet';
    return `last capture ${event.at.slice(0, 16).replace('T', ' ')}, ${spanOf(nowMs() - Date.parse(event.at))} ago`;
  } catch {
    // The index has its own check, which reports what is wrong with it.
    return 'the last capture is not known';
  } finally {
    index?.close();
  }
};
