/** Sections of a session note, each '' when there is nothing to say. Pure. */
import { formatTime } from '../../events/time.js';
import { clipStart, oneLine } from '../transcript/clip.js';
import { quoteCode, quoteLine } from './note-text.js';
import type { Failure, Session, Subagent, Turn } from './session.js';

/** Outcomes of the turns before the last one that has an outcome. */
export const formatEarlier = (turns: readonly Turn[], most: number): string => {
  const told = turns.filter(({ outcome }) => outcome !== '').slice(0, -1);
  const lines = told.slice(-most).map(({ number, prompt, outcome }) => {
    const asked = prompt === '' ? '' : `“${quoteLine(prompt, 80)}” → `;
    return `- turn ${number}: ${asked}${quoteLine(outcome, 240)}`;
  });
  return formatList(lines, told.length, 'first');
};

export const formatWhere = ({ cwd, branch, startedAtMs, endedAtMs, version }: Session): string =>
  [
    cwd === undefined ? '' : `Folder: ${quoteCode(cwd, 200)}`,
    // Outside a repository the client calls it HEAD.
    branch === undefined || branch === 'HEAD' ? '' : `Branch: ${quoteCode(branch, 120)}`,
    startedAtMs === undefined || endedAtMs === undefined ? '' : `Time: ${minute(startedAtMs)} to ${minute(endedAtMs)}`,
    version === undefined ? '' : `Agent: Claude Code ${oneLine(version).slice(0, 40)}`,
  ]
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n');

export const formatFiles = (files: readonly string[], most: number): string =>
  formatList(
    files.slice(0, most).map((file) => `- ${quoteCode(clipStart(file, 120), 120)}`),
    files.length,
    'last',
  );

/** Each command once, whatever the turns; those that never worked come first. */
export const formatFailures = (turns: readonly Turn[], most: number): string => {
  const byCommand = new Map<string, Failure>();
  for (const failure of turns.flatMap(({ failures }) => failures)) {
    const times = failure.times + (byCommand.get(failure.command)?.times ?? 0);
    byCommand.set(failure.command, { ...failure, times });
  }
  const telling = [...byCommand.values()].filter(({ error }) => !/^(?:error|exit code \d+)?$/i.test(error));
  const open = telling.filter(({ ending }) => ending === 'failed');
  const settled = telling.filter(({ ending }) => ending === 'succeeded-later');
  const chosen = [...open, ...settled].slice(0, most);
  return formatList(chosen.map(formatFailure), telling.length, 'last');
};

export const formatSubagents = (subagents: readonly Subagent[], most: number): string =>
  formatList(subagents.slice(0, most).map(formatSubagent), subagents.length, 'last');

/** Where each turn stands in the transcript: the first and the last ones of a long session. */
export const formatAnchors = ({ turns, file }: Session, most: number): string => {
  if (turns.length === 0) return '';
  const shown = turns.length <= most ? turns : [...turns.slice(0, most / 2), ...turns.slice(-most / 2)];
  const first = turns[0]?.number ?? 1;
  const left = (turns.at(-1)?.number ?? first) - first + 1 - shown.length;
  const lines = shown.map(formatAnchor);
  const list = left <= 0 ? lines : [...lines.slice(0, most / 2), `- and ${left} more`, ...lines.slice(most / 2)];
  return `In the transcript ${quoteCode(file, 120)}, by byte offset:\n\n${list.join('\n')}`;
};

const formatAnchor = ({ number, atMs, prompt, offset, isInterrupted }: Turn): string =>
  [
    `- turn ${number}`,
    atMs === undefined ? 'no time' : minute(atMs),
    `${prompt === '' ? '(no prompt)' : quoteLine(prompt, 60)}${isInterrupted ? ' (interrupted)' : ''}`,
    String(offset),
  ].join(' · ');

const formatFailure = ({ command, error, ending, times }: Failure): string => {
  const count = times === 1 ? 'failed' : `failed ${times} times`;
  const end = ending === 'succeeded-later' ? 'a later run worked' : 'no later run worked';
  return `- ${quoteCode(command, 120)} ${count}, ${end}: ${quoteLine(error, 200)}`;
};

const formatSubagent = ({ id, type, task, outcome, files }: Subagent): string => {
  const name = type === undefined || type === '' ? `agent ${quoteLine(id, 40)}` : quoteLine(type, 60);
  const asked = task === '' ? '' : `: ${quoteLine(task, 160)}`;
  const came = outcome === '' ? '' : ` → ${quoteLine(outcome, 240)}`;
  const wrote = files.length === 0 ? '' : ` (${files.length} ${files.length === 1 ? 'file' : 'files'} touched)`;
  return `- ${name}${asked}${came}${wrote}`;
};

/** `missing` says on which end the others would stand. */
const formatList = (lines: readonly string[], total: number, missing: 'first' | 'last'): string => {
  const left = total - lines.length;
  if (left <= 0) return lines.join('\n');
  const more = `- and ${left} more`;
  return (missing === 'last' ? [...lines, more] : [`- and ${left} before`, ...lines]).join('\n');
};

/** `2026-02-11T20:40Z`. */
const minute = (epochMs: number): string => `${formatTime(epochMs).slice(0, 16)}Z`;
