/** Set for every agent that we start ourselves: its hooks see it and do nothing. No imports: every hook loads this. */
export const guardVariable = 'ANAMNESIS_INSIDE';
