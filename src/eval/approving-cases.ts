/** Lists eval cases that are not approved yet, and records a person's approval. */
import { Fault } from '../events/faults.js';
import { isRefusal, readFileState, replaceFile, textOf } from '../files/settings-file.js';
import type { Memory } from '../store/memory.js';
import { EvalRunCase } from './eval-case-schema.js';
import { findSets, parseLine } from './eval-sets.js';

export type CaseToApprove = {
  /** Number among all cases of the files, approved or not, from 1, so that approving changes no number. */
  readonly number: number;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly query: string;
  readonly relevant_ids: readonly string[];
  readonly note_titles: readonly string[];
  readonly project: string | null;
  readonly category: string | null;
};

export type ApproveAsked = {
  /** Files to read cases from; by default memory/eval/*.jsonl. */
  readonly sets?: readonly string[] | undefined;
};

/** Throws Fault 'eval-set-missing'. */
export const openCases = (memory: Memory, { sets }: ApproveAsked): readonly CaseToApprove[] =>
  readAll(memory, sets).flatMap(({ approved, found }) => (approved ? [] : [found]));

/** Other lines stay; returns newly approved ones. Throws Faults 'eval-set-missing' and 'eval-file-unwritable'. */
export const approveCases = (
  memory: Memory,
  { sets, numbers }: ApproveAsked & { readonly numbers: readonly number[] },
): readonly CaseToApprove[] => {
  const all = readAll(memory, sets);
  const unknown = numbers.find((number) => !all.some(({ found }) => found.number === number));
  if (unknown !== undefined)
    throw new Fault('eval-set-missing', `there is no case ${unknown}`, 'anamnesis eval approve lists them');
  const chosen = all.flatMap(({ approved, found }) => (!approved && numbers.includes(found.number) ? [found] : []));
  for (const file of new Set(chosen.map((one) => one.file))) {
    approveLines(
      file,
      chosen.filter((one) => one.file === file).map(({ line }) => line),
    );
  }
  return chosen;
};

type ReadCase = { readonly approved: boolean; readonly found: CaseToApprove };

const readAll = (memory: Memory, sets: readonly string[] | undefined): readonly ReadCase[] =>
  findSets(memory, sets)
    .flatMap((file) => readLines(file).lines.map((text, at) => ({ file, text, line: at + 1 })))
    .filter(({ text }) => text.trim() !== '')
    .map(({ file, text, line }, at) => {
      const one = parseLine(file, line, text, (value) => EvalRunCase.parse(value));
      const { query, relevant_ids, note_titles = [], project = null, category = null, approved } = one;
      return {
        approved,
        found: { number: at + 1, file, line, query, relevant_ids, note_titles, project, category },
      };
    });

const readLines = (file: string) => {
  const state = readFileState(file);
  const read = isRefusal(state) ? state : textOf(state);
  if (isRefusal(state)) throw unreadable(state.message);
  if (isRefusal(read)) throw unreadable(read.message);
  return { state, lines: (read.text ?? '').split('\n') };
};

const unreadable = (message: string): Fault =>
  new Fault('eval-set-missing', message, 'give a JSONL file that is not compressed: --eval-set FILE');

const approveLines = (file: string, lines: readonly number[]): void => {
  const { state, lines: before } = readLines(file);
  const after = before.map((text, at) => (lines.includes(at + 1) ? markApproved(text) : text));
  if (!replaceFile(state, Buffer.from(after.join('\n')))) {
    throw new Fault(
      'eval-file-unwritable',
      `${file} was changed meanwhile`,
      'review its cases again, then repeat the command',
    );
  }
};

/** An existing key keeps its place. */
const markApproved = (text: string): string => {
  const value: unknown = JSON.parse(text);
  return JSON.stringify({ ...(typeof value === 'object' ? value : {}), approved: true });
};
