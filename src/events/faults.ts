/** Faults: errors that stop a correct command. Thrown, and caught where the program reports to its user. */

export type FaultCode =
  | 'store-missing'
  | 'store-damaged'
  | 'journal-missing'
  | 'journal-damaged'
  | 'git-missing'
  | 'git-too-old'
  | 'native-part-missing'
  | 'home-missing'
  | 'disk-full'
  | 'read-only'
  | 'not-permitted'
  | 'limit-reached'
  | 'head-elsewhere'
  | 'local-has-remote'
  | 'lock-timeout'
  | 'remote-failed'
  | 'worker-died'
  | 'unknown-revision'
  | 'eval-set-missing'
  | 'eval-file-unwritable'
  | 'model-unusable'
  | 'unsafe-stream'
  | 'not-writable'
  | 'access-restricted';

/** `message` says in one sentence what is wrong; `next` says what to do about it. */
export class Fault extends Error {
  constructor(
    readonly code: FaultCode,
    message: string,
    readonly next: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the code of an operating system error (`ENOENT`), or the error's text when it has no code. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
