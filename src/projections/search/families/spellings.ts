/** British and American spellings, and months and numbers that may be written out or not. Pure. */

export const spellings = `
  aluminium aluminum, analyse analyze, apologise apologize, armour armor, artefact artifact, authorise authorize,
  behaviour behavior, catalogue catalog, categorise categorize, centre center, characterise characterize, colour
  color, containerise containerize, cosy cozy, criticise criticize, customise customize, defence defense, dialogue
  dialog, emphasise emphasize, endeavour endeavor, favour favor, favourite favorite, fibre fiber, finalise finalize,
  flavour flavor, generalise generalize, grey gray, harbour harbor, honour honor, humour humor, initialise initialize,
  jewellery jewelry, kilometre kilometer, labour labor, licence license, litre liter, localise localize, maximise
  maximize, memorise memorize, metre meter, minimise minimize, modernise modernize, mould mold, moustache mustache,
  neighbour neighbor, normalise normalize, offence offense, optimise optimize, organise organize, parallelise
  parallelize, parameterise parameterize, plough plow, practise practice, prioritise prioritize, programme program,
  randomise randomize, realise realize, recognise recognize, rigour rigor, rumour rumor, sanitise sanitize, savour
  savor, sceptical skeptical, serialise serialize, specialise specialize, standardise standardize, summarise
  summarize, synchronise synchronize, theatre theater, tokenise tokenize, tyre tire, utilise utilize, vapour vapor,
  virtualise virtualize, visualise visualize,

  january jan, february feb, april apr, august aug, september sept sep, october oct, november nov, december dec, two
  2, three 3, four 4, five 5, six 6, seven 7, eight 8, nine 9, ten 10, eleven 11, twelve 12, twenty 20, thirty 30,
  forty 40, fifty 50, sixty 60, hundred 100, thousand 1000`;
