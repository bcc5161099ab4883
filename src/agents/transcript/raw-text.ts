/** A text of a transcript before anything is done with it. */
import { type MaskedText, maskPieces } from '../../events/note/mask-text.js';

/**
 * Nothing but its masked form can be had of it, so no way to a note can forget to mask. Masked when it is asked for:
 * most outputs of tools are never looked at.
 */
export class RawText {
  readonly #pieces: readonly string[];

  /** The blocks of one message; one stands below the other. */
  constructor(pieces: readonly string[]) {
    this.#pieces = pieces;
  }

  get isBlank(): boolean {
    return !this.#pieces.some((piece) => /\S/.test(piece));
  }

  get units(): number {
    return this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** White space before it is passed over. */
  startsWith(prefix: string): boolean {
    const [first = ''] = this.#pieces;
    return first.startsWith(prefix) || first.trimStart().startsWith(prefix);
  }

  /** Whether it is worth masking, of which a pattern can tell without anything being read from it. */
  matches(pattern: RegExp): boolean {
    return this.#pieces.some((piece) => pattern.test(piece));
  }

  equals(other: RawText): boolean {
    return this.#pieces.length === other.#pieces.length && this.#pieces.every((piece, i) => piece === other.#pieces[i]);
  }

  masked(): string {
    return this.#pieces.length === 0 ? '' : maskPieces(this.#pieces).join('\n');
  }

  /** Texts that belong together, masked as one: a secret may run from one into the next. */
  static maskAll(texts: readonly RawText[]): readonly MaskedText[] {
    return maskPieces(texts.flatMap((text) => text.#pieces));
  }
}

/** Undefined for what is no text. */
export const rawOf = (value: unknown): RawText | undefined =>
  typeof value === 'string' ? new RawText([value]) : undefined;
