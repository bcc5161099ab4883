/** A journal in memory, held to git's contract. Blob ids are git's; commit ids are hashes of what a commit says. */
import type { JournalEvent } from './event.js';
import { Fault } from './faults.js';
import { createHash } from './hash.js';
import type { Journal, NewCommit, PathChange, Steps, TreeEntry } from './journal.js';
import { type LoggedCommit, type LoggedEvent, notesAt, toLoggedEvent } from './logged-event.js';
import { blobIdOf } from './note/blob-id.js';
import { diffLines, formatUnified } from './note/line-diff.js';
import { type BlobId, type JournalName, maxFileBytes } from './note/note.js';
import { isNotePath } from './note/paths.js';
import { foreignEvent } from './trailers.js';

type Tree = ReadonlyMap<string, TreeEntry>;
type Commit = { readonly logged: LoggedCommit; readonly tree: Tree };

export class MemoryJournal implements Journal {
  readonly #commits = new Map<string, Commit>();
  readonly #bytes = new Map<BlobId, Buffer>();
  #head: string | undefined;

  constructor(
    readonly name: JournalName,
    readonly folder: string,
  ) {}

  exists(): boolean {
    return true;
  }

  head(): string | undefined {
    return this.#head;
  }

  async append(commits: readonly NewCommit[], parent: string | undefined): Promise<readonly string[] | 'moved'> {
    if (this.#head !== parent) return 'moved';
    return commits.map((commit) => this.#append(commit));
  }

  #append({ message, machine, epochMs, joins, changes }: NewCommit): string {
    const tree = new Map(this.#treeOf(this.#head));
    for (const change of changes) {
      const { path } = change;
      if ('blob' in change) tree.set(path, { path, blob: change.blob, mode: change.mode });
      else if (change.bytes === undefined) tree.delete(path);
      else tree.set(path, { path, blob: this.#keep(change.bytes), mode: '100644' });
    }
    const parents = [this.#head, joins].filter((one) => one !== undefined);
    const said = JSON.stringify([message, machine, epochMs, parents, [...tree.values()]]);
    const hash = createHash('sha1').update(said).digest('hex');
    const seconds = Math.floor(epochMs / 1000) * 1000;
    const logged = { hash, parents, epochMs: seconds, author: `anamnesis@${machine}`, message };
    this.#commits.set(hash, { logged, tree });
    this.#head = hash;
    return hash;
  }

  #keep(bytes: Buffer): BlobId {
    const blob = blobIdOf(bytes);
    this.#bytes.set(blob, bytes);
    return blob;
  }

  #commit(id: string): Commit {
    const commit = this.#commits.get(id);
    if (commit === undefined) throw this.incomplete();
    return commit;
  }

  #treeOf(id: string | undefined): Tree {
    return id === undefined ? new Map() : this.#commit(id).tree;
  }

  async diff(from: string | undefined, to: string): Promise<readonly PathChange[]> {
    return difference(this.#treeOf(from), this.#treeOf(to)).filter(({ path }) => isNotePath(path));
  }

  async patch(from: string | undefined, to: string | undefined): Promise<string> {
    const textOf = (blob: BlobId | undefined): string => this.#bytes.get(blob ?? '')?.toString('utf8') ?? '';
    return difference(this.#treeOf(from), this.#treeOf(to))
      .flatMap(({ path, before, after }) => [
        `--- ${before === undefined ? '/dev/null' : `a/${path}`}`,
        `+++ ${after === undefined ? '/dev/null' : `b/${path}`}`,
        ...formatUnified(diffLines(textOf(before), textOf(after))),
      ])
      .map((line) => `${line}\n`)
      .join('');
  }

  async notes(commit: string): Promise<readonly TreeEntry[]> {
    return (await this.tree(commit)).filter(({ path }) => isNotePath(path));
  }

  async tree(commit: string): Promise<readonly TreeEntry[]> {
    return [...this.#treeOf(commit).values()].sort(byPath);
  }

  async blobs(ids: readonly BlobId[], inAll = Number.POSITIVE_INFINITY): Promise<ReadonlyMap<BlobId, Buffer>> {
    const found = new Map<BlobId, Buffer>();
    let left = inAll;
    for (const id of ids) {
      const bytes = this.#bytes.get(id);
      if (bytes === undefined || bytes.length > maxFileBytes) continue;
      left -= bytes.length;
      if (left < 0) break;
      found.set(id, bytes);
    }
    return found;
  }

  async sizes(ids: readonly BlobId[]): Promise<ReadonlyMap<BlobId, number>> {
    return new Map(
      ids.flatMap((id) => {
        const bytes = this.#bytes.get(id);
        return bytes === undefined ? [] : [[id, bytes.length] as const];
      }),
    );
  }

  async events(from: string | undefined, to: string): Promise<readonly LoggedEvent[]> {
    const known = new Set(from === undefined ? [] : this.#history(from));
    return this.#history(to)
      .filter((id) => !known.has(id))
      .map((id) => toLoggedEvent(this.#commit(id).logged, notesAt(this.#ownChanges(id))));
  }

  async asForeign(commits: readonly string[]): Promise<ReadonlyMap<string, JournalEvent>> {
    return new Map(
      commits.map((id) => [id, foreignEvent({ ...this.#commit(id).logged, notes: notesAt(this.#ownChanges(id)) })]),
    );
  }

  async steps(from: string, to: string, most: number): Promise<Steps | undefined> {
    const events = await this.events(from, to);
    const isLine = events.every(
      ({ parents }, at) => parents.length === 1 && parents[0] === (events[at - 1]?.commit ?? from),
    );
    return !isLine || events.length === 0 || events.length > most
      ? undefined
      : { events, changes: await this.diff(from, to) };
  }

  async changesOf(commits: readonly string[]): Promise<ReadonlyMap<string, readonly PathChange[]>> {
    return new Map(commits.map((id) => [id, this.#changesOf(id).filter(({ path }) => isNotePath(path))]));
  }

  #changesOf(id: string): readonly PathChange[] {
    const { logged, tree } = this.#commit(id);
    return difference(this.#treeOf(logged.parents[0]), tree);
  }

  /** What a commit itself changed: of a merge, what differs from every side. */
  #ownChanges(id: string): readonly PathChange[] {
    const { logged, tree } = this.#commit(id);
    const [first = [], ...others] = (logged.parents.length === 0 ? [undefined] : logged.parents).map((parent) =>
      difference(this.#treeOf(parent), tree),
    );
    return first.filter(({ path }) => others.every((side) => side.some((change) => change.path === path)));
  }

  async versions(commit: string, path: string): Promise<ReadonlySet<BlobId>> {
    return new Set(this.#history(commit).flatMap((id) => this.#treeOf(id).get(path)?.blob ?? []));
  }

  async parents(commit: string): Promise<readonly string[]> {
    return this.#commit(commit).logged.parents;
  }

  async resolve(text: string): Promise<string | undefined> {
    const found = [...this.#commits.keys()].filter((id) => id.startsWith(text));
    return text.length >= 4 && found.length === 1 ? found[0] : undefined;
  }

  async timeOf(commit: string): Promise<number> {
    return this.#commit(commit).logged.epochMs;
  }

  async commitAt(timeMs: number): Promise<string | undefined> {
    let at = this.#head;
    while (at !== undefined && this.#commit(at).logged.epochMs > timeMs) at = this.#commit(at).logged.parents[0];
    return at;
  }

  async contains(commit: string, ancestor: string): Promise<boolean> {
    return this.#commits.has(commit) && this.#history(commit).includes(ancestor);
  }

  incomplete(): Fault {
    return new Fault('journal-damaged', 'the journal names a commit that it does not have', 'begin a new journal');
  }

  /** A commit and its ancestors, parents before children, as they were appended. */
  #history(commit: string): readonly string[] {
    const found = new Set([commit]);
    for (const id of found) for (const parent of this.#commit(id).logged.parents) found.add(parent);
    return [...this.#commits.keys()].filter((id) => found.has(id));
  }
}

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

const difference = (from: Tree, to: Tree): readonly PathChange[] =>
  [...new Set([...from.keys(), ...to.keys()])]
    .filter((path) => from.get(path)?.blob !== to.get(path)?.blob)
    .map((path) => {
      const now = to.get(path);
      return { path, before: from.get(path)?.blob, after: now?.blob, afterMode: now?.mode ?? '000000' };
    })
    .sort(byPath);
