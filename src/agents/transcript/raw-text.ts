/** Unmasked text of a transcript, which can only be read masked. */
import { type MaskedText, maskPieces } from '../../events/note/mask-text.js';

/** Exposes only masked text, so no path to a note can forget to mask. Masks on demand: most outputs are never read. */
export class RawText {
  readonly #pieces: readonly string[];

  /** `pieces` are the blocks of one message, joined by line feeds. */
  constructor(pieces: readonly string[]) {
    this.#pieces = pieces;
  }

  get isBlank(): boolean {
    return !this.#pieces.some((piece) => /\S/.test(piece));
  }

  get units(): number {
    return this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** Ignores leading white space. */
  startsWith(prefix: string): boolean {
    const [first = ''] = this.#pieces;
    return first.startsWith(prefix) || first.trimStart().startsWith(prefix);
  }

  /** Tells whether the text is worth masking, without exposing any of it. */
  matches(pattern: RegExp): boolean {
    return this.#pieces.some((piece) => pattern.test(piece));
  }

  equals(other: RawText): boolean {
    return this.#pieces.length === other.#pieces.length && this.#pieces.every((piece, i) => piece === other.#pieces[i]);
  }

  masked(): string {
    return this.#pieces.length === 0 ? '' : maskPieces(this.#pieces).join('\n');
  }

  /** Masks texts that belong together as one: a secret may run from one into the next. */
  static maskAll(texts: readonly RawText[]): readonly MaskedText[] {
    return maskPieces(texts.flatMap((text) => text.#pieces));
  }
}

export const rawOf = (value: unknown): RawText | undefined =>
  typeof value === 'string' ? new RawText([value]) : undefined;
