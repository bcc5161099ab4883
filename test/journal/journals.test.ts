import { MemoryJournal } from '../../src/events/memory-journal.js';
import { newJournal } from '../support/journals.js';
import { describeJournal } from './contract.js';

describeJournal('a git repository', async () => (await newJournal()).journal);

// A person may have made the repository; git has no other way to get one with these ids.
describeJournal('a git repository with SHA-256 ids', async () => (await newJournal('portable', 'sha256')).journal);

describeJournal('memory', async () => new MemoryJournal('portable', '/nowhere'));
