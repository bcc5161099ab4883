/** Keeps only the end of a child process's output, however much it prints. Pure. */

/** git's own errors are a few lines, but it passes on a remote's messages without limit. */
export const maxWordsBytes = 64 * 1024;

export class OutputTail {
  #kept: Buffer = Buffer.alloc(0);
  /** All bytes pushed, kept or not. */
  bytes = 0;

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.#kept = Buffer.concat([this.#kept, chunk]).subarray(-maxWordsBytes);
  }

  text(): string {
    return this.#kept.toString('utf8');
  }
}
