/** A remote reached by git: a bare repository on a path, over ssh or https. */

import { redact } from '../../note/redact.js';
import {
  type PushedRef,
  type PushOutcome,
  type RemoteRefs,
  type Transport,
  TransportError,
  type TransportTrouble,
} from '../../transport.js';
import { readRef, refsBelow, retryWhileRefLocked } from '../git-files.js';
import { branch, GitError, type GitFolders, runGit } from '../git-process.js';
import { type NetworkOptions, runNetworkGit } from './git-network.js';
import { machineOfRef, markFolder } from './machine-marks.js';
import { showAddress } from './remote-address.js';

/** The head fetched last; nothing in it is trusted yet. */
export const incomingRef = 'refs/anamnesis/incoming';

export const openGitTransport = (folders: GitFolders, url: string, options: NetworkOptions = {}): Transport =>
  new GitTransport(folders, url, options);

class GitTransport implements Transport {
  readonly shown: string;
  /** Listed last, and fetched by name: anyone who may push decides how many refs there are, and what they are called. */
  #marks: readonly string[] = [];

  constructor(
    private readonly folders: GitFolders,
    private readonly url: string,
    private readonly options: NetworkOptions,
  ) {
    this.shown = showAddress(url);
  }

  async #run(args: readonly string[], input?: string): Promise<Buffer> {
    try {
      const run = (): Promise<Buffer> => runNetworkGit(this.folders, args, this.options, input);
      return await (input === undefined ? run() : retryWhileRefLocked(run, this.folders.gitDir));
    } catch (error) {
      throw error instanceof GitError ? toTransportError(error, this.shown) : error;
    }
  }

  async refs(): Promise<RemoteRefs> {
    const output = await this.#run(['ls-remote', '--quiet', '--', this.url, branch, `${markFolder}*`]);
    const { main, others } = parseRefs(output.toString('utf8'));
    const known = refsBelow(this.folders.gitDir, markFolder);
    const isKnown = (ref: string): boolean => known.has(ref.slice(markFolder.length));
    const names = [...others.keys()];
    this.#marks = [...names.filter(isKnown), ...names.filter((ref) => !isKnown(ref))].slice(0, maxMarks);
    return { main, others: new Map(this.#marks.map((ref) => [ref, others.get(ref) ?? ''])) };
  }

  async fetch(): Promise<string | undefined> {
    const specs = [`+${branch}:${incomingRef}`, ...this.#marks.map((ref) => `+${ref}:${ref}`)];
    // Thousands of names don't fit in a command line.
    await this.#run([...fetchOptions, '--stdin', '--', this.url], `${specs.join('\n')}\n`);
    return readRef(this.folders.gitDir, incomingRef);
  }

  async push(refs: readonly PushedRef[]): Promise<PushOutcome> {
    const specs = refs.map(({ from, to }) => `${from}:${to}`);
    const args = ['push', '--progress', '--porcelain', '--no-verify', '--', this.url, ...specs];
    try {
      await runNetworkGit(this.folders, args, this.options);
      return 'pushed';
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const outcome = outcomeOf(error.stderr);
      if (outcome !== undefined) return outcome;
      throw toTransportError(error, this.shown);
    }
  }
}

const fetchOptions = [
  'fetch',
  '--progress',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--refmap=',
];

/** How many machines' marks are kept here; existing ones are still updated. */
const maxMarks = 1000;

/** Deletes the incoming ref: git would report objects missing from the fetched history as damage of our own journal. */
export const dropIncoming = async (folders: GitFolders): Promise<void> => {
  await retryWhileRefLocked(() => runGit(folders, ['update-ref', '-d', incomingRef]), folders.gitDir);
};

const parseRefs = (text: string): RemoteRefs => {
  let main: string | undefined;
  const others = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [id = '', ref = ''] = line.split('\t');
    if (!/^[0-9a-f]{40,64}$/.test(id)) continue;
    if (ref === branch) main = id;
    else if (machineOfRef(ref) !== undefined) others.set(ref, id);
  }
  return { main, others };
};

/** Returns main's result from `push --porcelain`; undefined when there is none, or it isn't a race. */
const outcomeOf = (words: string): PushOutcome | undefined => {
  const line = words.split('\n').find((text) => text.split('\t')[1]?.endsWith(`:${branch}`) === true);
  if (line === undefined) return undefined;
  if (/^[ =*+-]\t/.test(line)) return 'pushed';
  if (/Unable to create '[^'\n]{1,4096}\.lock': File exists/.test(words)) return 'locked';
  return /fetch first|non-fast-forward|stale info|incorrect old value|failed to update ref|cannot lock ref|already exists|reference already/i.test(
    line,
  )
    ? 'behind'
    : undefined;
};

const authWords =
  /Permission denied|Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|publickey|error: 40[13]\b|HTTP 40[13]\b|Host key verification failed|access denied|not authorized|Invalid username|Access denied|denied to /i;
/** The person's own settings can't be read, which is no matter of the remote. */
const ownSettings = /unable to access '[^'\n]{1,4096}config'|Bad owner or permissions on/;
const refusedWords = /\[remote rejected\]|pre-receive hook declined|protected branch|remote: error|unpacker error/i;
const damagedWords =
  /fsck|bad object|missing (?:blob|tree|commit|object)|corrupt|inflate|unpack-objects failed|index-pack failed|invalid (?:index-pack|sha1)|did not send all necessary objects|pack has|bad pack/i;
const missingWords =
  /does not appear to be a git repository|does not exist|not a git repository|Repository not found|not found/i;

export const toTransportError = (error: GitError, shown: string): TransportError => {
  const { stderr, exitCode } = error;
  const words = mainErrorLine(stderr);
  const said = remoteLines(stderr).filter((line) => line !== words);
  const told = said.length === 0 ? words : `${words} (it says: ${said.join(' / ')})`;
  const fail = (code: TransportTrouble, message: string, next: string): TransportError =>
    new TransportError(code, message, next, { cause: error });
  if (authWords.test(stderr) && !ownSettings.test(stderr))
    return fail(
      'auth',
      `${shown} denied access: ${told}`,
      'check the key or the credential helper with `git ls-remote`; the next sync tries again',
    );
  if (refusedWords.test(stderr))
    return fail(
      'refused',
      `${shown} rejected the push: ${told}`,
      'read what the remote says, and allow pushes to main there',
    );
  if (offlineWords.test(stderr) || exitCode === null || (hungUpWords.test(stderr) && said.length === 0))
    return fail('offline', `${shown} can't be reached: ${told}`, 'nothing to do: the next sync tries again');
  if (damagedWords.test(stderr))
    return fail(
      'damaged',
      `what ${shown} sent is damaged: ${told}`,
      'check that repository with `git fsck`; nothing was taken over',
    );
  if (missingWords.test(stderr))
    return fail(
      'missing',
      `there is no git repository at ${shown}${told.includes(shown) ? '' : `: ${told}`}`,
      `create it there: git init --bare --initial-branch=main ${/^[\w./-]+$/.test(shown) ? shown : 'PATH'}; or give another address: anamnesis remote set ADDRESS`,
    );
  return fail(
    'failed',
    `git could not sync with ${shown}: ${told}`,
    'nothing was changed; try `git ls-remote` with that address, which ends with the same words',
  );
};

/** What heals by itself: a name that can't be resolved, a machine that is off, a line that is cut, a busy server. */
const offlineWords =
  /Could not resolve (?:host|hostname|proxy)|Name or service not known|nodename nor servname|Temporary failure in name resolution|Connection refused|Connection (?:timed out|reset)|Operation timed out|timed out after|Network is (?:unreachable|down)|No route to host|Host is down|Failed to connect to|Couldn't connect to|error: 5\d\d\b|HTTP 5\d\d\b|kex_exchange_identification/i;
/** git says this too when the remote ended the call after it had said why. */
const hungUpWords = /unexpected disconnect|hung up|early EOF|Connection (?:to \S{1,300} )?closed/i;

/** Returns up to three lines of the remote's own words, without secrets. */
const remoteLines = (stderr: string): readonly string[] =>
  stderr
    .split('\n')
    .flatMap((line) => /^(?:remote: |ERROR: |fatal: remote error: )(.*\S)/.exec(line.trim())?.[1] ?? [])
    .slice(0, 3)
    .map((line) => redact(line).text.slice(0, 200));

const uninformativeLine =
  /^(?:To |Done$|fatal: Could not read from remote repository|Please make sure you have|and the repository exists|error: failed to push some refs)/;

/** Returns the most informative line: git's first `fatal:` or `error:`, else the last line. */
const mainErrorLine = (stderr: string): string => {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !uninformativeLine.test(line));
  const told =
    lines.find((line) => /^(?:fatal|error|ssh|remote: (?:error|fatal)|!)/i.test(line)) ??
    lines.at(-1) ??
    'no reason given';
  return redact(told.replace(/^(?:fatal|error): /, '')).text.slice(0, 300);
};
