/** Failures of commands, and their exit codes. */
import type { CommanderError } from 'commander';
import type { Answer, Lookup } from '../app/app.js';
import type { Refusal } from '../commands/refusals.js';
import { homeOf } from '../config/settings.js';
import { Fault, type FaultCode } from '../events/faults.js';
import { faultOf } from '../state/environment-probe.js';
import { isTerminal, OutputUnwritable, printJson, say, sayText } from './output.js';

export const exitCodes = { done: 0, refused: 1, usage: 2, damaged: 3, fault: 70 } as const;

/** `told` is printed for people in place of `message` and `next`, which programs get. */
export type Failure = Refusal & { readonly exitCode: number; readonly told?: readonly string[] };

/** Ends a command from anywhere in it; run.ts and quick.ts print it. Outside of this folder refusals are values. */
class Stop extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

export const refused = (refusal: Refusal): Stop => new Stop({ ...refusal, exitCode: exitCodes.refused });

export const wrongUsage = (message: string, next: string): Stop =>
  new Stop({ code: 'usage', message, next, exitCode: exitCodes.usage });

/** Refuses to ask where no person can answer. */
export const needTerminal = (command: string, next: string, json?: true): void => {
  if (isTerminal('stdin') && isTerminal('stdout') && json !== true) return;
  throw wrongUsage(`${command} asks before it changes anything, and there is no terminal to ask on`, next);
};

export const cancelled = (command: string): Stop =>
  refused({ code: 'cancelled', message: 'nothing was changed', next: `run ${command} again when you want to` });

export type Done = Exclude<Answer, { readonly status: 'refused' }>;

/** Throws a refusal, so that the rest of a subcommand deals only with success. */
export const doneOrThrow = (answer: Answer): Done => {
  if (answer.status === 'refused') throw refused(answer.refusal);
  return answer;
};

export const answerOrThrow = <Value>(found: Lookup<Value>): Value => {
  if (!found.ok) throw refused(found.refusal);
  return found.answer;
};

export const valueOrThrow = <Value>(answer: Value | Refusal): Value => {
  if (isRefusal(answer)) throw refused(answer);
  return answer;
};

const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && 'code' in answer && 'next' in answer;

/** Returns the thrown error with its sentences reworded for people. */
export const retold = async (
  error: unknown,
  tell: (sentences: readonly string[]) => Promise<readonly string[]>,
): Promise<unknown> => {
  if (!(error instanceof Stop)) return error;
  const { message, next } = error.failure;
  return new Stop({ ...error.failure, told: await tell([message, next]) });
};

/** Returns the failure to print for anything thrown; undefined if commander only showed its help. */
export const failureOf = (error: unknown, help: string): Failure | undefined => {
  if (error instanceof Stop) return error.failure;
  if (isOfCommander(error)) return failureOfCommander(error, help);
  if (process.env['ANAMNESIS_DEBUG'] === '1') sayText(`${error instanceof Error ? error.stack : error}`);
  if (error instanceof OutputUnwritable) return failureOfOutput(error);
  // Without a home folder, the error is a Fault already.
  const fault = error instanceof Fault ? error : faultOf(error, homeOf(process.env));
  if (fault !== undefined) {
    const { code, message, next } = fault;
    return { code, message, next, exitCode: exitCodeOfFault[code] ?? exitCodes.fault };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'fault',
    message: `internal error: ${message}`,
    next: 'ANAMNESIS_DEBUG=1 shows the stack trace',
    exitCode: exitCodes.fault,
  };
};

const failureOfOutput = ({ message }: OutputUnwritable): Failure => ({
  code: outputUnwritable,
  message: `standard output can't be written (${message})`,
  next: 'the store is as the command left it; ask again with another output',
  exitCode: exitCodes.fault,
});
const outputUnwritable = 'output-unwritable';

const exitCodeOfFault: Partial<Record<FaultCode, number>> = {
  'eval-set-missing': exitCodes.usage,
  'eval-file-unwritable': exitCodes.usage,
  'model-unusable': exitCodes.usage,
  'unknown-revision': exitCodes.usage,
  'store-damaged': exitCodes.damaged,
  'journal-damaged': exitCodes.damaged,
  'journal-missing': exitCodes.damaged,
};

/** Recognised by its shape: not every command loads commander. */
const isOfCommander = (error: unknown): error is CommanderError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');

const failureOfCommander = (error: CommanderError, help: string): Failure | undefined => {
  if (error.exitCode === 0) return undefined;
  const message =
    error.code === 'commander.help'
      ? 'a subcommand is missing'
      : error.message.replace(/^error: /, '').replace(/\.$/, '');
  return { code: 'usage', message, next: `see: ${help}`, exitCode: exitCodes.usage };
};

export const printFailure = ({ code, message, next, exitCode, told }: Failure, asJson: boolean): void => {
  process.exitCode = exitCode;
  say(`anamnesis: ${(told ?? [message, next]).join('; ')}`);
  if (asJson && code !== outputUnwritable) printJson({ error: { code, message, next } });
};
