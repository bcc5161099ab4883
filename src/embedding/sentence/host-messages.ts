/** What is said to a process that runs a model, and what it answers. Plain data. */
import type { SentenceManifest } from './manifest.js';

export type ToHost =
  | {
      readonly kind: 'open';
      /** The runtime's file, the folder of all models, and the one to be run. */
      readonly entry: string;
      readonly models: string;
      readonly name: string;
      readonly manifest: SentenceManifest;
      readonly threads: number;
    }
  | { readonly kind: 'embed'; readonly ask: number; readonly texts: readonly string[] };

export type FromHost =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly why: string; readonly isDamage: boolean }
  /** One text's vector after the other's. */
  | { readonly kind: 'embedded'; readonly ask: number; readonly vectors: Float32Array }
  | { readonly kind: 'failed'; readonly ask: number; readonly why: string };
