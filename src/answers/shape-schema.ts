/** Building blocks of every answer's schema. Objects are strict, so tests catch keys that are not in the schema. */
import * as z from 'zod';

export const shape = <Shape extends z.ZodRawShape>(keys: Shape) => z.strictObject(keys).readonly();
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
export const counts = () => z.record(z.string(), z.int()).readonly();
export const text = () => z.string();
export const whole = () => z.int();
/** A journal's folder in the store. */
export const journalFolder = () => z.enum(['memory', 'local']);
