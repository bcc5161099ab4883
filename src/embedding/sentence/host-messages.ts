/** Messages to and from the process that runs a model. Plain data. */
import type { ModelManifest } from './manifest.js';

export type ToHost =
  | {
      readonly kind: 'open';
      /** The runtime's file, the folder of all models, and the one to be run. */
      readonly entry: string;
      readonly models: string;
      readonly name: string;
      readonly manifest: ModelManifest;
      readonly threads: number;
    }
  /** With a question, each text is judged as its answer. */
  | {
      readonly kind: 'run';
      readonly ask: number;
      readonly texts: readonly string[];
      readonly question?: string | undefined;
    };

export type FromHost =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly why: string; readonly isDamage: boolean }
  /** One text's numbers after the other's: a vector, or a judgement. */
  | { readonly kind: 'ran'; readonly ask: number; readonly numbers: Float32Array }
  | { readonly kind: 'failed'; readonly ask: number; readonly why: string };
