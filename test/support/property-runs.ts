/** Loaded before each test file: how often a property is tried, for all of them in one place. */
import fc from 'fast-check';
import { byLength } from './run-length.js';

fc.configureGlobal({ numRuns: byLength(50, 300, 3000) });
