/** The last words of a child process: it may say as much as it likes, and only its end is kept. Pure. */

export type OutputTail = {
  push(chunk: Buffer): void;
  /** Of all that came, kept or not. */
  bytes(): number;
  text(): string;
};

/** git's own errors are a few lines, but a remote's messages pass through it without limit. */
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
      // Now and then, so that each byte is copied a few times at most.
      if (keptBytes > 4 * most || kept.length > 1024) cut();
    },
    bytes: () => bytes,
    text: () => cut().toString('utf8'),
  };
};
