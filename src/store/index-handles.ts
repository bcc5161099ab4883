/** Shares one handle on the current index in this process; an older one is closed once it is no longer in use. */
import type Database from 'better-sqlite3';
import { isDenied } from '../events/environment-faults.js';
import { copyGeneration, currentGeneration, IndexUnusable, openGeneration } from '../projections/generation.js';

export type OpenIndex = {
  readonly file: string;
  readonly database: Database.Database;
  /** When it was copied to memory; undefined for the file itself. What is written to a copy is lost with it. */
  readonly copiedMs: number | undefined;
};

export class IndexHandles {
  private current: OpenIndex | undefined;
  private readonly holders = new Map<OpenIndex, number>();

  constructor(
    private readonly folder: string,
    private readonly log: (line: string) => void,
  ) {}

  /** For immediate use; what awaits in between needs `during`. Reads the pointer each time (about 20 microseconds). */
  open(mayCopy: boolean): OpenIndex {
    const file = currentGeneration(this.folder);
    const { current } = this;
    if (current !== undefined && current.file === file && (mayCopy || current.copiedMs === undefined)) return current;
    this.replace(undefined);
    if (file === undefined) throw new IndexUnusable('there is no index yet');
    try {
      const opened = { file, database: openGeneration(file), copiedMs: undefined };
      this.replace(opened);
      return opened;
    } catch (error) {
      const copy = mayCopy && isDenied(error) ? this.openCopy(file, error) : undefined;
      if (copy === undefined) throw error;
      return copy;
    }
  }

  /** Opens a copy in memory if the disk is full or read-only. Returns undefined if the file can't be read either. */
  openCopy(file: string, reason: unknown): OpenIndex | undefined {
    const database = copyGeneration(file);
    if (database === undefined) return undefined;
    this.log(`reading a copy of the index: ${reason instanceof Error ? reason.message : String(reason)}`);
    const copy = { file, database, copiedMs: performance.now() };
    this.replace(copy);
    return copy;
  }

  async during<Answer>(used: OpenIndex, run: (used: OpenIndex) => Promise<Answer> | Answer): Promise<Answer> {
    this.hold(used);
    try {
      return await run(used);
    } finally {
      this.letGo(used);
    }
  }

  /** Keeps the index open until `letGo`. */
  hold(used: OpenIndex): void {
    this.holders.set(used, (this.holders.get(used) ?? 0) + 1);
  }

  letGo(used: OpenIndex): void {
    const others = (this.holders.get(used) ?? 0) - 1;
    if (others > 0) this.holders.set(used, others);
    else this.holders.delete(used);
    this.closeUnlessUsed(used);
  }

  /** Drops the handle; the next question opens the index again. */
  forget(): void {
    this.replace(undefined);
  }

  /** Drops the handle on a copy that was made longer ago than this. */
  forgetCopy(lastsMs: number): void {
    const { copiedMs } = this.current ?? {};
    if (copiedMs !== undefined && performance.now() - copiedMs > lastsMs) this.forget();
  }

  private closeUnlessUsed(used: OpenIndex): void {
    if (used !== this.current && !this.holders.has(used)) used.database.close();
  }

  private replace(next: OpenIndex | undefined): void {
    const before = this.current;
    this.current = next;
    if (before !== undefined) this.closeUnlessUsed(before);
  }
}
