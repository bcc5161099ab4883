/** Ordinary notes stay unchanged, as a person's text is lost once it is masked. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';
import { ordinaryTexts } from '../../support/secrets/ordinary.js';

describe(`${ordinaryTexts.length} ordinary texts close to secrets`, () => {
  it.each(ordinaryTexts)('include %j, left unchanged', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});
