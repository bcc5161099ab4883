/** The entry point. */
import { runCommandLine } from './command-line.js';

// Notes are private: files created from here on are for this user only.
process.umask(0o077);

// The bundle is CommonJS, which starts faster than modules do and has no top-level await.
void runCommandLine(process.argv.slice(2)).then((isDone) => {
  // Everything is written and closed by now. Without this, Node would wait for V8's other threads to finish compiling.
  if (isDone) process.exit();
});
