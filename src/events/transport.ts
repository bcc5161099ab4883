/** The way to a remote, as syncing sees it. Git is the one implementation (git-transport.ts). */

/** The refs that the remote says it has. */
export type RemoteRefs = {
  /** Head of its main branch; undefined when it has none. */
  readonly main: string | undefined;
  /** Every other ref below `refs/anamnesis/` that is shared: machine marks and purge records. */
  readonly others: ReadonlyMap<string, string>;
};

export type PushedRef = { readonly from: string; readonly to: string };

export type Transport = {
  /** For messages: the address without credentials. */
  readonly shown: string;
  /** One round trip; brings nothing. */
  refs(): Promise<RemoteRefs>;
  /** Brings main to `refs/anamnesis/incoming` and the shared refs to their own names. Answers the head that came. */
  fetch(): Promise<string | undefined>;
  /**
   * Adds to the remote's branch, never over it. Other refs than main may be refused without failing the push.
   */
  push(refs: readonly PushedRef[]): Promise<PushOutcome>;
};

/** 'behind' when the remote has moved on: fetch and try again; 'locked' while another push is under way, or was killed. */
export type PushOutcome = 'pushed' | 'behind' | 'locked';

export type TransportTrouble = 'offline' | 'auth' | 'refused' | 'missing' | 'damaged';

/** The remote could not be asked, or did not take what was sent. `message` holds no credentials. */
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
