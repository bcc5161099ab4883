/** Messages to and from the process that runs a model. Plain data. */
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

/** Shortens to one line, because it becomes part of a sentence that an agent may read. */
export const shorten = (why: string): string =>
  why
    .slice(0, 3000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300);
