/** What `anamnesis serve` does, for tests of the server alone. */

import { serve } from '../../../src/mcp/server.js';
import { openMemory } from '../../../src/memory/memory.js';
import { readSettings } from '../../../src/memory/settings.js';

process.umask(0o077);
const memory = openMemory(readSettings(process.env));
await serve(memory);
await memory.finish();
