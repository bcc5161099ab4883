/**
 * Messages to and from the process that runs a model. Plain data. Messages from it are validated, because it runs a
 * package that is not ours and that may send anything.
 */
import type { ModelManifest } from '../manifest.js';

export type ToHost =
  | {
      readonly kind: 'open';
      /** The runtime's file, the folder of all models, and the model to run. */
      readonly entry: string;
      readonly models: string;
      readonly name: string;
      readonly manifest: ModelManifest;
      readonly threads: number;
    }
  | { readonly kind: 'run'; readonly ask: number; readonly texts: readonly string[] };

export type FromHost =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly why: string }
  /** The vectors of all texts, one after the other. */
  | { readonly kind: 'ran'; readonly ask: number; readonly numbers: Float32Array }
  | { readonly kind: 'failed'; readonly ask: number; readonly why: string };

/** Returns undefined unless it is one of our messages and its numbers are finite. */
export const readFromHost = (message: unknown): FromHost | undefined => {
  if (typeof message !== 'object' || message === null) return undefined;
  const { kind, ask, numbers, why }: Readonly<Record<string, unknown>> = { ...message };
  if (kind === 'opened') return { kind };
  if (kind === 'refused' && typeof why === 'string') return { kind, why: shorten(why) };
  if (typeof ask !== 'number') return undefined;
  if (kind === 'failed' && typeof why === 'string') return { kind, ask, why: shorten(why) };
  const isCounted = kind === 'ran' && numbers instanceof Float32Array && numbers.every(Number.isFinite);
  return isCounted ? { kind, ask, numbers } : undefined;
};

/** Shortens to one line, because it becomes part of a sentence that an agent may read. */
export const shorten = (why: string): string =>
  why
    .slice(0, 3000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300);
