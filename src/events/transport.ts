/** The interface that sync uses to reach a remote. Git is the one implementation (git-transport.ts). */

export type RemoteRefs = {
  /** Head of its main branch; undefined when it has none. */
  readonly main: string | undefined;
  /** Every other ref below `refs/anamnesis/` that is shared: the machines' marks. */
  readonly others: ReadonlyMap<string, string>;
};

export type PushedRef = { readonly from: string; readonly to: string };

export type Transport = {
  /** For messages: the address without credentials. */
  readonly shown: string;
  /** One round trip; fetches no objects. */
  refs(): Promise<RemoteRefs>;
  /** Fetches main to `refs/anamnesis/incoming` and the shared refs to their own names. Returns the fetched head. */
  fetch(): Promise<string | undefined>;
  /** Never overwrites the remote's branch. Refs other than main may be refused without failing the push. */
  push(refs: readonly PushedRef[]): Promise<PushOutcome>;
};

/** 'behind' when the remote has moved on: fetch and try again; 'locked' during another push or after a killed one. */
export type PushOutcome = 'pushed' | 'behind' | 'locked';

/** `offline` heals by itself; `failed` is any fault that git reports and this program doesn't know. */
export type TransportTrouble = 'offline' | 'auth' | 'refused' | 'missing' | 'damaged' | 'failed';

/** The remote could not be reached, or rejected what was sent. `message` holds no credentials. */
export class TransportError extends Error {
  constructor(
    readonly code: TransportTrouble,
    message: string,
    readonly next: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
