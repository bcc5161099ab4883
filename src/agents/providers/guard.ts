/** Set for every agent that we start ourselves: its hooks see it and do nothing. Without imports: each hook loads this. */
export const guardVariable = 'ANAMNESIS_INSIDE';
