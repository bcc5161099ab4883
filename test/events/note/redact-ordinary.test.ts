/** Ordinary notes stay as they are: a person's text that is masked is lost. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';
import { ordinaryTexts } from '../../support/secrets/ordinary.js';

describe(`${ordinaryTexts.length} ordinary texts close to secrets`, () => {
  it.each(ordinaryTexts)('leaves alone %j', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});
