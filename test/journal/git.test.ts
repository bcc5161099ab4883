import { newJournal } from '../support/journals.js';
import { describeJournal } from './contract.js';

describeJournal('a git repository', async () => (await newJournal()).journal);
