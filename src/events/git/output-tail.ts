/** Keeps only the end of a child process's output, however much it prints. Pure. */

export type OutputTail = {
  push(chunk: Buffer): void;
  /** Counts all bytes pushed, kept or not. */
  bytes(): number;
  text(): string;
};

/** git's own errors are a few lines, but it passes on a remote's messages without limit. */
export const maxWordsBytes = 64 * 1024;

export const keepTail = (most: number = maxWordsBytes): OutputTail => {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let bytes = 0;
  const cut = (): Buffer => {
    const tail = Buffer.concat(kept).subarray(-most);
    kept = [tail];
    keptBytes = tail.length;
    return tail;
  };
  return {
    push(chunk) {
      bytes += chunk.length;
      kept.push(chunk.length > most ? chunk.subarray(-most) : chunk);
      keptBytes += Math.min(chunk.length, most);
      // Trimmed only occasionally, so that each byte is copied a few times at most.
      if (keptBytes > 4 * most || kept.length > 1024) cut();
    },
    bytes: () => bytes,
    text: () => cut().toString('utf8'),
  };
};
